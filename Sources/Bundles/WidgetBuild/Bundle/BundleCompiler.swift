internal import Bytes
internal import ObjectModel
internal import Plist

/// Compiles a bundle in source form: interfaces, models and assets are compiled into the forms that hosts read, other
/// files are copied.
package struct BundleCompiler: Sendable {
    package struct File: Equatable, Sendable {
        /// The path inside the bundle.
        package var path: String
        package var bytes: [UInt8]
    }

    /// The bundle's name, which is also its folder's.
    package let name: String
    /// Files sorted by path.
    package private(set) var files: [File] = []
    /// Notes for people about files that were left out or changed, with the reasons.
    package private(set) var notes: [String] = []

    private static let copied: Set<String> = [
        "json", "plist", "strings", "stringsdict", "png", "jpg", "jpeg", "gif", "heic", "webp", "ttf", "otf",
    ]
    /// Extensions of folders that are each one source.
    private static let folders: Set<String> = ["xcdatamodeld", "xcassets"]
    private static let written: Set<String> = ["md", "txt", "py", "sh"]

    /// Compiles the files of a source folder, by their paths in it. Errors name those paths; all of them are found.
    ///
    /// - Parameter folder: the name of the source folder, which the bundle gets when the property list has none.
    package init(_ sources: [String: [UInt8]], folder: String) throws(BuildFailure) {
        var errors: [BuildError] = []
        var unfinished: [String] = []
        do throws(BuildError) {
            let manifest = try ManifestSource(sources["Info.plist"], folder: folder)
            name = manifest.name
            files.append(File(path: "Info.plist", bytes: manifest.bytes))
            notes += manifest.notes
        } catch {
            name = folder
            errors.append(error)
        }
        var inFolders: [String: [String: [UInt8]]] = [:]
        for (path, bytes) in sources.sorted(by: { $0.key.byteOrder($1.key) < 0 }) where path != "Info.plist" {
            if let (source, rest) = BundleCompiler.sourceFolder(path) {
                inFolders[source, default: [:]][rest] = bytes
                continue
            }
            let found = BuildErrors()
            add(path, bytes, recording: found)
            errors += found.found
            if found.isFull { unfinished.append(path) }
        }
        for (folder, sources) in inFolders.sorted(by: { $0.key.byteOrder($1.key) < 0 }) {
            let found = BuildErrors()
            add(folder: folder, sources, recording: found)
            errors += found.found.map { $0.within(folder) }
            if found.isFull { unfinished.append(folder) }
        }
        files.sort { $0.path.byteOrder($1.path) < 0 }
        for (first, second) in zip(files, files.dropFirst()) where first.path == second.path {
            errors.append(
                BuildError(
                    "two sources become this file", path: first.path, hints: ["rename one of them, or leave it out"]))
        }
        if let failure = BuildFailure(errors, unfinished: unfinished) { throw failure }
    }

    private mutating func add(_ path: String, _ bytes: [UInt8], recording errors: BuildErrors) {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let kind = BundleCompiler.kind(name)
        if name.hasPrefix(".") || BundleCompiler.written.contains(kind) || name == "LICENSE" || name == "Makefile" {
            notes.append("\(path): left out, it is not for the bundle")
            return
        }
        switch kind {
        case "storyboard", "xib":
            let parent = path.dropLast(name.count)
            for file in InterfaceCompiler.compile(bytes, path: path, recording: errors) {
                files.append(File(path: parent + file.path, bytes: file.bytes))
            }
        case let kind where BundleCompiler.copied.contains(kind): files.append(File(path: path, bytes: bytes))
        default:
            errors.note(
                BuildError(
                    "nothing is known about files like \"\(name)\"", path: path,
                    hints: ["docs/building.md lists what a source may hold; keep other files elsewhere"]))
        }
    }

    private mutating func add(folder: String, _ sources: [String: [UInt8]], recording errors: BuildErrors) {
        let name = folder.split(separator: "/").last.map { String($0) } ?? folder
        let parent = folder.dropLast(name.count)
        if name.hasSuffix(".xcassets") {
            let assets = AssetFolder(reading: sources, recording: errors)
            for file in assets.files { files.append(File(path: parent + file.name, bytes: file.bytes)) }
            notes.append("\(folder): its images became loose ones")
            notes += assets.notes.map { "\(folder)/\($0)" }
        } else {
            let target = "\(parent)\(name.dropLast(".xcdatamodeld".count)).momd"
            for file in ModelCompiler.compile(folder: sources, recording: errors) {
                files.append(File(path: "\(target)/\(file.name)", bytes: file.bytes))
            }
        }
    }

    private static func kind(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(name[name.utf8.index(after: dot)...]).lowercased()
    }

    /// Returns the outermost folder that is one source, and the path inside it.
    private static func sourceFolder(_ path: String) -> (folder: String, rest: String)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for (position, part) in parts.dropLast().enumerated() where folders.contains(kind(String(part))) {
            return (parts[...position].joined(separator: "/"), parts[(position + 1)...].joined(separator: "/"))
        }
        return nil
    }
}

/// The property list of a source, completed: missing keys get the usual values, with a note.
struct ManifestSource {
    let name: String
    let bytes: [UInt8]
    private(set) var notes: [String] = []

    /// Keys that name the bundle, which must not have two values.
    private static let decisiveKeys: Set<String> = [
        "CFBundleIdentifier", "CFBundleName", "CFBundleShortVersionString", "CFBundleVersion",
    ]

    init(_ source: [UInt8]?, folder: String) throws(BuildError) {
        guard let source else {
            throw BuildError(
                "there is no Info.plist", path: "Info.plist",
                hints: ["`widget new NAME` writes a source with everything a bundle needs"])
        }
        let reading = try rethrowing(try PlistReading(parsing: source, decisive: ManifestSource.decisiveKeys)) {
            (error: PlistError) in
            BuildError("\(error.reason)", path: "Info.plist", at: error.position)
        }
        notes = reading.notes.map { "Info.plist:\($0.position): \($0.subject)" }
        guard let given = reading.value.dictionary else {
            throw BuildError("the property list is not a dictionary", path: "Info.plist")
        }
        guard let identifier = given["CFBundleIdentifier"]?.string, !identifier.isEmpty else {
            throw BuildError(
                "CFBundleIdentifier is missing", path: "Info.plist", hints: ["such as com.example.Weather"])
        }
        name = given["CFBundleName"]?.string ?? folder
        guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else {
            throw BuildError(
                "the bundle cannot be called \"\(name)\"", path: "Info.plist",
                hints: ["CFBundleName is also the name of a folder"])
        }
        var members = Array(given.members)
        for (key, value) in [
            ("CFBundleDevelopmentRegion", "en"), ("CFBundleInfoDictionaryVersion", "6.0"), ("CFBundleName", name),
            ("CFBundlePackageType", "BNDL"), ("CFBundleShortVersionString", "1.0"), ("CFBundleVersion", "1"),
            ("MinimumOSVersion", "10.0"),
        ] where given[key] == nil {
            members.append((key, .string(value)))
            if ["CFBundleShortVersionString", "CFBundleVersion"].contains(key) {
                notes.append("Info.plist: \(key) is missing; it is \(value) now")
            }
        }
        guard let complete = PlistDictionary(members.sorted { $0.0 < $1.0 }) else {
            throw BuildError("a key of the property list is given twice", path: "Info.plist")
        }
        bytes = PlistValue.dictionary(complete).encodedBinary()
    }
}
