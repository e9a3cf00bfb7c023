package import WidgetCore

/// A length that follows from the length of a container: `constant + share × the container's length`, and what bars and
/// margins of the screen add.
package struct Affine: Hashable, Sendable {
    /// A constant of a rule that a running widget may change, with the factor it counts by.
    package struct Term: Hashable, Sendable {
        package var node: NodeID
        package var factor: Double
        /// The author's constant.
        package var value: Double
    }

    /// The parts that depend on the reader's size of text.
    package enum Text: Hashable, Sendable {
        /// A point of a font, which grows as body text does or as a style of text.
        case font(TextStyle?)
        /// The room that a line needs beyond a height at the usual size of text, once, in points: half of what a field grows.
        case line(points: Double, TextStyle?, within: Double)
    }

    package struct TextTerm: Hashable, Sendable {
        package var text: Text
        package var factor: Double
    }

    /// Points.
    package var constant: Double
    package var share: Double
    /// The parts that most lengths lack, behind a reference: a plan holds very many lengths.
    private var extra: Extra?

    private struct Parts: Hashable, Sendable {
        var safeStart = 0.0
        var safeEnd = 0.0
        var margin = 0.0
        var readable = 0.0
        var terms: [Term] = []
        var texts: [TextTerm] = []

        /// True if the author's numbers alone are in it.
        var isConstant: Bool { safeStart == 0 && safeEnd == 0 && margin == 0 && readable == 0 && terms.isEmpty }
    }

    private final class Extra: Sendable {
        let parts: Parts

        init(_ parts: Parts) { self.parts = parts }
    }

    private var parts: Parts {
        get { extra?.parts ?? Parts() }
        set { extra = newValue == Parts() ? nil : Extra(newValue) }
    }

    /// Multiples of the safe area's inset at the start and at the end of the axis.
    package var safeStart: Double {
        get { extra?.parts.safeStart ?? 0 }
        set { parts.safeStart = newValue }
    }
    package var safeEnd: Double {
        get { extra?.parts.safeEnd ?? 0 }
        set { parts.safeEnd = newValue }
    }
    /// Multiples of the usual margin at the sides of a screen.
    package var margin: Double {
        get { extra?.parts.margin ?? 0 }
        set { parts.margin = newValue }
    }
    /// Multiples of the distance between an edge and the area that is comfortable to read.
    package var readable: Double {
        get { extra?.parts.readable ?? 0 }
        set { parts.readable = newValue }
    }
    package var terms: [Term] { extra?.parts.terms ?? [] }
    /// The points of fonts that are a part of the constant, and the growth of lines, which is not.
    package var texts: [TextTerm] {
        get { extra?.parts.texts ?? [] }
        set { parts.texts = newValue }
    }

    package init(_ constant: Double = 0, share: Double = 0) {
        self.constant = constant
        self.share = share
    }

    /// A constant that a node may change while a widget runs.
    package init(_ constant: Double, changedBy node: NodeID?) {
        self.init(node == nil ? constant : 0)
        if let node { parts.terms = [Term(node: node, factor: 1, value: constant)] }
    }

    package static let zero = Affine()
    package static let whole = Affine(0, share: 1)

    package static func == (left: Affine, right: Affine) -> Bool {
        left.constant == right.constant && left.share == right.share
            && (left.extra === right.extra || left.extra?.parts == right.extra?.parts)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(constant)
        hasher.combine(share)
        hasher.combine(extra?.parts)
    }

    /// The most constants of one length that can change. Further ones keep the author's value.
    private static let termCount = 4
    /// Lengths beyond it are cut off: no screen is as long, and no sum of them overflows.
    package static let limit = 1_000_000.0

    package static func + (left: Affine, right: Affine) -> Affine { combined(left, 1, right, 1) }

    package static func - (left: Affine, right: Affine) -> Affine { combined(left, 1, right, -1) }

    package static func * (factor: Double, length: Affine) -> Affine { combined(length, factor, .zero, 0) }

    package static prefix func - (length: Affine) -> Affine { combined(length, -1, .zero, 0) }

    private static func combined(_ left: Affine, _ first: Double, _ right: Affine, _ second: Double) -> Affine {
        func sum(_ one: Double, _ other: Double) -> Double { bounded(one * first + other * second) }
        var result = Affine(sum(left.constant, right.constant), share: sum(left.share, right.share))
        if left.extra == nil, right.extra == nil { return result }
        let (own, others) = (left.parts, right.parts)
        var parts = Parts(
            safeStart: sum(own.safeStart, others.safeStart), safeEnd: sum(own.safeEnd, others.safeEnd),
            margin: sum(own.margin, others.margin), readable: sum(own.readable, others.readable))
        for (own, factor) in [(own, first), (others, second)] {
            for term in own.terms { result.add(term, times: factor, to: &parts.terms) }
            for term in own.texts { add(term, times: factor, to: &parts.texts) }
        }
        result.parts = parts
        return result
    }

    private mutating func add(_ term: Term, times factor: Double, to terms: inout [Term]) {
        let factor = Affine.bounded(term.factor * factor)
        if let place = terms.firstIndex(where: { $0.node == term.node }) {
            terms[place].factor = Affine.bounded(terms[place].factor + factor)
            if terms[place].factor == 0 { terms.remove(at: place) }
        } else if terms.count < Affine.termCount {
            if factor != 0 { terms.append(Term(node: term.node, factor: factor, value: term.value)) }
        } else {
            constant = Affine.bounded(constant + factor * term.value)
        }
    }

    private static func add(_ term: TextTerm, times factor: Double, to texts: inout [TextTerm]) {
        let factor = bounded(term.factor * factor)
        if let place = texts.firstIndex(where: { $0.text == term.text }) {
            texts[place].factor = bounded(texts[place].factor + factor)
            if abs(texts[place].factor) < smallest { texts.remove(at: place) }
        } else if texts.count < textCount, factor != 0 {
            texts.append(TextTerm(text: term.text, factor: factor))
        }
    }

    /// The most terms of texts in one length. Further ones stay as at the usual size of text.
    private static let textCount = 4
    /// A factor that rounding has left.
    private static let smallest = 1e-9

    /// The number itself within the limit; 0 for what is not a number.
    package static func bounded(_ number: Double) -> Double {
        number.isNaN ? 0 : min(max(number, -limit), limit)
    }

    /// True if nothing but the author's numbers is in it.
    package var isConstant: Bool { share == 0 && extra?.parts.isConstant ?? true }

    package var isZero: Bool { isConstant && constant == 0 && texts.isEmpty }

    /// The length in a container, with the author's constants, on a screen without margins and bars.
    package func value(in length: Double) -> Double {
        var value = constant + share * length
        for term in terms { value += term.factor * term.value }
        return value
    }
}
