internal import Bytes
internal import JSONText

/// Turns a folder of assets in Xcode's format into loose images: `NAME@2x~ipad.png`.
package struct AssetFolder: Equatable, Sendable {
    package struct File: Equatable, Sendable {
        package var name: String
        package var bytes: [UInt8]
    }

    /// The images for the bundle, sorted by name.
    package private(set) var files: [File] = []
    /// Notes for people about assets that were left out, with the reasons.
    package private(set) var notes: [String] = []

    /// Reads a `.xcassets` folder, given its files by their paths in it. Errors name those paths; the first is thrown.
    package init(reading sources: [String: [UInt8]]) throws(BuildError) {
        let errors = BuildErrors()
        self.init(reading: sources, recording: errors)
        if let first = errors.found.first { throw first }
    }

    /// Reads a `.xcassets` folder and records all its errors.
    init(reading sources: [String: [UInt8]], recording errors: BuildErrors) {
        for path in sources.keys.sorted() where path.hasSuffix("/Contents.json") || path == "Contents.json" {
            let folder = path.dropLast("Contents.json".count + (path == "Contents.json" ? 0 : 1))
            let name = folder.split(separator: "/").last.map { String($0) } ?? ""
            do throws(BuildError) {
                if name.hasSuffix(".imageset") {
                    try addImages(String(name.dropLast(".imageset".count)), String(folder), sources, errors)
                } else if !name.contains(".") {
                    try checkGroup(path, sources)
                } else if let dot = name.lastIndex(of: "."), dot > name.startIndex {
                    notes.append("\(folder): loose images have nothing like \(name[dot...]); it was left out")
                }
            } catch { errors.note(error) }
        }
        files.sort { $0.name.byteOrder($1.name) < 0 }
    }

    private static func contents(_ path: String, _ sources: [String: [UInt8]]) throws(BuildError) -> JSONValue {
        do {
            return try JSONValue(parsing: sources[path] ?? [])
        } catch {
            throw BuildError("\(error.reason)", path: path, at: error.position)
        }
    }

    /// Checks a folder that only groups others.
    private mutating func checkGroup(_ path: String, _ sources: [String: [UInt8]]) throws(BuildError) {
        let contents = try Self.contents(path, sources)
        if contents["properties"]?["provides-namespace"]?.boolean == true {
            throw BuildError(
                "the images of this folder are called by its name too, which loose images cannot be", path: path,
                hints: ["take provides-namespace out, and give the images names that differ"])
        }
        note(contents, knowing: ["info", "properties"], "the folder", path)
        if let properties = contents["properties"] { note(properties, knowing: [], "the folder", path) }
    }

    /// Notes the members that were not compiled.
    private mutating func note(_ value: JSONValue, knowing known: Set<String>, _ what: String, _ path: String) {
        for member in value.object?.members ?? [] where !known.contains(member.name) {
            notes.append("\(path): loose images know no \(ShownText.name(member.name)); of \(what) it was left out")
        }
    }

    private static let imageKeys: Set<String> = ["filename", "idiom", "scale", "appearances", "unassigned"]

    private mutating func addImages(
        _ name: String, _ folder: String, _ sources: [String: [UInt8]], _ errors: BuildErrors
    ) throws(BuildError) {
        let path = "\(folder)/Contents.json"
        let contents = try Self.contents(path, sources)
        guard let images = contents["images"]?.array else {
            throw BuildError("the file lists no images", path: path)
        }
        note(contents, knowing: ["images", "info", "properties"], ShownText.name(name), path)
        if let properties = contents["properties"] { note(properties, knowing: [], ShownText.name(name), path) }
        let used = Set(images.compactMap { $0["filename"]?.string })
        for other in sources.keys.sorted() where other.hasPrefix("\(folder)/") && other != path {
            let file = String(other.dropFirst(folder.count + 1))
            if !used.contains(file) { notes.append("\(other): Contents.json does not name it; it was left out") }
        }
        for image in images {
            // The editor offers slots without a file.
            guard let file = image["filename"]?.string else { continue }
            guard let bytes = sources["\(folder)/\(file)"] else {
                errors.note(BuildError("there is no file \(ShownText.name(file))", path: path))
                continue
            }
            note(image, knowing: Self.imageKeys, ShownText.name(file), path)
            if image["unassigned"]?.boolean == true {
                notes.append("\(folder)/\(file): it is for no use; it was left out")
                continue
            }
            if image["appearances"]?.array?.isEmpty == false {
                notes.append("\(folder)/\(file): loose images know no appearance; it was left out")
                continue
            }
            do throws(BuildError) { try add(name, file, image, bytes, path: path) } catch { errors.note(error) }
        }
    }

    private mutating func add(
        _ name: String, _ file: String, _ image: JSONValue, _ bytes: [UInt8], path: String
    ) throws(BuildError) {
        let kind = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard ["png", "jpg", "jpeg"].contains(kind) else {
            throw BuildError(
                "\(ShownText.name(file)) cannot become a loose image", path: path, hints: ["use PNG or JPEG images"])
        }
        let scale: String
        switch image["scale"]?.string {
        case nil, "1x": scale = ""
        case "2x": scale = "@2x"
        case "3x": scale = "@3x"
        case let other?: throw BuildError("the scale \(ShownText.name(other)) is unknown", path: path)
        }
        let device: String
        switch image["idiom"]?.string {
        case nil, "universal": device = ""
        case "iphone": device = "~iphone"
        case "ipad": device = "~ipad"
        case let idiom?:
            notes.append("\(path): images for \(ShownText.name(idiom)) are not shown by a host; one was left out")
            return
        }
        let target = "\(name)\(scale)\(device).\(kind)"
        guard !files.contains(where: { $0.name == target }) else {
            throw BuildError("two images become \(ShownText.name(target))", path: path)
        }
        files.append(File(name: target, bytes: bytes))
    }
}
