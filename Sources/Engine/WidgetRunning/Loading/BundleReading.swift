package import WidgetBundles
internal import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetDocuments
internal import WidgetFiles
package import WidgetFormats
internal import WidgetZip

/// Reads from a bundle's archive the files that a program is made of.
package enum BundleReading {
    /// The endings of the files that define a widget. Of pictures only the size is read, and sounds are not.
    private static let endings = FrontEnds.endings
    private static let byteLimit = 16 << 20
    /// The bytes of all pictures' heads together; further pictures have no known size.
    private static let headByteLimit = 32 << 20
    private static let catalogue = "Assets.car"

    /// - Parameter locale: the reader's language and region, as `de_AT`.
    package static func files(
        of opened: borrowing CanonicalBundle, locale: String = ""
    ) throws(WidgetError) -> BundleFiles {
        var files: [String: [UInt8]] = [:]
        var paths: [String] = []
        var heads: [String: [UInt8]] = [:]
        var (total, headTotal) = (0, 0)
        var reader = try rethrowing(try ZipEntryReader(), as: WidgetError.archive)
        for entry in opened.directory.entries where !entry.isDirectory {
            let path = String(entry.name.text.dropFirst(opened.folder.count + 1))
            paths.append(path)
            let headByteCount = PictureHead.byteCount(of: path)
            if BundleAssets.isPicture(path), headTotal + headByteCount <= headByteLimit {
                heads[path] = try rethrowing(
                    try reader.head(of: entry, byteCount: headByteCount, from: opened.archive), as: WidgetError.archive)
                headTotal += heads[path]?.count ?? 0
            }
            guard path == catalogue || endings.contains(where: { path.hasSuffix($0) }) else { continue }
            total += entry.byteCount
            guard total <= byteLimit else { throw .tooLarge(limit: byteLimit) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(entry.byteCount)
            try rethrowing(as: { WidgetError.archive($0) }) { () throws(ZipError) in
                _ = try reader.read(entry, from: opened.archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                    bytes.append(copying: chunk)
                }
            }
            files[path] = bytes
        }
        let assets = BundleAssets(paths, catalogue: files.removeValue(forKey: catalogue), heads: heads)
        return BundleFiles(files, images: assets.images, colors: assets.colors, locale: locale)
    }

    /// The descriptions of a program's services as their author has written them, by the names of the services.
    package static func descriptions(
        of opened: borrowing CanonicalBundle, for program: Program
    ) throws(WidgetError) -> [String: [UInt8]] {
        let files = try files(of: opened)
        return program.services.compactMapValues { $0.place.flatMap { files[$0.file] } }
    }

    /// - Parameters:
    ///   - identifier: the widget's; by default that of the bundle.
    ///   - locale: the reader's language and region, as `de_AT`.
    package static func program(
        of opened: borrowing CanonicalBundle, identifier: String? = nil, entryPoint: String = "Main",
        isDevelopment: Bool = false, locale: String = ""
    ) throws(WidgetError) -> Program {
        let files = try files(of: opened, locale: locale)
        let identifier = try lawful(identifier, opened.manifest.identifier)
        var options = ProgramOptions(identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment)
        options.name = opened.manifest.shownName ?? ""
        return try rethrowing(try FrontEnds.program(files, options), as: WidgetError.program)
    }

    private static func lawful(_ identifier: String?, _ expected: String) throws(WidgetError) -> String {
        let identifier = identifier ?? expected
        guard identifier.utf8.starts(with: expected.utf8) else {
            throw .identifierMismatch(expectedPrefix: expected, found: identifier)
        }
        return identifier
    }

    /// The same for a bundle around the documents of a program, whose closures they call.
    ///
    /// - Parameter faults: those that the program has found in itself.
    package static func program(
        of opened: borrowing CanonicalBundle, calling code: any NativeCode, faults: [NativeRemark],
        identifier: String? = nil, entryPoint: String = "Main", isDevelopment: Bool = false, locale: String = ""
    ) throws(WidgetError) -> (Program, NativeProgram) {
        let files = try files(of: opened, locale: locale)
        let identifier = try lawful(identifier, opened.manifest.identifier)
        var options = ProgramOptions(identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment)
        options.name = opened.manifest.shownName ?? ""
        var input = DocumentFrontEnd.input(files, options)
        input.diagnostics += faults.map(Finding.init)
        let native = NativeProgram(input, images: files.images, code: code)
        return try rethrowing(as: { WidgetError.program(.document($0)) }) { () throws(DocumentError) in
            (try native.program(), native)
        }
    }
}
