internal import WidgetContract
internal import WidgetPredicates

/// The value of a name, where a program says it before it runs.
indirect enum KnownValue: Sendable {
    case unknown
    /// Values that it has at times: the first one of a state, or the answers of a stub.
    case samples([Value], areFirst: Bool)
    /// The members that it has: all of them, if that is certain.
    case members([String: KnownValue], isCertain: Bool)
    /// One of a few words.
    case words([String])

    /// The most values that are compared for one name.
    private static let sampleCount = 100

    static func sample(_ value: Value, isFirst: Bool = false) -> KnownValue {
        value.isNull ? .unknown : .samples([value], areFirst: isFirst)
    }

    /// A thing whose members have values that are not known.
    static func thing(_ names: some Sequence<String>, isCertain: Bool = true) -> KnownValue {
        .members(Dictionary(names.map { ($0, KnownValue.unknown) }) { first, _ in first }, isCertain: isCertain)
    }

    static let source = thing(KnownMembers.source)
    static let status = thing(KnownMembers.status)
    static let action: KnownValue = {
        guard case .members(var members, let isCertain) = thing(KnownMembers.action) else { return .unknown }
        members["status"] = status
        return .members(members, isCertain: isCertain)
    }()

    /// The members of the status of a data source.
    static let dataStatus: KnownValue = {
        let names = DataSource.statusKeys + ["isLoaded", "isEmpty"] + KnownMembers.status
        guard case .members(var members, let isCertain) = thing(names) else { return .unknown }
        members["phase"] = .words(DataState.Phase.allCases.map { $0.rawValue })
        return .members(members, isCertain: isCertain)
    }()

    /// The members of `environment`.
    static let environment: KnownValue = {
        let display = Display(maximum: Size(width: 0, height: 0))
        guard case .members(var members, _) = all(Environment(display: display).value) else { return .unknown }
        if case .members(var display, _)? = members["display"] {
            display["mode"] = .words(DisplayMode.allCases.map { $0.rawValue })
            members["display"] = .members(display, isCertain: true)
        }
        return .members(members, isCertain: true)
    }()

    /// The members of an object, at each level; other values are not known. The value is one of the engine's own.
    private static func all(_ value: Value) -> KnownValue {
        guard case .dictionary(let dictionary) = value else { return .unknown }
        let members = zip(dictionary.keys, dictionary.values.map(all))
        return .members(Dictionary(members) { first, _ in first }, isCertain: true)
    }

    /// The value of a name that has the one or the other.
    func joined(with other: KnownValue) -> KnownValue {
        switch (self, other) {
        case (.unknown, let known), (let known, .unknown): known
        case (.samples(let first, let areFirst), .samples(let second, let areAlso)):
            .samples(Array((first + second).prefix(KnownValue.sampleCount)), areFirst: areFirst || areAlso)
        case (.members(let first, let isCertain), .members(let second, let isAlso)):
            .members(first.merging(second) { $0.joined(with: $1) }, isCertain: isCertain && isAlso)
        default: .unknown
        }
    }

    /// The value of one item of a list.
    var item: KnownValue {
        guard case .samples(let lists, let areFirst) = self else { return .unknown }
        let items = lists.flatMap { $0.elements ?? [] }
        return items.isEmpty ? .unknown : .samples(Array(items.prefix(KnownValue.sampleCount)), areFirst: areFirst)
    }

    /// Objects among the samples, and those in lists among them, whose members are read from each.
    private var objects: [PredicateDictionary]? {
        guard case .samples(let values, _) = self else { return nil }
        var objects: [PredicateDictionary] = []
        for value in values {
            switch value {
            case .dictionary(let object): objects.append(object)
            case .array(let items):
                for item in items.prefix(KnownValue.sampleCount) {
                    guard case .dictionary(let object) = item else { return nil }
                    objects.append(object)
                }
            default: return nil
            }
        }
        return objects.contains { !$0.keys.isEmpty } ? objects : nil
    }

    /// The value of a member, or the reason for its absence.
    enum Member: Sendable {
        case value(KnownValue)
        case missing(Certainty)
    }

    /// The reason that a value lacks a member.
    enum Certainty: Sendable {
        /// It never has one of that name.
        case always
        /// It may have others, which are not known.
        case perhaps
        /// Its first value does not have it.
        case atFirst
    }

    /// The way to a member of that name within another one.
    func path(to key: String) -> String? {
        guard case .members(let members, _) = self else { return nil }
        return members.sorted { $0.key < $1.key }.first { name, member in
            if case .members(let inner, _) = member { inner[key] != nil } else { false }
        }.map { "\($0.key).\(key)" }
    }

    /// The names of its members, sorted.
    var names: [String] {
        if case .members(let members, _) = self { return members.keys.sorted() }
        return Set((objects ?? []).flatMap { $0.keys }).sorted()
    }

    func member(_ key: String) -> Member {
        if case .members(let members, let isCertain) = self {
            return members[key].map { .value($0) } ?? .missing(isCertain ? .always : .perhaps)
        }
        guard case .samples(_, let areFirst) = self, let objects else { return .value(.unknown) }
        let found = objects.compactMap { $0[key] }
        guard found.isEmpty else {
            let values = found.filter { !$0.isNull }
            return .value(values.isEmpty ? .unknown : .samples(values, areFirst: areFirst))
        }
        return .missing(areFirst ? .atFirst : .perhaps)
    }
}

/// The members of what a screen names, as expressions read them.
enum KnownMembers {
    static let source = [
        "value", "items", "isEmpty", "empty", "first", "last", "totalCount", "count", "searchString", "masterObject",
        "description",
    ]
    static let action = [
        "status", "pickedNumber", "actionName", "content", "isSearching", "searching", "searchString",
    ]
    /// Names that the engine takes and the framework of schemes does not, and those that both have.
    static let own = ["isInProgress": "inProgress", "count": "totalCount"]
    static let status = [
        "inProgress", "isInProgress", "isSuccess", "success", "isFailure", "failure", "error", "progress",
    ]
}
