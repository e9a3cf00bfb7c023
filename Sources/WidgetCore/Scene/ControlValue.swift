internal import Predicates

/// What the value of a kind is: the property that has it, what is made of a value that it is given, and how it is read
/// aloud.
package enum ControlValue: Equatable, Sendable {
    case any, text, picture, address
    /// Whether something is under way.
    case running, refreshing
    case flag, number, constant
    /// A number between two others; the largest is this one where the author gives none.
    case range(upTo: Double)
    /// The number of a page, from zero.
    case page
    /// The place of a title among the titles, from zero; minus one for none.
    case choice
    case date

    /// The property that has it.
    package var property: PropertyName {
        switch self {
        case .any, .flag, .number, .range, .page, .choice, .date: .value
        case .text: .text
        case .picture: .image
        case .address: .address
        case .running: .active
        case .refreshing: .refreshing
        case .constant: .constant
        }
    }

    /// What is made of a value that a person or an assignment gives.
    ///
    /// - Parameter property: another property of the same node.
    /// - Returns: `nil` for a value that is ignored.
    func fitting(_ value: Value, _ property: (PropertyName) -> Value) -> Value? {
        switch self {
        case .any, .text, .picture, .address, .running, .refreshing: return value
        case .flag: return value.isNull ? nil : .boolean(value.truth)
        case .constant, .number: return value.number.flatMap { $0.isFinite ? ControlValue.number($0) : nil }
        case .range(let most):
            let range = limits(most, property)
            return value.number.flatMap { ControlValue.clamped($0, range.least, range.most) }
        case .page:
            let last = max((property(.pageCount).number ?? 0) - 1, 0)
            return value.number.flatMap { ControlValue.clamped($0.rounded(), 0, last) }
        case .choice:
            let titles = property(.titles).elements ?? []
            if let text = value.string, let place = titles.firstIndex(where: { $0.shown == text }) {
                return .integer(Int64(place))
            }
            return value.number.flatMap { ControlValue.clamped($0.rounded(), -1, Double(titles.count) - 1) }
        case .date: return ControlValue.date(value)
        }
    }

    private func limits(_ most: Double, _ property: (PropertyName) -> Value) -> (least: Double, most: Double) {
        (property(.minimum).number ?? 0, property(.maximum).number ?? most)
    }

    private static func clamped(_ value: Double, _ smallest: Double, _ largest: Double) -> Value? {
        value.isFinite && smallest <= largest ? number(min(max(value, smallest), largest)) : nil
    }

    private static func number(_ value: Double) -> Value {
        Int64(exactly: value).map { .integer($0) } ?? .double(value)
    }

    /// A date, or a text as dates are described; a day alone begins at midnight.
    private static func date(_ value: Value) -> Value? {
        switch value {
        case .date: return value
        case .string(let text):
            for format in ["yyyy-MM-dd HH:mm:ss Z", "yyyy-MM-dd HH:mm", "yyyy-MM-dd"] {
                let pattern = DatePattern(format, locale: "en_US_POSIX")
                if let seconds = pattern.seconds(text, timeZone: 0) { return .date(seconds) }
            }
            return nil
        default: return nil
        }
    }

    // MARK: - For the person who uses it

    /// The value of a node of a view, as it is read aloud.
    func spoken(_ node: ViewNode) -> String? {
        switch self {
        case .text: return node.text(.text)
        case .flag: return node.isTrue(.value) ? "on" : "off"
        case .choice:
            guard let titles = node[.titles]?.elements, let index = node[.value]?.number,
                let place = Int(exactly: index), titles.indices.contains(place)
            else { return node[.value]?.shown }
            return titles[place].shown
        default: return node[property]?.shown
        }
    }
}

extension ControlKind {
    /// The value of a node of this kind after an arrow key, forth or back; `nil` for kinds that no arrow key changes.
    package func value(of node: ViewNode, moved direction: Double) -> Value? {
        let step: Double
        switch keyStep {
        case .none: return nil
        case .one: step = 1
        case .authored: step = node[.step]?.number ?? 1
        case .part(let count):
            guard case .range(let most) = value else { return nil }
            step = ((node[.maximum]?.number ?? most) - (node[.minimum]?.number ?? 0)) / count
        }
        return .double((node[value.property]?.number ?? 0) + direction * step)
    }
}
