internal import JSONText
internal import Predicates
internal import WidgetCore

extension SceneAssembly {
    mutating func addSource(_ mediator: MediatorDescription) {
        let lineage = MediatorClass.lineage(of: mediator.type)
        guard lineage.contains("BaseContentProvider") else { return }
        var source = Source(mediator.id, kind(of: mediator, lineage), place: mediator.place)
        source.predicate = predicate(mediator.text("predicateFormat"), mediator.attribute("predicateFormat")?.place)
        source.sort = sort(mediator)
        source.isAscending = mediator.flag("sortAscending") ?? true
        source.filter = predicate(mediator.text("filterFormat"), mediator.attribute("filterFormat")?.place)
        source.search = mediator.text("searchString") ?? ""
        source.masterKeyPath = mediator.text("masterKeyPath")
        if let master = mediator.outlet("masterObject") {
            // What is asked of another provider is one of its own properties, or else of what it gives.
            let first = (source.masterKeyPath ?? "").prefix { $0 != "." }
            let isOwn = ["value", "first", "last", "items", "totalCount"].contains(first)
            source.master = keyPath(mediatorNames[master] == nil || isOwn ? master : "\(master).value")
        }
        source.chain = chain(mediator)
        source.showsChain = mediator.type == "ManagedObjectsCollection" && source.chain != nil
        scene.sources.append(source)
    }

    private mutating func kind(of mediator: MediatorDescription, _ lineage: [String]) -> Source.Kind {
        if lineage.contains("ManagedObjectsProvider") {
            guard let entity = mediator.text("entityName"), !entity.isEmpty else {
                diagnostics.append(
                    Diagnostic(.error, .unknownEntity, "\(mediator.id) needs an entityName", at: mediator.place))
                return .items([])
            }
            let grouping = (mediator.text("groupByField")).flatMap { sortKey($0, mediator.place) }
            let limit = mediator.number("fetchLimit").flatMap { $0 > 0 ? Int(exactly: $0.rounded()) : nil }
            return .query(
                Query(
                    entity: entity, predicate: predicate(mediator.text("predicateFormat"), mediator.place),
                    sort: sort(mediator), isAscending: mediator.flag("sortAscending") ?? true, grouping: grouping,
                    limit: limit))
        }
        if mediator.type == "ItemsCollection" { return .collection(keyPath: mediator.text("masterKeyPath") ?? "SELF") }
        if mediator.type == "JSONFileDataProvider" { return .items(items(ofFile: mediator)) }
        return .items(mediator.attribute("items")?.value.elements ?? [])
    }

    private mutating func items(ofFile mediator: MediatorDescription) -> [Value] {
        let name = mediator.text("fileName") ?? ""
        if let known = data.items[name] { return known }
        let items = items(of: name, mediator)
        data.items[name] = items
        return items
    }

    private mutating func items(of name: String, _ mediator: MediatorDescription) -> [Value] {
        guard !name.isEmpty, let (path, bytes) = files.resource("\(name).json") else {
            diagnostics.append(
                Diagnostic(.error, .missingFile, "The bundle has no \(name).json", at: mediator.place))
            return []
        }
        if let refusal = data.take(bytes.count, of: path) {
            diagnostics.append(refusal)
            return []
        }
        do throws(JSONError) {
            let root = try JSONValue(parsing: bytes, limits: JSONLimits(byteCount: 4 << 20))
            if root.object != nil { return [Value(root)] }
            return (root.array ?? []).filter { $0.object != nil }.map { Value($0) }
        } catch {
            diagnostics.append(
                Diagnostic(
                    .error, .badFile, "\(error.reason)", at: Place(file: path, line: error.line, column: error.column)))
            return []
        }
    }

    private mutating func sort(_ mediator: MediatorDescription) -> [Query.SortKey] {
        var keys: [Query.SortKey] = []
        for field in (mediator.text("sortByFields") ?? "").split(separator: ",") {
            let name = field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            if let key = sortKey(String(name), mediator.attribute("sortByFields")?.place) { keys.append(key) }
        }
        return keys
    }

    private mutating func sortKey(_ path: String, _ place: Place?) -> Query.SortKey? {
        guard !path.isEmpty else { return nil }
        do throws(PredicateError) {
            return try Query.SortKey(path)
        } catch {
            diagnostics.append(Diagnostic(.error, .badPredicate, "`\(path)`: \(error.sentence)", at: place))
            return nil
        }
    }

    private mutating func chain(_ mediator: MediatorDescription) -> ResultChain? {
        guard let names = mediator.texts("resultChain") ?? mediator.texts("resultChainTxt"), !names.isEmpty else {
            return nil
        }
        let arguments = mediator.texts("resultChainArgs") ?? mediator.texts("resultChainArgsTxt")
        let place = mediator.attribute("resultChain")?.place ?? mediator.place
        if let arguments, arguments.count != names.count {
            diagnostics.append(
                Diagnostic(
                    .error, .badValue, "A chain of \(names.count) steps has \(arguments.count) arguments", at: place,
                    hint: "give one for each step; an empty text where none is needed"))
            return nil
        }
        let links = names.enumerated().map { ResultChain.Link($1, arguments?[$0] ?? "") }
        do throws(PredicateError) {
            return try ResultChain(links)
        } catch {
            diagnostics.append(
                Diagnostic(.error, .badPredicate, "The chain \(names.joined(separator: " | ")): \(error)", at: place))
            return nil
        }
    }
}
