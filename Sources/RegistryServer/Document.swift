internal import Bytes
internal import Deflate
package import HTTPServer
internal import HTTPWire
package import JSONText

/// A JSON document as a resource: validators, caching and, where it pays, a compressed twin.
package enum Document {
    /// How long a mutable document may be shown without asking again.
    package static let briefly = "public, max-age=30, stale-while-revalidate=300, stale-if-error=600"

    /// Smaller documents fit into one packet either way.
    private static let compressionFloor = 860

    package static func json(
        cacheControl: String, _ write: (inout JSONWriter) -> Void
    ) -> Resource {
        var writer = JSONWriter()
        writer.object(write)
        return resource("application/json", writer.finish(), cacheControl: cacheControl)
    }

    package static func resource(_ mediaType: String, _ bytes: [UInt8], cacheControl: String) -> Resource {
        let fields = FieldBlock([
            "Cache-Control": cacheControl,
            "Access-Control-Allow-Origin": "*",
            "X-Content-Type-Options": "nosniff",
        ])
        return Resource(
            mediaType: mediaType, content: .bytes(bytes), validators: validators(bytes), fields: fields,
            gzipped: gzipped(mediaType, bytes, fields))
    }

    /// The compressed twin, where it is worth having. It is a representation of its own, with a tag of its own.
    private static func gzipped(_ mediaType: String, _ bytes: [UInt8], _ fields: FieldBlock) -> Resource? {
        guard bytes.count >= compressionFloor, let packed = gzip(bytes, level: 6), packed.count < bytes.count else {
            return nil
        }
        return Resource(
            mediaType: mediaType, content: .bytes(packed), validators: validators(packed), fields: fields,
            contentCoding: "gzip")
    }

    /// A tag made of the bytes: the same for the same bytes on every server.
    private static func validators(_ bytes: [UInt8]) -> Validators {
        Validators(entityTag: "\"\(Digest.sha256(bytes)?.hex.prefix(32) ?? "0")\"")
    }
}
