internal import WidgetBytes
internal import WidgetNib
internal import WidgetPlist
internal import XMLText

/// Compiles the sources of interfaces into Xcode's layout: a storyboard into a folder of interfaces and a list of its
/// screens, a separate interface into one file.
package enum InterfaceCompiler {
    /// A compiled file, by its path relative to the source's folder.
    package struct File: Equatable, Sendable {
        package var path: String
        package var bytes: [UInt8]
    }

    /// The files of one source, and a line for each kind of part that was left out.
    package struct Compiled: Sendable {
        package var files: [File] = []
        package var notes: [String] = []
    }

    /// Compiles a source that no asset catalogue belongs to. The first of its errors is thrown.
    package static func compile(_ bytes: [UInt8], path: String) throws(BuildError) -> [File] {
        try compile(bytes, path: path, colors: CatalogColors()).files
    }

    /// - Parameters:
    ///   - path: the path of the source in errors and notes; in a folder of a language, texts can be translated.
    ///   - colors: the colours of the bundle's asset catalogues.
    package static func compile(
        _ bytes: [UInt8], path: String, colors: CatalogColors
    ) throws(BuildError) -> Compiled {
        let errors = BuildErrors()
        let compiled = compile(bytes, path: path, colors: colors, recording: errors)
        if let first = errors.found.first { throw first }
        return compiled
    }

    /// The bytes at the beginning of a source that have its root with all attributes.
    private static let rootByteCount = 4 << 10

    /// Returns true for the source of a screen that the system shows while an application starts.
    static func isLaunchScreen(_ bytes: [UInt8]) -> Bool {
        // Of other interfaces this spares a second reading.
        guard String(decoding: bytes.prefix(rootByteCount), as: UTF8.self).contains("launchScreen"),
            let document = try? XMLDocument(parsing: bytes)
        else { return false }
        return document.root.name == "document" && document.root["launchScreen"] == "YES"
    }

    /// Compiles a source and records all its errors. When there are any, the files returned are of no use.
    ///
    /// - Parameter places: the place that a note has for each place in the source.
    static func compile(
        _ bytes: [UInt8], path: String, colors: CatalogColors, recording errors: BuildErrors,
        places: (TextPosition) -> TextPosition = { $0 }
    ) -> Compiled {
        do throws(BuildError) {
            let source = try InterfaceSource(path: path, bytes: bytes, catalog: colors, errors: errors)
            let name = InterfaceCompiler.name(path)
            var compilation = InterfaceCompilation(source)
            var files: [File]
            if source.isStoryboard {
                files = try compilation.storyboard()
                for position in files.indices {
                    files[position].path = "\(name).storyboardc/\(files[position].path)"
                }
            } else {
                files = [File(path: "\(name).nib", bytes: try compilation.document())]
            }
            return Compiled(files: files, notes: compilation.notes.lines(path: path, places: places))
        } catch {
            errors.note(error)
            return Compiled()
        }
    }

    /// Returns the last component without its extension.
    private static func name(_ path: String) -> String {
        let last = path.split(separator: "/").last.map { String($0) } ?? path
        return last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
    }
}

/// The files of one source, the innermost first.
private struct InterfaceCompilation {
    let source: InterfaceSource
    private var prototypes: [Int: NibCompiler.PrototypeNib] = [:]
    /// For each controller's id, the file with its views and the outside objects that these need.
    private var views: [String: (name: String, bytes: [UInt8], external: [String])] = [:]

    private(set) var notes: InterfaceNotes

    init(_ source: InterfaceSource) {
        self.source = source
        notes = source.notes
    }

    mutating func document() throws(BuildError) -> [UInt8] {
        try makeInner()
        let compiled = try make(0)
        return compiled.bytes
    }

    mutating func storyboard() throws(BuildError) -> [InterfaceCompiler.File] {
        try makeInner()
        var files: [InterfaceCompiler.File] = []
        var names: [(String, PlistValue)] = []
        var references: [(String, PlistValue)] = []
        var known: Set<String> = []
        for controller in source.controllers {
            let name: String
            do throws(BuildError) {
                name = try source.sceneName(controller)
                if InterfaceSource.isReference(controller) {
                    let members = ScreenReference(controller).members.map { ($0.key, PlistValue.string($0.value)) }
                    if let entry = PlistDictionary(members) { references.append((name, .dictionary(entry))) }
                    continue
                }
                if !known.insert(name).inserted {
                    try source.errors.record(source.fault("two screens are called \(name)", controller))
                }
                names.append((name, .string(name)))
                files.append(InterfaceCompiler.File(path: "\(name).nib", bytes: try scene(controller)))
            } catch {
                try source.errors.record(error)
                continue
            }
            if let views = views[try source.id(of: controller)] {
                files.append(InterfaceCompiler.File(path: "\(views.name).nib", bytes: views.bytes))
            }
        }
        var members: [(String, PlistValue)] = []
        if let list = PlistDictionary(names.sorted { $0.0 < $1.0 }) {
            members.append(("UIViewControllerIdentifiersToNibNames", .dictionary(list)))
        }
        if !references.isEmpty, let list = PlistDictionary(references.sorted { $0.0 < $1.0 }) {
            members.append(("UIViewControllerIdentifiersToExternalStoryboardReferences", .dictionary(list)))
        }
        if let initial = source.document.root["initialViewController"] {
            guard let controller = source.elements[initial], source.isScreen(controller) else {
                throw source.fault("there is no screen \(initial) to begin with", source.document.root)
            }
            members.append(("UIStoryboardDesignatedEntryPointIdentifier", .string(try source.sceneName(controller))))
        }
        members.append(("UIStoryboardVersion", .integer(1)))
        if let list = PlistDictionary(members) {
            files.append(InterfaceCompiler.File(path: "Info.plist", bytes: PlistValue.dictionary(list).encodedBinary()))
        }
        return files
    }

    /// Makes nested files. A file has a higher number than the one around it.
    private mutating func makeInner() throws(BuildError) {
        for number in source.nibs.indices.reversed() {
            do throws(BuildError) { try makeInner(number) } catch { try source.errors.record(error) }
        }
    }

    private mutating func makeInner(_ number: Int) throws(BuildError) {
        let nib = source.nibs[number]
        switch nib.kind {
        case .scene, .document: return
        case .prototype: prototypes[nib.root.number] = try make(number)
        case .views(let controller):
            let compiled = try make(number)
            let name = "\(controller)-view-\(try source.id(of: nib.root))"
            views[controller] = (name, compiled.bytes, compiled.external)
        }
    }

    /// Makes a file of views.
    private mutating func make(_ number: Int) throws(BuildError) -> NibCompiler.PrototypeNib {
        let nib = source.nibs[number]
        var compiler = NibCompiler(source, homes: [number], prototypes: prototypes)
        if case .views(let id) = nib.kind { compiler.controller = id }
        let owner = compiler.proxy(NibPlaceholder.filesOwner)
        let root = try compiler.queue(nib.root)
        compiler.topLevel = [root]
        compiler.topLevel += try compiler.queue(all: nib.beside)
        compiler.topLevel += [owner, compiler.proxy(NibPlaceholder.firstResponder)]
        if case .views(let id) = nib.kind, let controller = source.elements[id] {
            try compiler.addGuides(of: controller, in: root)
        }
        try compiler.makePending()
        try connect(nib.connections, &compiler)
        if let controller = nib.controller { try compiler.addTriggers(in: number, of: controller) }
        if case .views = nib.kind { compiler.addOutlet("view", from: owner, to: root) }
        compiler.topLevel += compiler.external.map(\.proxy)
        notes.add(compiler.notes)
        return NibCompiler.PrototypeNib(bytes: try compiler.encoded(), external: compiler.external.map(\.id))
    }

    private func connect(
        _ connections: [InterfaceSource.Connection], _ compiler: inout NibCompiler
    ) throws(BuildError) {
        for connection in connections {
            do throws(BuildError) { try compiler.connect(connection) } catch { try source.errors.record(error) }
        }
    }

    // MARK: Screens

    /// Makes a controller, and those contained in it.
    private mutating func scene(_ controller: XMLElement) throws(BuildError) -> [UInt8] {
        let standing = try controllers(in: controller)
        var homes: Set<Int> = []
        for (element, _) in standing {
            if let home = source.homes[try source.id(of: element)] { homes.insert(home) }
        }
        var compiler = NibCompiler(source, homes: homes, prototypes: prototypes)
        let owner = compiler.proxy(NibPlaceholder.filesOwner)
        let storyboard = compiler.proxy(NibPlaceholder.storyboard)
        let main = try compiler.queue(controller)
        compiler.topLevel = [main, owner, compiler.proxy(NibPlaceholder.firstResponder), storyboard]
        for (element, _) in standing { _ = try compiler.queue(element) }
        for home in homes.sorted() {
            compiler.topLevel += try compiler.queue(all: source.nibs[home].beside)
        }
        try compiler.makePending()
        for (element, parent) in standing {
            do throws(BuildError) {
                try compiler.finishController(
                    element, parent: parent, views: views[try source.id(of: element)].map { ($0.name, $0.external) })
            } catch { try source.errors.record(error) }
        }
        for (element, _) in standing { try compiler.nest(try children(of: element), in: element) }
        compiler.addOutlet("sceneViewController", from: owner, to: main)
        for (element, _) in standing where !InterfaceSource.isReference(element) {
            compiler.addOutlet(
                "storyboard", from: try compiler.object(try source.id(of: element), for: element), to: storyboard)
        }
        for home in homes.sorted() {
            try connect(source.nibs[home].connections, &compiler)
            if let id = source.nibs[home].controller { try compiler.addTriggers(in: home, of: id) }
        }
        notes.add(compiler.notes)
        return try compiler.encoded()
    }

    /// Returns the controller itself, then those in it, each with the one around it.
    private func controllers(in root: XMLElement) throws(BuildError) -> [(element: XMLElement, parent: XMLElement?)] {
        var found: [(element: XMLElement, parent: XMLElement?)] = [(root, nil)]
        var seen: Set<Int> = [root.number]
        var next = 0
        while next < found.count {
            let element = found[next].element
            next += 1
            for child in try children(of: element) {
                if seen.insert(child.number).inserted {
                    found.append((child, element))
                } else {
                    try source.errors.record(source.fault("\(try source.id(of: child)) is inside itself", child))
                }
            }
        }
        return found
    }

    private func children(of controller: XMLElement) throws(BuildError) -> [XMLElement] {
        var children: [(rank: Int, element: XMLElement)] = []
        for segue in source.segues[try source.id(of: controller)] ?? []
        where segue.element["kind"] == "relationship" {
            guard let rank = ElementRule.relationships[segue.element["relationship"] ?? ""] else {
                try source.errors.record(
                    source.fault(
                        "the relationship \(segue.element["relationship"] ?? "without a name") cannot be compiled",
                        segue.element))
                continue
            }
            guard let id = segue.element["destination"], let child = source.elements[id], source.isScreen(child)
            else {
                try source.errors.record(source.lostSegue(segue.element))
                continue
            }
            children.append((rank, child))
        }
        // A split lists its screens in any order. Others of one rank stay in theirs.
        let ranks = Set(children.map(\.rank)).sorted()
        return ranks.flatMap { rank in children.filter { $0.rank == rank }.map(\.element) }
    }
}
