internal import Foundation
package import WidgetTestSupport

/// An nginx in front of a registry, as an operator would put it there, without any privilege.
package final class ReverseProxy: Sendable {
    package static var isInstalled: Bool { Nginx.isInstalled }

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

    private let home: Home
    private let nginx: Nginx

    /// - Parameter port: the one that it listens on; `nil` for any.
    package init(to registry: Registry, by way: Way = Way(), on port: HeldPort? = nil) throws {
        home = try Home()
        nginx = try Nginx(in: home.folder.path, on: port) { place in
            """
            # The registry limits uploads itself.
            client_max_body_size 0;
            server {
                listen \(place);
                \(way.location(of: registry.port))
            }
            """
        }
        HomeWatch.add(nginx.processIdentifier)
    }

    deinit { HomeWatch.remove(nginx.processIdentifier) }

    package var port: UInt16 { nginx.port }

    package var url: String { "http://127.0.0.1:\(port)" }
}
