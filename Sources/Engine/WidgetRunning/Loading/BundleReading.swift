internal import AssetCatalog
internal import Bytes
internal import Files
internal import WidgetBundles
package import WidgetCore
package import WidgetFormats
package import WidgetIntake
internal import Zip

/// Reads from a bundle's archive the files that a program is made of.
package enum BundleReading {
    /// The endings of the files that define a widget. Pictures and sounds are not read here.
    private static let endings = FrontEnds.endings
    private static let byteLimit = 16 << 20
    private static let catalogue = "Assets.car"

    /// - Parameter locale: the reader's language and region, as `de_AT`.
    package static func files(
        of taken: borrowing TakenBundle, locale: String = ""
    ) throws(WidgetError) -> BundleFiles {
        var files: [String: [UInt8]] = [:]
        var paths: [String] = []
        var total = 0
        var reader = try rethrowing(try ZipEntryReader(), as: WidgetError.archive)
        for entry in taken.directory.entries where !entry.isDirectory {
            let path = String(entry.name.text.dropFirst(taken.bundle.folder.count + 1))
            paths.append(path)
            guard path == catalogue || endings.contains(where: { path.hasSuffix($0) }) else { continue }
            total += entry.byteCount
            guard total <= byteLimit else { throw .tooLarge(limit: byteLimit) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(entry.byteCount)
            try rethrowing(as: { WidgetError.archive($0) }) { () throws(ZipError) in
                _ = try reader.read(entry, from: taken.archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                    bytes.append(copying: chunk)
                }
            }
            files[path] = bytes
        }
        return BundleFiles(
            files, images: ImageNames.of(paths, catalogue: files.removeValue(forKey: catalogue)),
            locale: locale)
    }

    /// - Parameters:
    ///   - identifier: the widget's; by default that of the bundle.
    ///   - locale: the reader's language and region, as `de_AT`.
    package static func program(
        of taken: borrowing TakenBundle, identifier: String? = nil, entryPoint: String = "Main",
        isDevelopment: Bool = false, locale: String = ""
    ) throws(WidgetError) -> Program {
        let expected = taken.bundle.manifest.identifier
        let identifier = identifier ?? expected
        guard identifier.utf8.starts(with: expected.utf8) else {
            throw .identifierMismatch(expectedPrefix: expected, found: identifier)
        }
        let files = try files(of: taken, locale: locale)
        return try rethrowing(
            try FrontEnds.program(
                files, ProgramOptions(identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment)),
            as: WidgetError.program)
    }

    /// Takes in the folder or archive at a path as a registry would, and reads its program.
    ///
    /// - Returns: the program, and the digest of its files.
    package static func program(
        at path: String, identifier: String? = nil, locale: String = ""
    ) throws(WidgetError) -> (Program, content: String) {
        let taken = try rethrowing(as: WidgetError.source) { () throws(SourceError) in
            try BundleSource(opening: path).take()
        }
        let program = try program(of: taken, identifier: identifier, locale: locale)
        return (program, taken.bundle.contentDigest.hex)
    }
}

/// The names of a bundle's pictures, as interfaces and schemes spell them. No pixel is read.
package enum ImageNames {
    private static let endings = [".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".pdf"]
    private static let devices = ["~iphone", "~ipad"]
    private static let scales = ["@1x", "@2x", "@3x"]

    /// - Parameters:
    ///   - paths: of all files of the bundle.
    ///   - catalogue: the compiled asset catalogue, when there is one.
    /// - Returns: `nil` when the catalogue cannot be read: then the names are unknown.
    package static func of(_ paths: some Sequence<String>, catalogue: [UInt8]?) -> Set<String>? {
        var names: Set<String> = []
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard let ending = endings.first(where: { name.lowercased().hasSuffix($0) }) else { continue }
            names.insert(name)
            var base = name.dropLast(ending.count)
            if let device = devices.first(where: { base.hasSuffix($0) }) { base = base.dropLast(device.count) }
            if let scale = scales.first(where: { base.hasSuffix($0) }) { base = base.dropLast(scale.count) }
            names.insert(String(base))
            // An image of a catalogue's namespace, or in a folder, is asked for with the folder's name.
            let folder = path.dropLast(name.count)
            if !folder.isEmpty { names.insert("\(folder)\(base)") }
            // A picture may be asked for by its file's name as well.
            names.insert(base + ending)
        }
        guard let catalogue else { return names }
        do throws(AssetError) {
            for facet in try CompiledCatalog(parsing: catalogue).facets { names.insert(facet.name) }
        } catch {
            return nil
        }
        return names
    }
}
