internal import Foundation
internal import Testing
internal import WidgetTestSupport

/// A registry elsewhere that the cases are held against, in place of a server that they start: `Tests/Contract/conformance`
/// leads a port of this machine to it.
package enum GivenRegistry {
    private static let variables = ProcessInfo.processInfo.environment

    /// The port; `nil` where cases start their servers.
    package static let port = variables["CONFORMANCE_PORT"].flatMap { UInt16($0) }
    /// The name that requests give it.
    static let host = variables["CONFORMANCE_HOST"] ?? "registry.test"
    /// A token with every right.
    static let token = variables["CONFORMANCE_TOKEN"]
    /// The beginning of identifiers: a registry that is there already has those of earlier runs.
    package static let run = port == nil ? "" : "r" + String(UInt32.random(in: 0...UInt32.max), radix: 36)

    /// The registry, if it can be read with the token; `nil` where cases start their servers.
    package static func open() throws -> Registry? {
        guard let port else { return nil }
        let registry = try Registry(at: port)
        let answer = try registry.direct("GET", "/v1/bundles?limit=1", token: Registry.adminToken)
        guard answer.status == 200 else {
            throw Registry.DidNotStart(description: "it lists no bundles: \(answer.status) \(answer.text)")
        }
        return registry
    }

    /// Leaves out a case that needs a server with other settings, or a look into it.
    package static func requireNone(_ need: String) throws {
        if port != nil { try Test.cancel(Comment(rawValue: "needs \(need)")) }
    }
}
