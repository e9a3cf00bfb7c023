package import JSONText

/// Part of a list, as a registry tells it.
package struct RegistryPage<Item: JSONDecodable & Sendable>: JSONDecodable, Sendable {
    package let items: [Item]
    /// Where the rest begins.
    package let next: String?

    package init(json: JSONCursor) throws(JSONError) {
        items = try json.require("items")
        next = try json.optional("next")
    }
}
