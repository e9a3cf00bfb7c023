import FoundationEssentials

/// Cuts what a server sends into answers, strictly, and keeps the bytes behind the last one.
package struct AnswerReader {
    package enum Outcome: Sendable {
        case answer(WireAnswer)
        /// Nothing is left.
        case end
        case incomplete
        case malformed(String)
    }

    package private(set) var bytes: [UInt8]
    private var position = 0
    /// True if the connection has ended after these bytes.
    package var hasEnded: Bool

    package init(_ bytes: [UInt8] = [], hasEnded: Bool) {
        self.bytes = bytes
        self.hasEnded = hasEnded
    }

    package mutating func append(_ more: [UInt8]) { bytes += more }

    package var rest: [UInt8] { Array(bytes[position...]) }

    /// - Parameter isHead: whether the answer is to a HEAD request.
    package mutating func next(isHead: Bool = false) -> Outcome {
        guard position < bytes.count else { return hasEnded ? .end : .incomplete }
        guard let headEnd = headEnd() else { return .incomplete }
        let lines = String(decoding: bytes[position..<headEnd], as: UTF8.self).components(separatedBy: "\r\n")
        guard let (status, fields) = AnswerReader.head(lines) else { return .malformed(lines.joined(separator: " | ")) }
        var answer = WireAnswer(status: status, fields: fields, body: [])
        let bodyStart = headEnd + 4
        if isHead || status == 100 || status == 204 || status == 304 {
            position = bodyStart
            return .answer(answer)
        }
        if let text = answer.value("Content-Length") {
            guard let length = Int(text) else { return .malformed("Content-Length: \(text)") }
            guard bodyStart + length <= bytes.count else { return .incomplete }
            answer.body = Array(bytes[bodyStart..<(bodyStart + length)])
            position = bodyStart + length
        } else if answer.value("Transfer-Encoding") == "chunked" {
            switch chunks(from: bodyStart) {
            case nil: return .incomplete
            case (let body, let end)?:
                answer.body = body
                position = end
            }
        } else {
            guard hasEnded else { return .incomplete }
            answer.body = Array(bytes[bodyStart...])
            answer.isUntilEnd = true
            position = bytes.count
        }
        return .answer(answer)
    }

    private func headEnd() -> Int? {
        guard bytes.count - position >= 4 else { return nil }
        return (position...(bytes.count - 4)).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }

    private static func head(_ lines: [String]) -> (Int, [(name: String, value: String)])? {
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)),
            first.dropFirst(12).first == " ", first.utf8.count > 13
        else { return nil }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...]
            guard !name.isEmpty, value.first == " ", !name.contains(" "),
                !line.utf8.contains(where: { $0 < 32 || $0 > 126 })
            else { return nil }
            fields.append((name, String(value.dropFirst())))
        }
        return (status, fields)
    }

    /// - Returns: `nil` while the last chunk is not there.
    private func chunks(from start: Int) -> ([UInt8], Int)? {
        var body: [UInt8] = []
        var at = start
        while true {
            guard let lineEnd = bytes[at...].indices.first(where: { bytes[$0] == 13 }), lineEnd + 1 < bytes.count,
                let size = Int(String(decoding: bytes[at..<lineEnd], as: UTF8.self), radix: 16),
                lineEnd + 2 + size + 2 <= bytes.count
            else { return nil }
            body += bytes[(lineEnd + 2)..<(lineEnd + 2 + size)]
            at = lineEnd + 2 + size + 2
            if size == 0 { return (body, at) }
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

/// One answer, taken apart by a reader that forgives nothing.
package struct WireAnswer: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// True if the answer ended only with the connection.
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
            "a field is given twice: \(fields.map(\.name))")
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
        } else if status >= 400, !isHead, value("Content-Type") == "text/html; charset=utf-8" {
            // For who looks at a page.
            require(text.hasPrefix("<!DOCTYPE html>") && text.contains("<p"), "no problem on a page: \(text)")
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
