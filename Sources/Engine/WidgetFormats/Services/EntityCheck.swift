internal import WidgetBytes
internal import WidgetCore

/// Finds entities that actions change or give, and providers show, and that the model does not have.
enum EntityCheck {
    static func diagnostics(
        _ services: [Service], _ scenes: [String: Scene], _ facts: [String: ScreenFacts], _ model: EntityModel
    ) -> [Finding] {
        let names = model.entities.map { $0.name }.sorted()
        var found: [Finding] = []
        func report(_ message: String, _ entity: String, _ place: Place?) {
            // Looking for hints takes its time.
            guard found.count <= Program.diagnosticCount, model.place(of: entity) == nil else { return }
            found.append(
                Finding(
                    .error, .unknownEntity, "\(message) \(entity), which the model does not have", at: place,
                    value: entity.excerpt, nearest: NearestName.of(entity, in: names),
                    hint: KeyTable.list(names, "it has")))
        }
        for action in services.flatMap({ $0.actions.values.sorted { $0.name < $1.name } }) {
            for change in action.changes { report("\(action.name) changes", change.entity, action.place) }
            if let entity = action.result?.entity {
                report("\(action.name) gives", entity, action.resultPlace ?? action.place)
            }
        }
        for scene in scenes.values.sorted(by: { $0.name < $1.name }) {
            for source in scene.sources {
                guard case .query(let query) = source.kind else { continue }
                let place = facts[scene.name]?.mediators[source.id]?.attribute("entityName")?.place ?? source.place
                report("\(source.id) shows", query.entity, place)
            }
        }
        return found
    }
}
