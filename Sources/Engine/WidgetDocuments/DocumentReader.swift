internal import Bytes
internal import JSONText
package import WidgetCore

/// Makes a program of data-driven documents.
package struct DocumentReader {
    private let input: DocumentInput
    private let library: DocumentLibrary
    private var diagnostics: [Diagnostic] = []
    private var scenes: [Scene] = []
    private var entries: [String: Program.Entry] = [:]
    /// The documents that each leads to.
    private var destinations: [String: Set<String>] = [:]
    private var usedComponents: Set<Place> = []

    private init(_ input: DocumentInput) {
        self.input = input
        library = DocumentLibrary(input)
        diagnostics = library.diagnostics
    }

    /// - Parameter images: the pictures of the bundle; `nil` where they are not known.
    package static func program(
        _ input: DocumentInput, images: [String: ImageInfo]? = nil
    ) throws(DocumentError) -> Program {
        var reader = DocumentReader(input)
        return try reader.program(images)
    }

    private mutating func program(_ images: [String: ImageInfo]?) throws(DocumentError) -> Program {
        guard let first = input.documents.first(where: { $0.name == input.first }) else {
            throw .missing("\(input.first)\(DocumentWords.ending)")
        }
        if let failure = library.failures[first.path] { throw .unreadable(failure) }
        for file in input.documents {
            guard let source = library.documents[file.name] else { continue }
            do throws(ElementFault) {
                try read(source)
            } catch {
                if input.policy == .fail { throw .element(error.diagnostic.withoutSeverity) }
                // A screen whose form cannot be read has nothing to show.
                diagnostics.append(error.diagnostic)
                if input.policy != .strict, file.name == input.first {
                    throw .unreadable(error.diagnostic.withoutSeverity)
                }
                add(Scene(file.name, nodes: [Node(.box)]), isNavigation: false)
            }
        }
        checkReach()
        return Program(
            identifier: input.identifier, scenes: scenes, entries: entries, initial: input.first,
            transformers: DocumentTransformers.all, images: images, diagnostics: diagnostics)
    }

    // MARK: - Scenes

    private mutating func read(_ source: DocumentSource) throws(ElementFault) {
        let parts = SceneParts(source, library)
        var maker = SceneMaker(library, input.policy, input.limits)
        do throws(ElementFault) {
            let (scene, isNavigation) = try self.scene(parts, source, &maker)
            add(scene, isNavigation: isNavigation)
        } catch {
            diagnostics += maker.diagnostics
            throw error
        }
        diagnostics += maker.diagnostics
        destinations[source.name] = maker.destinations
        usedComponents.formUnion(maker.usedComponents)
    }

    private mutating func add(_ scene: Scene, isNavigation: Bool) {
        scenes.append(scene)
        entries[scene.name] = Program.Entry(scene: scene.name, isNavigation: isNavigation)
        entries[DocumentLibrary.pushed(scene.name)] = Program.Entry(scene: scene.name, isNavigation: false)
    }

    private func scene(
        _ parts: SceneParts, _ source: DocumentSource, _ maker: inout SceneMaker
    ) throws(ElementFault) -> (Scene, isNavigation: Bool) {
        if let scene = parts.scene { try check(scene, &maker) }
        var words = Lexicon()
        words.components = parts.components
        words.expansions = ["document \(source.name)"]
        for (name, initial) in try names(parts.state, "states", &maker) {
            maker.setState(name, Value(initial.json))
            words.add(name)
            words.states[name] = name
        }
        var parameters: [String: Value] = [:]
        for (name, initial) in try names(parts.parameters, "parameters", &maker) {
            parameters[name] = Value(initial.json)
            maker.setName(name, .parameter(name))
            words.add(name)
        }
        let root = try maker.root(parts.root, words)
        var scene = Scene(source.name, nodes: [], root: root)
        scene.identifier = parts.scene?["id"]?.json.string ?? source.name
        if let title = parts.scene?["title"] {
            scene.title = try maker.read(words) { reader throws(ElementFault) in try reader.expression(of: title) }
        }
        for (event, actions) in parts.scene?["on"]?.members ?? [] {
            let steps = try maker.steps(of: actions, words)
            if event == "load" { scene.onLoad += steps } else { scene.reactions.append(Reaction([.appearing], steps)) }
        }
        if let tick = maker.tick { scene.onLoad.append(.every(name: "clock", seconds: tick, [])) }
        for (place, look) in maker.looks.enumerated() { maker.nodes[place].look = look.look }
        scene.nodes = maker.nodes
        scene.rules = maker.rules
        scene.names = maker.names
        scene.states = maker.states
        scene.parameters = parameters
        scene.observations = maker.observations
        scene.place = Place(file: source.path)
        let bar = parts.scene?["bar"]?.json.boolean ?? (scene.title != nil)
        return (scene, bar)
    }

    /// The names of states or parameters with their values.
    private func names(
        _ value: DocumentValue?, _ what: String, _ maker: inout SceneMaker
    ) throws(ElementFault) -> [(name: String, value: DocumentValue)] {
        guard let value else { return [] }
        guard value.json.object != nil else {
            throw value.fault(.badPayload, "The \(what) are \(value.json.typeName.rawValue), and have to be an object")
        }
        guard value.members.count <= input.limits.nameCount else {
            throw value.fault(.countBudget, "The document has more than \(input.limits.nameCount) \(what)")
        }
        return value.members.filter { member in
            guard member.name.contains(where: { $0 == "." || $0 == "$" }) || member.name.isEmpty else { return true }
            maker.report(
                Diagnostic(
                    .error, .badValue, "\(member.name.excerpt) cannot be a name", at: member.value.place,
                    hint: "names have no dots and no $"))
            return false
        }
    }

    /// Refuses another version, and reports members that scenes do not have.
    private func check(_ scene: DocumentValue, _ maker: inout SceneMaker) throws(ElementFault) {
        guard let schema = scene["schema"] else {
            throw scene.fault(
                .badPayload, "The document is neither an element nor a scene",
                hint: #"a scene has "schema": 1 and "root", an element has "kind""#)
        }
        guard schema.json.integer == Int64(DocumentWords.schemaVersion) else {
            throw schema.fault(
                .badPayload,
                "The document's schema is \(Value(schema.json).shown.excerpt), and this program reads \(DocumentWords.schemaVersion)",
                hint: "use a newer program, or write \"schema\": \(DocumentWords.schemaVersion)")
        }
        let names = DocumentWords.scene.map(\.name)
        for (name, member) in scene.members where !names.contains(name) {
            maker.report(
                Diagnostic(
                    .warning, .unknownKey, "Scenes have no member \(name.excerpt)", at: member.place,
                    hint: NearestName.of(name, in: names).map { "did you mean \($0)?" }
                        ?? "they have \(NameList(names))"))
        }
        let events = DocumentWords.sceneEvents.map(\.name)
        for (name, member) in scene["on"]?.members ?? [] where !events.contains(name) {
            throw member.fault(
                .unknownKey, "Scenes have no event \(name.excerpt)", hint: "they have \(NameList(events))")
        }
    }

    // MARK: - The bundle as a whole

    /// Reports documents that nothing leads to, and components that nothing uses.
    private mutating func checkReach() {
        guard input.policy != .strict else { return }
        var reached: Set<String> = []
        var pending = [input.first]
        while let name = pending.popLast() {
            guard reached.insert(name).inserted else { continue }
            pending += destinations[name] ?? []
        }
        for file in input.documents where !reached.contains(file.name) && library.documents[file.name] != nil {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownScreen, "Nothing leads to \(file.name.excerpt), so it is never shown",
                    at: Place(file: file.path), hint: "push it, host it, or take it out"))
        }
        var components = library.components.map { ($0.key, $0.value) }
        for file in input.documents {
            guard let source = library.documents[file.name] else { continue }
            let own = DocumentValue(source.root, ValuePath(), in: source)["components"]
            if own != nil, source.root["kind"] == nil { components += (own?.members ?? []).map { ($0.name, $0.value) } }
        }
        for (name, component) in components.sorted(by: { $0.0 < $1.0 }) where !usedComponents.contains(component.place)
        {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownIdentifier, "Nothing uses the component \(name.excerpt)", at: component.place,
                    hint: "use it as a kind, or take it out"))
        }
    }
}
