package import JSONText

/// What a registry says of itself at its well-known address.
package struct RegistryFacts: JSONDecodable, Sendable {
    package static let path = "/.well-known/widget-registry"

    /// The versions of the contract that it keeps.
    package let versions: [String]
    /// Program and version.
    package let server: String
    /// Its clock, to the second.
    package let time: String
    package let limits: [(name: String, value: Int)]
    package let keptFiles: [String]
    package let snapshotChannels: [String]
    /// `public` or `token`.
    package let reads: String

    package init(json: JSONCursor) throws(JSONError) {
        versions = try json.require("api")
        server = try json.require("server")
        time = try json.require("time")
        var limits: [(name: String, value: Int)] = []
        for (name, value) in try json.member("limits")?.members() ?? [] {
            // Limits that are no numbers are not known here.
            if let number = value.value.integer.flatMap({ Int(exactly: $0) }) { limits.append((name, number)) }
        }
        self.limits = limits
        let policy = try json.require("policy", as: JSONValue.self)
        keptFiles = policy["kept"]?.array?.compactMap(\.string) ?? []
        snapshotChannels = policy["snapshotChannels"]?.array?.compactMap(\.string) ?? []
        reads = try json.require("reads")
    }
}
