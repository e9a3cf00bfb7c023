package import JSONText

/// What is different between two releases, as a registry tells it.
package struct ReleaseComparison: JSONDecodable, Equatable, Sendable {
    package struct File: JSONDecodable, Equatable, Sendable {
        package let path: String
        package let byteCount: Int

        package init(json: JSONCursor) throws(JSONError) {
            path = try json.require("path")
            byteCount = try json.require("size")
        }
    }

    package struct Change: JSONDecodable, Equatable, Sendable {
        package let path: String
        package let old: File
        package let new: File

        package init(json: JSONCursor) throws(JSONError) {
            path = try json.require("path")
            old = try json.require("from")
            new = try json.require("to")
        }
    }

    package let added: [File]
    package let removed: [File]
    package let changed: [Change]
    package let unchangedCount: Int
    /// What a host fetches that has the one and wants the other.
    package let transferByteCount: Int
    /// Of the archive that it would fetch otherwise.
    package let byteCount: Int

    package init(json: JSONCursor) throws(JSONError) {
        added = try json.require("added")
        removed = try json.require("removed")
        changed = try json.require("changed")
        unchangedCount = try json.require("unchanged")
        transferByteCount = try json.require("transferBytes")
        byteCount = try json.require("size")
    }
}
