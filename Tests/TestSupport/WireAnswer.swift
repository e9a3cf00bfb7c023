import FoundationEssentials

/// One answer, taken apart by a reader that forgives nothing.
package struct WireAnswer: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether the answer ended only with the connection.
    package var isUntilEnd = false

    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    package func value(_ name: String) -> String? { values(name).first }
    package var text: String { String(decoding: body, as: UTF8.self) }
    package var closes: Bool { values("Connection").contains("close") }
    /// The code of the problem it tells of.
    package var problemCode: String? { problem.map { String($0.type.dropFirst("/problems/".count)) } }

    private struct ProblemDocument: Decodable {
        var type: String
        var title: String
        var status: Int
        var detail: String
        var instance: String
    }

    private var problem: ProblemDocument? {
        guard value("Content-Type") == "application/problem+json" else { return nil }
        return try? JSONDecoder().decode(ProblemDocument.self, from: Data(body))
    }

    /// Everything about this answer that breaks a rule all answers keep.
    package func complaints(isHead: Bool = false) -> [String] {
        guard status != 100 else { return fields.isEmpty && body.isEmpty ? [] : ["100 Continue with fields or a body"] }
        var complaints: [String] = []
        func require(_ holds: Bool, _ complaint: String) { if !holds { complaints.append("\(status): \(complaint)") } }
        require(
            values("Date").count == 1 && values("Date")[0].count == 29 && values("Date")[0].hasSuffix(" GMT"),
            "no proper Date")
        require(values("Server") == ["widgetd"], "Server is \(values("Server"))")
        require(
            values("Request-Id").count == 1 && (8...128).contains(values("Request-Id")[0].utf8.count),
            "no proper Request-Id")
        require(
            Set(fields.map { $0.name.lowercased() }).count == fields.count,
            "a field stands twice: \(fields.map(\.name))")
        let isBodiless = status == 204 || status == 304
        let lengths = values("Content-Length")
        let isChunked = values("Transfer-Encoding") == ["chunked"]
        require(!isBodiless || (lengths.isEmpty && !isChunked && body.isEmpty), "a body where none can be")
        require(isBodiless || isUntilEnd || (lengths.count == 1) != isChunked, "not framed in exactly one way")
        require(!isUntilEnd || closes, "a body without end on a connection that stays")
        if status >= 400, !isHead, value("Content-Type") == "text/plain; charset=utf-8" {
            // Asked for, by who reads it.
            require(text.hasPrefix("error: "), "no problem in words: \(text)")
            require(text.contains("request \(value("Request-Id") ?? "")"), "the request is not named: \(text)")
        } else if status >= 400, !isHead {
            require(problem != nil, "no problem document: \(text)")
            require(problem?.status == status, "the problem names another status")
            require(problem?.type.hasPrefix("/problems/") == true, "the problem's type is \(problem?.type ?? "")")
            require(problem?.instance == value("Request-Id"), "the instance is not the Request-Id")
            require(problem?.title.isEmpty == false && problem?.detail.isEmpty == false, "nothing is explained")
        }
        require(status != 405 || value("Allow")?.contains("OPTIONS") == true, "no Allow")
        require(status != 503 || value("Retry-After") != nil, "no Retry-After")
        require(status != 416 || value("Content-Range")?.hasPrefix("bytes */") == true, "no Content-Range")
        return complaints
    }
}
