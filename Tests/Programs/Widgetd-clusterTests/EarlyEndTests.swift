import ConformanceSupport
import Dispatch
import Foundation
import PostgresPeer
import Testing
import WidgetTestSupport

/// Goal: a program ends cleanly beside threads that use what an exit handler would free. Method: starts that are refused
/// while connections to a real PostgreSQL prove a password, which OpenSSL computes; some hundred times.
@Suite(.part(.cluster))
struct `An end beside connections that are being made` {
    private static let starts = 300

    @Test func `A replica that is refused its directory says so every time, and never crashes`() throws {
        let socket = "import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])"
        let port = Shell.run("python3 -c '\(socket)'").output.filter(\.isNumber)
        let peer = try PostgresPeer(["PG_PORT": port])
        let settings = [
            "WIDGETD_CATALOG_URL": "postgres://widgetd@127.0.0.1:\(port)/widgetd",
            "WIDGETD_CATALOG_PASSWORD": try #require(peer.words["PG_PASSWORD"]),
            // A store that nothing is asked of.
            "WIDGETD_BLOBS_URL": "s3://widgets/none?endpoint=http://127.0.0.1:9",
            "WIDGETD_BLOBS_KEY": "aws_access_key_id = a\naws_secret_access_key = b\n",
        ]
        let first = try Registry(settings, program: "widgetd-cluster")
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", first.home.data.path]
        let ends = Observed<[String: Int]>([:])
        DispatchQueue.concurrentPerform(iterations: Self.starts) { _ in
            let result = try? BuiltProgram("widgetd-cluster").run(arguments, environment: settings)
            let isRefused = result?.error.contains("is in use by another replica") ?? false
            ends.withLock { $0["\(result?.exitCode ?? -1) \(isRefused)", default: 0] += 1 }
        }
        #expect(ends.withLock { $0 } == ["1 true": Self.starts])
    }
}
