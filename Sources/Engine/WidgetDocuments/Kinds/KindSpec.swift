/// The description of a kind of element of documents: everything that a reader, a linter, an editor or a person asks
/// about it.
package struct KindSpec: Sendable {
    /// The elements that one of the kind has in it.
    package enum Content: String, Sendable {
        case nothing
        case one
        case any
    }

    package let name: String
    /// Other names, which documents may use as well.
    package let aliases: [String]
    package let about: String
    package let properties: [PropertySpec]
    package let content: Content
    package let slots: [SlotSpec]
    /// True if slots may have any names, besides those.
    package let hasFreeSlots: Bool
    package let events: [EventSpec]
    /// Elements of the kind as JSON, for help and tests.
    package let samples: [String]

    /// A kind that is named after its type: `TextFieldWidget` is `textfield`, with the type's name as an alias.
    init(
        type: String, _ about: String, aliases: [String] = [], properties: [PropertySpec] = [],
        content: Content = .nothing, slots: [SlotSpec] = [], hasFreeSlots: Bool = false, events: [EventSpec] = [],
        samples: [String]
    ) {
        self.init(
            KindSpec.name(ofType: type), about, aliases: [type] + aliases, properties: properties,
            content: content, slots: slots, hasFreeSlots: hasFreeSlots, events: events, samples: samples)
    }

    package init(
        _ name: String, _ about: String, aliases: [String] = [], properties: [PropertySpec] = [],
        content: Content = .nothing, slots: [SlotSpec] = [], hasFreeSlots: Bool = false, events: [EventSpec] = [],
        samples: [String] = []
    ) {
        self.name = name
        self.aliases = aliases
        self.about = about
        self.properties = properties
        self.content = content
        self.slots = slots
        self.hasFreeSlots = hasFreeSlots
        self.events = events
        self.samples = samples
    }

    /// The name of a kind by that of its type. `Widget` is left out at the end only, so that `WidgetListWidget` keeps
    /// its first word.
    package static func name(ofType type: String) -> String {
        let suffix = "Widget"
        let stem = type.hasSuffix(suffix) && type != suffix ? String(type.dropLast(suffix.count)) : type
        return stem.lowercased()
    }

    /// True for a name that documents can use: a small letter, then small letters, digits and hyphens.
    package static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard let first = bytes.first, bytes.count <= longestName, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }

    package static let longestName = 64

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

    func property(_ name: String) -> PropertySpec? { properties.first { $0.name == name } }
}

/// One property of a kind, of all elements or of an action.
package struct PropertySpec: Sendable {
    package let name: String
    package let type: PropertyType
    /// The value of a property that is left out; `nil` if it has none then.
    package let initial: SpecValue?
    package let about: String
    /// True if a key path or an expression may give the value.
    package let isBindable: Bool
    package let isRequired: Bool

    package init(
        _ name: String, _ type: PropertyType, initially initial: SpecValue? = nil, isBindable: Bool = true,
        isRequired: Bool = false, _ about: String
    ) {
        self.name = name
        self.type = type
        self.initial = initial
        self.about = about
        self.isBindable = isBindable
        self.isRequired = isRequired
    }
}

/// A default value, as a description has it.
package enum SpecValue: Equatable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
}

/// The values that a property takes.
package enum PropertyType: Equatable, Sendable {
    /// A text; numbers and truth values are shown as text.
    case text
    case number
    case flag
    /// A text of ISO 8601, seconds since 1970, or `{"reference": seconds since 2001}`.
    case date
    /// `#rrggbb`, `#rrggbbaa`, or the name of a role.
    case color
    case choice([String])
    /// One of the words, or a list of them.
    case words([String])
    /// A number, or the name of one in the theme.
    case length
    /// A text style, or the name of a font in the theme.
    case font
    /// The key path of a state, or a value that nothing changes.
    case binding
    /// Four sides: a number, or an object.
    case sides
    /// Members of free names.
    case object
    case anything

    /// The word for the type in messages and lists.
    package var word: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .flag: "true or false"
        case .date: "date"
        case .color: "color"
        case .choice(let words): words.joined(separator: " | ")
        case .words(let words): "a list of \(words.joined(separator: ", "))"
        case .length: "number"
        case .font: "text style"
        case .binding: "state or value"
        case .sides: "number or sides"
        case .object: "object"
        case .anything: "any value"
        }
    }
}

/// A named place for an element that is not one of the children.
package struct SlotSpec: Sendable {
    package let name: String
    package let about: String

    package init(_ name: String, _ about: String) {
        self.name = name
        self.about = about
    }
}

/// An event of a kind, under its name in documents.
package struct EventSpec: Sendable {
    package let name: String
    package let about: String

    package init(_ name: String, _ about: String) {
        self.name = name
        self.about = about
    }
}
