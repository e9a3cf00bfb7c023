internal import WidgetBytes
internal import WidgetObjectModel
internal import WidgetPlist

/// Compiles a bundle in source form: interfaces, models and assets are compiled into the forms that hosts read, other
/// files are copied.
package struct BundleCompiler: Sendable {
    package struct File: Equatable, Sendable {
        /// The path inside the bundle.
        package var path: String
        package var bytes: [UInt8]
        /// The path of the source that it is a copy of or was made of.
        package var source: String

        /// True for the result of compiling; it is empty if its source has an error.
        package var isCompiled: Bool

        package init(path: String, bytes: [UInt8], source: String? = nil, isCompiled: Bool = false) {
            self.path = path
            self.bytes = bytes
            self.source = source ?? path
            self.isCompiled = isCompiled
        }
    }

    /// Judges the files of a bundle by rules that are not this module's.
    ///
    /// - Parameters:
    ///   - files: the compiled files; those of sources with errors may be missing.
    ///   - isSound: true if no errors have been found so far.
    /// - Returns: the faults, with the paths of the sources.
    package typealias Judge = (_ files: [File], _ isSound: Bool) -> [BuildError]

    /// The bundle's name, which is also its folder's.
    package let name: String
    /// Files sorted by path.
    package private(set) var files: [File] = []
    /// Notes for people about files that were left out or changed, with the reasons.
    package private(set) var notes: [String] = []
    /// The source of each file that is not a copy of one at the same path, by the file's path in the bundle.
    package var origins: [String: String] {
        Dictionary(files.lazy.filter { $0.source != $0.path }.map { ($0.path, $0.source) }) { first, _ in first }
    }
    /// The colours of the asset catalogues, for interfaces.
    private let colors: CatalogColors

    /// Extensions of folders that are each one source.
    private static let folders: Set<String> = ["xcdatamodeld", "xcdatamodel", "xcassets"]

    /// Compiles the files of a source folder, by their paths in it, with no values for its variables but those of a
    /// project file in the folder.
    package init(_ sources: [String: [UInt8]], folder: String) throws(BuildFailure) {
        try self.init(sources, folder: folder, values: .none)
    }

    /// Compiles the files of a source folder, by their paths in it. Errors name those paths; all of them are found.
    ///
    /// - Parameters:
    ///   - folder: the name of the source folder, which the bundle gets when the property list has none.
    ///   - values: values for the variables of the property list.
    ///   - faults: errors that were found before, when the folder was read.
    ///   - judge: finds further faults in the same run.
    package init(
        _ sources: [String: [UInt8]], folder: String, values: BuildValues, faults: [BuildError] = [],
        judge: Judge = { _, _ in [] }
    ) throws(BuildFailure) {
        var errors = faults
        var unfinished: [String] = []
        colors = CatalogColors(in: sources)
        let ofManifest = BuildErrors()
        do throws(BuildError) {
            let manifest = try ManifestSource(sources, folder: folder, values: values, recording: ofManifest)
            name = manifest.name
            files.append(File(path: "Info.plist", bytes: manifest.bytes, source: "Info.plist"))
            notes += manifest.notes
        } catch {
            name = folder
            ofManifest.note(error)
        }
        errors += ofManifest.found
        var inFolders: [String: [String: [UInt8]]] = [:]
        var leftOut = LeftOutFiles()
        var drawings: [(path: String, bytes: [UInt8])] = []
        for (path, bytes) in sources.sorted(by: { $0.key.byteOrder($1.key) < 0 }) where path != "Info.plist" {
            switch BundleCompiler.sourceFolder(path) {
            case .source(let source, let rest): inFolders[source, default: [:]][rest] = bytes
            case .tool(let folder): leftOut.add(whole: folder)
            case nil where SourceKind(ofFile: BundleCompiler.name(path)) == .drawing:
                drawings.append((path, bytes))
            case nil:
                let found = BuildErrors()
                add(path, bytes, &leftOut, recording: found)
                errors += found.found
                if found.isFull { unfinished.append(path) }
            }
        }
        notes += leftOut.notes
        var drawn = DrawnPictures()
        for (folder, sources) in inFolders.sorted(by: { $0.key.byteOrder($1.key) < 0 }) {
            let found = BuildErrors()
            add(folder: folder, sources, &drawn, recording: found)
            errors += found.found.map { $0.within(folder) }
            if found.isFull { unfinished.append(folder) }
        }
        if !drawings.isEmpty { draw(drawings, &drawn) }
        notes += drawn.notes
        files.sort { $0.path.byteOrder($1.path) < 0 }
        for (first, second) in zip(files, files.dropFirst()) where first.path == second.path {
            errors.append(
                BuildError(
                    "two sources become this file", path: first.path, hints: ["rename one of them, or leave it out"]))
        }
        let known = Set(errors.map(\.withoutHints))
        errors += judge(files, errors.isEmpty).filter { !known.contains($0.withoutHints) }
        if let failure = BuildFailure(errors, unfinished: unfinished) { throw failure }
    }

    private mutating func add(
        _ path: String, _ bytes: [UInt8], _ leftOut: inout LeftOutFiles, recording errors: BuildErrors
    ) {
        let name = BundleCompiler.name(path)
        switch SourceKind(ofFile: name) {
        case .interface where InterfaceCompiler.isLaunchScreen(bytes):
            leftOut.add(path, "it is shown while an application starts, and a widget does not start one")
        case .interface:
            put(
                InterfaceCompiler.compile(bytes, path: path, colors: colors, recording: errors), from: path, named: name
            )
        case .screens:
            put(ScreenNotation.compile(bytes, path: path, colors: colors, recording: errors), from: path, named: name)
        case .copied, .drawing: files.append(File(path: path, bytes: bytes, source: path))
        case .leftOut where SourceKind.isOtherThanStory(name, bytes):
            files.append(File(path: path, bytes: bytes, source: path))
        case .leftOut(let reason): leftOut.add(path, reason)
        case .unknown:
            errors.note(
                BuildError(
                    "nothing is known about files like \"\(name)\"", path: path,
                    hints: ["docs/building.md lists what a source may hold; keep other files elsewhere"]))
        }
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map { String($0) } ?? path }

    /// Draws PDF and SVG files that are in no catalogue, where no other picture has the name.
    private mutating func draw(_ drawings: [(path: String, bytes: [UInt8])], _ drawn: inout DrawnPictures) {
        var taken: [String: String] = [:]
        for file in files {
            let ending = SourceKind.ending(file.path)
            if SourceKind.pictures.contains(ending) {
                taken[String(file.path.dropLast(ending.count + 1))] = file.source
            }
        }
        for (path, bytes) in drawings { draw(path, bytes, &drawn, &taken) }
    }

    /// - Parameter taken: the sources of pictures by their paths without the endings.
    private mutating func draw(
        _ path: String, _ bytes: [UInt8], _ drawn: inout DrawnPictures, _ taken: inout [String: String]
    ) {
        var base = path.dropLast(SourceKind.ending(path).count + 1)
        let device = ["~iphone", "~ipad"].first { base.hasSuffix($0) } ?? ""
        base = base.dropLast(device.count)
        let slot = DrawnPictures.scales.first { base.hasSuffix("@\($0)x") }
        if slot != nil { base = base.dropLast(3) }
        let pictures = drawn.pictures(bytes, path: path, slot: slot)
        let (kept, displaced) = DrawnPictures.named(pictures, of: path, &taken) { scale in
            "\(base)\(DrawnPictures.mark(scale))\(device)"
        }
        for (target, bytes) in kept { put("\(target).png", bytes, from: path) }
        let note = DrawnPictures.note(path, displaced: displaced, isWhole: displaced.count == pictures.count)
        if let note { notes.append(note) }
    }

    private mutating func add(
        folder: String, _ sources: [String: [UInt8]], _ drawn: inout DrawnPictures, recording errors: BuildErrors
    ) {
        let name = folder.split(separator: "/").last.map { String($0) } ?? folder
        let parent = folder.dropLast(name.count)
        if name.hasSuffix(".xcassets") {
            let assets = AssetFolder(
                reading: sources, named: "\(folder)/", drawing: &drawn, recording: errors)
            for file in assets.files {
                let source = "\(folder)/\(file.source)"
                files.append(File(path: parent + file.name, bytes: file.bytes, source: source))
            }
            notes.append("\(folder): its images became loose ones")
            notes += assets.notes.map { "\(folder)/\($0)" }
        } else if name.hasSuffix(".xcdatamodeld") {
            let target = "\(parent)\(name.dropLast(".xcdatamodeld".count)).momd"
            for file in ModelCompiler.compile(folder: sources, recording: errors) {
                let version = "\(file.name.dropLast(".mom".count)).xcdatamodel/contents"
                put(
                    "\(target)/\(file.name)", file.bytes,
                    from: sources[version] == nil ? folder : "\(folder)/\(version)")
            }
        } else {
            // A model without versions becomes one file.
            for file in ModelCompiler.compile(version: sources, named: name, recording: errors) {
                put("\(parent)\(file.name)", file.bytes, from: "\(folder)/contents")
            }
        }
    }

    /// Adds the files that were made of an interface.
    private mutating func put(_ compiled: InterfaceCompiler.Compiled, from source: String, named name: String) {
        let parent = source.dropLast(name.count)
        for file in compiled.files { put(parent + file.path, file.bytes, from: source) }
        notes += compiled.notes
    }

    /// Adds a file that was compiled from a source.
    private mutating func put(_ path: String, _ bytes: [UInt8], from source: String) {
        files.append(File(path: path, bytes: bytes, source: source, isCompiled: true))
    }

    private enum Folder {
        /// The outermost folder that is one source, and the path inside it.
        case source(String, rest: String)
        /// A folder that is left out whole.
        case tool(String)
    }

    private static func sourceFolder(_ path: String) -> Folder? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for (position, part) in parts.dropLast().enumerated() {
            let folder = parts[...position].joined(separator: "/")
            if folders.contains(SourceKind.ending(String(part))) {
                return .source(folder, rest: parts[(position + 1)...].joined(separator: "/"))
            }
            if SourceKind.isToolFolder(String(part)) { return .tool(folder) }
        }
        return nil
    }
}
