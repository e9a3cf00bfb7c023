package import JSONText

/// The form of a report: `detail` is the sentence with its remedy, and members for programs follow where they are known.
extension Finding: JSONDecodable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code.rawValue)
            writer.member("severity", severity.rawValue)
            writer.member("path", place?.file ?? "")
            writer.member("line", place?.line ?? 0)
            writer.member("column", place?.column ?? 0)
            writer.member("detail", detail)
            if let element = place?.path, !element.isEmpty { writer.member("element", element) }
            if let value { writer.member("value", value) }
            if let nearest { writer.member("nearest", nearest) }
            if let hint { writer.member("hint", hint) }
        }
    }

    package init(json: JSONCursor) throws(JSONError) {
        let severity: String = try json.require("severity")
        guard let severity = Severity(rawValue: severity) else {
            throw json.error(.unsuitable(expected: "a severity that is known here"))
        }
        let place = Place(
            file: try json.require("path"), line: try json.require("line"), column: try json.require("column"),
            path: try json.optional("element") ?? "")
        let hint: String? = try json.optional("hint")
        var message: String = try json.require("detail")
        if let hint, message.hasSuffix("; \(hint)") { message = String(message.dropLast(hint.count + 2)) }
        self.init(
            severity, Code(rawValue: try json.require("code")), message, at: place.isNamed ? place : nil,
            value: try json.optional("value"), nearest: try json.optional("nearest"))
        self.hint = hint
    }
}
