package import JSONText
package import WidgetBundles
internal import WidgetBytes
package import WidgetFiles
internal import WidgetNib
package import WidgetZip

/// The content of a bundle according to its declarative files: screens, their mediators and predicates, services.
package struct BundleOutline: Equatable, Sendable {
    package struct Mediator: Equatable, Sendable {
        package var identifier: String
        /// Absent when the interface file creates the mediator and the scheme configures it.
        package var type: String?
    }

    package struct Screen: Equatable, Sendable {
        package var name: String
        package var path: String
        package var mediators: [Mediator]
        /// Predicates in the order of the file.
        package var predicates: [String]
    }

    package struct Service: Equatable, Sendable {
        package var path: String
        package var baseURL: String?
        package var actions: [String]
    }

    package private(set) var screens: [Screen] = []
    package private(set) var services: [Service] = []
    /// Storyboards and separate interfaces, sorted by path.
    package private(set) var interfaces: [InterfaceOutline] = []
    /// Models sorted by path.
    package private(set) var models: [ModelOutline] = []
    /// Catalogues sorted by path, then loose images.
    package private(set) var images: [ImageOutline] = []

    package init() {}

    /// Adds the declarations of one JSON file of the bundle.
    package mutating func add(_ path: String, _ document: JSONTable) {
        switch DeclarativeFile(path: path, root: document.root) {
        case .data: return
        case .service(let service):
            let actions = service["actions"].members.map { $0.name }.filter { $0 != "***" }
            services.append(
                Service(path: path, baseURL: service["defaults"]?["baseUrl"]?.string, actions: actions))
        case .scheme(let screens):
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

    /// Returns true if ``addResources(_:)`` reads files of that path.
    static func isResource(_ path: String) -> Bool {
        path.contains(".momd/") || path.hasSuffix(".mom") || path.hasSuffix(".car") || isImage(path)
    }

    /// Splits the path behind the folder whose name ends with the mark.
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

    /// Returns every predicate of a screen, at any place. Values to visit wait in a list, last first.
    private static func predicates(in screen: JSONItem) -> [String] {
        var predicates: [String] = []
        var pending = [screen]
        while let value = pending.popLast() {
            let count = pending.count
            if let elements = value.array { pending.append(contentsOf: elements) }
            if let object = value.object {
                for member in object.members {
                    pending.append(member.value)
                    guard ["predicateFormat", "filterFormat"].contains(member.name) else { continue }
                    if let text = member.value.string { predicates.append(text) }
                }
            }
            pending[count...].reverse()
        }
        return predicates
    }
}

extension BundleOutline {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("screens")
            writer.array { writer in
                for screen in screens { screen.write(to: &writer) }
            }
            writer.key("services")
            writer.array { writer in
                for service in services { service.write(to: &writer) }
            }
            writer.key("interfaces")
            writer.array { writer in
                for interface in interfaces { interface.write(to: &writer) }
            }
            writer.list("models", models) { $1.write(to: &$0) }
            writer.list("images", images) { $1.write(to: &$0) }
        }
    }
}

extension BundleOutline.Screen {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("path", path)
            writer.key("mediators")
            writer.array { writer in
                for mediator in mediators {
                    writer.object { writer in
                        writer.member("id", mediator.identifier)
                        if let type = mediator.type { writer.member("type", type) }
                    }
                }
            }
            writer.key("predicates")
            writer.array { writer in
                for predicate in predicates { writer.string(predicate) }
            }
        }
    }
}

extension BundleOutline.Service {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            if let baseURL { writer.member("baseUrl", baseURL) }
            writer.key("actions")
            writer.array { writer in
                for action in actions { writer.string(action) }
            }
        }
    }
}

extension BundleOutline: CustomStringConvertible {
    /// A text for people; the bundle's own texts are made harmless to a terminal.
    package var description: String {
        var text = ""
        for screen in screens {
            text += "screen  \(BundleOutline.safe(screen.name))\n"
            for mediator in screen.mediators {
                let type = mediator.type.map { ": \(BundleOutline.safe($0))" } ?? ""
                text += "  mediator \(BundleOutline.safe(mediator.identifier))\(type)\n"
            }
            for predicate in screen.predicates { text += "  predicate \(BundleOutline.safe(predicate))\n" }
        }
        for service in services {
            text += "service \(BundleOutline.safe(service.path))"
            if let address = service.baseURL { text += " at \(BundleOutline.safe(address))" }
            text += "\n"
            for action in service.actions { text += "  action \(BundleOutline.safe(action))\n" }
        }
        for interface in interfaces { text += interface.description }
        for model in models { text += model.description }
        for images in images { text += images.description }
        return text
    }

    static func safe(_ text: String) -> String {
        ShownText.plain(text, limit: 400)
    }
}

extension WidgetBundle {
    /// Reads the declarative files, the compiled interfaces and models and the images of the bundle from its archive.
    ///
    /// - Parameter directory: the directory of that archive, as proven when the bundle was taken in.
    package func outline(
        _ directory: ZipDirectory, readingFrom archive: borrowing FileDescriptor
    ) throws(BundleError) -> BundleOutline {
        try BundleOutline.reading(folder, in: directory, from: archive)
    }
}

extension BundleOutline {
    /// Reads the same of a bundle by the name of its folder in its archive.
    package static func reading(
        _ folder: String, in directory: ZipDirectory, from archive: borrowing FileDescriptor
    ) throws(BundleError) -> BundleOutline {
        do throws(ZipError) {
            var reader = try ZipEntryReader()
            var outline = BundleOutline()
            var (interfaces, resources) = ([String: [UInt8]](), [String: [UInt8]]())
            for entry in directory.entries {
                let path = String(entry.name.text.dropFirst(folder.count + 1))
                let isInterface =
                    path.hasSuffix(".nib") || path.contains(".nib/") || path.contains(".storyboardc/")
                let isResource = BundleOutline.isResource(path)
                guard isInterface || isResource || path.hasSuffix(".json"), !entry.isDirectory else { continue }
                var bytes: [UInt8] = []
                bytes.reserveCapacity(entry.byteCount)
                _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                    bytes.append(copying: chunk)
                }
                if isInterface {
                    interfaces[path] = bytes
                    continue
                }
                if isResource {
                    resources[path] = bytes
                    continue
                }
                // Kept documents have been parsed before; one that is only data need not fit the same limits.
                guard let document = try? JSONTable(parsing: bytes) else { continue }
                outline.add(path, document)
            }
            outline.addInterfaces(interfaces)
            outline.addResources(resources)
            return outline
        } catch {
            throw BundleError(error)
        }
    }
}
