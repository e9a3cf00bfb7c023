internal import WidgetCore
internal import WidgetLive
internal import WidgetRender

/// A request to a ``WidgetSite``, as your server has received it.
public struct SiteRequest: Sendable {
    /// Such as `GET`.
    public var method: String
    /// The path with its query, as it was sent.
    public var target: String
    /// The header fields.
    public var fields: [(name: String, value: String)]
    /// The body, which your server may bound at 16 MB.
    public var body: [UInt8]

    /// A request as it was received.
    public init(_ method: String, _ target: String, fields: [(name: String, value: String)], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    func value(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The path, and the last value of each parameter that needs no decoding.
    var parts: (path: String, query: [String: String]) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { query[String(pair[0])] = String(pair[1]) }
        }
        return (String(parts.first ?? ""), query)
    }

    /// The address of the page that the request is from, if that is one of the same server.
    var ownReferer: String? {
        guard let referer = value("Referer") else { return nil }
        // A proxy may ask under another name than browsers.
        let hosts = [value("X-Forwarded-Host"), value("Host")].compactMap(\.self).filter { !$0.isEmpty }
        let own = hosts.flatMap { host in ["http://\(host)/", "https://\(host)/"] }
        return own.contains { referer.hasPrefix($0) } ? referer : nil
    }
}

/// An answer of a ``WidgetSite``, for your server to send.
public struct SiteAnswer: Sendable {
    /// The content of an answer.
    public enum Body: Sendable {
        /// All of it.
        case bytes([UInt8])
        /// Pieces to be sent as they come, until the stream ends or the client is gone.
        case stream(AsyncStream<[UInt8]>)
    }

    /// Such as 200.
    public let status: Int
    /// The header fields, without the length.
    public let fields: [(name: String, value: String)]
    /// The content.
    public let body: Body

    init(_ status: Int, fields: [(name: String, value: String)] = [], _ body: Body = .bytes([])) {
        self.status = status
        let isShared = fields.contains { $0.name == "Access-Control-Allow-Origin" }
        let origin = isShared ? "cross-origin" : "same-origin"
        let guards = [("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", origin)]
        let isKept = fields.contains { $0.name == "Cache-Control" }
        self.fields = fields + (isKept ? [] : [("Cache-Control", "no-store")]) + guards
        self.body = body
    }

    init(_ status: Int, _ sentence: String, _ fields: [(name: String, value: String)] = []) {
        self.init(
            status, fields: [("Content-Type", "text/plain; charset=utf-8")] + fields,
            .bytes(Array("\(sentence)\n".utf8)))
    }

    init(file: PageFile, isFixed: Bool = true) {
        let caching = isFixed ? "public, max-age=31536000, immutable" : "no-cache"
        self.init(200, fields: [("Content-Type", file.mediaType), ("Cache-Control", caching)], .bytes(file.bytes))
    }

    /// A file for pages without an origin, too, as frames of strangers' widgets are.
    init(shared file: PageFile, isFixed: Bool) {
        let caching = isFixed ? "public, max-age=31536000, immutable" : "no-cache"
        self.init(
            200,
            fields: [
                ("Content-Type", file.mediaType), ("Cache-Control", caching), ("Access-Control-Allow-Origin", "*"),
            ], .bytes(file.bytes))
    }

    init(sheet name: String, _ bytes: [UInt8]) { self.init(file: PageFile(name, ContainedSheet.bytes(bytes))) }

    init(events: AsyncStream<[UInt8]>) {
        self.init(
            200, fields: [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")], .stream(events))
    }

    init(_ refusal: LiveRefusal, _ ending: LiveEnding?, _ words: SystemWords) {
        switch refusal {
        case .over: self.init(410, ending?.sentence(words) ?? refusal.sentence(words))
        case .tooFast(let seconds):
            self.init(429, refusal.sentence(words), [("Retry-After", "\(max(1, Int(min(seconds, 60).rounded(.up))))")])
        case .malformed: self.init(400, refusal.sentence(words))
        case .tooManyViewings, .tooManyOfAddress, .unreadable: self.init(503, refusal.sentence(words))
        }
    }
}
