internal import CLinux
internal import Foundation
internal import Glibc
internal import TestSupport

/// An nginx in front of a registry, as an operator would put it there, without any privilege.
package final class ReverseProxy: Sendable {
    package static var isInstalled: Bool { Shell.has("nginx") }

    package struct DidNotStart: Error, CustomStringConvertible {
        package let description: String
    }

    /// The lines of a proxy's location by which it differs from others.
    package struct Way: Sendable {
        /// The value of `Host`; `nil` if the line is forgotten, and nginx sends its own name for the server.
        package var host: String? = "$http_host"
        /// The path below which the registry lies, as `/registry`.
        package var path = ""
        /// True if the path is taken away from requests.
        package var removesPath = false
        /// The value of `X-Forwarded-Proto`.
        package var scheme: String?

        package init() {}

        fileprivate func location(of port: UInt16) -> String {
            let slash = removesPath ? "/" : ""
            let lines = [
                host.map { "proxy_set_header Host \($0);" }, scheme.map { "proxy_set_header X-Forwarded-Proto \($0);" },
            ]
            return """
                location \(path)/ {
                    proxy_pass http://127.0.0.1:\(port)\(slash);
                    proxy_http_version 1.1;
                    \(lines.compactMap(\.self).joined(separator: " "))
                    proxy_set_header Connection "";
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    proxy_request_buffering off;
                }
                """
        }
    }

    package let port: UInt16
    private let home: Home
    private let process = ChildProcess()

    /// - Parameter port: a free port; `nil` to look for one.
    package init(to registry: Registry, by way: Way = Way(), at port: UInt16? = nil) throws {
        home = try Home()
        self.port = try port ?? ReverseProxy.freePort()
        let folder = home.folder.path
        let configuration = """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                # The registry limits uploads itself.
                client_max_body_size 0;
                server {
                    listen 127.0.0.1:\(self.port);
                    \(way.location(of: registry.port))
                }
            }
            """
        let file = try home.file("nginx.conf", Array(configuration.utf8))
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec nginx -e \"$0/error.log\" -p \"$0\" -c \"$1\"", folder, file]
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        HomeWatch.add(process.processIdentifier)
        for _ in 0..<1_000 {
            if let connection = try? RawConnection(port: self.port) {
                connection.close()
                return
            }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        throw DidNotStart(description: (try? String(contentsOfFile: "\(folder)/error.log", encoding: .utf8)) ?? "")
    }

    deinit {
        // nginx inherits the signal mask of the tests, which may block SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        HomeWatch.remove(process.processIdentifier)
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// A free port of loopback.
    package static func freePort() throws -> UInt16 {
        let descriptor = linux_socket(AF_INET)
        defer { close(descriptor) }
        var port: UInt16 = 0
        var loopback = [UInt8](repeating: 0, count: 16)
        loopback.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
        // Sixteen bytes are read, one number is written.
        guard unsafe linux_bind_ip(descriptor, loopback, 1, 0) == 0, unsafe linux_local_port(descriptor, &port) == 0
        else { throw DidNotStart(description: "there is no free port") }
        return port
    }
}
