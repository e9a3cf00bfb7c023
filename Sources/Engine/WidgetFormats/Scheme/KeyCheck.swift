internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Finds names in expressions, predicates, filters and orders that lead to nothing. They have no value, and nothing else
/// says so.
///
/// - The first name of a path is one that the screen has, or differs from all of them by more than a slip.
/// - A property is judged only where the entity is known: in the predicates and orders of providers, in rows of stored
///   records, and on screens whose content is such a record, wherever they are shown from. There, comparisons that fail
///   for every record are found as well.
/// - The only variable of a predicate is a filter's `$input`.
struct KeyCheck {
    /// The possible content of a row or a screen.
    private enum Content: Hashable {
        /// Nothing was found that gives it a content.
        case none
        /// Records of these entities, or of those that inherit from them.
        case records(Set<Int>)
        case unknown

        func joined(with other: Content) -> Content {
            switch (self, other) {
            case (.none, let content), (let content, .none): content
            case (.records(let first), .records(let second)): .records(first.union(second))
            default: .unknown
            }
        }
    }

    /// A way from one screen to another, and the content that it brings; `nil` for that of its start.
    private struct Way: Hashable {
        var start: String
        var end: String
        var content: Content?
    }

    /// The value that a path begins at.
    private enum Subject {
        /// A scope, whose `content` is known.
        case scope(Content)
        case records(Set<Int>)
        case unknown
    }

    private struct Sentence: Hashable {
        var message: String
        var place: Place?
    }

    private let scenes: [Scene]
    private let entries: [String: Program.Entry]
    private let model: EntityModel
    private let schema: ModelSchema
    /// The mediators of each scene, for the places of their attributes.
    private let mediators: [String: MediatorTable]
    private var screens: [String: Content] = [:]
    /// The contents of rows, by the rows' prototypes.
    private var rows: [String: [NodeID: Content]] = [:]
    /// The names that expressions of the present scene can begin with.
    private var names: Set<String> = []
    /// The same names, sorted when the first misspelt one is compared with them.
    private var sortedNames: [String]?
    /// The name that is nearest to each misspelt one of the present scene, and `nil` for those without one.
    private var nearestNames: [String: String?] = [:]
    /// Misspelt first names that may still be compared.
    private var comparisonsLeft = KeyCheck.comparisonCount
    private var seen: Set<Sentence> = []
    private var found: [Finding] = []

    private var keyLists: [Set<Int>: [String]] = [:]

    private static let shownKeyCount = 12
    /// The findings with the nearest key, which takes its time.
    private static let hintedCount = 100
    private static let comparisonCount = 300
    /// The keys of an entity that a misspelt one is compared with.
    private static let comparedKeyCount = 1_000
    /// A name is reported if it differs from a known one by at most as many letters: a class of the host may have others.
    private static let slipLength = 2
    /// The names that every scope has: of a screen, of a row, and of an event.
    private static let common: Set<String> = [
        "content", "title", "defaults", "environment", "argument", "input", "self", "SELF",
    ]

    static func diagnostics(
        _ scenes: [Scene], _ entries: [String: Program.Entry], _ model: EntityModel,
        _ mediators: [String: MediatorTable]
    ) -> [Finding] {
        var check = KeyCheck(scenes, entries, model, mediators)
        check.followSegues()
        for scene in scenes { check.check(scene) }
        return check.found
    }

    private init(
        _ scenes: [Scene], _ entries: [String: Program.Entry], _ model: EntityModel,
        _ mediators: [String: MediatorTable]
    ) {
        self.scenes = scenes
        self.entries = entries
        self.model = model
        self.mediators = mediators
        schema = ModelSchema(model)
        for scene in scenes {
            rows[scene.name] = rowContents(of: scene)
            screens[scene.name] = ownContent(of: scene)
        }
    }

    // MARK: - Contents

    private func rowContents(of scene: Scene) -> [NodeID: Content] {
        var contents: [NodeID: Content] = [:]
        for list in scene.nodes.compactMap({ $0.list }) {
            var content = Content.none
            for name in [list.source, list.searchSource].compactMap({ $0 }) {
                content = content.joined(with: items(of: scene.source(name)))
            }
            for prototype in Set(list.prototypes.values).union([list.header, list.footer].compactMap { $0 }) {
                contents[prototype] = (contents[prototype] ?? .none).joined(with: content)
            }
        }
        return contents
    }

    private func items(of source: Source?) -> Content {
        guard let source, !source.showsChain, case .query(let query) = source.kind,
            let place = model.place(of: query.entity)
        else { return .unknown }
        return .records([place])
    }

    /// The content that a screen gives itself.
    private func ownContent(of scene: Scene) -> Content {
        var content = Content.none
        for step in scene.reactions.flatMap({ $0.steps }) {
            guard case .assign(.content, let expression) = step else { continue }
            if let literal = expression.literal, literal.isNull { continue }
            content = content.joined(with: assigned(expression, in: scene))
        }
        return content
    }

    /// The result of a source that picks one of its records.
    private func assigned(_ expression: Expression, in scene: Scene) -> Content {
        guard expression.steps.isEmpty,
            let source = scene.sources.first(where: { expression.source == "\($0.id).value" }),
            let links = source.chain?.links, let last = links.last,
            ["wx_first", "wx_last", "wx_itemAt:", "firstObject", "lastObject"].contains(last.name),
            links.dropLast().allSatisfy({ ["wx_takeFirst:", "wx_takeLast:"].contains($0.name) })
        else { return .unknown }
        return items(of: source)
    }

    /// Gives screens the contents that segues bring, until nothing changes.
    private mutating func followSegues() {
        let ways = self.ways()
        for _ in 0...scenes.count {
            let before = screens
            for way in ways {
                let brought = way.content ?? screens[way.start] ?? .unknown
                screens[way.end] = (screens[way.end] ?? .none).joined(with: brought)
            }
            if screens == before { return }
        }
    }

    /// All ways between screens, each once, in the order in which they are found.
    private func ways() -> [Way] {
        let takers = Set(scenes.filter { $0.takesContent }.map { $0.name })
        var found: [Way] = []
        var known: Set<Way> = []
        for scene in scenes {
            for node in scene.nodes.indices where !scene.nodes[node].events.isEmpty {
                let content = scene.nodes[node].prototype.map { rows[scene.name]?[$0] ?? .unknown }
                for steps in scene.nodes[node].events.values {
                    add(steps, from: scene.name, bringing: content, takers, to: &found, &known)
                }
            }
            let steps = scene.onLoad + scene.reactions.flatMap { $0.steps }
            add(steps, from: scene.name, bringing: nil, takers, to: &found, &known)
        }
        return found
    }

    private func content(at node: NodeID, of scene: Scene) -> Content {
        guard let prototype = scene.nodes[node].prototype else { return screens[scene.name] ?? .unknown }
        return rows[scene.name]?[prototype] ?? .unknown
    }

    private func add(
        _ steps: [Step], from start: String, bringing content: Content?, _ takers: Set<String>, to found: inout [Way],
        _ known: inout Set<Way>
    ) {
        var pending = steps
        while let step = pending.popLast() {
            switch step {
            case .show(let entry, let expression):
                guard let name = entries[entry]?.scene, takers.contains(name) else { continue }
                let way = Way(start: start, end: name, content: expression == nil ? content : .unknown)
                if known.insert(way).inserted { found.append(way) }
            case .when(_, let then, let otherwise), .branch(_, let then, let otherwise): pending += then + otherwise
            case .after(_, _, let steps), .every(_, _, let steps): pending += steps
            default: continue
            }
        }
    }

    // MARK: - Bindings

    private mutating func check(_ scene: Scene) {
        names = KeyCheck.common.union(scene.names.keys)
        for case let parts? in scene.nodes.map({ $0.names }) { names.formUnion(parts.keys) }
        (sortedNames, nearestNames) = (nil, [:])
        for (id, node) in scene.nodes.enumerated() {
            let content = content(at: id, of: scene)
            for property in node.properties { check(property.expression, content) }
            guard let list = node.list else { continue }
            for prototype in Set(list.prototypes.values) {
                for choice in [list.choice, list.searchChoice].compactMap({ $0 }) {
                    check(choice, rows[scene.name]?[prototype] ?? .unknown)
                }
            }
        }
        let own = screens[scene.name] ?? .unknown
        if let title = scene.title { check(title, own) }
        for case .assign(let target, let expression) in scene.reactions.flatMap({ $0.steps }) {
            if case .property(let node, _) = target {
                check(expression, content(at: node, of: scene))
            } else {
                check(expression, own)
            }
        }
        checkSources(of: scene)
        for action in scene.actions {
            guard let condition = action.condition else { continue }
            let value = mediators[scene.name]?[action.id]?.attribute("predicateFormat")
            check(condition.tree, from: .scope(own), value?.place ?? action.place, in: value)
        }
    }

    // MARK: - Sources and searches

    private mutating func checkSources(of scene: Scene) {
        let table = mediators[scene.name]
        for source in scene.sources {
            let mediator = table?[source.id]
            var (records, predicate) = (Subject.unknown, source.predicate)
            var order = source.sort
            if case .query(let query) = source.kind {
                predicate = query.predicate
                order = query.sort
                if let place = model.place(of: query.entity) { records = .records([place]) }
                if let grouping = query.grouping {
                    let place = mediator?.attribute("groupByField")?.place ?? source.place
                    _ = follow(grouping.path.split(separator: ".").map { .key(String($0)) }, from: records, place)
                }
            }
            for (name, predicate, variables) in [
                ("predicateFormat", predicate, []), ("filterFormat", source.filter, ["input"]),
            ] {
                guard let predicate else { continue }
                let value = mediator?.attribute(name)
                check(predicate.tree, from: records, value?.place ?? source.place, in: value)
                checkVariables(of: predicate.tree, known: variables, value?.place ?? source.place, value)
            }
            let place = mediator?.attribute("sortByFields")?.place ?? source.place
            for key in order {
                _ = follow(key.path.split(separator: ".").map { .key(String($0)) }, from: records, place)
            }
        }
        for mediator in table?.all ?? [] where mediator.type == "SearchActionController" {
            checkSearch(mediator, table, scene)
        }
    }

    /// Looks at the filter of a search, which narrows the records of a provider.
    private mutating func checkSearch(_ mediator: MediatorDescription, _ table: MediatorTable?, _ scene: Scene) {
        guard let value = mediator.attribute("filterFormat"), let text = value.json.string,
            let predicate = try? CompiledPredicate(text)
        else { return }
        var records = Subject.unknown
        let display = table?.all.first { table?[$0.outlet("searchController") ?? ""]?.id == mediator.id }
        if let name = mediator.outlet("contentProvider") ?? display?.outlet("mainContentProvider"),
            let source = table?[name].flatMap({ scene.source($0.id) }),
            case .query(let query) = source.kind, let place = model.place(of: query.entity)
        {
            records = .records([place])
        }
        check(predicate.tree, from: records, value.place, in: value)
        checkVariables(of: predicate.tree, known: ["input"], value.place, value)
    }

    /// Reports variables that nothing gives a value to.
    private mutating func checkVariables(
        of tree: SyntaxTree, known: [String], _ place: Place?, _ value: SchemeValue?
    ) {
        var bound: Set<String> = []
        for case .subquery(_, let name, _) in tree.nodes.map({ $0.kind }) { bound.insert(name) }
        for node in tree.nodes {
            guard case .variable(let name) = node.kind, !known.contains(name), !bound.contains(name) else { continue }
            let hint =
                known.isEmpty ? "only a filter has a variable, $input" : "did you mean $input, the text of the search?"
            report(
                Finding(
                    .error, .badPredicate, "Nothing gives $\(name.excerpt) a value, so the predicate fails",
                    at: value?.place(ofByte: node.span.offset) ?? place, hint: hint))
        }
    }

    private mutating func report(_ diagnostic: Finding) {
        guard found.count <= Program.diagnosticCount,
            seen.insert(Sentence(message: diagnostic.message, place: diagnostic.place)).inserted
        else { return }
        found.append(diagnostic)
    }

    // MARK: - Expressions

    private mutating func check(_ expression: Expression, _ content: Content) {
        let place = expression.place
        var subject: Subject
        switch expression.start {
        case .literal: subject = .unknown
        case .scope: subject = .scope(content)
        case .compiled(let compiled): subject = check(compiled.tree, from: .scope(content), place)
        // Only documents have these, and their reader checks them.
        case .members, .match: subject = .unknown
        }
        for step in expression.steps {
            switch step {
            case .truth(let predicate):
                check(predicate.tree, from: subject, place)
                subject = .unknown
            case .choice(let predicate, let whenTrue, let whenFalse):
                check(predicate.tree, from: subject, place)
                for case .template(let template)? in [whenTrue, whenFalse] { check(template, from: subject, place) }
                subject = .unknown
            case .format(let template):
                check(template, from: subject, place)
                subject = .unknown
            case .placeholder: continue
            case .transformer, .chain, .negation, .named: subject = .unknown
            }
        }
    }

    /// - Returns: the value of the whole expression.
    @discardableResult
    private mutating func check(
        _ tree: SyntaxTree, from subject: Subject, _ place: Place?, in value: SchemeValue? = nil
    ) -> Subject {
        checkTypes(of: tree, from: subject, place, value)
        var last = Subject.unknown
        for node in tree.nodes {
            guard case .keyPath(nil, let path) = node.kind else {
                last = .unknown
                continue
            }
            last = follow(path.components, from: subject, place)
        }
        return last
    }

    /// Reports comparisons that must fail for all records of one entity.
    private mutating func checkTypes(
        of tree: SyntaxTree, from subject: Subject, _ place: Place?, _ value: SchemeValue?
    ) {
        guard tree.nodes.count > 1 else { return }
        let entities: Set<Int>
        var isScope = false
        switch subject {
        case .records(let places): entities = places
        case .scope(.records(let places)): (entities, isScope) = (places, true)
        case .scope, .unknown: return
        }
        guard entities.count == 1, let entity = entities.first else { return }
        for (complaint, hint) in schema.complaints(about: tree, entity, isScope: isScope) {
            report(
                Finding(
                    .warning, .badPredicate, complaint.sentence,
                    at: value?.place(ofByte: complaint.offset) ?? place, hint: complaint.hint ?? hint))
        }
    }

    private mutating func check(_ template: Template, from subject: Subject, _ place: Place?) {
        for path in template.keyPaths {
            _ = follow(path.split(separator: ".").map { .key(String($0)) }, from: subject, place)
        }
    }

    private mutating func follow(_ path: [KeyPath.Component], from start: Subject, _ place: Place?) -> Subject {
        var subject = start
        for component in path {
            guard case .key(let key) = component else { return .unknown }
            if key == "self" || key == "SELF" { continue }
            switch subject {
            case .unknown: return .unknown
            case .scope(.records(let entities)) where key == "content": subject = .records(entities)
            case .scope:
                reportStart(key, path, place)
                return .unknown
            case .records(let entities): subject = value(of: key, in: entities, path, place)
            }
        }
        return subject
    }

    private mutating func value(
        of key: String, in entities: Set<Int>, _ path: [KeyPath.Component], _ place: Place?
    ) -> Subject {
        let kinds = entities.flatMap { model.family(of: $0) }.map { model.entities[$0] }
        let properties = kinds.compactMap { kind in kind.slot(key).map { kind.properties[$0] } }
        guard !properties.isEmpty else {
            // A key that leaves the object is another finding.
            if model.facts[key] == nil, key != "description", !SchemeKeyPath.leaves(key, isContent: true) {
                report(key, entities, kinds, path, place)
            }
            return .unknown
        }
        var destinations: Set<Int> = []
        for property in properties {
            // What follows a relationship to many may be a key of the collection as well.
            guard case .relationship(let relationship) = property, !relationship.isToMany,
                let destination = model.place(of: relationship.destination)
            else { return .unknown }
            destinations.insert(destination)
        }
        return .records(destinations)
    }

    /// The keys of entities, sorted; a list is made once.
    private mutating func keys(of entities: Set<Int>, _ kinds: [EntityModel.Entity]) -> [String] {
        if let known = keyLists[entities] { return known }
        let keys = Set(kinds.flatMap { $0.properties.prefix(KeyCheck.comparedKeyCount).map { $0.name } }).sorted()
        keyLists[entities] = keys
        return keys
    }

    /// Reports an expression that begins with a name that is nearly one of the screen's.
    private mutating func reportStart(_ key: String, _ path: [KeyPath.Component], _ place: Place?) {
        guard found.count <= Program.diagnosticCount, !names.contains(key), let nearest = nearestName(to: key) else {
            return
        }
        report(
            Finding(
                .warning, .unknownKey,
                "Nothing is called \(key.excerpt) here, so \(KeyPath(path).text.excerpt) has no value", at: place,
                value: key.excerpt, nearest: nearest))
    }

    /// The name of the screen that is nearly the same. Each name is compared once, because comparing takes its time.
    private mutating func nearestName(to key: String) -> String? {
        if let known = nearestNames[key] { return known }
        guard comparisonsLeft > 0 else { return nil }
        comparisonsLeft -= 1
        let sorted = sortedNames ?? names.sorted()
        let nearest = NearestName.of(key, in: sorted, atMost: KeyCheck.slipLength)
        sortedNames = sorted
        nearestNames[key] = .some(nearest)
        return nearest
    }

    private mutating func report(
        _ key: String, _ entities: Set<Int>, _ kinds: [EntityModel.Entity], _ path: [KeyPath.Component], _ place: Place?
    ) {
        let names = NameList(entities.map { model.entities[$0].name }.sorted())
        let message = "\(names) has no \(key.excerpt), so \(KeyPath(path).text.excerpt) has no value"
        // More are not shown, and each takes its time.
        guard found.count <= Program.diagnosticCount, seen.insert(Sentence(message: message, place: place)).inserted
        else { return }
        let known = keys(of: entities, kinds)
        let isHinted = found.count < KeyCheck.hintedCount
        let nearest = isHinted ? NearestName.of(key, in: known) : nil
        let shown = known.prefix(KeyCheck.shownKeyCount).joined(separator: ", ")
        let all = "it has \(shown)\(known.count > KeyCheck.shownKeyCount ? ", …" : "")"
        found.append(
            Finding(
                .warning, .unknownKey, message, at: place, value: key.excerpt, nearest: nearest,
                hint: nearest == nil ? all : nil))
    }
}
