internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Compares the answers of stubs with what is read from them: the way to the result, and the properties of its records.
enum AnswerCheck {
    /// Items of an answer that are looked at.
    private static let itemCount = 100
    private static let most = 100

    static func diagnostics(_ services: [Service], _ model: EntityModel) -> [Finding] {
        var found: [Finding] = []
        let actions = services.flatMap { $0.actions.values.sorted { $0.name < $1.name } }
        // An answer need not have all that others say of the same entity.
        var given: [String: Set<String>] = [:]
        for action in actions {
            guard let entity = action.result?.entity, let response = action.response else { continue }
            given[entity, default: []].formUnion(names(of: response.member(at: action.resultKeyPath)).joined())
        }
        for action in actions {
            guard found.count < most, let response = action.response, response.member(at: action.errorKeyPath).isNull
            else { continue }
            let result = response.member(at: action.resultKeyPath)
            if !action.resultKeyPath.isEmpty, result.isNull, let names = response.names {
                let path = action.resultKeyPath.joined(separator: ".")
                found.append(
                    Finding(
                        .warning, .unknownKey,
                        "The answer of \(action.name.excerpt) has no \(path.excerpt), so it has no result",
                        at: action.place, value: path.excerpt,
                        nearest: NearestName.of(action.resultKeyPath[0], in: names)
                            ?? action.resultKeyPath.last.flatMap { names.contains($0) ? $0 : nil }?.excerpt,
                        hint: KeyTable.list(names, "it has")))
                continue
            }
            if let entity = action.result?.entity {
                found += slips(result, entity, action, model, given: given[entity] ?? [])
            }
        }
        return found
    }

    /// The keys of each item of a result.
    private static func names(of result: Value) -> [Set<String>] {
        var items = [result]
        if case .array(let elements) = result { items = Array(elements.prefix(itemCount)) }
        return items.compactMap { $0.names.map { Set($0) } }
    }

    /// Key paths of properties that an item of an answer lacks, where it has a key of nearly that name which nothing
    /// reads.
    private static func slips(
        _ result: Value, _ entity: String, _ action: ServiceAction, _ model: EntityModel, given: Set<String>
    ) -> [Finding] {
        guard let place = model.place(of: entity), model.entities[place].dictionaryTransformer == nil else { return [] }
        let names = names(of: result)
        let properties = model.family(of: place).flatMap { model.entities[$0].properties }
        var paths: [(name: String, key: String)] = []
        for property in properties {
            let path: [String]? =
                switch property {
                case .attribute(let attribute): attribute.jsonKeyPath
                case .relationship(let relationship): relationship.jsonKeyPath
                }
            if let first = path?.first, !paths.contains(where: { $0.name == property.name }) {
                paths.append((property.name, first))
            }
        }
        let read = Set(paths.map { $0.key })
        let unread = Set(names.joined()).subtracting(read).sorted()
        guard !unread.isEmpty else { return [] }
        return paths.compactMap { path in
            let nearest = NearestName.of(path.key, in: unread)
            // One that no answer has may be left out of all, unless the answers have something else in its place.
            guard
                nearest.map({ near in names.contains { !$0.contains(path.key) && $0.contains(near) } })
                    ?? !given.contains(path.key)
            else { return nil }
            return Finding(
                .warning, .unknownKey,
                "An item of the answer of \(action.name.excerpt) has no \(path.key.excerpt), the JSONKeyPath of \(entity).\(path.name)",
                at: action.place, value: path.key.excerpt,
                hint:
                    "it has \((nearest.map { [$0] } ?? unread.prefix(5).map { $0 }).map { $0.excerpt }.joined(separator: ", ")), which nothing reads: write the same name in both"
            )
        }
    }
}

extension Value {
    /// The names of an object's members.
    fileprivate var names: [String]? {
        guard case .dictionary(let object) = self else { return nil }
        return Array(object.keys)
    }
}
