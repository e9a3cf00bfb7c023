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

    package init() {}

    /// Adds what one JSON file of the bundle tells.
    package mutating func add(_ path: String, _ document: JSONTable) {
        switch DeclarativeFile(path: path, root: document.root) {
        case .data: return
        case .service(let service):
            let actions = service["actions"].members.map(\.name).filter { $0 != "***" }
            services.append(
                Service(path: path, baseURL: service["defaults"]?["baseUrl"]?.string, actions: actions))
        case .scheme(let screens, _):
            for screen in screens {
                let objects = screen.value["objects"].members
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
    private static func predicates(in screen: JSONItem) -> [String] {
        var predicates: [String] = []
        var pending = [screen]
        while let value = pending.popLast() {
            if let elements = value.array { pending += elements.reversed() }
            guard let object = value.object else { continue }
            for member in object.members where ["predicateFormat", "filterFormat"].contains(member.name) {
                if let text = member.value.string { predicates.append(text) }
            }
            pending += object.members.reversed().map(\.value)
        }
        return predicates
    }
}
