internal import WidgetBytes
internal import WidgetContract
package import WidgetCore

/// Documents and a program of another form as one program.
extension DocumentReader {
    /// Reads documents, fills the views of the other program that show some, and adds what both lead to.
    package static func program(
        _ input: DocumentInput, joining other: OtherProgram
    ) throws(DocumentError) -> Program {
        var input = input
        input.screens = OtherScreens(other)
        let own = Set(input.services.map { $0.name })
        input.services += other.program.services.values.filter { !own.contains($0.name) }.sorted { $0.name < $1.name }
        var reader = DocumentReader(input)
        return try reader.program(joining: other)
    }

    private mutating func program(joining other: OtherProgram) throws(DocumentError) -> Program {
        reportSharedNames()
        declared = DeclaredTerms(other.program.terms, other.program.termPlaces)
        let first = try readAll()
        var others: [Scene] = []
        for (name, scene) in other.program.scenes.sorted(by: { $0.key < $1.key }) {
            others.append(try filled(scene, other.screens[name] ?? OtherProgram.Screen()))
        }
        let initial = input.first == nil ? other.program.initial : first
        addEntries(other)
        checkReach(from: initial, other)
        checkComponents()
        checkUses()
        var transformers = other.program.transformers
        for name in DocumentTransformers.names { transformers[name] = DocumentTransformers.all[name] }
        let program = other.program
        // A document that is a screen and a part of another one has its faults twice.
        var seen: Set<Finding> = []
        let entries = program.entries.merging(entries) { other, _ in other }
        diagnostics += LinkCheck.diagnostics(declared, others + scenes, entries, opened: openedLinks)
        diagnostics += RequestCheck.ofDocuments(others + scenes, input.services)
        diagnostics += PathCheck.diagnostics(others + scenes, entries, input.services)
        diagnostics += IdentifierCheck.diagnostics(others + scenes)
        return Program(
            identifier: input.identifier, name: input.name, scenes: others + scenes, entries: entries, initial: initial,
            model: program.model, services: input.services, transformers: transformers,
            vocabulary: program.vocabulary, images: program.images, settings: program.settings,
            fieldMessages: program.fieldMessages,
            diagnostics: (program.diagnostics + diagnostics).filter { seen.insert($0).inserted },
            terms: declared.terms, termPlaces: declared.places)
    }

    /// Reports documents that are called like a screen.
    private mutating func reportSharedNames() {
        for file in input.documents where library.screens[file.name] != nil {
            diagnostics.append(
                Finding(
                    .warning, .duplicateIdentifier, "\(file.name.excerpt) is a document and a screen",
                    at: Place(file: file.path),
                    hint: "documents and schemes mean the document, segues the screen; give one of them another name"))
        }
    }

    // MARK: - Screens of the other program

    /// A scene with the documents in its views.
    private mutating func filled(
        _ scene: Scene, _ screen: OtherProgram.Screen
    ) throws(DocumentError) -> Scene {
        for link in screen.links { check(link) }
        guard !screen.places.isEmpty else { return scene }
        var scene = scene
        var maker = SceneMaker(filling: scene, library, input.policy, input.limits, work)
        defer { work = maker.work }
        maker.terms = declared.terms
        for place in screen.places {
            do throws(ElementFault) {
                try maker.fill(place)
            } catch {
                if input.policy == .fail { throw .element(error.diagnostic) }
                maker.report(error.diagnostic)
            }
        }
        maker.checkWantedNames()
        maker.finish(&scene)
        diagnostics += maker.diagnostics
        filledDestinations[scene.name, default: []].formUnion(maker.destinations)
        usedComponents.formUnion(maker.usedComponents)
        openedLinks.formUnion(maker.openedLinks)
        given.merge(maker.given)
        hostedDocuments.formUnion(maker.hostedDocuments)
        return scene
    }

    /// Reports a step that shows a document which the bundle does not have, or passes it what it does not take.
    private mutating func check(_ link: DocumentLink) {
        guard let source = library.documents[link.document] else {
            diagnostics.append(
                Finding(
                    .error, .unknownScreen, "The bundle has no document \(link.document.excerpt)", at: link.place,
                    hint: library.documentHint(link.document)))
            return
        }
        let parameters = SceneParts(source, library).parameters
        let known = (parameters?.members ?? []).map { $0.name }
        // A segue and an action of a scheme pass the content of their screen on, whose members are not known.
        given.note(known, for: parameters, of: link.document, isComponent: false, at: link.place)
        for value in link.values where !known.contains(value.name) {
            diagnostics.append(.unknownParameter(value.name, of: link.document, among: known, at: value.place))
        }
    }

    // MARK: - Reach

    /// Gives documents and screens the entries by which those of the other form show them.
    private mutating func addEntries(_ other: OtherProgram) {
        for link in other.screens.values.flatMap({ $0.links }) {
            let name = library.sceneName(link.document)
            guard let shown = entries[name] else { continue }
            let isPresented = link.entry == DocumentLink.entry(link.document, isPushed: false)
            entries[link.entry] = Program.Entry(scene: name, isNavigation: isPresented && shown.isNavigation)
        }
        let names = Set(destinations.values.joined()).union(filledDestinations.values.joined())
        for name in names where library.documents[name] == nil {
            guard let scene = library.screens[name]?.scene.name else { continue }
            entries[DocumentLibrary.pushed(scene)] = Program.Entry(scene: scene, isNavigation: false)
        }
    }

    /// Reports documents and screens that nothing leads to.
    private mutating func checkReach(from initial: String, _ other: OtherProgram) {
        guard input.policy != .strict else { return }
        // Documents and scenes of the other program have names of different kinds.
        var documents: Set<String> = []
        var scenes: Set<String> = []
        var pending: [(name: String, isDocument: Bool)] = []
        if let first = input.first {
            pending = [(first, true)]
        } else {
            pending = (other.program.entries[initial]?.scenes ?? []).map { ($0, false) }
        }
        for entry in declared.terms.links.compactMap({ $0.route?.entry }) {
            if library.documents[entry] != nil {
                pending.append((entry, true))
            } else {
                pending += (other.program.entries[entry]?.scenes ?? []).map { ($0, false) }
            }
        }
        while let (name, isDocument) = pending.popLast() {
            guard isDocument ? documents.insert(name).inserted : scenes.insert(name).inserted else { continue }
            for destination in (isDocument ? destinations : filledDestinations)[name] ?? [] {
                if library.documents[destination] != nil {
                    pending.append((destination, true))
                } else if let scene = library.screens[destination]?.scene.name {
                    pending.append((scene, false))
                }
            }
            guard !isDocument, let screen = other.screens[name] else { continue }
            pending += screen.links.map { ($0.document, true) }
            pending += screen.destinations.flatMap { other.program.entries[$0]?.scenes ?? [] }.map { ($0, false) }
        }
        reportUnreached(documents)
        for (name, screen) in other.screens.sorted(by: { $0.key < $1.key }) where !scenes.contains(name) {
            guard let origin = screen.origin else { continue }
            diagnostics.append(
                Finding(
                    .warning, .unknownScreen, "Nothing leads to \(name.excerpt), so it is never shown", at: origin,
                    hint: "draw a segue to it, push it from a document, or take it out"))
        }
    }
}

extension Finding {
    static func unknownParameter(
        _ name: String, of owner: String, among known: [String], at place: Place
    ) -> Finding {
        Finding(
            .warning, .unknownKey, "\(owner.excerpt) has no parameter \(name.excerpt)", at: place,
            value: name.excerpt, nearest: NearestName.of(name, in: known),
            hint: (known.isEmpty ? "it has no parameters" : "it has \(NameList(known))"))
    }
}
