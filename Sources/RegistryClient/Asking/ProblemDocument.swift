package import JSONText

/// Why a registry has said no (RFC 9457), with everything it said.
package struct ProblemDocument: Equatable, Sendable {
    package let status: Int
    /// The last part of its type, which is what programs go by.
    package let code: String
    package let title: String
    package let detail: String
    /// The whole of it; a registry may say more than is known here.
    package let document: JSONValue

    /// Larger ones are not read.
    static let byteLimit = 64 << 10

    /// `nil` when the bytes are none: proxies answer with pages of their own.
    package init?(status: Int, _ bytes: [UInt8]) {
        guard bytes.count <= ProblemDocument.byteLimit,
            let document = try? JSONValue(parsing: bytes, limits: JSONLimits(depth: 16)),
            let type = document["type"]?.string, let detail = document["detail"]?.string
        else { return nil }
        self.status = status
        code = type.split(separator: "/").last.map(String.init) ?? type
        title = document["title"]?.string ?? code
        self.detail = detail
        self.document = document
    }
}
