import Foundation
import Glibc
import HostileServer
import TestSupport
import Testing

@testable import Transfers

/// Goal: only servers that prove their identity are trusted. Method: OpenSSL's own little server, with certificates
/// made by the tests.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Shell.has("openssl"))) struct `An encrypted exchange` {
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

/// `openssl s_server`, gone with its owner.
private final class EncryptedServer {
    let certificate: String
    private let folder: URL
    private let process = ChildProcess()
    private let port: UInt16

    init(name: String, options: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appending(path: "certificate.pem").path
        let key = folder.appending(path: "key.pem").path
        let made = Shell.run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout '\(key)' "
                + "-out '\(certificate)' -days 2 -subj /CN=\(name) -addext subjectAltName=DNS:\(name) 2>&1")
        guard made.status == 0 else { throw DidNotStart(output: made.output) }
        port = try EncryptedServer.freePort()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key, "-www"]
            + options
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        for _ in 0..<1_000 {
            if let connection = try? RawConnection(port: port) {
                connection.close()
                return
            }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        throw DidNotStart(output: "openssl does not listen")
    }

    /// A port without a listener.
    private static func freePort() throws -> UInt16 {
        let server = try HostileServer { _ in }
        server.stop()
        return server.port
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    struct DidNotStart: Error {
        let output: String
    }

    func reason(_ transport: CurlTransport, host: String) async -> TransferError.Reason? {
        let port = port
        return await Setting.reason { () async throws(TransferError) in
            var request = TransferRequest(.get, try TransferURL("https://\(host):\(port)/"))
            request.retries = .never
            request.limits.stall = .seconds(10)
            return try await TransferClient(transport: transport).send(request).body.collect()
        }
    }
}
