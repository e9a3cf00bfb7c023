import WidgetNib
import XMLText

/// Compares outlets, actions and segues: in every interface, they lead from the object for one element to the object
/// for the other.
extension SampleComparison {
    mutating func compareConnections(of source: XMLElement, _ controller: NibController) throws {
        var templates: [NibElement] = []
        for owner in Self.all(source) {
            for connection in owner.child(named: "connections")?.children ?? [] {
                let id = try required(owner["id"])
                switch connection.name {
                case "outlet":
                    expectOnly(["property", "destination", "id"], connection)
                    expect(
                        hasOutlet(connection["property"], from: id, to: connection["destination"]),
                        "\(connection.position)")
                case "action":
                    expectOnly(["selector", "destination", "eventType", "id"], connection)
                    let masks = ["touchUpInside": 64, "valueChanged": 4_096]
                    let mask = connection["eventType"].map { masks[$0] ?? 0 }
                    let to = connection["destination"].flatMap { found[$0] }
                    let events = self.events(from: id).filter { $0.event.selector == connection["selector"] }
                    expect(events.map(\.event.mask) == [mask], "\(connection.position)")
                    expect(to != nil && events.map(\.destination) == [to], "\(connection.position)")
                case "segue" where connection["kind"] == "relationship": continue
                case "segue":
                    let template = try required(self.template(of: connection, from: owner))
                    templates.append(template)
                    try compare(segue: connection, template, of: controller)
                default: expect(false, "\(connection.name) at \(connection.position)")
                }
                compared.insert(connection.number)
            }
        }
        // Each segue has one template, and there are no others.
        expect(Set(templates.map(\.index)).count == templates.count)
        expect(controller.segues.count == templates.count)
    }

    private func hasOutlet(_ name: String?, from source: String, to destination: String?) -> Bool {
        guard let from = found[source], let to = destination.flatMap({ found[$0] }) else { return false }
        return contexts.contains { context in
            context.last?.interface.outlets.contains { outlet in
                outlet.name == name && !outlet.isCollection && context.resolved(outlet.source) == from
                    && context.resolved(outlet.destination) == to
            } == true
        }
    }

    private func events(from id: String) -> [(event: NibEvent, destination: NibElement?)] {
        contexts.flatMap { context in
            (context.last?.interface.events ?? []).filter { context.resolved($0.source) == found[id] }
                .map { ($0, $0.destination.map { context.resolved($0) }) }
        }
    }

    /// Returns the template of a segue, to which its trigger leads: a cell by an outlet, a control by its action.
    private func template(of segue: XMLElement, from owner: XMLElement) -> NibElement? {
        guard let id = owner["id"] else { return nil }
        guard ["tableViewCell", "collectionViewCell"].contains(owner.name) else {
            let event = events(from: id).first { $0.event.selector == "perform:" }
            expect(event?.event.mask == (owner.name == "barButtonItem" ? nil : 64))
            return event?.destination
        }
        for context in contexts {
            for outlet in context.last?.interface.outlets ?? [] where outlet.name == "selectionSegueTemplate" {
                if context.resolved(outlet.source) == found[id] { return context.resolved(outlet.destination) }
            }
        }
        return nil
    }

    private mutating func compare(
        segue source: XMLElement, _ template: NibElement, of controller: NibController
    ) throws {
        let segue = try required(controller.segues.first { $0.element == template })
        let destination = try required(source["destination"].flatMap { elements[$0] })
        expect(segue.destination == Self.screenName(destination))
        expect(storyboard.screens.contains { $0.identifier == segue.destination })
        expect(segue.identifier == source["identifier"])
        switch source["kind"] {
        case "show":
            expect(segue.className == "UIStoryboardShowSegueTemplate" && segue.action == "showViewController:sender:")
        case "presentation": expect(segue.className == "UIStoryboardPresentationSegueTemplate")
        case "modal": expect(segue.className == "UIStoryboardModalSegueTemplate")
        default: expect(false, "nothing is known about a segue of kind \(source["kind"] ?? "none")")
        }
        // Each template knows its controller.
        expect(
            contexts[0][0].interface.outlets.contains {
                $0.name == "viewController" && $0.source == template && $0.destination == controller.element
            })
        expectOnly(["destination", "kind", "id", "identifier"], source)
    }
}
