internal import Predicates

/// A list as a screen shows it: whether it is searching decides what its rows are about and what they are made of.
struct ShownList {
    let template: ListTemplate
    let isSearching: Bool
    /// The answer of the source that is shown.
    let state: SourceState

    init(_ template: ListTemplate, in screen: Screen) {
        self.template = template
        isSearching = template.searchAction.map { !(screen.searching[$0] ?? "").isEmpty } ?? false
        let source = isSearching ? template.searchSource ?? template.source : template.source
        state = source.flatMap { screen.sources[$0] } ?? SourceState()
    }

    /// What chooses a row's prototype, by its content.
    var choice: Expression? { isSearching ? template.searchChoice ?? template.choice : template.choice }

    /// - Parameter chosen: the name that the choice has given.
    func prototype(chosen: String?) -> NodeID? {
        if let chosen, let prototype = template.prototypes[chosen] { return prototype }
        return template.prototype(named: (isSearching ? template.searchPrototype : nil) ?? template.prototype)
    }
}

extension SourceState.Items {
    /// One item, with a record as it is in the table; `.null` where there is none.
    func item(_ place: Int, in records: RecordTable) -> Value {
        switch self {
        case .records(let ids): ids.indices.contains(place) ? RecordObject.value(ids[place], in: records) : .null
        case .values(let values): values.indices.contains(place) ? values[place] : .null
        }
    }
}

extension ItemKey {
    /// The item itself, as its list has it at the moment.
    func content(_ scene: Scene, _ screen: Screen, in records: RecordTable) -> Value {
        if isRecord { return RecordObject.value(number, in: records) }
        guard let list = scene.node(list)?.list else { return .null }
        guard case .values = ShownList(list, in: screen).state.items else { return .null }
        return ShownList(list, in: screen).state.items.item(number, in: records)
    }
}

extension RecordObject {
    /// A record, or `.null` where it is gone.
    static func value(_ id: RecordID, in table: RecordTable) -> Value {
        RecordObject(id, in: table).map { .object($0) } ?? .null
    }
}
