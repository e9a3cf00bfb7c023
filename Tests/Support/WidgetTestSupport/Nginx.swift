internal import Foundation
internal import Glibc

/// An nginx on a port of loopback, without any privilege.
package final class Nginx: Sendable {
    package struct DidNotStart: Error, CustomStringConvertible {
        package let description: String
    }

    package static var isInstalled: Bool { Tool.exists("nginx") }

    private let held: HeldPort
    private let process = ChildProcess()

    /// Starts it, and returns once it listens.
    ///
    /// - Parameters:
    ///   - home: a folder for its files.
    ///   - port: the one that it listens on; `nil` for any.
    ///   - server: the lines of the configuration that say how to serve, for what to put behind `listen`.
    package init(in home: String, on port: HeldPort? = nil, server: (String) throws -> String) throws {
        held = try port ?? HeldPort()
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
                \(try server("127.0.0.1:\(held.number) reuseport"))
            }
            """
        try configuration.write(toFile: "\(home)/nginx.conf", atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: Tool.path(of: "nginx") ?? "/usr/sbin/nginx")
        process.arguments = ["-e", "\(home)/error.log", "-p", home, "-c", "\(home)/nginx.conf"]
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        // The file is written when it listens. One that cannot start writes its reason.
        guard folder(home, reaches: { $0.contains("nginx.pid") || !process.isRunning }), process.isRunning else {
            let reason = try? String(contentsOfFile: "\(home)/error.log", encoding: .utf8)
            throw DidNotStart(description: reason ?? "nginx did not start")
        }
    }

    package var port: UInt16 { held.number }

    /// The number of its process.
    package var processIdentifier: Int32 { process.processIdentifier }

    deinit {
        // It inherits the signal mask of the tests, which may block SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
