package import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetDeflate
package import WidgetHTTPServer

/// A document as a resource: validators, caching and, where it pays, a compressed twin.
package enum Document {
    /// The caching of an answer: where, and for how long.
    package enum Caching: String, Sendable {
        /// A mutable document may be shown for a while without asking again.
        case briefly = "public, max-age=30, stale-while-revalidate=300, stale-if-error=600"
        case forADay = "public, max-age=86400"
        /// For content that never changes under its address.
        case forever = "public, max-age=31536000, immutable"
        /// For content that only some readers may see: never shared, and never shown again without revalidation.
        case privately = "private, no-cache"
        /// For an address that stops being good after 300 seconds. A shared cache would give it to clients that ask for a
        /// part as well, under a condition that the store does not know.
        case whileItLeads = "private, max-age=240"
        /// The same, where the name that leads there may lead elsewhere tomorrow.
        case whileNamed = "private, max-age=30"
        /// The same, given to a reader who had to show a token.
        case never = "private, no-store"
    }

    static let textType = "text/plain; charset=utf-8"

    /// Smaller documents fit into one packet either way.
    private static let compressionFloor = 860

    /// The fields of every answer to reading: any page may read it, and browsers do not guess at its type.
    package static func commonFields(_ caching: Caching) -> FieldBlock {
        var fields = FieldBlock([
            "Cache-Control": caching.rawValue,
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "*",
            "X-Content-Type-Options": "nosniff",
        ])
        // A browser gives what it has kept for a person to that person's requests alone.
        if caching == .privately { fields.add("Vary", "Cookie, Authorization") }
        return fields
    }

    /// - Parameters:
    ///   - fields: what this document has besides the common ones.
    ///   - variesByType: true if the same address has other media types too.
    ///   - isCompressible: a document whose tag is needed to change it has one representation, hence one tag.
    package static func resource(
        _ mediaType: String, _ bytes: [UInt8], _ caching: Caching, fields: FieldBlock = FieldBlock(),
        variesByType: Bool = false, isCompressible: Bool = true
    ) -> Resource {
        var all = commonFields(caching)
        all.add(fields)
        return resource(mediaType, bytes, all, variesByType: variesByType, isCompressible: isCompressible)
    }

    /// - Parameter fields: all that the document has.
    static func resource(
        _ mediaType: String, _ bytes: [UInt8], _ fields: FieldBlock, variesByType: Bool = false,
        isCompressible: Bool = true
    ) -> Resource {
        Resource(
            mediaType: mediaType, content: .bytes(bytes), validators: Validators(entityTag: entityTag(bytes)),
            fields: fields, variesByType: variesByType,
            gzipped: isCompressible ? gzipped(mediaType, bytes, fields, variesByType) : nil)
    }

    /// A tag made of the bytes: the same for the same bytes on every server.
    package static func entityTag(_ bytes: [UInt8]) -> String {
        "\"\(Digest.sha256(bytes)?.hex.prefix(32) ?? "0")\""
    }

    /// The compressed twin, where it is worth having. It is a separate representation with its own tag.
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

    /// A document of the contract, which may change.
    static func json(_ document: some WireDocument, _ reader: Reader) -> Resource {
        resource("application/json", document.bytes, reader.caching(.briefly))
    }

    /// Part of a list, with the field that leads to the next part (RFC 8288).
    ///
    /// - Parameters:
    ///   - query: the parameters that the next part has in common with this one.
    ///   - hasLink: false if the document alone says where the next part begins.
    static func page<Item: ListedDocument>(
        _ items: [Item], next: String?, _ reader: Reader, at path: String, _ query: QueryText,
        nextName: String = "\(PageParameters.cursor.name)", hasLink: Bool = true, variesByType: Bool = false
    ) -> Resource {
        var fields = FieldBlock()
        if let next, hasLink {
            let parts = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" } + ["\(nextName)=\(next)"]
            fields.add("Link", "<\(path)?\(parts.joined(separator: "&"))>; rel=\"next\"")
        }
        return resource(
            "application/json", PageDocument(items, next: next).bytes, reader.caching(.briefly), fields: fields,
            variesByType: variesByType)
    }
}

/// The field with the name under which to save an answer (RFC 6266).
enum ContentDisposition {
    static func attachment(fileName: String) -> String {
        let plain = fileName.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F && !["\"", "\\"].contains(scalar)
                ? Character(scalar) : "_"
        }
        let field = "attachment; filename=\"\(String(plain))\""
        // Clients that cannot read the extended form take the plain one (RFC 6266 §4.3).
        return String(plain) == fileName ? field : "\(field); filename*=UTF-8''\(PercentEncoding.segment(fileName))"
    }
}

/// Times as documents write them: RFC 3339, UTC, whole seconds.
package enum Timestamp {
    package static func text(_ seconds: Int64) -> String {
        let parts = HTTPDate.components(seconds)
        return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))T"
            + "\(pad(parts.hour)):\(pad(parts.minute)):\(pad(parts.second))Z"
    }

    /// The time that a text in the same form means.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let marks: [(Int, UInt8)] = [
            (4, 0x2D), (7, 0x2D), (10, 0x54), (13, 0x3A), (16, 0x3A), (19, 0x5A),
        ]
        guard bytes.count == 20, marks.allSatisfy({ bytes[$0.0] == $0.1 }) else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        return HTTPDate.seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func pad(_ value: Int, _ width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
