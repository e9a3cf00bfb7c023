internal import Bytes
internal import Deflate
package import HTTPServer
package import HTTPWire
package import JSONText

/// A document as a resource: validators, caching and, where it pays, a compressed twin.
package enum Document {
    /// Who may keep an answer, and for how long.
    package enum Caching: String, Sendable {
        /// A mutable document may be shown for a while without asking again.
        case briefly = "public, max-age=30, stale-while-revalidate=300, stale-if-error=600"
        case forADay = "public, max-age=86400"
        /// What never changes under its address.
        case forever = "public, max-age=31536000, immutable"
        /// What one reader may see and others may not: never shared, and never shown again without asking.
        case privately = "private, no-cache"
    }

    /// Smaller documents fit into one packet either way.
    private static let compressionFloor = 860

    /// What answers to reading have in common: any page may read them, and nobody guesses at their type.
    package static func commonFields(_ caching: Caching) -> FieldBlock {
        FieldBlock([
            "Cache-Control": caching.rawValue,
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "*",
            "X-Content-Type-Options": "nosniff",
        ])
    }

    package static func json(_ caching: Caching, _ write: (inout JSONWriter) -> Void) -> Resource {
        var writer = JSONWriter()
        writer.object(write)
        return resource("application/json", writer.finish(), caching)
    }

    /// - Parameters:
    ///   - fields: what this document has besides the common ones.
    ///   - variesByType: whether other media types are to be had at the same place.
    ///   - isCompressible: a document whose tag is needed to change it has one representation, hence one tag.
    package static func resource(
        _ mediaType: String, _ bytes: [UInt8], _ caching: Caching, fields: FieldBlock = FieldBlock(),
        variesByType: Bool = false, isCompressible: Bool = true
    ) -> Resource {
        var all = commonFields(caching)
        all.add(fields)
        return Resource(
            mediaType: mediaType, content: .bytes(bytes), validators: Validators(entityTag: entityTag(bytes)),
            fields: all, variesByType: variesByType,
            gzipped: isCompressible ? gzipped(mediaType, bytes, all, variesByType) : nil)
    }

    /// A tag made of the bytes: the same for the same bytes on every server.
    package static func entityTag(_ bytes: [UInt8]) -> String {
        "\"\(Digest.sha256(bytes)?.hex.prefix(32) ?? "0")\""
    }

    /// The compressed twin, where it is worth having. It is a representation of its own, with a tag of its own.
    private static func gzipped(
        _ mediaType: String, _ bytes: [UInt8], _ fields: FieldBlock, _ variesByType: Bool
    ) -> Resource? {
        guard bytes.count >= compressionFloor, let packed = gzip(bytes, level: 6), packed.count < bytes.count else {
            return nil
        }
        return Resource(
            mediaType: mediaType, content: .bytes(packed), validators: Validators(entityTag: entityTag(packed)),
            fields: fields, variesByType: variesByType, contentCoding: "gzip")
    }
}
