internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// Writes lengths of a plan as values of a stylesheet.
struct LengthStyle {
    enum Direction { case horizontal, vertical }

    static func value(_ length: Affine, _ direction: Direction) -> StyleValue {
        if length.isConstant, length.texts.isEmpty { return .points(length.constant) }
        if Affine(0, share: length.share) == length { return .number(length.share * 100, "%") }
        let isHorizontal = direction == .horizontal
        var terms: [StyleValue.Term] = [
            .amount(length.share * 100, "%"),
            .multiple(length.safeStart, .property(isHorizontal ? "--safe-left" : "--safe-top", or: "0px")),
            .multiple(length.safeEnd, .property(isHorizontal ? "--safe-right" : "--safe-bottom", or: "0px")),
            .multiple(length.margin, .property("--m", or: "16px")), .multiple(length.readable, readable),
        ]
        for term in length.terms {
            terms.append(
                .multiple(term.factor, .property(LayoutClasses.constant(term.node), or: .points(term.value))))
        }
        var constant = length.constant
        for term in length.texts {
            switch term.text {
            case .font(let style):
                constant -= term.factor
                terms.append(points(term.factor, style))
            case .line(let size, let style, let height):
                let room = StyleValue.sum([points(size, style), .amount(-height, "px")])
                terms.append(.multiple(term.factor, .function("max", ["0px", room])))
            }
        }
        terms.append(.amount(constant, "px"))
        return .sum(terms)
    }

    /// So many points of a font at the usual size of text.
    private static func points(_ points: Double, _ style: TextStyle?) -> StyleValue.Term {
        // A rem is 16 points at the usual size of text.
        guard let style else { return .amount(points / 16, "rem") }
        return .multiple(points / style.size(at: .large), FontStyle.size(of: style))
    }

    /// The distance from an edge to a column of text that is comfortable to read. It is half of
    /// `SystemMeasures.readableWidth` wide on either side, and grows with the reader's text.
    private static let readable = StyleValue.function("max", [.property("--m", or: "16px"), "50% - 21rem"])

    /// True if the length needs the margins of the screen.
    static func usesMargin(_ length: Affine) -> Bool { length.margin != 0 || length.readable != 0 }
}
