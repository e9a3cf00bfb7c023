internal import Bytes
internal import Files
internal import WidgetBundles
package import WidgetCore
package import WidgetFormats
package import WidgetIntake
internal import Zip

/// Reads from a bundle's archive the files that a program is made of.
package enum BundleReading {
    /// Files that say how a widget looks and what it does; pictures and sounds stay where they are.
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
    ///   - identifier: of the widget; the bundle's own when there is none.
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
