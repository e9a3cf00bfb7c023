import CLinux
import Files
import Foundation
import Glibc
import TestSupport

/// An nginx for the folder of a site: with the configuration that the export has written, or with none but the folder, as
/// any file server that gives strong entity tags.
final class SiteServer: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case configured, plain
    }

    static var isInstalled: Bool { Tool.exists("nginx") }

    struct DidNotStart: Error, CustomStringConvertible {
        let description: String
    }

    let port: UInt16
    private let folder: ScratchDirectory
    private let process = ChildProcess()

    init(_ kind: Kind, of site: String) throws {
        folder = try ScratchDirectory(in: TemporaryPlace.path)
        port = try SiteServer.freePort()
        let home = folder.path
        var server = "server { listen 127.0.0.1:\(port); root \(site)/site; }"
        if kind == .configured {
            // Ours listens where operators change it to listen.
            server = try String(contentsOfFile: "\(site)/nginx.conf", encoding: .utf8)
                .replacingOccurrences(of: "listen 8080;", with: "listen 127.0.0.1:\(port);")
        }
        try server.write(toFile: "\(home)/site.conf", atomically: true, encoding: .utf8)
        // The operator's own file, which includes ours.
        let configuration = """
            daemon off;
            master_process off;
            pid \(home)/nginx.pid;
            error_log \(home)/error.log;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path \(home)/body;
                proxy_temp_path \(home)/proxy;
                fastcgi_temp_path \(home)/fastcgi;
                uwsgi_temp_path \(home)/uwsgi;
                scgi_temp_path \(home)/scgi;
                include \(home)/site.conf;
            }
            """
        try configuration.write(toFile: "\(home)/nginx.conf", atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec nginx -e \"$0/error.log\" -p \"$0\" -c \"$0/nginx.conf\"", home]
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
        throw DidNotStart(
            description: (try? String(contentsOfFile: "\(home)/error.log", encoding: .utf8)) ?? kind.rawValue)
    }

    deinit {
        // It inherits the signal mask of the tests, which may block SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var address: String { "http://127.0.0.1:\(port)" }

    func get(_ path: String, _ fields: String = "", method: String = "GET") throws -> WireAnswer {
        let connection = try RawConnection(port: port)
        connection.send(Array("\(method) \(path) HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\(fields)\r\n".utf8))
        var reader = AnswerReader(hasEnded: false)
        while !reader.hasEnded {
            if case .bytes(let bytes) = connection.receive(upTo: 262_144) {
                reader.append(bytes)
            } else {
                reader.hasEnded = true
            }
        }
        guard case .answer(let answer) = reader.next(isHead: method == "HEAD") else {
            throw DidNotStart(description: "no answer to \(path)")
        }
        return answer
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = linux_socket(AF_INET)
        defer { close(descriptor) }
        var port: UInt16 = 0
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        // Sixteen bytes are read, one number is written.
        guard unsafe linux_bind_ip(descriptor, loopback, 1, 0) == 0, unsafe linux_local_port(descriptor, &port) == 0
        else { throw DidNotStart(description: "no port is free") }
        return port
    }
}
