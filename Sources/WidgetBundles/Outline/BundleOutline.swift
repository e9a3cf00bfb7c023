internal import Bytes
package import JSONText
internal import Nib

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
    /// Storyboards and interfaces that stand alone, in the order of their paths.
    package private(set) var interfaces: [InterfaceOutline] = []
    /// In the order of their paths.
    package private(set) var models: [ModelOutline] = []
    /// Catalogues in the order of their paths, then loose images.
    package private(set) var images: [ImageOutline] = []

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

    /// Adds the compiled interfaces among these files, by their paths in the bundle.
    mutating func addInterfaces(_ files: [String: [UInt8]]) {
        var storyboards: [String: [String: [UInt8]]] = [:]
        var nibs: [String: [String: [UInt8]]] = [:]
        for (path, bytes) in files {
            if let (folder, rest) = BundleOutline.split(path, after: ".storyboardc/") {
                storyboards[folder, default: [:]][rest] = bytes
            } else if let (folder, rest) = BundleOutline.split(path, after: ".nib/") {
                nibs[folder, default: [:]][rest] = bytes
            } else if path.hasSuffix(".nib") {
                nibs[path, default: [:]][""] = bytes
            }
        }
        for (path, files) in storyboards { interfaces.append(InterfaceOutline(storyboard: path, files: files)) }
        for (path, files) in nibs {
            guard let bytes = files[""] ?? NibFolder.newest(of: files.keys).flatMap({ files[$0] }) else { continue }
            interfaces.append(InterfaceOutline(nib: path, bytes: bytes))
        }
        interfaces.sort { $0.path.byteOrder($1.path) < 0 }
    }

    /// Adds the compiled models and catalogues and the loose images among these files.
    mutating func addResources(_ files: [String: [UInt8]]) {
        var folders: [String: [String: [UInt8]]] = [:]
        var loose: [(path: String, bytes: [UInt8])] = []
        for (path, bytes) in files.sorted(by: { $0.key.byteOrder($1.key) < 0 }) {
            if let (folder, rest) = BundleOutline.split(path, after: ".momd/") {
                folders[folder, default: [:]][rest] = bytes
            } else if path.hasSuffix(".mom") {
                folders[path, default: [:]][""] = bytes
            } else if path.hasSuffix(".car") {
                images.append(ImageOutline(catalogue: path, bytes: bytes))
            } else if BundleOutline.isImage(path) {
                loose.append((path, bytes))
            }
        }
        models += folders.map { ModelOutline(path: $0.key, files: $0.value) }
        models.sort { $0.path.byteOrder($1.path) < 0 }
        if !loose.isEmpty { images.append(ImageOutline(loose: loose)) }
    }

    private static func isImage(_ path: String) -> Bool {
        [".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp"].contains { path.lowercased().hasSuffix($0) }
    }

    /// Whether the path is of a file that ``addResources(_:)`` looks at.
    static func isResource(_ path: String) -> Bool {
        path.contains(".momd/") || path.hasSuffix(".mom") || path.hasSuffix(".car") || isImage(path)
    }

    /// The folder whose name ends so, and the way from it.
    private static func split(_ path: String, after mark: String) -> (folder: String, rest: String)? {
        let (bytes, wanted) = (Array(path.utf8), Array(mark.utf8))
        guard bytes.count > wanted.count else { return nil }
        for start in 0..<bytes.count - wanted.count where bytes[start...].starts(with: wanted) {
            let end = start + wanted.count
            return (
                String(decoding: bytes[..<(end - 1)], as: UTF8.self), String(decoding: bytes[end...], as: UTF8.self)
            )
        }
        return nil
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
