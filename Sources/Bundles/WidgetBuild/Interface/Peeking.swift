internal import WidgetNib
internal import XMLText

/// Peek and pop: a segue that shows its screen small while a finger presses (preview), and in full when it presses
/// harder (commit).
///
/// iOS reads four lists of a controller for it, and a registrant for each list or control whose presses count.
struct Peek {
    /// The segue around the two.
    var segue: InterfaceSource.Segue
    var commit: XMLElement?
    var preview: XMLElement?
    /// The id of the registrant, which is not in the source.
    var registrant: String
}

extension InterfaceSource {
    /// Finds the segues for peek and pop in a segue, and the view whose presses count.
    mutating func addPeek(
        _ element: XMLElement, from source: String, in home: Int, _ controller: String
    ) throws(BuildError) {
        let inner = element.children(named: "segue")
        guard !inner.isEmpty, let origin = elements[source] else { return }
        for child in inner {
            guard ["commit", "preview"].contains(child["key"] ?? "") else {
                throw fault(
                    "segue for \(child["key"] ?? "nothing") in segue cannot be compiled", child,
                    hints: ["its key has to be commit or preview"])
            }
            try register(child, in: home)
        }
        var view = source
        if origin.name == "tableViewCell" || origin.name == "collectionViewCell" {
            // Presses on cells are those of the list around them.
            var next = around[source]
            while let id = next {
                if ["tableView", "collectionView"].contains(elements[id]?.name) {
                    view = id
                    break
                }
                next = around[id]
            }
        }
        let registrant = "\(view)-peek"
        if homes[registrant] == nil {
            add(registrant, element, in: home)
            connect(registrant, "sourceView", to: view, at: element)
        }
        let id = try id(of: element)
        peekPlaces[id] = peeks[controller]?.count ?? 0
        peeks[controller, default: []].append(
            Peek(
                segue: Segue(element: element, id: id, source: source),
                commit: inner.first { $0["key"] == "commit" }, preview: inner.first { $0["key"] == "preview" },
                registrant: registrant))
    }

    /// Returns an attribute of a segue, or else of the one that it is based on.
    func inherited(_ name: String, of segue: XMLElement, in peek: Peek) -> String? {
        if let own = segue[name] { return own }
        switch segue["inheritsFrom"] {
        case "parent": return peek.segue.element[name]
        case "commit" where segue["key"] == "preview":
            return peek.commit.map { $0[name] ?? ($0["inheritsFrom"] == "parent" ? peek.segue.element[name] : nil) }
                ?? nil
        default: return nil
        }
    }
}

extension NibCompiler {
    /// Writes the lists of a controller for peek and pop.
    mutating func writePeeks(of id: String, controller: Int) throws(BuildError) {
        let source = source
        var (previews, commits, registrants): ([Int], [Int], [Int]) = ([], [], [])
        var known: Set<Int> = []
        for peek in source.peeks[id] ?? [] {
            if let commit = peek.commit {
                let template = try template(commit, of: controller)
                try writeSegue(commit, template) { name in source.inherited(name, of: commit, in: peek) }
                commits.append(template)
            }
            if let preview = peek.preview {
                let template = try template(preview, of: controller)
                draft.setClass("UIStoryboardPreviewingSegueTemplate", of: template)
                let destination = source.inherited("destination", of: preview, in: peek)
                draft.set(
                    "UIDestinationViewControllerIdentifier", text: try sceneName(destination, preview), of: template)
                if let identifier = preview["identifier"] { draft.set("UIIdentifier", text: identifier, of: template) }
                previews.append(template)
            }
            let registrant = try object(peek.registrant, for: peek.segue.element)
            guard known.insert(registrant).inserted else { continue }
            finish(registrant)
            objects.append(registrant)
            draft.setClass("UIStoryboardPreviewingRegistrant", of: registrant)
            addOutlet("viewController", from: registrant, to: controller)
            registrants.append(registrant)
        }
        for (key, list) in [
            ("UIStoryboardPreviewSegueTemplates", previews), ("UIStoryboardCommitSegueTemplates", commits),
            ("UIStoryboardPreviewingRegistrants", registrants),
        ] where !list.isEmpty { draft.set(key, .object(draft.list(list)), of: controller) }
    }

    private mutating func template(
        _ element: XMLElement, of controller: Int
    ) throws(BuildError) -> Int {
        let known: Set<String> = [
            "key", "id", "kind", "destination", "identifier", "inheritsFrom", "customClass", "customModule",
            "customModuleProvider", "modalPresentationStyle", "modalTransitionStyle", "animates",
        ]
        for attribute in element.attributes where !known.contains(attribute.name) {
            try notes.leaveOut(attribute, of: element, knowing: known, path: source.path)
        }
        let template = try object(try source.id(of: element), for: element)
        finish(template)
        objects.append(template)
        addOutlet("viewController", from: template, to: controller)
        return template
    }

    /// Gives the view that begins a segue the templates for its presses.
    mutating func writePeekStorage(of segue: InterfaceSource.Segue, in controller: String) throws(BuildError) {
        guard let place = source.peekPlaces[segue.id], let peeks = source.peeks[controller],
            peeks.indices.contains(place), peeks[place].segue.id == segue.id,
            let origin = source.elements[segue.source], ElementRule.named(origin.name)?.isView == true
        else { return }
        let peek = peeks[place]
        let view = try object(segue.source, for: segue.element)
        let storage = draft.add("UIStoryboardPreviewingSegueTemplateStorage")
        objects.append(storage)
        draft.set("UIViewPreviewingSegueTemplateStorage", .object(storage), of: view)
        for (name, element) in [("previewTemplate", peek.preview), ("commitTemplate", peek.commit)] {
            guard let element else { continue }
            addOutlet(name, from: storage, to: try object(try source.id(of: element), for: element))
        }
        addOutlet("sender", from: storage, to: view)
    }
}
