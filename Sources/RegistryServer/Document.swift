internal import Bytes
internal import Deflate
package import HTTPServer
package import HTTPWire
internal import RegistryContract

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

    static let textType = "text/plain; charset=utf-8"

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

extension Document {
    /// A document of the contract, which may change.
    static func json(_ document: some WireDocument, _ reader: Reader) -> Resource {
        resource("application/json", document.bytes, reader.caching(.briefly))
    }

    /// Part of a list, with the field that leads to the next part (RFC 8288).
    ///
    /// - Parameter query: the parameters that the next part has in common with this one.
    static func page<Item: ListedDocument>(
        _ items: [Item], next: String?, _ reader: Reader, at path: String, _ query: QueryText,
        nextName: String = "\(PageParameters.cursor.name)", variesByType: Bool = false
    ) -> Resource {
        var fields = FieldBlock()
        if let next {
            let parts = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" } + ["\(nextName)=\(next)"]
            fields.add("Link", "<\(path)?\(parts.joined(separator: "&"))>; rel=\"next\"")
        }
        return resource(
            "application/json", PageDocument(items, next: next).bytes, reader.caching(.briefly), fields: fields,
            variesByType: variesByType)
    }
}

/// The field that says under which name to keep an answer (RFC 6266).
enum ContentDisposition {
    static func attachment(fileName: String) -> String {
        let plain = fileName.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F && !["\"", "\\"].contains(scalar)
                ? Character(scalar) : "_"
        }
        let field = "attachment; filename=\"\(String(plain))\""
        // Those who cannot read the extended form take the plain one (RFC 6266 §4.3).
        return String(plain) == fileName ? field : "\(field); filename*=UTF-8''\(PercentEncoding.segment(fileName))"
    }
}
