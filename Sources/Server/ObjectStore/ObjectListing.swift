internal import XMLText

/// Part of a list of objects (ListObjectsV2).
struct ObjectListing: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var key: String
        var byteCount: Int
        /// As the store writes it, `2026-05-21T08:30:00.000Z`: texts that compare as times do.
        var modified: String
    }

    var entries: [Entry] = []
    /// The place to continue from; `nil` at the end.
    var next: String?

    /// A page has a thousand entries with a handful of elements each.
    private static let limits = XMLLimits(byteCount: 8 << 20, depth: 16, elementCount: 100_000)

    init(_ bytes: [UInt8]) throws(ObjectError) {
        let root: XMLElement
        do throws(XMLError) {
            root = try XMLDocument(parsing: bytes, limits: ObjectListing.limits).root
        } catch {
            throw .malformed("a listing that is not XML (\(error))")
        }
        guard root.name == "ListBucketResult" else {
            throw .malformed("a listing with the root \(root.name.prefix(40))")
        }
        for element in root.children(named: "Contents") {
            guard let key = element.child(named: "Key")?.text, !key.isEmpty,
                let size = element.child(named: "Size").flatMap({ Int($0.text) }), size >= 0,
                let modified = element.child(named: "LastModified")?.text
            else { throw .malformed("an entry of a listing without key, size or time") }
            entries.append(Entry(key: key, byteCount: size, modified: modified))
        }
        guard root.child(named: "IsTruncated")?.text == "true" else { return }
        guard let token = root.child(named: "NextContinuationToken")?.text, !token.isEmpty else {
            throw .malformed("a listing that continues nowhere")
        }
        next = token
    }

    /// The code of an error document; `nil` for any other bytes.
    static func code(_ bytes: [UInt8]) -> String? {
        guard let root = try? XMLDocument(parsing: bytes, limits: limits).root, root.name == "Error" else { return nil }
        let code = root.child(named: "Code")?.text ?? ""
        // It becomes part of our own messages.
        return code.utf8.count <= 64 && code.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? code : nil
    }
}
