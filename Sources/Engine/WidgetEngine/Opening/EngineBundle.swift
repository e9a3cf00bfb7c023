internal import WidgetBundles
internal import WidgetBytes
package import WidgetCore
internal import WidgetFiles
package import WidgetRunning

/// A bundle that was taken in from the bytes of its archive: what a host shows of it.
package struct EngineBundle: Sendable {
    package var program: Program
    package let pictures: BundlePictures
    /// The digest of its files.
    package let content: String
    /// The identifier in its manifest.
    package let identifier: String
    package let languages: [String]

    /// The most bytes of an archive. Where numbers have 32 bits, those of larger ones are not exact.
    package static let byteLimit = 100 << 20

    /// Judges an archive by the rules of a registry, and reads its program.
    ///
    /// - Parameters:
    ///   - identifier: the widget's; else that of the bundle.
    ///   - entryPoint: the storyboard to begin with.
    ///   - locale: the reader's language and region, as `de_AT`.
    package init(
        archive bytes: [UInt8], named name: String = "the archive", identifier: String? = nil,
        entryPoint: String = "Main", isDevelopment: Bool = false, locale: String = ""
    ) throws(WidgetError) {
        guard bytes.count <= EngineBundle.byteLimit else { throw .tooLarge(limit: EngineBundle.byteLimit) }
        let opened: CanonicalBundle
        do throws(BundleError) {
            let source = try EngineBundle.file(bytes, name)
            let target = try EngineBundle.file([], "its canonical archive")
            let taken = try BundleIntake().take(source, into: target)
            (content, languages) = (taken.bundle.contentDigest.hex, taken.report.languages)
            opened = CanonicalBundle(taken, archive: target)
        } catch {
            throw .bundle(error)
        }
        self.identifier = opened.manifest.identifier
        pictures = try BundlePictures(of: opened)
        program = try BundleReading.program(
            of: opened, identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment, locale: locale)
    }

    static func file(_ bytes: [UInt8], _ subject: String) throws(BundleError) -> FileDescriptor {
        do throws(FileError) { return try .memory(bytes, subject: subject) } catch { throw BundleError(error) }
    }
}
