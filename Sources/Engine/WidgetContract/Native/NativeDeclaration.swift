package import JSONText

/// A widget that is written in Swift, as it describes itself before its first turn.
package struct NativeDeclaration: Equatable, Sendable {
    /// A closure, by the name under which actions call it.
    package struct Handler: Equatable, Sendable {
        package var name: String
        /// The place of the closure in the widget, for people: "onTap of the button Add".
        package var what: String
        package var file: String?
        package var line: Int?

        package init(_ name: String, what: String, file: String? = nil, line: Int? = nil) {
            self.name = name
            self.what = what
            self.file = file
            self.line = line
        }
    }

    package var identifier: String
    /// The name of the first document.
    package var first: String
    package var documents: [NativeNamedValue]
    package var handlers: [Handler]
    package var faults: [NativeRemark]

    package init(
        _ identifier: String, first: String, documents: [NativeNamedValue], handlers: [Handler] = [],
        faults: [NativeRemark] = []
    ) {
        self.identifier = identifier
        self.first = first
        self.documents = documents
        self.handlers = handlers
        self.faults = faults
    }

    /// The most handlers of a widget.
    package static let handlerLimit = 20_000

    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("identifier", identifier)
            writer.member("first", first)
            writer.members("documents", documents)
            writer.key("handlers")
            writer.array { writer in for handler in handlers { handler.write(to: &writer) } }
            writer.key("faults")
            writer.array { writer in for fault in faults { fault.write(to: &writer) } }
        }
    }
}

extension NativeDeclaration: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let members = try StrictMembers(json, "identifier", "first", "documents", "handlers", "faults")
        self.init(
            try members.name("identifier"), first: try members.name("first"),
            documents: try members.values("documents", upTo: NativeReply.documentLimit),
            handlers: try members.list("handlers", upTo: NativeDeclaration.handlerLimit),
            faults: try members.list("faults", upTo: NativeReply.remarkLimit))
        guard documents.contains(where: { $0.name == first }) else {
            throw json.error(.unsuitable(expected: "documents with the first one, \(first)"))
        }
    }
}

extension NativeDeclaration.Handler: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let members = try StrictMembers(json, "handler", "what", "file", "line")
        self.init(
            try members.name("handler"), what: try json.require("what"), file: try json.optional("file"),
            line: try json.optional("line"))
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("handler", name)
            writer.member("what", what)
            if let file { writer.member("file", file) }
            if let line { writer.member("line", line) }
        }
    }
}
