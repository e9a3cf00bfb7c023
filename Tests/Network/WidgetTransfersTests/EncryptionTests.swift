import HostileServer
import Testing
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: only servers that prove their identity are trusted. Method: OpenSSL's own little server, with certificates
/// made by the tests.
@Suite(.enabled(if: Shell.has("openssl"), "needs openssl")) struct `An encrypted exchange` {
    @Test func `An encrypted exchange with an unknown server is refused`() async throws {
        let server = try EncryptedServer(name: "localhost")
        #expect(await server.reason(CurlTransport(), host: "localhost") == .tls)
    }

    @Test func `An encrypted exchange works with a server that an authority vouches for`() async throws {
        let server = try EncryptedServer(name: "localhost")
        #expect(await server.reason(CurlTransport(authorities: server.certificate), host: "localhost") == nil)
    }

    @Test func `An encrypted exchange with a server of another name is refused`() async throws {
        let server = try EncryptedServer(name: "other.test")
        #expect(await server.reason(CurlTransport(authorities: server.certificate), host: "localhost") == .tls)
    }

    @Test func `An encrypted exchange over TLS 1.1 is refused`() async throws {
        let server = try EncryptedServer(name: "localhost", options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        #expect(await server.reason(CurlTransport(authorities: server.certificate), host: "localhost") == .tls)
    }
}

extension EncryptedServer {
    fileprivate func reason(_ transport: CurlTransport, host: String) async -> TransferError.Reason? {
        let port = port
        return await Setting.reason { () async throws(TransferError) in
            var request = TransferRequest(.get, try TransferURL("https://\(host):\(port)/"))
            request.retries = .never
            request.limits.stall = .seconds(10)
            return try await TransferClient(transport: transport).send(request).body.collect()
        }
    }
}
