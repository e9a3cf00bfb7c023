internal import WidgetPredicates

/// The kind of a node. The set is open: a printer shows the children of a kind it does not know.
package enum NodeKind: Hashable, Sendable {
    case box, label, button, image
    case textField, textArea, searchField
    case toggle, slider, stepper, segments, picker, datePicker, pageControl
    case activity, progress, web
    /// Markup that the program behind a native widget has written. Nothing of a bundle becomes one.
    case native
    case list, grid, row, sectionHeader, sectionFooter
    case bar, barTitle, tabs, tab, form, screen, constraint
    case unknown(String)
}

/// The row of a kind in the table of kinds: everything the runtime knows about it.
///
/// Readers of interfaces, the reducer, printers and terminals ask the table. A kind that is added gets its case above
/// and its row below; the compiler asks for both.
package struct ControlKind: Sendable {
    /// The text that a person types into a control of the kind.
    package enum Typing: Sendable { case nothing, line, lines }

    /// The step by which an arrow key moves the value.
    package enum KeyStep: Sendable {
        case none
        /// One of so many equal parts of the range.
        case part(of: Double)
        /// The author's step, or one.
        case authored
        case one
    }

    package let name: String
    package let value: ControlValue
    package let traits: AccessibilityTraits
    package let typing: Typing
    package let keyStep: KeyStep
    /// True if a person can give it a value.
    package let isControl: Bool

    /// - Parameter isControl: whether a person can give it a value; true where a person types or keys move the value.
    fileprivate init(
        _ name: String, _ value: ControlValue = .any, _ traits: AccessibilityTraits = .group,
        typing: Typing = .nothing, keyStep: KeyStep = .none, isControl: Bool = true
    ) {
        self.name = name
        self.value = value
        self.traits = traits
        self.typing = typing
        self.keyStep = keyStep
        self.isControl = isControl
    }

    /// A kind whose value only the author sets.
    fileprivate static func shown(
        _ name: String, _ value: ControlValue = .any, _ traits: AccessibilityTraits = .group
    ) -> ControlKind {
        ControlKind(name, value, traits, isControl: false)
    }

    /// True if typed text goes here letter by letter. A date is typed as well, but as a whole.
    package var holdsTypedText: Bool {
        if case .nothing = typing { false } else { value == .text }
    }
}

extension NodeKind {
    /// The kinds that have a name in the table; all but the unknown ones.
    package static let named: [NodeKind] = [
        .box, .label, .button, .image, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments,
        .picker, .datePicker, .pageControl, .activity, .progress, .web, .native, .list, .grid, .row, .sectionHeader,
        .sectionFooter, .bar, .barTitle, .tabs, .tab, .form, .screen, .constraint,
    ]

    package var row: ControlKind {
        switch self {
        case .box: .shown("box")
        case .label: .shown("label", .text, AccessibilityTraits(role: "text", label: .ownText))
        case .button: .shown("button", .text, AccessibilityTraits(role: "button", label: .textOrImage))
        case .image: .shown("image", .picture, AccessibilityTraits(role: "img", label: .picture))
        case .textField:
            ControlKind(
                "text-field", .text, AccessibilityTraits(role: "textbox", label: .placeholder, value: true),
                typing: .line)
        case .textArea:
            ControlKind(
                "text-area", .text, AccessibilityTraits(role: "textbox", label: .placeholder, value: true),
                typing: .lines)
        case .searchField:
            ControlKind(
                "search-field", .text, AccessibilityTraits(role: "searchbox", label: .placeholder, value: true),
                typing: .line)
        case .toggle: ControlKind("switch", .flag, AccessibilityTraits(role: "switch", value: true))
        case .slider:
            ControlKind(
                "slider", .range(upTo: 1), AccessibilityTraits(role: "slider", value: true), keyStep: .part(of: 20))
        case .stepper:
            ControlKind(
                "stepper", .range(upTo: 100), AccessibilityTraits(role: "spinbutton", value: true), keyStep: .authored)
        case .segments:
            ControlKind("segments", .choice, AccessibilityTraits(role: "radiogroup", value: true), keyStep: .one)
        case .picker:
            ControlKind("picker", .choice, AccessibilityTraits(role: "combobox", value: true), keyStep: .one)
        case .datePicker:
            ControlKind("date-picker", .date, AccessibilityTraits(role: "textbox", value: true), typing: .line)
        case .pageControl:
            ControlKind("page-control", .page, AccessibilityTraits(role: "slider", value: true), keyStep: .one)
        case .activity: .shown("activity", .running, AccessibilityTraits(role: "progressbar", label: .loading))
        case .progress: .shown("progress", .number, AccessibilityTraits(role: "progressbar", value: true))
        case .web: .shown("web", .any, AccessibilityTraits(role: "document", value: true))
        case .native: .shown("native", .text, AccessibilityTraits(role: "text", label: .ownText))
        case .list: .shown("list", .refreshing, .container("list"))
        case .grid: .shown("grid", .refreshing, .container("list"))
        case .row: .shown("row", .any, .container("listitem"))
        case .sectionHeader: .shown("section-header")
        case .sectionFooter: .shown("section-footer")
        case .bar: .shown("bar", .any, .container("banner"))
        case .barTitle: .shown("bar-title", .any, AccessibilityTraits(role: "heading", label: .textOrImage))
        case .tabs: .shown("tabs", .any, .container("tablist"))
        case .tab: .shown("tab", .text, AccessibilityTraits(role: "tab", label: .textOrImage))
        case .form: .shown("form", .any, .container("form"))
        case .screen: .shown("screen", .any, .container("main"))
        case .constraint: .shown("constraint", .constant)
        case .unknown(let name): .shown(name)
        }
    }
}

/// The value of a kind: its property, the conversion of given values, and its spoken form.
package enum ControlValue: Equatable, Sendable {
    case any, text, picture
    /// True while an activity is running.
    case running, refreshing
    case flag, number, constant
    /// A number in a range; the associated value is the default maximum.
    case range(upTo: Double)
    /// The number of a page, from zero.
    case page
    /// The index of a title among the titles; -1 for none.
    case choice
    case date

    /// The property that has it.
    package var property: PropertyName {
        switch self {
        case .any, .flag, .number, .range, .page, .choice, .date: .value
        case .text: .text
        case .picture: .image
        case .running: .active
        case .refreshing: .refreshing
        case .constant: .constant
        }
    }

    /// Converts a value that a person or an assignment gives.
    ///
    /// - Parameters:
    ///   - clock: the clock that dates are read by.
    ///   - property: another property of the same node.
    /// - Returns: `nil` for a value that is ignored.
    func fitting(_ value: Value, _ clock: LocalClock, _ property: (PropertyName) -> Value) -> Value? {
        switch self {
        case .any, .text, .picture, .running, .refreshing: return value
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
        case .date: return DateMode(property(.dateMode)).value(value, after: property(.value), clock)
        }
    }

    /// The values that a control takes, for a message about one that it does not take; `nil` if any text is one.
    func expectation(_ property: (PropertyName) -> Value) -> String? {
        self == .date ? DateMode(property(.dateMode)).expectation : nil
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

    // MARK: - Accessibility

    /// The spoken value of a node of a view.
    func spoken(_ node: ViewNode) -> String? {
        switch self {
        case .text: return node.text(.text)
        case .flag: return node.isTrue(.value) ? "on" : "off"
        case .choice:
            guard let titles = node[.titles]?.elements, let index = node[.value]?.number,
                let place = Int(exactly: index), titles.indices.contains(place)
            else { return node[.value]?.shown }
            return titles[place].shown
        case .date: return node.dateText ?? node[property]?.shown
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

/// The role, label and value of a kind of node, for accessibility.
package struct AccessibilityTraits: Sendable {
    /// The source of the spoken name.
    package enum Label: Sendable {
        case none
        /// The text, or else the picture's name.
        case textOrImage
        /// The text. A node without one is omitted.
        case ownText
        case picture
        case placeholder
        case loading
    }

    package let role: String
    package let label: Label
    /// True if the value is read aloud as well.
    package let hasValue: Bool
    /// True if the node is printed; false if only its children are.
    package let isPrinted: Bool

    package init(role: String, label: Label = .none, value: Bool = false) {
        self.init(role: role, label: label, hasValue: value, isPrinted: true)
    }

    private init(role: String, label: Label, hasValue: Bool, isPrinted: Bool) {
        self.role = role
        self.label = label
        self.hasValue = hasValue
        self.isPrinted = isPrinted
    }

    static func container(_ role: String) -> AccessibilityTraits {
        AccessibilityTraits(role: role, label: .none, hasValue: false, isPrinted: false)
    }

    /// A box. Its children replace it if it has no name and no events.
    static let groupRole = "group"
    static var group: AccessibilityTraits { container(groupRole) }
}
