internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Finds controls whose value lies outside of their limits, or whose limits leave none.
extension SceneAssembly {
    mutating func checkLimits() {
        for node in scene.nodes where hasRoom {
            switch node.kind {
            case .slider: checkRange(node, most: 1)
            case .stepper:
                checkRange(node, most: 100)
                if let step = node[.step]?.literal?.number, step <= 0 {
                    reportLimit(
                        node, .step, "has the step \(Value.text(step)), so a touch changes nothing",
                        hint: "a step is greater than 0; on iOS another one ends the app")
                }
            case .progress:
                guard let value = node[.value]?.literal?.number, !(0...1).contains(value) else { continue }
                reportLimit(
                    node, .value, "is \(Value.text(value)) at first, and a progress view goes from 0 to 1",
                    hint: "write the part that is done, such as 0.5")
            case .segments: checkSegments(node)
            case .picker: checkPicker(node)
            case .pageControl:
                guard let value = node[.value]?.literal?.number, let count = node[.pageCount]?.literal?.number,
                    value >= count, value > 0
                else { continue }
                reportLimit(
                    node, .value, "shows page \(Value.text(value)) at first, and has \(Value.text(count))",
                    hint: "pages count from 0")
            default: continue
            }
        }
    }

    private mutating func reportLimit(_ node: Node, _ property: PropertyName, _ sentence: String, hint: String) {
        let name = node.identifier ?? node[.accessibleName]?.literal?.string ?? ""
        let owner = name.isEmpty ? node.kind.spoken.withArticle : "The \(node.kind.spoken) \(name.excerpt)"
        let place = node[property]?.place ?? node.place
        report(
            Finding(
                .warning, .outOfRange, "\(owner) \(sentence)", at: place, value: name.isEmpty ? nil : name.excerpt,
                hint: hint))
    }

    private mutating func checkRange(_ node: Node, most: Double) {
        for limit in [PropertyName.minimum, .maximum] where node[limit] != nil && node[limit]?.literal == nil { return }
        let low = node[.minimum]?.literal?.number ?? 0
        let high = node[.maximum]?.literal?.number ?? most
        guard low <= high else {
            reportLimit(
                node, node[.minimum] == nil ? .maximum : .minimum,
                "has values from \(Value.text(low)) to \(Value.text(high)), so it has none",
                hint: "minimumValue is the least, and maximumValue the greatest")
            return
        }
        guard let value = node[.value]?.literal?.number, !(low...high).contains(value) else { return }
        // An interface that says no value has the value 0, which the limits move.
        if value == 0 { return }
        reportLimit(
            node, .value,
            "is \(Value.text(value)) at first, and its values go from \(Value.text(low)) to \(Value.text(high))",
            hint: "it begins with \(Value.text(min(max(value, low), high))); write that, or other limits")
    }

    private mutating func checkSegments(_ node: Node) {
        guard let titles = node[.titles]?.literal?.elements, !titles.isEmpty else { return }
        if titles.count == 1, let only = titles[0].string, only.contains("|") {
            let count = only.split(separator: "|").count
            reportLimit(
                node, .titles, "has one segment, \(ShownText.quoted(only, limit: String.excerptByteCount))",
                hint: "\(count) segments are \(count) titles, such as `segments \"One\" \"Two\"` in a .screens file")
        }
        guard let value = node[.value]?.literal?.number, value >= Double(titles.count) else { return }
        reportLimit(
            node, .value, "has segment \(Value.text(value)) chosen, and \(titles.count) segments",
            hint: "segments count from 0")
    }

    private mutating func checkPicker(_ node: Node) {
        guard node[.titles].map({ $0.literal?.elements?.isEmpty ?? false }) ?? true else { return }
        reportLimit(
            node, .titles, "has no titles, so nothing can be chosen",
            hint: #"the scheme gives them: "attrs": {"titles": ["One", "Two"]}, or a binding to titles"#)
    }
}

extension NodeKind {
    /// The name of the kind in a sentence.
    var spoken: String {
        switch self {
        case .segments: "segmented control"
        case .progress: "progress view"
        default: row.name.replacing("-", with: " ")
        }
    }
}
