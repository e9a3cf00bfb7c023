internal import JSONText

/// What a JSON file of a bundle is to a host.
enum DeclarativeFile {
    /// Screens by their root keys, and whether one of them has the file's name.
    case scheme([JSONItem.Member], isNamedAfterFile: Bool)
    case service(JSONItem.Object)
    /// Content of the widget's own; nobody acts on it.
    case data

    private static let shortestServiceName = "service.json".utf8.count
    private static let serviceNames: Set<String> = ["service.json", "service.dev.json", "stubservice.json"]

    init(path: String, root: JSONItem) {
        guard let object = root.object else {
            self = .data
            return
        }
        if DeclarativeFile.isService(path) {
            self = .service(object)
            return
        }
        let name = String(path.lastPathComponent)
        let stem = name.lowercased().hasSuffix(".json") ? String(name.dropLast(5)) : name
        let screens = object.members.filter { member in
            member.name == stem
                ? member.value["objects"]?.object != nil || member.value["elements"]?.object != nil
                : DeclarativeFile.looksLikeScheme(member.value)
        }
        self = screens.isEmpty ? .data : .scheme(screens, isNamedAfterFile: object[stem] != nil)
    }

    /// Whether a host would take a file of that name for a service description.
    static func isService(_ path: String) -> Bool {
        path.utf8.count >= shortestServiceName && serviceNames.contains(path.lastPathComponent.lowercased())
    }

    /// Data may well have a member called `elements`; a scheme's entries have words of their own.
    private static func looksLikeScheme(_ value: JSONItem) -> Bool {
        hasEntry(of: value["objects"], with: ["type", "attrs", "outlets", "evals"])
            || hasEntry(of: value["elements"], with: ["bindings", "attrs", "outlets", "action"])
    }

    private static func hasEntry(of map: JSONItem?, with keys: [String]) -> Bool {
        map?.object?.members.contains { member in
            member.value.object.map { entry in keys.contains { entry[$0] != nil } } ?? false
        } ?? false
    }
}
