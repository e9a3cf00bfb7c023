package import WidgetTestSupport

extension Registry {
    package var url: String { "http://127.0.0.1:\(port)" }

    package func connect() throws -> Conversation { Conversation(try RawConnection(port: port)) }

    /// One request on a new connection. An answer that breaks a rule of all answers is an error.
    ///
    /// - Parameters:
    ///   - fields: header lines without their ends.
    ///   - token: sent as a bearer token.
    package func ask(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) throws -> WireAnswer {
        let server = try reads?.reader(of: self, method, target) ?? self
        return try server.direct(method, target, fields, body: body, token: token)
    }

    /// The same, of this server in any run.
    func direct(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) throws -> WireAnswer {
        let conversation = try connect()
        conversation.connection.send(Registry.request(method, target, fields, body: body, token: token))
        return try conversation.next(isHead: method == "HEAD")
    }

    package static func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(GivenRegistry.host)"]
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body { lines.append("Content-Length: \(body.count)") }
        lines += fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }

    package func get(_ target: String, _ fields: String..., token: String? = nil) throws -> WireAnswer {
        try ask("GET", target, fields, token: token)
    }

    package func head(_ target: String, _ fields: String..., token: String? = nil) throws -> WireAnswer {
        try ask("HEAD", target, fields, token: token)
    }

    /// A request with a JSON document, by the administrator.
    package func write(
        _ method: String, _ target: String, _ json: String? = nil, _ fields: String...,
        token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let type = json == nil ? [] : ["Content-Type: application/json"]
        return try ask(method, target, type + fields, body: json.map { Array($0.utf8) }, token: token)
    }
}

extension Registry {
    /// Posts an archive.
    package func post(
        _ archive: [UInt8], _ query: String = "", _ fields: String..., token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let target = "/v1/bundles" + (query.isEmpty ? "" : "?\(query)")
        return try ask("POST", target, ["Content-Type: application/zip"] + fields, body: archive, token: token)
    }

    /// An unexpected answer to a publication that a case depends on.
    package struct NotPublished: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Publishes a bundle that must be taken.
    @discardableResult
    package func publish(_ bundle: BundleForge, _ query: String = "") throws -> WireAnswer {
        let answer = try post(bundle.archive, query)
        guard answer.status == 201 || answer.status == 200 else {
            throw NotPublished(description: "\(bundle.identifier): \(answer.status) \(answer.text)")
        }
        return answer
    }

    /// Publishes `1.0~1`, `1.1~1` and so on.
    package func publish(_ identifier: String, releases count: Int) throws {
        for number in 0..<count { try publish(BundleForge(identifier, "1.\(number)")) }
    }

    package func resolve(_ identifier: String, _ query: String = "") throws -> WireAnswer {
        try get("/v1/widgets/\(identifier)" + (query.isEmpty ? "" : "?\(query)"))
    }

    package func release(_ identifier: String, _ key: String) throws -> WireAnswer {
        try get("/v1/bundles/\(identifier)/releases/\(key.replacing("+", with: "%2B"))")
    }

    package func channel(_ identifier: String, _ channel: String = "stable") throws -> WireAnswer {
        try get("/v1/bundles/\(identifier)/channels/\(channel)")
    }

    /// Points a channel at a release, with the tag it has now.
    package func promote(
        _ identifier: String, _ release: String, channel: String = "stable", rollout: Int = 10_000,
        mandatory: Bool = false
    ) throws -> WireAnswer {
        let tag = try self.channel(identifier, channel).value("ETag") ?? "*"
        return try write(
            "PUT", "/v1/bundles/\(identifier)/channels/\(channel)",
            "{\"release\": \"\(release)\", \"rollout\": \(rollout), \"mandatory\": \(mandatory)}", "If-Match: \(tag)")
    }

    package func rollback(_ identifier: String, channel: String = "stable", to release: String? = nil) throws
        -> WireAnswer
    {
        try write(
            "POST", "/v1/bundles/\(identifier)/channels/\(channel)/rollback",
            release.map { "{\"to\": \"\($0)\"}" })
    }

    package func withdraw(_ identifier: String, _ key: String) throws -> WireAnswer {
        try write("DELETE", "/v1/bundles/\(identifier)/releases/\(key.replacing("+", with: "%2B"))")
    }

    package func restore(_ identifier: String, _ key: String) throws -> WireAnswer {
        try write("POST", "/v1/bundles/\(identifier)/releases/\(key.replacing("+", with: "%2B"))/restore")
    }
}
