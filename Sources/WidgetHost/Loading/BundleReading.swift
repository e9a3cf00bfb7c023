internal import Bytes
package import Files
package import WidgetBundles
package import WidgetCore
package import WidgetFormats
internal import Zip

/// Reads from a bundle's archive what a program is made of.
package enum BundleReading {
    /// Files that say how a widget looks and what it does; pictures and sounds stay where they are.
    private static let endings = FrontEnds.endings
    private static let byteLimit = 16 << 20
    private static let catalogue = "Assets.car"

    package static func files(
        of bundle: WidgetBundle, in archive: borrowing FileDescriptor, locale: String = ""
    ) throws(HostError) -> BundleFiles {
        var files: [String: [UInt8]] = [:]
        var paths: [String] = []
        var total = 0
        do throws(ZipError) {
            let directory = try ZipDirectory(reading: archive, limits: BundleLimits().written)
            var reader = try ZipEntryReader()
            for entry in directory.entries where !entry.isDirectory {
                let path = String(entry.name.text.dropFirst(bundle.folder.count + 1))
                paths.append(path)
                guard path == catalogue || endings.contains(where: { path.hasSuffix($0) }) else { continue }
                total += entry.byteCount
                if total > byteLimit { break }
                var bytes: [UInt8] = []
                bytes.reserveCapacity(entry.byteCount)
                _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                    bytes.append(copying: chunk)
                }
                files[path] = bytes
            }
        } catch {
            throw .archive(error)
        }
        guard total <= byteLimit else { throw .tooLarge(limit: byteLimit) }
        return BundleFiles(
            files, images: ImageNames.of(paths, catalogue: files.removeValue(forKey: catalogue)),
            locale: locale)
    }

    /// Takes in a folder or an archive as a registry would, and reads its program.
    ///
    /// - Returns: the program, and what tells its files from others.
    package static func program(
        at path: String, identifier: String? = nil, entryPoint: String = "Main", isDevelopment: Bool = false,
        locale: String = ""
    ) throws(HostError) -> (Program, content: String) {
        let archive = try judged { () throws(BundleError) in try scratch() }
        let taken = try judged { () throws(BundleError) in try take(path, into: archive) }
        let program = try BundleReading.program(
            of: taken.bundle, in: archive, identifier: identifier, entryPoint: entryPoint,
            isDevelopment: isDevelopment, locale: locale)
        return (program, taken.bundle.contentDigest.hex)
    }

    private static func take(
        _ path: String, into archive: borrowing FileDescriptor
    ) throws(BundleError) -> BundleIntake.Taken {
        let source = try file { () throws(FileError) in try FileDescriptor.reading(path) }
        let status = try file { () throws(FileError) in try source.status() }
        guard status.kind == .directory else { return try BundleIntake().take(source, into: archive) }
        let folder = try file { () throws(FileError) in try Directory(opening: path) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try BundleIntake().take(
            folder: folder, named: name, packed: try scratch(), archive: try scratch(), into: archive)
    }

    /// A file without a name, so that nothing is left behind.
    private static func scratch() throws(BundleError) -> FileDescriptor {
        try file { () throws(FileError) in try FileDescriptor.unnamed(inDirectory: Directory.temporary) }
    }

    private static func file<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(BundleError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw BundleError(error)
        }
    }

    private static func judged<Value: ~Copyable>(_ body: () throws(BundleError) -> Value) throws(HostError) -> Value {
        do throws(BundleError) {
            return try body()
        } catch {
            throw .bundle(error)
        }
    }

    /// - Parameters:
    ///   - identifier: of the widget; the bundle's own when there is none.
    ///   - locale: the reader's language and region, as `de_AT`.
    package static func program(
        of bundle: WidgetBundle, in archive: borrowing FileDescriptor, identifier: String? = nil,
        entryPoint: String = "Main", isDevelopment: Bool = false, locale: String = ""
    ) throws(HostError) -> Program {
        let expected = bundle.manifest.identifier
        let identifier = identifier ?? expected
        guard identifier.utf8.starts(with: expected.utf8) else {
            throw .identifierMismatch(expectedPrefix: expected, found: identifier)
        }
        let files = try files(of: bundle, in: archive, locale: locale)
        do throws(FormatError) {
            return try FrontEnds.program(
                files,
                ProgramOptions(identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment))
        } catch {
            throw .program(error)
        }
    }
}
