package import JSONText

/// A bundle, as a registry tells of it.
package struct PublishedBundle: JSONDecodable, Equatable, Sendable {
    package let identifier: String
    package let name: String
    /// The key of the highest release that is not withdrawn.
    package let latest: String?
    package let releaseCount: Int
    package let channels: [PublishedChannel]

    package init(json: JSONCursor) throws(JSONError) {
        identifier = try json.require("bundleIdentifier")
        name = try json.require("name")
        latest = try json.optional("latest")
        releaseCount = try json.require("releases")
        channels = try json.require("channels")
    }
}

/// A channel of a bundle, as a registry tells of it.
package struct PublishedChannel: JSONDecodable, Equatable, Sendable {
    package let name: String
    package let release: String
    /// In basis points.
    package let rollout: Int
    /// What those have who are not reached yet.
    package let base: String?
    package let isMandatory: Bool
    package let sequence: Int

    package init(json: JSONCursor) throws(JSONError) {
        name = try json.require("channel")
        release = try json.require("release")
        rollout = try json.require("rollout")
        base = try json.optional("base")
        isMandatory = try json.require("mandatory")
        sequence = try json.require("sequence")
    }
}
