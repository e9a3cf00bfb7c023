internal import Foundation
internal import Glibc
internal import Synchronization
internal import WidgetTestSupport

/// `openssl s_server` with a certificate that it signed itself, gone with its owner.
package final class EncryptedServer {
    /// A file.
    package let certificate: String
    private let folder: URL
    /// The texts of certificates and their keys that were made before, by the names of servers.
    private static let made = Mutex<[String: (certificate: Data, key: Data)]>([:])
    private let process = ChildProcess()
    private let output = Pipe()
    package let port: UInt16

    package init(name: String, options: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appending(path: "certificate.pem").path
        let key = folder.appending(path: "key.pem").path
        try EncryptedServer.certify(name, certificate, key)
        process.executableURL = URL(filePath: Tool.path(of: "openssl") ?? "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
            + options
        process.standardOutput = .pipe(output)
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        // It says where it listens: `ACCEPT 127.0.0.1:40123`.
        var text = ""
        while !text.contains(/ACCEPT .*\n/), case let more = output.fileHandleForReading.availableData, !more.isEmpty {
            text += String(decoding: more, as: UTF8.self)
        }
        guard let port = text.firstMatch(of: /ACCEPT .*:(\d+)\n/).flatMap({ UInt16($0.1) }) else {
            throw DidNotStart(output: text)
        }
        self.port = port
    }

    /// Writes a certificate and its key: those that were made for the name before, or new ones.
    private static func certify(_ name: String, _ certificate: String, _ key: String) throws {
        try made.withLock { made in
            let (certificateFile, keyFile) = (URL(filePath: certificate), URL(filePath: key))
            if let known = made[name] {
                try known.certificate.write(to: certificateFile)
                try known.key.write(to: keyFile)
                return
            }
            let result = try Tool.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                    key,
                    "-out", certificate, "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
                ])
            guard result.status == 0 else { throw DidNotStart(output: result.output) }
            made[name] = (try Data(contentsOf: certificateFile), try Data(contentsOf: keyFile))
        }
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
