internal import WidgetBytes
internal import WidgetCore

/// The keys of one kind of object in an authored file, to find members that it does not have and values that it cannot
/// use.
struct KeyTable: Sendable {
    /// The beginning of a sentence, such as "A binding".
    private let owner: String
    private let names: [String]
    private let kinds: [String: AuthoredKind]
    private let unknown: Finding.Severity
    /// True if numbers and truth values may be written as texts, as the framework sets them by their names.
    private let coerces: Bool

    /// The most names that a hint lists.
    private static let shownNameCount = 12

    init(
        _ owner: String, _ keys: [AuthoredKey], coerces: Bool = false, unknown: Finding.Severity = .warning
    ) {
        self.owner = owner
        names = keys.map { $0.name }
        kinds = Dictionary(keys.map { ($0.name, $0.kind) }) { first, _ in first }
        self.coerces = coerces
        self.unknown = unknown
    }

    /// The fault of a member, if it has one. Comments have none.
    func fault(_ name: String, _ shape: AuthoredShape, at place: Place) -> Finding? {
        if name == SchemeKeys.comment { return nil }
        guard let kind = kinds[name] else {
            return Finding(
                unknown, .unknownKey, "\(owner) has no use for \(name.excerpt)", at: place, value: name.excerpt,
                nearest: NearestName.of(name, in: names), hint: KeyTable.list(names))
        }
        return KeyTable.fault(name, kind, shape, coerces: coerces, at: place)
    }

    /// The fault of a value, if its kind is not the key's.
    static func fault(
        _ name: String, _ kind: AuthoredKind, _ shape: AuthoredShape, coerces: Bool, at place: Place?
    ) -> Finding? {
        if kind.accepts(shape, coerces: coerces) { return nil }
        return Finding(
            kind.isContainer ? .error : .warning, .badValue, "\(name.excerpt) is \(shape.name), and has no effect",
            at: place, hint: "it takes \(kind.name)")
    }

    /// A hint that lists names, for a finding without a nearest one.
    static func list(_ names: [String], _ beginning: String = "it can have") -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(shownNameCount).map { $0.excerpt }.joined(separator: ", ")
        return "\(beginning) \(shown)\(names.count > shownNameCount ? ", …" : "")"
    }
}

extension KeyTable {
    static let scheme = KeyTable("A scheme", SchemeKeys.scheme)
    static let object = KeyTable("An object of a scheme", SchemeKeys.object)
    static let element = KeyTable("An element", SchemeKeys.element)
    static let elementAction = KeyTable("The action of an element", SchemeKeys.action)
    static let binding = KeyTable("A binding", SchemeKeys.binding)
    static let evaluation = KeyTable("An expression of evals", SchemeKeys.evaluation)
    static let screen = KeyTable("A screen", SchemeKeys.screen, coerces: true)

    static let service = KeyTable("A service", ServiceKeys.file)
    static let serviceDefaults = KeyTable("The defaults of a service", ServiceKeys.defaults)
    static let serviceOptions = KeyTable("The options of a service", ServiceKeys.options)
    static let serviceAction = KeyTable("An action", ServiceKeys.action)
    static let authorization = KeyTable("An authorization", ServiceKeys.authorization)
    static let transformers = KeyTable("The list of transformers", ServiceKeys.transformers)
    static let dateTransformer = KeyTable("A transformer of dates", ServiceKeys.dateTransformer)
}
