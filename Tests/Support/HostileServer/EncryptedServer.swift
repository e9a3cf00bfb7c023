internal import Foundation
internal import Glibc
internal import TestSupport

/// `openssl s_server` with a certificate that it signed itself, gone with its owner.
package final class EncryptedServer {
    /// A file.
    package let certificate: String
    private let folder: URL
    private let process = ChildProcess()
    package let port: UInt16

    package init(name: String, options: [String] = []) throws {
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
        let isListening = eventually {
            guard let connection = try? RawConnection(port: port) else { return !process.isRunning }
            connection.close()
            return true
        }
        guard isListening, process.isRunning else { throw DidNotStart(output: "openssl does not listen") }
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

    package struct DidNotStart: Error {
        let output: String
    }
}
