internal import Foundation
internal import Glibc
internal import Synchronization
internal import WidgetTestSupport

/// A mirror that answers reads in its origin's place. `WIDGETD_READS=mirror` asks for it: the promises about reading then hold
/// of a mirror. `Tests/Cluster/mirror-reads` runs those suites.
final class MirroredReads: Sendable {
    private static let isWanted = ProcessInfo.processInfo.environment["WIDGETD_READS"] == "mirror"
    private static let feed = "/v1/changes?limit=1000"

    private let environment: [String: String]
    private let mirror = Mutex<Registry?>(nil)

    /// - Parameter environment: the settings of the origin, which the mirror gets, too.
    /// - Returns: `nil` in ordinary runs, and for a server that is a mirror itself.
    init?(_ program: String, _ environment: [String: String]) {
        guard MirroredReads.isWanted, program == "widgetd" else { return nil }
        self.environment = environment
    }

    /// The server to ask: the mirror, once it has what its origin has, or `nil` for what is each server's own.
    func reader(of origin: Registry, _ method: String, _ target: String) throws -> Registry? {
        let own = [
            "/v1/tokens", "/v1/audit", "/manage", "/sign-", "/readyz", "/livez", "/metrics", "/.well-known", "/docs",
        ]
        guard method == "GET" || method == "HEAD", !own.contains(where: target.hasPrefix) else { return nil }
        let reader = try mirror.withLock { mirror in
            if let mirror { return mirror }
            let settings = ["WIDGETD_MIRROR_TOKEN": Registry.adminToken, "WIDGETD_MIRROR_INTERVAL": "100ms"]
            let made = try Registry(
                environment.merging(settings) { $1 }, arguments: ["--mirror", origin.url], program: "widgetd-cluster")
            mirror = made
            return made
        }
        // The origin first, each time: other tests may publish there meanwhile.
        guard
            try eventually({
                let expected = try origin.direct("GET", MirroredReads.feed, token: Registry.adminToken).text
                return try reader.direct("GET", MirroredReads.feed, token: Registry.adminToken).text == expected
            })
        else { throw Registry.DidNotStart(description: "the mirror does not follow: \(reader.log)") }
        return reader
    }
}
