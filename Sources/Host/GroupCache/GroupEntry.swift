package import JSONText
package import WidgetBytes

/// A value in a group's cache, with the times and validators that belong to it. Times are in seconds, by one clock that
/// all processes of the group share, such as seconds since 1970.
package struct GroupEntry: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case json(JSONValue)
        /// Bytes in a file: an image or an archive.
        case blob(Digest, byteCount: Int)
    }

    /// The version of the files' form. Entries of another version belong to a newer program: they are misses, and stay.
    static let schema: Int64 = 1

    package var content: Content
    package var etag: String?
    package var lastModified: String?
    package var storedAt: Double
    /// The moment at which the value stops being fresh; `nil`: it does not expire.
    package var expires: Double?
    /// The time of the value at its source. An older value never replaces a newer one.
    package var upstream: Double?
    /// The process or instance that stored it.
    package var writer: String

    package init(
        _ content: Content, storedAt: Double, timeToLive: Double? = nil, upstream: Double? = nil, etag: String? = nil,
        lastModified: String? = nil, writer: String = ""
    ) {
        self.content = content
        self.storedAt = storedAt
        expires = timeToLive.map { storedAt + max(0, $0) }
        self.upstream = upstream
        self.etag = etag
        self.lastModified = lastModified
        self.writer = writer
    }

    /// The JSON value; `nil` for a blob.
    package var json: JSONValue? {
        if case .json(let value) = content { value } else { nil }
    }

    /// True if the value may be shown without asking its source. An entry of the future is not fresh: the clock that
    /// stamped it is wrong.
    package func isFresh(at moment: Double) -> Bool {
        guard storedAt <= moment else { return false }
        return expires.map { moment < $0 } ?? true
    }

    package func age(at moment: Double) -> Double { max(0, moment - storedAt) }

    package static func == (left: GroupEntry, right: GroupEntry) -> Bool {
        left.document(of: nil) == right.document(of: nil)
    }
}

// MARK: - Files

extension GroupEntry {
    /// The bytes of its file.
    func document(of key: GroupKey?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch content {
            case .json(let value): writer.member("value", value)
            case .blob(let digest, let byteCount):
                writer.member("blob", digest.hex)
                writer.member("byteCount", byteCount)
            }
            if let etag { writer.member("etag", etag) }
            if let expires { writer.member("expires", expires) }
            if let key { writer.member("key", key.name) }
            if let lastModified { writer.member("lastModified", lastModified) }
            writer.member("schema", GroupEntry.schema)
            writer.member("storedAt", storedAt)
            if let upstream { writer.member("upstream", upstream) }
            if let widget = key?.widget { writer.member("widget", widget) }
            if !self.writer.isEmpty { writer.member("writer", self.writer) }
        }
        return writer.finish()
    }

    /// Reads the bytes of a file.
    ///
    /// - Returns: `nil` for an entry of another version.
    /// - Throws: the reason why it is not an entry of the key.
    init?(reading bytes: [UInt8], of key: GroupKey?, limits: GroupCacheLimits) throws(JSONError) {
        let cursor = try JSONDocument(parsing: bytes, limits: limits.json, root: .container).cursor
        guard try cursor.require("schema", as: Int64.self) == GroupEntry.schema else { return nil }
        if let key {
            guard try cursor.require("key", as: String.self).hasBytes(of: key.name),
                (try cursor.optional("widget", as: String.self) ?? "").hasBytes(of: key.widget ?? "")
            else { throw cursor.error(.unsuitable(expected: "the key that the file is named after")) }
        }
        storedAt = try cursor.require("storedAt")
        expires = try cursor.optional("expires")
        upstream = try cursor.optional("upstream")
        etag = try cursor.optional("etag")
        lastModified = try cursor.optional("lastModified")
        writer = try cursor.optional("writer") ?? ""
        if let blob = try cursor.optional("blob", as: String.self) {
            let byteCount: Int64 = try cursor.require("byteCount")
            guard let digest = Digest(hex: blob), 0...Int64(limits.blobByteCount) ~= byteCount else {
                throw cursor.error(.unsuitable(expected: "the digest and size of bytes that can be here"))
            }
            content = .blob(digest, byteCount: Int(byteCount))
        } else {
            guard let value = try cursor.member("value") else { throw cursor.error(.missingMember("value")) }
            content = .json(value.value)
        }
    }

    /// Checks that its parts are within the limits, so that every reader takes it.
    func checked(as key: GroupKey, limits: GroupCacheLimits) throws(GroupCacheError) -> [UInt8] {
        for (what, text) in [
            ("the entity tag", etag), ("the date of modification", lastModified), ("the writer", writer),
        ] {
            guard text?.utf8.count ?? 0 <= GroupCacheLimits.noteByteCount else {
                throw .tooLong(what, limit: GroupCacheLimits.noteByteCount)
            }
        }
        let bytes = document(of: key)
        guard bytes.count <= limits.entryByteCount else {
            throw .valueTooLarge(byteCount: bytes.count, limit: limits.entryByteCount)
        }
        _ = try rethrowing(try GroupEntry(reading: bytes, of: key, limits: limits), as: GroupCacheError.unreadableValue)
        return bytes
    }
}
