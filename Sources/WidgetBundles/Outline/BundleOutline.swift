package import JSONText

/// What a bundle consists of as its declarative files tell it: screens, their mediators and predicates, services.
package struct BundleOutline: Equatable, Sendable {
    package struct Mediator: Equatable, Sendable {
        package var identifier: String
        /// Absent when the interface file makes the mediator and the scheme sets it up.
        package var type: String?
    }

    package struct Screen: Equatable, Sendable {
        package var name: String
        package var path: String
        package var mediators: [Mediator]
        /// In the order of the file.
        package var predicates: [String]
    }

    package struct Service: Equatable, Sendable {
        package var path: String
        package var baseURL: String?
        package var actions: [String]
    }

    package private(set) var screens: [Screen] = []
    package private(set) var services: [Service] = []

    package init(_ files: [(path: String, document: JSONDocument)]) {
        for file in files { add(file.path, file.document.root) }
    }

    private mutating func add(_ path: String, _ root: JSONValue) {
        switch DeclarativeFile(path: path, root: root) {
        case .data: return
        case .service(let service):
            let actions = service["actions"]?.object?.members.map(\.name).filter { $0 != "***" } ?? []
            services.append(
                Service(path: path, baseURL: service["defaults"]?["baseUrl"]?.string, actions: actions))
        case .scheme(let screens, _):
            for screen in screens {
                let objects = screen.value["objects"]?.object?.members ?? []
                self.screens.append(
                    Screen(
                        name: screen.name, path: path,
                        mediators: objects.filter { $0.value.object != nil }.map {
                            Mediator(identifier: $0.name, type: $0.value["type"]?.string)
                        },
                        predicates: BundleOutline.predicates(in: screen.value)))
            }
        }
    }

    /// Every predicate of a screen, wherever it stands. Values still to be looked at wait in a list, last first.
    private static func predicates(in screen: JSONValue) -> [String] {
        var predicates: [String] = []
        var pending = [screen]
        while let value = pending.popLast() {
            switch value.kind {
            case .array(let elements): pending += elements.reversed()
            case .object(let object):
                for member in object.members where ["predicateFormat", "filterFormat"].contains(member.name) {
                    if let text = member.value.string { predicates.append(text) }
                }
                pending += object.members.reversed().map(\.value)
            default: continue
            }
        }
        return predicates
    }
}
