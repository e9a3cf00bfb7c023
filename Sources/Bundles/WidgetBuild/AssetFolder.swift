internal import JSONText
internal import WidgetAssetCatalog
internal import WidgetBytes

/// Turns a folder of assets in Xcode's format into loose images: `NAME@2x~ipad.png`. In a folder that provides a
/// namespace they are in a folder of that name, by which hosts find them as they find the asset.
package struct AssetFolder: Equatable, Sendable {
    package struct File: Equatable, Sendable {
        /// The path in the bundle, beside the folder of assets.
        package var name: String
        package var bytes: [UInt8]
        /// The path in the folder of assets.
        package var source: String
    }

    /// The images for the bundle, sorted by name.
    package private(set) var files: [File] = []
    /// Notes for people about assets that were left out, with the reasons.
    package private(set) var notes: [String] = []

    private var names: Set<String> = []
    /// The sources of the images by their names without their endings.
    private var origins: [String: String] = [:]
    /// The names of groups that provide a namespace, by the groups' paths.
    private var namespaces: [String: String] = [:]
    private var others: [OtherAssets] = []

    /// Assets of one kind that are left out.
    private struct OtherAssets: Equatable, Sendable {
        var ending: String
        var names: [String]
    }

    /// Reads a `.xcassets` folder, given its files by their paths in it. Errors name those paths; the first is thrown.
    package init(reading sources: [String: [UInt8]]) throws(BuildError) {
        let errors = BuildErrors()
        var drawn = DrawnPictures()
        self.init(reading: sources, named: "", drawing: &drawn, recording: errors)
        notes += drawn.notes
        if let first = errors.found.first { throw first }
    }

    /// Reads a `.xcassets` folder and records all its errors.
    ///
    /// - Parameters:
    ///   - name: the folder's path with a slash at its end, for the notes of pictures that cannot be drawn.
    ///   - drawn: draws PDF and SVG files, and has the notes of those that cannot be drawn.
    init(
        reading sources: [String: [UInt8]], named name: String, drawing drawn: inout DrawnPictures,
        recording errors: BuildErrors
    ) {
        var groups: [String] = []
        var sets: [String] = []
        for path in sources.keys.sorted() where path.hasSuffix("/Contents.json") || path == "Contents.json" {
            let folder = String(path.dropLast("Contents.json".count + (path == "Contents.json" ? 0 : 1)))
            // An asset of another kind may have image sets in it, such as the layers of an icon.
            if let other = AssetFolder.outermostAsset(folder), !other.hasSuffix(".imageset") {
                if other == folder { addOther(folder) }
            } else if folder.hasSuffix(".imageset"), AssetFolder.outermostAsset(folder) != nil {
                sets.append(folder)
            } else {
                groups.append(folder)
            }
        }
        for folder in groups {
            do throws(BuildError) { try addGroup(folder, sources) } catch { errors.note(error) }
        }
        for folder in sets {
            do throws(BuildError) { try addImages(folder, sources, errors, name, &drawn) } catch { errors.note(error) }
        }
        addStrays(sources)
        for other in others {
            let (ending, names) = (other.ending, other.names)
            let words = names.prefix(AssetFolder.listedCount).joined(separator: ", ")
            let more = names.count > AssetFolder.listedCount ? " and \(names.count - AssetFolder.listedCount) more" : ""
            notes.append("\(words)\(more): \(AssetFolder.reason(ending)); left out")
        }
        files.sort { $0.name.byteOrder($1.name) < 0 }
    }

    /// Assets of one kind that are named in a note.
    private static let listedCount = 4

    /// Returns the reason why assets of a kind are left out.
    private static func reason(_ ending: String) -> String {
        switch ending {
        case "colorset": "loose images have no colours; interfaces carry the components of those that they name"
        case "symbolset": "loose images have no symbols"
        case "appiconset", "brandassets", "imagestack", "solidimagestack", "complicationset":
            "icons are for the home screen, where a widget has none"
        case "launchimage": "launch images are shown while an application starts"
        case "sticker", "stickerpack", "stickersequence", "stickersiconset": "stickers are for messages"
        default: "loose images have nothing like .\(ending)"
        }
    }

    /// Returns the outermost folder on a path that is an asset, such as `Icons/sun.imageset`.
    private static func outermostAsset(_ folder: String) -> String? {
        let parts = folder.split(separator: "/")
        for (position, part) in parts.enumerated() {
            if let dot = part.lastIndex(of: "."), dot > part.startIndex, kinds.contains(SourceKind.ending(String(part)))
            {
                return parts[...position].joined(separator: "/")
            }
        }
        return nil
    }

    /// The endings of assets. Other folders are groups, whose names may have a dot.
    private static let kinds: Set<String> = [
        "imageset", "appiconset", "launchimage", "colorset", "dataset", "symbolset", "brandassets", "imagestack",
        "imagestacklayer", "solidimagestack", "solidimagestacklayer", "complicationset", "sticker", "stickerpack",
        "stickersequence", "stickersiconset", "spriteatlas", "cubetextureset", "textureset", "mipmapset",
        "arresourcegroup",
        "arreferenceimage", "arobject", "gcdashboardimage", "gcleaderboard", "gcleaderboardset", "iconset",
        "watchfaceset", "accentcolorset",
    ]

    private mutating func addOther(_ folder: String) {
        let ending = SourceKind.ending(folder)
        guard let place = others.firstIndex(where: { $0.ending == ending }) else {
            others.append(OtherAssets(ending: ending, names: [folder]))
            return
        }
        others[place].names.append(folder)
    }

    /// Notes files in no asset, and assets that lack the file by which they are known.
    private mutating func addStrays(_ sources: [String: [UInt8]]) {
        var leftOut = LeftOutFiles()
        var known: Set<String> = []
        for path in sources.keys.sorted() where !path.hasSuffix("/") {
            let parts = path.split(separator: "/")
            guard let name = parts.last, name != "Contents.json" else { continue }
            let folder = parts.dropLast().joined(separator: "/")
            guard let asset = AssetFolder.outermostAsset(folder) else {
                leftOut.add(path, "it is in no asset; images belong into sets, such as `Sun.imageset`")
                continue
            }
            guard sources["\(asset)/Contents.json"] == nil, known.insert(asset).inserted else { continue }
            if asset.hasSuffix(".imageset") {
                leftOut.add(asset, "it has no Contents.json that says for which screens its images are")
            } else {
                addOther(asset)
            }
        }
        notes += leftOut.notes
    }

    private static func contents(_ path: String, _ sources: [String: [UInt8]]) throws(BuildError) -> JSONValue {
        do {
            return try JSONValue(parsing: sources[path] ?? [])
        } catch {
            throw BuildError("\(error.reason)", path: path, at: error.position)
        }
    }

    /// Reads a folder that groups others.
    private mutating func addGroup(_ folder: String, _ sources: [String: [UInt8]]) throws(BuildError) {
        let path = folder.isEmpty ? "Contents.json" : "\(folder)/Contents.json"
        let contents = try Self.contents(path, sources)
        if contents["properties"]?["provides-namespace"]?.boolean == true {
            namespaces[folder] = folder.split(separator: "/").last.map { String($0) }
        }
        note(contents, knowing: ["info", "properties"], "the folder", path)
        if let properties = contents["properties"] {
            note(properties, knowing: ["provides-namespace", "compression-type"], "the folder", path)
        }
    }

    /// The folder in the bundle for an asset in that folder of the source: its namespaces, with a slash at the end.
    private func namespace(_ folder: String) -> String {
        let parts = folder.split(separator: "/")
        let groups = parts.indices.map { parts[...$0].joined(separator: "/") }
        return groups.compactMap { namespaces[$0] }.map { "\($0)/" }.joined()
    }

    /// Notes the members that were not compiled.
    private mutating func note(_ value: JSONValue, knowing known: Set<String>, _ what: String, _ path: String) {
        for member in value.object?.members ?? [] where !known.contains(member.name) {
            notes.append("\(path): loose images know no \(ShownText.name(member.name)); of \(what) it was left out")
        }
    }

    private static let imageKeys: Set<String> = ["filename", "idiom", "scale", "appearances", "unassigned"]
    private static let setKeys: Set<String> = [
        "compression-type", "preserves-vector-representation", "template-rendering-intent",
    ]
    /// Kinds of images that hosts show, and those that are drawn.
    private static let imageKinds: Set<String> = SourceKind.pictures.union(["pdf", "svg"])

    private mutating func addImages(
        _ folder: String, _ sources: [String: [UInt8]], _ errors: BuildErrors, _ root: String,
        _ drawn: inout DrawnPictures
    ) throws(BuildError) {
        let name = String(folder.split(separator: "/").last?.dropLast(".imageset".count) ?? "")
        let path = "\(folder)/Contents.json"
        let contents = try Self.contents(path, sources)
        guard let images = contents["images"]?.array else {
            throw BuildError("the file lists no images", path: path)
        }
        note(contents, knowing: ["images", "info", "properties"], ShownText.name(name), path)
        if let properties = contents["properties"] {
            note(properties, knowing: Self.setKeys, ShownText.name(name), path)
        }
        let used = Set(images.compactMap { $0["filename"]?.string })
        for other in sources.keys.sorted() where other.hasPrefix("\(folder)/") && other != path {
            let file = String(other.dropFirst(folder.count + 1))
            if !used.contains(file) { notes.append("\(other): Contents.json does not name it; it was left out") }
        }
        let target = namespace(folder) + name
        // Of two images that differ in a condition only, the one without it is taken.
        func isConditional(_ image: JSONValue) -> Bool {
            image.object?.members.contains { !Self.imageKeys.contains($0.name) } ?? false
        }
        // Drawings come last: the author's own pixels are better than ours.
        func isDrawing(_ image: JSONValue) -> Bool { DrawnPictures.isDrawing(image["filename"]?.string ?? "") }
        let ordered = images.filter { !isConditional($0) } + images.filter { isConditional($0) }
        let slots = images.filter { $0["filename"]?.string != nil }
        let isTemplate = contents["properties"]?["template-rendering-intent"]?.string == "template"
        for image in ordered.filter({ !isDrawing($0) }) + ordered.filter({ isDrawing($0) }) {
            // The editor offers slots without a file.
            guard let file = image["filename"]?.string else { continue }
            guard let bytes = sources["\(folder)/\(file)"] else {
                errors.note(BuildError("there is no file \(ShownText.name(file))", path: path))
                continue
            }
            if let reason = Self.reasonToLeaveOut(image, file) {
                notes.append("\(folder)/\(file): \(reason); it was left out")
                continue
            }
            do throws(BuildError) {
                if isDrawing(image) {
                    try addDrawing(target, folder, image, bytes, isOnly: slots.count == 1, isTemplate, root, &drawn)
                } else {
                    try add(target, folder, file, image, isTemplate ? TemplateMark.marked(bytes) : bytes)
                }
            } catch { errors.note(error) }
        }
    }

    /// Draws a PDF or SVG file at each scale that the set has no other picture of.
    ///
    /// - Parameter isOnly: true for the only file of a set, which is for all scales even in the place of one.
    private mutating func addDrawing(
        _ target: String, _ folder: String, _ image: JSONValue, _ bytes: [UInt8], isOnly: Bool, _ isTemplate: Bool,
        _ root: String, _ drawn: inout DrawnPictures
    ) throws(BuildError) {
        guard let file = image["filename"]?.string, let place = try place(of: image, in: folder) else { return }
        let slot = image["scale"]?.string == nil || isOnly ? nil : place.scale
        let path = "\(folder)/\(file)"
        let pictures = drawn.pictures(bytes, path: root + path, slot: slot, isTemplate: isTemplate)
        let (kept, displaced) = DrawnPictures.named(pictures, of: path, &origins) { scale in
            "\(target)\(DrawnPictures.mark(scale))\(place.device)"
        }
        for (base, bytes) in kept {
            names.insert("\(base).png")
            files.append(File(name: "\(base).png", bytes: bytes, source: path))
        }
        // A picture of the author has its scale in Contents.json, and needs no note.
        let others = displaced.filter { DrawnPictures.isDrawing($0.source) }
        if let note = DrawnPictures.note(path, displaced: others, isWhole: displaced.count == pictures.count) {
            notes.append(note)
        }
        note(image, knowing: Self.imageKeys, ShownText.name(file), "\(folder)/Contents.json")
    }

    private static func reasonToLeaveOut(_ image: JSONValue, _ file: String) -> String? {
        if image["unassigned"]?.boolean == true { return "it is for no use" }
        if image["appearances"]?.array?.isEmpty == false { return "loose images know no appearance" }
        switch SourceKind.ending(file) {
        case let kind where imageKinds.contains(kind): return nil
        default: return "a host shows no images of this kind"
        }
    }

    private mutating func add(
        _ target: String, _ folder: String, _ file: String, _ image: JSONValue, _ bytes: [UInt8]
    ) throws(BuildError) {
        guard let place = try place(of: image, in: folder) else { return }
        let path = "\(folder)/Contents.json"
        let name = "\(target)\(DrawnPictures.mark(place.scale))\(place.device).\(SourceKind.ending(file))"
        guard names.insert(name).inserted else {
            // Xcode takes one of them, too, and warns.
            notes.append("\(folder)/\(file): another image becomes \(ShownText.plain(name)); this one was left out")
            return
        }
        note(image, knowing: Self.imageKeys, ShownText.name(file), path)
        origins[String(name.dropLast(SourceKind.ending(file).count + 1))] = "\(folder)/\(file)"
        files.append(File(name: name, bytes: bytes, source: "\(folder)/\(file)"))
    }

    /// Returns the scale and the mark of the device that an image is for; `nil`, with a note, for other devices.
    private mutating func place(
        of image: JSONValue, in folder: String
    ) throws(BuildError) -> (scale: Int, device: String)? {
        let path = "\(folder)/Contents.json"
        let scale: Int
        switch image["scale"]?.string {
        case nil, "1x": scale = 1
        case "2x": scale = 2
        case "3x": scale = 3
        case let other?: throw BuildError("the scale \(ShownText.name(other)) is unknown", path: path)
        }
        switch image["idiom"]?.string {
        case nil, "universal": return (scale, "")
        case "iphone": return (scale, "~iphone")
        case "ipad": return (scale, "~ipad")
        case let idiom?:
            notes.append("\(path): images for \(ShownText.name(idiom)) are not shown by a host; one was left out")
            return nil
        }
    }
}
