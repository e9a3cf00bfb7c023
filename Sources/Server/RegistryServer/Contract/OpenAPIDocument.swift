internal import HTTPWire
internal import JSONText
internal import RegistryContract
internal import WidgetHTTPServer

/// The contract as OpenAPI 3.1 writes it.
struct OpenAPIDocument: Sendable {
    /// By the address at which clients reach the server; empty where that is not known.
    private static let documents = PerRoot { address in
        Document.resource("application/json", bytes(of: address), .briefly)
    }

    func answer(_ request: borrowing Request) -> Answer {
        .resource(OpenAPIDocument.documents[request.publicAddress?.text ?? ""])
    }

    private static func bytes(of address: String) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 64 << 10)
        writer.object { writer in
            writer.member("openapi", "3.1.0")
            writer.key("info")
            writer.object { writer in
                writer.member("title", "Widget registry")
                writer.member("version", "1")
                writer.member(
                    "description",
                    "Publishes widget bundles and serves them by widget identifier. Names that change and bytes that never "
                        + "do have different addresses; every failure is a problem document; every write may be repeated."
                )
            }
            if !address.isEmpty {
                writer.key("servers")
                writer.array { $0.object { $0.member("url", address) } }
            }
            writer.key("paths")
            writer.object(writePaths)
            writer.key("components")
            writer.object { writer in
                writer.key("schemas")
                writer.object { writer in for document in WireDocuments.all { write(document, to: &writer) } }
                writer.key("responses")
                writer.object(writeProblemResponse)
                writer.key("securitySchemes")
                writer.object { writer in
                    writer.key("bearer")
                    writer.object { writer in
                        writer.member("type", "http")
                        writer.member("scheme", "bearer")
                        writer.member(
                            "description",
                            "A token with the scope that the route's security names; admin includes all others. It is good "
                                + "for the bundles of its prefix.")
                    }
                }
            }
        }
        return writer.finish()
    }

    private static func writePaths(to writer: inout JSONWriter) {
        var paths: [String] = []
        for route in Contract.routes where !paths.contains(route.path) { paths.append(route.path) }
        for path in paths {
            writer.key(path)
            writer.object { writer in
                for route in Contract.routes where route.path == path {
                    writer.key(route.method.name.lowercased())
                    writer.object { route.write(to: &$0) }
                }
            }
        }
    }

    private static func write(_ document: any WireDocument.Type, to writer: inout JSONWriter) {
        writer.key(document.documentName)
        writer.object { writer in
            writer.member("description", document.about)
            Schema.object(document.members, isClosed: document is any WireRequest.Type).writeKeywords(to: &writer)
            writer.key("examples")
            writer.array { $0.finished(document.exampleBytes) }
        }
    }

    private static func writeProblemResponse(to writer: inout JSONWriter) {
        writer.key("Problem")
        writer.object { writer in
            writer.member("description", "Why the request was not fulfilled.")
            RouteDescription.write(RouteDescription.problem, to: &writer)
        }
    }
}
