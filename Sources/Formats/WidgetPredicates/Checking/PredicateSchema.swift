/// The shape of objects that do not exist yet: their keys, and the kinds of their values.
package struct PredicateSchema: Sendable {
    package indirect enum Kind: Equatable, Sendable {
        /// Unknown; the checker reports nothing about such a value.
        case any
        case boolean
        case number
        case string
        case date
        case data
        case collection(Kind)
        /// An object of a type that ``PredicateSchema/records`` describes.
        case record(String)
    }

    /// The keys of each type, with the kinds of their values.
    package var records: [String: [String: Kind]]
    /// The kind of `SELF`.
    package var subject: Kind
    /// The kinds of known variables; all others may hold any value.
    package var variables: [String: Kind]

    package init(
        records: [String: [String: Kind]] = [:], subject: Kind = .any, variables: [String: Kind] = [:]
    ) {
        self.records = records
        self.subject = subject
        self.variables = variables
    }

    /// The parts of a predicate that must fail for such objects, in text order.
    package func complaints(about tree: SyntaxTree) -> [PredicateError] {
        var checker = SchemaChecker(schema: self, tree: tree)
        checker.run()
        return checker.complaints.sorted { $0.offset < $1.offset }
    }
}

extension PredicateSchema.Kind {
    /// With its article, for a sentence.
    var name: String {
        switch self {
        case .any: "a value"
        case .boolean: "a Boolean"
        case .number: "a number"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .collection: "a collection"
        case .record(let type): "an object of type \(type)"
        }
    }

    var element: PredicateSchema.Kind? {
        if case .collection(let element) = self { element } else { nil }
    }

    /// Booleans are numbers.
    var isNumeric: Bool { self == .number || self == .boolean || self == .any }

    /// True if a value of this kind can equal a value of the other.
    func mayEqual(_ other: PredicateSchema.Kind) -> Bool {
        switch (self, other) {
        case (.any, _), (_, .any): true
        case (.collection(let first), .collection(let second)): first.mayEqual(second)
        // A type may be a special case of another.
        case (.record, .record): true
        default: self == other || (isNumeric && other.isNumeric)
        }
    }

    var hasOrder: Bool {
        switch self {
        case .any, .boolean, .number, .string, .date: true
        case .data, .collection, .record: false
        }
    }

    init(_ value: PredicateValue) {
        switch value {
        case .null, .object, .dictionary: self = .any
        case .boolean: self = .boolean
        case .integer, .double, .decimal: self = .number
        case .string: self = .string
        case .date: self = .date
        case .data: self = .data
        case .array, .set: self = .collection(.any)
        }
    }
}
