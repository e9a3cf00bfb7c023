internal import Bytes
internal import ObjectModel
internal import Plist

/// A bundle in source form, compiled: interfaces, models and assets become what hosts read, the rest is taken as it is.
package struct BundleCompiler: Sendable {
    package struct File: Equatable, Sendable {
        /// Inside the bundle.
        package var path: String
        package var bytes: [UInt8]
    }

    /// What the bundle is called; its folder has this name.
    package let name: String
    /// In the order of their paths.
    package private(set) var files: [File] = []
    /// What was left out or changed, and why, for people.
    package private(set) var notes: [String] = []

    private static let copied: Set<String> = [
        "json", "plist", "strings", "stringsdict", "png", "jpg", "jpeg", "gif", "heic", "webp", "ttf", "otf",
    ]
    /// Folders that are sources as a whole.
    private static let folders: Set<String> = ["xcdatamodeld", "xcassets"]
    private static let written: Set<String> = ["md", "txt", "py", "sh"]

    /// Compiles the files of a source folder, by their paths in it. Errors name those paths.
    ///
    /// - Parameter folder: the name of the source folder, which the bundle gets when the property list says none.
    package init(_ sources: [String: [UInt8]], folder: String) throws(BuildError) {
        let manifest = try ManifestSource(sources["Info.plist"], folder: folder)
        name = manifest.name
        files.append(File(path: "Info.plist", bytes: manifest.bytes))
        notes += manifest.notes
        var inFolders: [String: [String: [UInt8]]] = [:]
        for (path, bytes) in sources.sorted(by: { $0.key.byteOrder($1.key) < 0 }) where path != "Info.plist" {
            if let (source, rest) = BundleCompiler.sourceFolder(path) {
                inFolders[source, default: [:]][rest] = bytes
            } else {
                try add(path, bytes)
            }
        }
        for (folder, sources) in inFolders.sorted(by: { $0.key.byteOrder($1.key) < 0 }) {
            try add(folder: folder, sources)
        }
        files.sort { $0.path.byteOrder($1.path) < 0 }
        for (first, second) in zip(files, files.dropFirst()) where first.path == second.path {
            throw BuildError(
                "two sources become this file", path: first.path, hints: ["rename one of them, or leave it out"])
        }
    }

    private mutating func add(_ path: String, _ bytes: [UInt8]) throws(BuildError) {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let kind = BundleCompiler.kind(name)
        if name.hasPrefix(".") || BundleCompiler.written.contains(kind) || name == "LICENSE" || name == "Makefile" {
            notes.append("\(path): left out, it is not for the bundle")
            return
        }
        switch kind {
        case "storyboard", "xib":
            let parent = path.dropLast(name.count)
            for file in try InterfaceCompiler.compile(bytes, path: path) {
                files.append(File(path: parent + file.path, bytes: file.bytes))
            }
        case let kind where BundleCompiler.copied.contains(kind): files.append(File(path: path, bytes: bytes))
        default:
            throw BuildError(
                "nothing is known about files like \"\(name)\"", path: path,
                hints: ["docs/building.md lists what a source may hold; keep other files elsewhere"])
        }
    }

    private mutating func add(folder: String, _ sources: [String: [UInt8]]) throws(BuildError) {
        let name = folder.split(separator: "/").last.map { String($0) } ?? folder
        let parent = folder.dropLast(name.count)
        try rethrowing(as: { $0.within(folder) }) { () throws(BuildError) in
            if name.hasSuffix(".xcassets") {
                let assets = try AssetFolder(reading: sources)
                for file in assets.files { files.append(File(path: parent + file.name, bytes: file.bytes)) }
                notes.append("\(folder): its images became loose ones")
                notes += assets.notes.map { "\(folder)/\($0)" }
            } else {
                let target = "\(parent)\(name.dropLast(".xcdatamodeld".count)).momd"
                for file in try ModelCompiler.compile(folder: sources) {
                    files.append(File(path: "\(target)/\(file.name)", bytes: file.bytes))
                }
            }
        }
    }

    private static func kind(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(name[name.utf8.index(after: dot)...]).lowercased()
    }

    /// The outermost folder that is one source, and the way from it.
    private static func sourceFolder(_ path: String) -> (folder: String, rest: String)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for (position, part) in parts.dropLast().enumerated() where folders.contains(kind(String(part))) {
            return (parts[...position].joined(separator: "/"), parts[(position + 1)...].joined(separator: "/"))
        }
        return nil
    }
}
