internal import HTTPServer
internal import HTTPWire
internal import JSONText

extension RouteDescription {
    func write(to writer: inout JSONWriter) {
        writer.member("operationId", name)
        writer.member("summary", summary)
        writeAccess(to: &writer)
        let all = pathParameterNames.compactMap(Parameter.path) + parameters
        if !all.isEmpty {
            writer.key("parameters")
            writer.array { writer in for parameter in all { parameter.write(to: &writer) } }
        }
        if let content {
            writer.key("requestBody")
            writer.object { writer in
                writer.member("required", content.isRequired)
                RouteDescription.write([content], to: &writer)
            }
        }
        writer.key("responses")
        writer.object { writer in
            for outcome in outcomes { outcome.write(to: &writer) }
            writeProblems(to: &writer)
        }
    }

    private func writeAccess(to writer: inout JSONWriter) {
        if case .scope(let scope) = access { writer.member("x-scope", scope) }
        writer.key("security")
        writer.array { writer in
            switch access {
            case .anyone: break
            case .reader:
                writer.object { _ in }
                RouteDescription.writeBearer(to: &writer)
            case .scope: RouteDescription.writeBearer(to: &writer)
            }
        }
    }

    private static func writeBearer(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("bearer")
            writer.array { _ in }
        }
    }

    /// Problems by their status, then one entry for all that can happen anywhere.
    private func writeProblems(to writer: inout JSONWriter) {
        let byStatus = Dictionary(grouping: problems, by: \.status.rawValue)
        for (status, codes) in byStatus.sorted(by: { $0.key < $1.key }) {
            writer.key(String(status))
            writer.object { writer in
                writer.member("description", codes.map(\.title).joined(separator: "; "))
                writer.key("x-problems")
                writer.array { writer in for code in codes { writer.string(code.rawValue) } }
                RouteDescription.write([Content("application/problem+json", .shape(.problem))], to: &writer)
            }
        }
        writer.key("default")
        writer.object { $0.member("$ref", "#/components/responses/Problem") }
    }

    static func write(_ contents: [Content], to writer: inout JSONWriter) {
        writer.key("content")
        writer.object { writer in
            for content in contents {
                for mediaType in content.mediaTypes {
                    writer.key(mediaType)
                    writer.object { writer in
                        guard let schema = content.schema else { return }
                        writer.key("schema")
                        schema.write(to: &writer)
                    }
                }
            }
        }
    }
}

extension Outcome {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.key(String(status.rawValue))
        writer.object { writer in
            writer.member("description", about)
            if !headers.isEmpty {
                writer.key("headers")
                writer.object { writer in
                    for header in headers {
                        writer.key(header.name)
                        writer.object { writer in
                            writer.member("description", header.about)
                            writer.key("schema")
                            Schema.text.write(to: &writer)
                        }
                    }
                }
            }
            if !contents.isEmpty { RouteDescription.write(contents, to: &writer) }
        }
    }
}

extension Parameter {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("in", place.rawValue)
            if isRequired { writer.member("required", true) }
            writer.member("description", about)
            writer.key("schema")
            schema.write(to: &writer)
        }
    }
}
