internal import JSONText
internal import WidgetCore

/// A key of an authored file: its name, the kind of its values, and a line for its author.
package struct AuthoredKey: Sendable {
    package var name: String
    package var kind: AuthoredKind
    /// Plain English, without a full stop.
    package var line: String

    package init(_ name: String, _ kind: AuthoredKind, _ line: String) {
        self.name = name
        self.kind = kind
        self.line = line
    }
}

/// A kind of value in schemes and service descriptions. `null` is taken for each of them and means nothing.
package enum AuthoredKind: Sendable {
    case any
    case text
    /// One of these texts.
    case choice([String])
    /// A number, or a text that is one.
    case number
    /// `true`, `false`, a number, or one of the texts that the framework takes for them, such as `YES`.
    case boolean
    /// An array of texts, or one text with bars between them.
    case texts
    /// Names of fields with commas between them.
    case fields
    case predicate
    case keyPath
    /// A text in which `$name` is filled in.
    case format
    /// The name of an entity of the model.
    case entity
    /// An entity, or an entity in brackets for an array of its records.
    case resultType
    /// An action of the service.
    case action
    /// A class that performs actions: of the framework or of a host.
    case provider
    case transformer
    /// The name of an object or element, or an array of them.
    case targets
    case array
    /// An object whose members have free names and any values.
    case object
    /// An object whose members have free names and texts as values.
    case textsByName
    /// An object with these members.
    case members([AuthoredKey])
    /// An object whose members have free names, each an object with these members.
    case named([AuthoredKey])
    /// An array of objects with these members.
    case list([AuthoredKey])
}

/// A value of a document by its shape alone, for both readers of JSON.
enum AuthoredShape {
    case null, boolean, number, array, object
    case text(String)

    init(_ json: JSONValue) {
        if let text = json.string {
            self = .text(text)
        } else if json.object != nil {
            self = .object
        } else if let elements = json.array {
            // An array of nothing means nothing, also where an object belongs.
            self = elements.isEmpty ? .null : .array
        } else if json.isNull {
            self = .null
        } else {
            self = json.boolean == nil ? .number : .boolean
        }
    }

    init(_ json: JSONItem) {
        switch json.kind {
        case .null: self = .null
        case .boolean: self = .boolean
        case .number: self = .number
        case .string(let text): self = .text(text)
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// With its article, for a sentence.
    var name: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .array: "an array"
        case .object: "an object"
        case .text: "a text"
        }
    }
}

extension AuthoredKind {
    /// True if the reader and the framework can use a value of that shape.
    ///
    /// - Parameter coerces: true where the framework makes numbers and truth values of texts.
    func accepts(_ shape: AuthoredShape, coerces: Bool) -> Bool {
        switch (self, shape) {
        case (_, .null), (.any, _), (.number, .number), (.boolean, .boolean), (.boolean, .number): true
        case (.number, .boolean): coerces
        case (.number, .text(let text)): coerces && (text.isEmpty || Double(text) != nil)
        case (.boolean, .text(let text)): coerces && AuthoredKind.isTruth(text)
        case (.text, .text), (.fields, .text), (.predicate, .text), (.keyPath, .text), (.format, .text),
            (.entity, .text), (.resultType, .text), (.action, .text), (.provider, .text), (.transformer, .text),
            (.choice, .text):
            true
        case (.texts, .text), (.texts, .array), (.targets, .text), (.targets, .array): true
        case (.array, .array), (.list, .array): true
        case (.object, .object), (.textsByName, .object), (.members, .object), (.named, .object): true
        default: false
        }
    }

    private static func isTruth(_ text: String) -> Bool {
        ["", "y", "n", "t", "f", "yes", "no", "true", "false"].contains(text.lowercased()) || Double(text) != nil
    }

    /// True for values that have further keys: without them a part of the file is not read.
    var isContainer: Bool {
        switch self {
        case .members, .named, .list, .object, .textsByName, .array, .targets: true
        default: false
        }
    }

    /// With its article, for a sentence.
    var name: String {
        switch self {
        case .any: "a value"
        case .text: "a text"
        case .choice(let texts): texts.count > 4 ? "a text" : "one of \(texts.joined(separator: ", "))"
        case .number: "a number"
        case .boolean: "true or false"
        case .texts: "an array of texts, or one text with | between them"
        case .fields: "a text of field names with commas between them"
        case .predicate: "a predicate in a text"
        case .keyPath: "a key path in a text"
        case .format: "a text, in which $name is filled in"
        case .entity: "the name of an entity"
        case .resultType: "an entity as in \"Note\", or as in \"[Note]\" for an array"
        case .action: "the name of an action"
        case .provider: "the name of a class"
        case .transformer: "the name of a transformer"
        case .targets: "a name, or an array of names"
        case .array: "an array"
        case .list: "an array of objects"
        case .object, .members: "an object"
        case .textsByName: "an object of texts"
        case .named: "an object of objects by their names"
        }
    }
}
