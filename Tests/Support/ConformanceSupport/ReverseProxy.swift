internal import Foundation
internal import TestSupport

/// An nginx in front of a registry, as an operator would put it there, without any privilege.
package final class ReverseProxy: Sendable {
    package static var isInstalled: Bool { Nginx.isInstalled }

    private let home: Home
    private let nginx: Nginx

    package init(to registry: Registry) throws {
        home = try Home()
        nginx = try Nginx(in: home.folder.path) { place in
            """
            # The registry limits uploads itself.
            client_max_body_size 0;
            server {
                listen \(place);
                location / {
                    proxy_pass http://127.0.0.1:\(registry.port);
                    proxy_http_version 1.1;
                    proxy_set_header Host $host;
                    proxy_set_header Connection "";
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    proxy_request_buffering off;
                }
            }
            """
        }
        HomeWatch.add(nginx.processIdentifier)
    }

    deinit { HomeWatch.remove(nginx.processIdentifier) }

    package var port: UInt16 { nginx.port }

    package var url: String { "http://127.0.0.1:\(port)" }
}
