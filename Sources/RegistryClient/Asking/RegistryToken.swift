package import JSONText

/// A token, as a registry tells of it.
package struct RegistryToken: JSONDecodable, Equatable, Sendable {
    package let name: String
    /// Empty for all bundles.
    package let prefix: String
    package let scopes: [String]
    package let created: String
    package let expires: String?
    package let lastUsed: String?
    /// The token itself, told once, when it is made.
    package let secret: String?

    package init(json: JSONCursor) throws(JSONError) {
        name = try json.require("name")
        prefix = try json.require("prefix")
        scopes = try json.require("scopes")
        created = try json.require("created")
        expires = try json.optional("expires")
        lastUsed = try json.optional("lastUsed")
        secret = try json.optional("token")
    }
}
