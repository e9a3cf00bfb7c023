package import WidgetPredicates

/// The rules that the value of a form's field follows. A form with a field that breaks one is not sent.
package final class FieldRules: Sendable {
    package enum Rule: String, Sendable, CaseIterable {
        case required, minimumLength, maximumLength, pattern, minimum, maximum
        /// A predicate of the author, which may compare several fields.
        case predicate = "predicateFormat"
    }

    /// A rule with its parameter.
    package enum Test: Sendable {
        case required
        /// Characters of a text.
        case minimumLength(Int), maximumLength(Int)
        /// Holds for a text that matches as a whole.
        case pattern(CompiledPredicate)
        case minimum(FieldLimit), maximum(FieldLimit)
        /// Holds for the scope of the screen.
        case predicate(CompiledPredicate)

        package var rule: Rule {
            switch self {
            case .required: .required
            case .minimumLength: .minimumLength
            case .maximumLength: .maximumLength
            case .pattern: .pattern
            case .minimum: .minimum
            case .maximum: .maximum
            case .predicate: .predicate
            }
        }

        /// The parameter, as messages show it.
        ///
        /// - Parameter scale: the values of the field; `nil` for numbers.
        func limit(on scale: FieldLimit.Scale?) -> String {
            switch self {
            case .minimumLength(let count), .maximumLength(let count): "\(count)"
            case .minimum(let limit), .maximum(let limit): limit.shown(on: scale)
            case .required, .pattern, .predicate: ""
            }
        }
    }

    /// In the order in which they are checked; the first one that fails is shown.
    package let tests: [Test]
    /// The author's messages of single rules, and the one of all others.
    package let messages: [Rule: String]
    package let message: String?
    package let place: Place?

    package var hasMessages: Bool { message != nil || !messages.isEmpty }

    package init(_ tests: [Test], messages: [Rule: String] = [:], message: String? = nil, at place: Place? = nil) {
        let order = Rule.allCases
        self.tests = order.flatMap { rule in tests.filter { $0.rule == rule } }
        self.messages = messages
        self.message = message
        self.place = place
    }
}

/// The least or the greatest value of a field: a number, or a date in the form of a picker's mode.
package struct FieldLimit: Sendable {
    /// The values of a date picker: those of its mode, by the clock of the widget.
    package struct Scale {
        let mode: DateMode
        let clock: LocalClock

        package init(_ mode: DateMode, _ clock: LocalClock = .utc) {
            (self.mode, self.clock) = (mode, clock)
        }
    }

    /// A number, or the text of a date, which means a moment only by a clock.
    private let value: Value

    /// - Parameter mode: of a date picker; `nil` where it is known only later.
    /// - Returns: `nil` for a limit that values of this kind cannot be compared with.
    package init?(_ value: Value, for kind: NodeKind, mode: DateMode? = nil) {
        switch (kind.row.value, value) {
        case (.text, .integer), (.text, .double), (.range, .integer), (.range, .double), (.page, .integer),
            (.page, .double):
            guard value.number != nil else { return nil }
        case (.date, _):
            let modes = mode.map { [$0] } ?? DateMode.allCases
            guard modes.contains(where: { $0.place(ofLimit: value, .utc) != nil }) else { return nil }
        default: return nil
        }
        self.value = value
    }

    /// The limit as a number, for comparing it with values and limits of one kind; `nil` if the mode has no such value.
    package func number(on scale: Scale?) -> Double? {
        scale.map { $0.mode.place(ofLimit: value, $0.clock) } ?? value.number
    }

    /// The number of a field's value that can be compared with the limit, or `nil`.
    static func number(of value: Value, on scale: Scale?) -> Double? {
        scale.map { $0.mode.place(of: value, $0.clock) } ?? value.number
    }

    func shown(on scale: Scale?) -> String {
        guard let scale else { return value.shown }
        return number(on: scale).map(scale.mode.text) ?? value.shown
    }
}

extension ControlKind {
    /// The rules that make sense for a value of this kind.
    package var fieldRules: Set<FieldRules.Rule> {
        switch value {
        case .text: Set(FieldRules.Rule.allCases)
        case .range, .page, .date: [.required, .minimum, .maximum, .predicate]
        case .any, .picture, .running, .refreshing, .flag, .number, .constant, .choice: [.required, .predicate]
        }
    }
}

/// The texts about fields that break a rule. In them `$name` is the field, and `$limit` the parameter of the rule.
package struct FieldMessages: Sendable {
    package enum Key: String, Sendable, CaseIterable {
        case required
        /// For a switch that has to be on.
        case on
        case minimumLength, maximumLength, pattern
        /// For a text that has to be a number.
        case number
        case minimum, maximum, minimumDate, maximumDate
        case predicate = "predicateFormat"
        /// The name of a field without a name.
        case field
    }

    private let own: [Key: String]

    /// - Parameter texts: the author's texts, which replace the standard ones.
    package init(_ texts: [Key: String] = [:]) {
        own = texts
    }

    /// - Parameter words: the standard texts in the reader's language.
    func text(_ key: Key, or words: SystemWords) -> String {
        own[key] ?? SystemWord(rawValue: key.rawValue).map { words[$0] } ?? ""
    }

    /// A text with the field's name and the rule's parameter.
    static func filled(_ text: String, name: String, limit: String) -> String {
        text.replacing("$limit", with: limit).replacing("$name", with: name)
    }
}
