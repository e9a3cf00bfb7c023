import Bytes
import ConformanceSupport
import Files
import WidgetBundles

/// A release as a registry serves it: what somebody packed, taken in by the same intake.
struct Offer: Sendable {
    var archive: [UInt8]
    var bundle: WidgetBundle

    init(_ forge: BundleForge) throws {
        try self.init(packed: forge.archive)
    }

    init(packed: [UInt8]) throws {
        let source = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        let target = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try source.write(packed, at: 0)
        bundle = try BundleIntake().take(source, into: target).bundle
        archive = try target.read(at: 0, count: bundle.byteCount)
    }

    var digest: Digest { bundle.digest }
    var tag: String { "\"sha256-\(bundle.digest.hex)\"" }
}

extension BundleForge {
    /// A large file that compresses to nothing much, and texts beside it.
    static func sample(_ identifier: String = "com.example.Sample", _ build: String = "1", text: String = "Hello")
        -> BundleForge
    {
        BundleForge(identifier, "1.0", build, text: text)
            .adding("Scheme.json", "{\"greeting\": \"\(text)\"}")
            .adding("Data.json", bytes: Offer.bulk)
    }
}

extension Offer {
    // Made once for all tests, because each is compressed and checked as a registry does it.
    static let first = Result { try Offer(.sample()) }
    static let changed = Result { try Offer(.sample(text: "Changed")) }
    static let other = Result {
        try Offer(
            .sample(text: "Other").with { forge in
                forge.files[forge.files.count - 1].bytes = Offer.bulk.reversed().map {
                    $0 == 0x5B ? 0x5D : $0 == 0x5D ? 0x5B : $0
                }
            })
    }

    /// JSON that does not compress well, so that fetching it again would be noticed.
    static let bulk: [UInt8] = {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<3_000).map { _ in "\"\(String(generator.next(), radix: 36))\"" }
        return Array("[\(words.joined(separator: ","))]".utf8)
    }()
}
