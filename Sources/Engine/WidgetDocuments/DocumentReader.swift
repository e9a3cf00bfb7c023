internal import JSONText
internal import WidgetBytes
internal import WidgetContract
package import WidgetCore

/// Makes a program of data-driven documents.
package struct DocumentReader {
    let input: DocumentInput
    let library: DocumentLibrary
    var diagnostics: [Finding] = []
    var scenes: [Scene] = []
    var entries: [String: Program.Entry] = [:]
    /// The documents that each leads to.
    var destinations: [String: Set<String>] = [:]
    /// The documents that those lead to which fill views of each screen of another form.
    var filledDestinations: [String: Set<String>] = [:]
    var usedComponents: Set<Place> = []
    /// The work that is left for all screens.
    var work: ReadingWork
    var declared = DeclaredTerms()
    var openedLinks: Set<String> = []
    var given = GivenParameters()
    var hostedDocuments: Set<String> = []
    /// Events that are emitted where no element is around the document, by the document.
    var strayEvents: [String: [Place]] = [:]

    init(_ input: DocumentInput) {
        self.input = input
        work = ReadingWork(input.limits)
        var library = DocumentLibrary(input)
        diagnostics = input.diagnostics + library.diagnostics
        if let source = library.themeFile {
            var maker = SceneMaker(library, input.policy, input.limits, work)
            do throws(ElementFault) {
                library.theme = try maker.theme(DocumentValue(source.root, ValuePath(), in: source), on: .standard)
            } catch {
                maker.report(error.diagnostic)
            }
            diagnostics += maker.diagnostics
            work = maker.work
        }
        self.library = library
    }

    /// - Parameter images: the pictures of the bundle; `nil` where they are not known.
    package static func program(
        _ input: DocumentInput, images: [String: ImageInfo]? = nil
    ) throws(DocumentError) -> Program {
        var reader = DocumentReader(input)
        return try reader.program(images)
    }

    /// The entry of the program by which steps show a document.
    ///
    /// - Parameter isPushed: true if it comes onto the screens of a navigation bar.
    package static func entry(of document: String, isPushed: Bool) -> String {
        isPushed ? DocumentLibrary.pushed(document) : document
    }

    private mutating func program(_ images: [String: ImageInfo]?) throws(DocumentError) -> Program {
        let first = try readAll()
        checkReach()
        diagnostics += LinkCheck.diagnostics(declared, scenes, entries, opened: openedLinks)
        diagnostics += RequestCheck.ofDocuments(scenes, input.services)
        diagnostics += PathCheck.diagnostics(scenes, entries, input.services)
        diagnostics += IdentifierCheck.diagnostics(scenes)
        // A component that is used twice, and a document that is a part of others, has its faults once.
        var seen: Set<Finding> = []
        diagnostics = diagnostics.filter { seen.insert($0).inserted }
        return Program(
            identifier: input.identifier, name: input.name, scenes: scenes, entries: entries, initial: first,
            services: input.services, transformers: DocumentTransformers.all, images: images, diagnostics: diagnostics,
            terms: declared.terms, termPlaces: declared.places)
    }

    /// Reads all documents.
    ///
    /// - Returns: the entry of the first one.
    mutating func readAll() throws(DocumentError) -> String {
        if let name = input.first {
            guard let first = input.documents.first(where: { $0.name == name }) else { throw missing(name) }
            if let failure = library.failures[first.path] { throw .unreadable(failure) }
        }
        readLinks()
        for file in input.documents {
            guard let source = library.documents[file.name] else { continue }
            do throws(ElementFault) {
                try read(source)
            } catch {
                if input.policy == .fail { throw .element(error.diagnostic) }
                // A screen whose form cannot be read has nothing to show.
                diagnostics.append(error.diagnostic)
                if input.policy != .strict, file.name == input.first {
                    throw .unreadable(error.diagnostic)
                }
                add(Scene(library.sceneName(file.name), nodes: [Node(.box)]), isNavigation: false)
            }
        }
        return input.first.map(library.sceneName) ?? ""
    }

    /// The bundle lacks its first document, or has one with nearly its name.
    private func missing(_ name: String) -> DocumentError {
        let file = "\(name)\(DocumentWords.ending)"
        guard let nearest = NearestName.of(name, in: input.documents.map { $0.name }, atMost: 2),
            let other = input.documents.first(where: { $0.name == nearest })
        else { return .missing(file) }
        return .unreadable(
            Finding(
                .error, .missingFile, "The bundle has no document \(file.excerpt)", at: Place(file: other.path),
                hint: "did you mean \(other.path.excerpt)? It has to be called so"))
    }

    /// Reads the links of all documents, which actions of any of them can open.
    private mutating func readLinks() {
        var maker = SceneMaker(library, input.policy, input.limits, work)
        var reader = TermsReader(continuing: declared)
        for file in input.documents {
            guard let source = library.documents[file.name], let scene = SceneParts(source, library).scene else {
                continue
            }
            reader.readLinks(scene, &maker)
        }
        declared = reader.declared
        diagnostics += maker.diagnostics
    }

    // MARK: - Scenes

    private mutating func read(_ source: DocumentSource) throws(ElementFault) {
        let parts = SceneParts(source, library)
        var maker = SceneMaker(library, input.policy, input.limits, work)
        defer { work = maker.work }
        maker.terms = declared.terms
        do throws(ElementFault) {
            let (scene, isNavigation) = try self.scene(parts, source, &maker)
            add(scene, isNavigation: isNavigation)
        } catch {
            diagnostics += maker.diagnostics
            throw error
        }
        diagnostics += maker.diagnostics
        destinations[source.name] = maker.destinations
        openedLinks.formUnion(maker.openedLinks)
        given.merge(maker.given)
        hostedDocuments.formUnion(maker.hostedDocuments)
        strayEvents[source.name] = maker.strayEvents
        usedComponents.formUnion(maker.usedComponents)
    }

    private mutating func add(_ scene: Scene, isNavigation: Bool) {
        scenes.append(scene)
        entries[scene.name] = Program.Entry(scene: scene.name, isNavigation: isNavigation)
        entries[DocumentLibrary.pushed(scene.name)] = Program.Entry(scene: scene.name, isNavigation: false)
    }

    private mutating func scene(
        _ parts: SceneParts, _ source: DocumentSource, _ maker: inout SceneMaker
    ) throws(ElementFault) -> (Scene, isNavigation: Bool) {
        if let scene = parts.scene { try check(scene, &maker) }
        var words = Lexicon()
        words.components = parts.components
        words.expansions = ["document \(source.name)"]
        words.theme = try maker.theme(of: parts, on: library.theme)
        for (name, initial) in try names(parts.state, "states", &maker) {
            maker.setState(name, Value(initial.json))
            words.add(name)
            words.states[name] = StatePath(name)
        }
        maker.persist(parts, words)
        for (key, initial) in try names(parts.cache, "cached values", &maker, limit: input.limits.cachedKeyCount) {
            maker.cached[key] = Value(initial.json)
            words.addCached(key)
        }
        var parameters: [String: Value] = [:]
        for (name, initial) in try names(parts.parameters, "parameters", &maker) {
            parameters[name] = Value(initial.json)
            maker.setName(name, .parameter(name))
            words.add(name)
        }
        try maker.addSources(parts.scene?["sources"], to: &words)
        if source.name == input.first, let scene = parts.scene {
            var reader = TermsReader(continuing: declared)
            reader.read(scene, words, &maker)
            declared = reader.declared
            maker.isOverlay = !declared.terms.modes.isEmpty
        }
        let root = try maker.root(parts.root, words)
        var scene = Scene(library.sceneName(source.name), nodes: [], root: root)
        scene.identifier = parts.scene?["id"]?.json.string ?? source.name
        if let title = parts.scene?["title"] {
            do throws(ElementFault) {
                scene.title = try maker.read(words) { reader throws(ElementFault) in try reader.expression(of: title) }
            } catch {
                try note(error, &maker)
            }
        }
        for (event, actions) in parts.scene?["on"]?.members ?? [] {
            let steps = try maker.steps(of: actions, words)
            switch event {
            case "load": scene.onLoad += steps
            case "instead": scene.instead = steps
            case "appear": scene.reactions.append(Reaction([.appearing], steps))
            default: continue
            }
        }
        scene.onLoad += maker.onLoad
        scene.reactions += maker.reactions
        scene.data = maker.data
        maker.checkWantedNames()
        if let tick = maker.tick { scene.onLoad.append(.every(name: "clock", seconds: tick, [])) }
        for (place, look) in maker.looks.enumerated() { maker.nodes[place].look = look.look }
        scene.nodes = maker.nodes
        scene.rules = maker.rules
        scene.names = maker.names
        scene.states = maker.states
        scene.persisted = maker.settings(of: scene.name)
        scene.parameters = parameters
        scene.cached = maker.cached
        scene.observations = maker.observations
        scene.add(maker.hosted)
        scene.place = Place(file: source.path)
        let bar = parts.scene?["bar"]?.json.boolean ?? (scene.title != nil)
        return (scene, bar)
    }

    /// The names of states or parameters with their values.
    private func names(
        _ value: DocumentValue?, _ what: String, _ maker: inout SceneMaker, limit: Int? = nil
    ) throws(ElementFault) -> [(name: String, value: DocumentValue)] {
        guard let value else { return [] }
        guard value.json.object != nil else {
            throw value.fault(.badPayload, "The \(what) are \(value.json.typeName.rawValue), and have to be an object")
        }
        let limit = limit ?? input.limits.nameCount
        guard value.members.count <= limit else {
            throw value.fault(.countBudget, "The document has more than \(limit) \(what)")
        }
        return value.members.filter { member in
            guard member.name.contains(where: { $0 == "." || $0 == "$" }) || member.name.isEmpty else { return true }
            maker.report(
                Finding(
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
        let names = DocumentWords.scene.map { $0.name }
        for (name, member) in scene.members where !names.contains(name) {
            maker.report(
                Finding(
                    .warning, .unknownKey, "Scenes have no member \(name.excerpt)", at: member.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: names), hint: "they have \(NameList(names))")
            )
        }
        let events = DocumentWords.sceneEvents.map { $0.name }
        for (name, member) in scene["on"]?.members ?? [] where !events.contains(name) {
            try note(
                member.fault(
                    .unknownKey, "Scenes have no event \(name.excerpt)",
                    hint: NearestName.of(name, in: events).map { "did you mean \($0)?" }
                        ?? "they have \(NameList(events))"), &maker)
        }
        for (name, isRight, type) in [
            ("id", { (json: JSONValue) in json.string != nil }, "a text"),
            ("bar", { $0.boolean != nil }, "true or false"),
            ("components", { $0.object != nil }, "an object"), ("on", { $0.object != nil }, "an object"),
        ] {
            guard let member = scene[name], !isRight(member.json) else { continue }
            try note(
                member.fault(
                    .badPayload, "\(name) of a scene is \(member.json.typeName.rawValue), and has to be \(type)"),
                &maker)
        }
    }

    /// Reports a fault that costs no more than a member of a scene, unless the bundle allows none.
    private func note(_ fault: ElementFault, _ maker: inout SceneMaker) throws(ElementFault) {
        if input.policy == .fail || input.policy == .strict { throw fault }
        maker.report(fault.diagnostic)
    }

    // MARK: - The bundle as a whole

    /// Reports documents that nothing leads to, and components that nothing uses.
    private mutating func checkReach() {
        guard input.policy != .strict else { return }
        var reached: Set<String> = []
        var pending = [input.first].compactMap { $0 } + declared.terms.links.compactMap { $0.route?.entry }
        while let name = pending.popLast() {
            guard reached.insert(name).inserted else { continue }
            pending += destinations[name] ?? []
        }
        // Closures lead to documents as well.
        if !input.allowsNative { reportUnreached(reached) }
        checkComponents()
        checkUses()
    }

    /// - Parameter reached: the documents that something leads to.
    mutating func reportUnreached(_ reached: Set<String>) {
        for file in input.documents where !reached.contains(file.name) && library.documents[file.name] != nil {
            diagnostics.append(
                Finding(
                    .warning, .unknownScreen, "Nothing leads to \(file.name.excerpt), so it is never shown",
                    at: Place(file: file.path), hint: "push it, host it, or take it out"))
        }
    }

    mutating func checkComponents() {
        var components = library.components.map { ($0.key, $0.value) }
        for file in input.documents {
            guard let source = library.documents[file.name] else { continue }
            let own = DocumentValue(source.root, ValuePath(), in: source)["components"]
            if own != nil, source.root["kind"] == nil { components += (own?.members ?? []).map { ($0.name, $0.value) } }
        }
        for (name, component) in components.sorted(by: { $0.0 < $1.0 }) where library.registry.kind(name) != nil {
            diagnostics.append(
                Finding(
                    .warning, .duplicateIdentifier,
                    "The component \(name.excerpt) takes the place of the kind \(name.excerpt)",
                    at: component.place, hint: "give the component another name"))
        }
        for (name, component) in components.sorted(by: { $0.0 < $1.0 }) where !usedComponents.contains(component.place)
        {
            diagnostics.append(
                Finding(
                    .warning, .unknownIdentifier, "Nothing uses the component \(name.excerpt)", at: component.place,
                    hint: "use it as a kind, or take it out"))
        }
    }
}
