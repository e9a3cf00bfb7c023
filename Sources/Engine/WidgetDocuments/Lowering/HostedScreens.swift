internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Screens of another form in a place of a document.
extension SceneMaker {
    /// The elements of a screen, with its requests and lists, as parts of this scene.
    ///
    /// A scene has one content and one table of names, so a screen that needs others is refused.
    mutating func host(
        _ screen: OtherScreens.Screen, _ element: DocumentElement
    ) throws(ElementFault) -> Lowered {
        let scene = screen.scene
        try check(screen, element)
        try check(scene.names, of: scene, element)
        guard nodes.count - otherNodeCount + scene.nodes.count <= limits.nodeCount else {
            throw element.value.fault(.nodeBudget, "The screen has more than \(limits.nodeCount) nodes")
        }
        let box = try add(.box, at: element.place)
        looks[box].stack = .along(.vertical)
        if let with = element.member("with") {
            nodes[box].locals = [LocalValue("content", try passed(with, element.words) ?? .literal(.null))]
        }
        let moved = SceneRelocation(by: nodes.count).moved(scene)
        let root = moved.root
        for node in moved.nodes {
            nodes.append(node)
            looks.append(node.look.map(LookDraft.init) ?? LookDraft())
        }
        for (name, named) in moved.names where names[name] == nil { setName(name, named) }
        rules += moved.rules
        observations += moved.observations
        hosted.append(moved)
        // The stack around it decides where it lies.
        looks[root].geometry.springs = nil
        if let frame = scene.nodes[scene.root].frame, frame.height > 0 {
            // As high as its author drew it, unless anything else says how high it is.
            rule(root, .height, .equal, frame.height, priority: SceneMaker.drawnHeightPriority)
        }
        attach(root, to: box)
        return Lowered(box)
    }

    private static let drawnHeightPriority: Float = 40

    /// Refuses a screen that cannot be a part of another one.
    private func check(_ screen: OtherScreens.Screen, _ element: DocumentElement) throws(ElementFault) {
        let scene = screen.scene
        let name = (scene.identifier ?? scene.name).excerpt
        let push = "push or present it"
        guard !screen.showsDocuments else {
            throw element.value.fault(
                .badPayload, "\(name) shows documents itself, and cannot be a part of one", hint: push)
        }
        guard !element.words.isRepeated else {
            throw element.value.fault(
                .badPayload, "\(name) is a screen, and cannot be repeated for items", hint: push)
        }
        guard !hosted.contains(where: { $0.name == scene.name }) else {
            throw element.value.fault(
                .badPayload, "\(name) is in this document already, and a screen has one place in it", hint: push)
        }
        let steps = scene.reactions.flatMap { $0.steps }
        let setsContent = steps.contains { step in
            if case .assign(.content, _) = step { true } else { false }
        }
        guard !setsContent else {
            throw element.value.fault(
                .badPayload, "\(name) sets its content, which here is that of the document", hint: push)
        }
        let isWhole = !scene.sources.isEmpty || !scene.actions.isEmpty || !scene.reactions.isEmpty
        if isWhole, let with = element.member("with") {
            throw with.fault(
                .badPayload, "\(name) has requests or lists, which see the content of the whole document",
                hint: "leave `with` out, or \(push)")
        }
    }

    /// Refuses a screen whose names the document has for others.
    private func check(
        _ names: [String: Scene.Named], of scene: Scene, _ element: DocumentElement
    ) throws(ElementFault) {
        guard let name = names.keys.sorted().first(where: { self.names[$0] != nil }) else { return }
        throw element.value.fault(
            .duplicateIdentifier,
            "\((scene.identifier ?? scene.name).excerpt) calls something \(name.excerpt), and so does the document",
            hint: "give one of them another name")
    }
}

extension Scene {
    /// Adds the requests, lists and reactions of screens whose elements are among those of the scene.
    mutating func add(_ hosted: [Scene]) {
        for scene in hosted {
            sources += scene.sources
            actions += scene.actions
            statuses += scene.statuses
            reactions += scene.reactions
            onLoad += scene.onLoad
            deselected += scene.deselected
        }
    }
}
