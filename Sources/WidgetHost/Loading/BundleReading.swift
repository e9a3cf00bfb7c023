internal import Bytes
package import Files
package import WidgetBundles
package import WidgetCore
package import WidgetFormats
internal import Zip

/// Reads from a bundle's archive what a program is made of.
package enum BundleReading {
    /// Files that say how a widget looks and what it does; pictures and sounds stay where they are.
    private static let endings = [".json", ".nib", ".mom", ".plist", ".strings"]
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

    /// - Parameters:
    ///   - identifier: of the widget; the bundle's own when there is none.
    ///   - locale: the reader's language and region, as `de_AT`.
    package static func program(
        of bundle: WidgetBundle, in archive: borrowing FileDescriptor, identifier: String? = nil,
        entryPoint: String = "Main", isDevelopment: Bool = false, locale: String = ""
    ) throws(HostError) -> Program {
        let expected = bundle.manifest.identifier
        let identifier = identifier ?? expected
        guard identifier.hasPrefix(expected) else {
            throw .identifierMismatch(expectedPrefix: expected, found: identifier)
        }
        let files = try files(of: bundle, in: archive, locale: locale)
        do throws(FormatError) {
            return try WidgetKitReader.program(
                files, identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment)
        } catch {
            throw .program(error)
        }
    }
}
