package import HTTPWire
internal import JSONText
internal import WidgetBytes

/// A failure as it is explained to a client (RFC 9457).
package struct Problem: Error, Sendable {
    /// Stable and never reused; the last part of `type`.
    package var code: String
    /// The same for every problem with this code.
    package var title: String
    package var status: Status
    /// The occurrence, and the client's next step.
    package var detail: String
    /// Further members, in the order they are to be written.
    package var members: [Member] = []
    /// Header fields that belong to the status, such as Allow or Retry-After.
    package var fields = FieldBlock()
    /// The reason for the log, which the client does not see.
    package var reason: String?

    package struct Member: Sendable {
        package enum Value: Sendable {
            case text(String)
            case number(Int)
            case errors([Cause])
            /// A finished JSON value.
            case document([UInt8])
        }

        /// One of several things that are wrong.
        package struct Cause: Sendable {
            package var code: String
            package var path: String?
            package var detail: String

            package init(code: String, path: String? = nil, detail: String) {
                self.code = code
                self.path = path
                self.detail = detail
            }
        }

        package var name: String
        package var value: Value

        package init(_ name: String, _ text: String) {
            self.name = name
            value = .text(text)
        }

        package init(_ name: String, _ number: Int) {
            self.name = name
            value = .number(number)
        }

        package init(_ name: String, _ errors: [Cause]) {
            self.name = name
            value = .errors(errors)
        }

        package init(_ name: String, document: [UInt8]) {
            self.name = name
            value = .document(document)
        }

        func write(to writer: inout JSONWriter) {
            switch value {
            case .text(let text): writer.member(name, text)
            case .number(let number): writer.member(name, number)
            case .document(let bytes):
                writer.key(name)
                writer.finished(bytes)
            case .errors(let causes):
                writer.key(name)
                writer.array { writer in
                    for cause in causes {
                        writer.object { writer in
                            writer.member("code", cause.code)
                            if let path = cause.path { writer.member("path", path) }
                            writer.member("detail", cause.detail)
                        }
                    }
                }
            }
        }
    }

    package init(code: String, title: String, status: Status, detail: String, members: [Member] = []) {
        self.code = code
        self.title = title
        self.status = status
        self.detail = detail
        self.members = members
    }

    /// The document; `instance` is the request's identifier, which the log has too.
    func document(instance: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", "/problems/\(code)")
            writer.member("title", title)
            writer.member("status", status.rawValue)
            writer.member("detail", detail)
            writer.member("instance", instance)
            for member in members { member.write(to: &writer) }
        }
        return writer.finish()
    }

    /// The same for a person at a terminal: one line for what happened, one for each of its causes, and one for what a
    /// report of it should say.
    func text(instance: String) -> [UInt8] {
        var lines = ["error: \(title): \(detail)"]
        var facts = [code, "status \(status.rawValue)", "request \(instance)"]
        for member in members {
            switch member.value {
            case .text(let text): facts.append("\(member.name) \(text)")
            case .number(let number): facts.append("\(member.name) \(number)")
            // For programs alone.
            case .document: break
            case .errors(let causes):
                for cause in causes {
                    lines.append("  \(cause.path.map { "\($0): " } ?? "")\(cause.detail) [\(cause.code)]")
                }
            }
        }
        lines.append("for reports: \(facts.joined(separator: ", "))")
        return Array(lines.map { ShownText.plain($0) + "\n" }.joined().utf8)
    }

    func response(instance: String, asText: Bool = false) -> Response {
        var block = FieldBlock([
            "Content-Type": asText ? "text/plain; charset=utf-8" : "application/problem+json",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Access-Control-Allow-Origin": "*",
        ])
        block.add(fields)
        return Response(status, fields: block, body: asText ? text(instance: instance) : document(instance: instance))
    }
}
