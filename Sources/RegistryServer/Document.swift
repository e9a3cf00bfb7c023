internal import Bytes
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
        let tag = Digest.sha256(bytes)?.hex.prefix(32) ?? "0"
        return Resource(
            mediaType: mediaType, content: .bytes(bytes), validators: Validators(entityTag: "\"\(tag)\""),
            fields: fields)
    }
}
