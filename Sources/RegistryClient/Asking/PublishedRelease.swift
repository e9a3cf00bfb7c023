package import JSONText

/// A release, as a registry tells of it.
package struct PublishedRelease: JSONDecodable, Equatable, Sendable {
    package let bundleIdentifier: String
    package let key: String
    package let name: String
    package let digest: String
    package let contentDigest: String
    package let byteCount: Int
    package let published: String
    package let publishedBy: String
    package let channels: [String]
    package let withdrawal: Withdrawal?
    /// Whether publishing made it; `nil` where it was not published just now.
    package let isChanged: Bool?

    package init(json: JSONCursor) throws(JSONError) {
        bundleIdentifier = try json.require("bundleIdentifier")
        key = try json.require("release")
        name = try json.require("name")
        digest = try json.require("sha256")
        contentDigest = try json.require("content")
        byteCount = try json.require("size")
        published = try json.require("published")
        publishedBy = try json.require("publishedBy")
        channels = try json.require("channels")
        withdrawal = try json.optional("withdrawn")
        isChanged = try json.optional("changed")
    }

    package struct Withdrawal: JSONDecodable, Equatable, Sendable {
        package let at: String
        package let reason: String

        package init(json: JSONCursor) throws(JSONError) {
            at = try json.require("at")
            reason = try json.require("reason")
        }
    }
}
