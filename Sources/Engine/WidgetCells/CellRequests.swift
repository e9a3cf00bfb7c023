internal import JSONText
internal import Predicates
internal import WidgetCore
internal import WidgetHosting
internal import WidgetRunning

/// Requests of widgets and their outcomes, as the messages between a host and a cell have them.
enum CellRequests {
    private static let partCount = 100
    private static let headerCount = 200

    static func write(_ request: ServiceRequest, to json: inout JSONWriter) {
        json.member("method", request.method)
        json.member("url", request.url)
        json.member("isKeyed", request.isKeyed)
        if let compression = request.compression { json.member("compression", compression) }
        json.member("bytes", request.body.count)
        json.key("headers")
        json.array { json in
            for header in request.headers {
                json.array { json in
                    json.string(header.name)
                    json.string(header.value)
                }
            }
        }
        json.key("parts")
        json.array { json in
            for part in request.parts {
                json.object { json in
                    json.member("name", part.name)
                    json.member("bytes", part.bytes.count)
                    if let type = part.contentType { json.member("type", type) }
                    if let name = part.fileName { json.member("file", name) }
                    if let compression = part.compression { json.member("compression", compression) }
                }
            }
        }
    }

    static func body(of request: ServiceRequest) -> [UInt8] { request.body + request.parts.flatMap(\.bytes) }

    /// - Returns: `nil` for a message that no cell of ours sends.
    static func request(_ message: CellMessage) -> ServiceRequest? {
        guard let method = message.text("method"), let url = message.text("url"), let count = message.integer("bytes"),
            0...message.body.count ~= count, let headers = message.head["headers"]?.array,
            let parts = message.head["parts"]?.array, headers.count <= headerCount, parts.count <= partCount
        else { return nil }
        var request = ServiceRequest(
            method: method, url: url, headers: [], body: Array(message.body.prefix(count)), parts: [])
        request.isKeyed = message.head["isKeyed"]?.boolean ?? false
        request.compression = message.head["compression"]?.double
        for header in headers {
            guard let pair = header.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string else {
                return nil
            }
            request.headers.append(ServiceRequest.Header(name: name, value: value))
        }
        var rest = message.body.dropFirst(count)
        for part in parts {
            guard let name = part["name"]?.string, let count = part["bytes"]?.integer, 0...Int64(rest.count) ~= count
            else { return nil }
            var read = ServiceRequest.Part(
                name: name, bytes: Array(rest.prefix(Int(count))), contentType: part["type"]?.string,
                fileName: part["file"]?.string)
            read.compression = part["compression"]?.double
            request.parts.append(read)
            rest = rest.dropFirst(Int(count))
        }
        return request
    }

    // MARK: - Outcomes

    static func write(_ outcome: RequestOutcome, to json: inout JSONWriter) {
        switch outcome {
        case .response(let status, _):
            json.member("outcome", "response")
            json.member("status", status)
        case .notModified: json.member("outcome", "notModified")
        case .unreadable(let status, let message):
            json.member("outcome", "unreadable")
            json.member("status", status)
            json.member("message", message)
        case .postponed(let status, _, let seconds):
            json.member("outcome", "postponed")
            json.member("status", status)
            json.member("seconds", seconds)
        case .failure(let reason):
            json.member("outcome", "failure")
            json.member("message", reason)
        case .unanswered(let reason):
            json.member("outcome", "unanswered")
            json.member("message", reason)
        }
    }

    static func body(of outcome: RequestOutcome) -> [UInt8] {
        switch outcome {
        case .response(_, let body), .notModified(let body), .postponed(_, let body, _):
            Array(RecordText.text(of: body).utf8)
        case .unreadable, .failure, .unanswered: []
        }
    }

    static func outcome(_ message: CellMessage) -> RequestOutcome {
        let body = RecordText.value(of: String(decoding: message.body, as: UTF8.self)) ?? .null
        let (status, text) = (message.integer("status") ?? 0, message.text("message") ?? "")
        switch message.text("outcome") {
        case "response": return .response(status: status, body: body)
        case "notModified": return .notModified(body: body)
        case "unreadable": return .unreadable(status: status, message: text)
        case "postponed": return .postponed(status: status, body: body, seconds: message.integer("seconds") ?? 0)
        case "failure": return .failure(text)
        default: return .unanswered(text)
        }
    }
}
