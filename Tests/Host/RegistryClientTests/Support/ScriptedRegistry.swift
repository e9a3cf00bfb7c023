import Foundation
import JSONText
import RegistryClient
import WidgetBundles
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers
import WidgetZip

/// A registry in place of the network: honest, unless a test tells it to do otherwise.
final class ScriptedRegistry: Transport {
    struct Script: Sendable {
        var offer: Offer?
        /// In place of what `offer` says of itself.
        var announced: Offer?
        /// In place of `offer`: any bytes, announced as what they are but for what is in them.
        var raw: [UInt8]?
        var sequence = 1
        var isMandatory = false
        var bundleIdentifier: String?
        /// Changes the text of the resolve document.
        var document: @Sendable (String) -> String = { $0 }
        /// Changes the bytes of the archive.
        var archive: @Sendable ([UInt8]) -> [UInt8] = { $0 }
        /// The connection ends when so many bytes of the archive have gone over it; once.
        var cut: Int?
        /// It stays that way.
        var isCutForGood = false
        var ignoresRanges = false
        var entityTag: String?
        /// In place of the range that was asked for.
        var lie: (@Sendable (Range<Int>, Int) -> String)?
        /// The feed for listeners; `nil`: it does not exist.
        var feed: Feed?
        /// The feed's last change, beyond which followers cannot continue.
        var lastTag: Int?
        /// True of a registry from before `since=latest`.
        var refusesLatest = false
        var feedType = "text/event-stream; charset=utf-8"
        /// The answer to every request.
        var refusal: (status: Int, body: String)?
    }

    struct Asked: Equatable, Sendable {
        var path: String
        var query: String?
        var range: String?
        var condition: String?
        var token: String?
        /// The host's policy has to accept the addresses.
        var hasPolicy: Bool
    }

    private struct State: Sendable {
        var script = Script()
        var asked: [Asked] = []
        var sentByteCount = 0
    }

    private let state = Observed(State())

    func change(_ body: (inout Script) -> Void) {
        state.change { body(&$0.script) }
    }

    /// Offers this release, in the channel's next state.
    func offer(_ offer: Offer, mandatory: Bool = false) {
        change {
            $0.sequence += 1
            $0.offer = offer
            $0.isMandatory = mandatory
        }
    }

    var asked: [Asked] { state.value.asked }

    /// Returns when it has been asked so often.
    func isAsked(_ count: Int) async { await state.becomes { $0.asked.count >= count } }

    /// Returns when it has been asked so often like that.
    func isAsked(where condition: @escaping @Sendable (Asked) -> Bool, _ count: Int) async {
        await state.becomes { $0.asked.count(where: condition) >= count }
    }

    /// Of archives.
    var sentByteCount: Int { state.value.sentByteCount }

    func forget() {
        state.change {
            $0.asked = []
            $0.sentByteCount = 0
        }
    }

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        func value(_ name: String) -> String? {
            request.fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
        state.change {
            $0.asked.append(
                Asked(
                    path: request.url.path, query: request.url.query, range: value("Range"),
                    condition: value("If-Range") ?? value("If-None-Match") ?? value("Last-Event-ID"),
                    token: request.token, hasPolicy: request.policy != nil))
        }
        let script = state.value.script
        if request.url.path == "/v1/changes" {
            guard let feed = script.feed else { return answer(404, [], "{}", request) }
            if let last = script.lastTag, let id = value("Last-Event-ID").flatMap({ Int($0) }), id > last {
                return answer(400, [("Content-Type", "application/problem+json")], "{}", request)
            }
            if script.refusesLatest, request.url.query?.contains("latest") == true {
                return answer(400, [("Content-Type", "application/problem+json")], "{}", request)
            }
            return TransferAnswer(
                TransferHead(
                    status: 200, fields: [TransferField("content-type", script.feedType)],
                    url: request.url), body: ResponseBody(feed.listener(request.url)))
        }
        if let refusal = script.refusal {
            return answer(refusal.status, [("Content-Type", "application/problem+json")], refusal.body, request)
        }
        guard let offer = script.offer else {
            return answer(404, [], "{\"type\": \"/problems/no-such-widget\", \"detail\": \"none\"}", request)
        }
        if request.url.path.hasPrefix("/v1/widgets/") {
            let text = script.document(ScriptedRegistry.document(script, offer, request.url))
            let tag = "\"\(Digest.sha256(Array(text.utf8))?.hex ?? "")\""
            if value("If-None-Match") == tag { return answer(304, [("ETag", tag)], "", request) }
            return answer(200, [("ETag", tag)], text, request)
        }
        return blob(script, offer, range: value("Range"), condition: value("If-Range"), request)
    }

    private func blob(
        _ script: Script, _ offer: Offer, range: String?, condition: String?, _ request: TransferRequest
    ) -> TransferAnswer {
        let bytes = script.archive(script.raw ?? offer.archive)
        let tag = script.entityTag ?? "\"sha256-\(request.url.path.suffix(64))\""
        var part = 0..<bytes.count
        var fields = [("ETag", tag)]
        var status = 200
        if let range, !script.ignoresRanges, condition == nil || condition == tag,
            let match = range.wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = Int(match.1)
        {
            guard first < bytes.count else {
                return answer(416, [("Content-Range", "bytes */\(bytes.count)")], "", request)
            }
            part = first..<min(bytes.count, (Int(match.2).map { $0 + 1 } ?? bytes.count))
            status = 206
            fields.append(
                (
                    "Content-Range",
                    script.lie?(part, bytes.count)
                        ?? "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
                ))
        }
        fields.append(("Content-Length", String(part.count)))
        var sent = Array(bytes[part])
        var isCut = false
        if let cut = script.cut, sent.count > cut {
            sent = Array(sent.prefix(cut))
            isCut = true
            if !script.isCutForGood { change { $0.cut = nil } }
        }
        state.change { $0.sentByteCount += sent.count }
        let head = TransferHead(
            status: status, fields: fields.map { TransferField($0.0, $0.1) }, url: request.url)
        return TransferAnswer(
            head,
            body: ResponseBody(
                Pieces(sent, ending: isCut ? TransferError(.connectionLost, request.url) : nil)))
    }

    private func answer(
        _ status: Int, _ fields: [(String, String)], _ text: String, _ request: TransferRequest
    ) -> TransferAnswer {
        TransferAnswer(
            TransferHead(status: status, fields: fields.map { TransferField($0.0, $0.1) }, url: request.url),
            body: ResponseBody(Pieces(Array(text.utf8), ending: nil)))
    }

    // MARK: The document

    private static func document(_ script: Script, _ offer: Offer, _ url: TransferURL) -> String {
        let bundle = (script.announced ?? offer).bundle
        let query = URLComponents(string: url.description)?.queryItems ?? []
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("widgetIdentifier", url.path.split(separator: "/").last.map(String.init) ?? "")
            writer.member("bundleIdentifier", script.bundleIdentifier ?? bundle.manifest.identifier)
            writer.member("channel", query.first { $0.name == "channel" }?.value ?? "stable")
            writer.member("sequence", script.sequence)
            writer.member("upToDate", false)
            writer.member("mandatory", script.isMandatory)
            writer.member("salt", "salt")
            writer.key("candidates")
            writer.array { writer in
                if let raw = script.raw { write(raw, to: &writer) } else { write(bundle, to: &writer) }
            }
        }
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    private static func write(_ raw: [UInt8], to writer: inout JSONWriter) {
        let digest = Digest.sha256(raw)?.hex ?? ""
        let file = Digest.sha256([])?.hex ?? ""
        writer.object { writer in
            writer.key("buckets")
            writer.array { writer in
                writer.number(0)
                writer.number(10_000)
            }
            writer.member("release", "1.0~2")
            writer.member("sha256", digest)
            writer.member("content", Digest.sha256(Array("Info.plist\0\(0)\0\(file)\n".utf8))?.hex ?? "")
            writer.member("size", raw.count)
            writer.member("name", "Sample")
            writer.member("url", "/v1/blobs/sha256/\(digest)")
            writer.key("files")
            writer.array { writer in
                writer.object { writer in
                    writer.member("path", "Info.plist")
                    writer.member("size", 0)
                    writer.member("sha256", file)
                    writer.member("offset", 0)
                    writer.member("compressedSize", 0)
                    writer.member("method", "stored")
                }
            }
        }
    }

    private static func write(_ bundle: WidgetBundle, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("buckets")
            writer.array { writer in
                writer.number(0)
                writer.number(10_000)
            }
            writer.member("release", bundle.manifest.releaseKey)
            writer.member("sha256", bundle.digest.hex)
            writer.member("content", bundle.contentDigest.hex)
            writer.member("size", bundle.byteCount)
            writer.member("name", bundle.name)
            writer.member("url", "/v1/blobs/sha256/\(bundle.digest.hex)")
            writer.member("published", "2026-11-21T10:00:00Z")
            writer.key("files")
            writer.array { writer in
                for file in bundle.files {
                    writer.object { writer in
                        writer.member("path", file.path)
                        writer.member("size", file.byteCount)
                        writer.member("sha256", file.digest.hex)
                        writer.member("offset", file.offset)
                        writer.member("compressedSize", file.compressedByteCount)
                        writer.member("method", file.method == .stored ? "stored" : "deflate")
                    }
                }
            }
        }
    }
}

/// A body in pieces, and how it ends.
final class Pieces: BodySource {
    private let state: Guarded<(left: ArraySlice<UInt8>, ending: TransferError?)>

    init(_ bytes: [UInt8], ending: TransferError?) {
        state = Guarded((bytes[...], ending))
    }

    func next() async throws(TransferError) -> [UInt8]? {
        let (piece, ending) = state.withLock { state -> ([UInt8], TransferError?) in
            let piece = Array(state.left.prefix(16_384))
            state.left = state.left.dropFirst(16_384)
            return (piece, state.ending)
        }
        if !piece.isEmpty { return piece }
        if let ending { throw ending }
        return nil
    }

    func cancel() {}
}

/// A registry of which some answers come from elsewhere: it sends requests on to another origin, or answers in the
/// registry's place.
struct Elsewhere: Transport {
    enum Manner: Sendable {
        /// Sends requests on to the same path of another origin, which answers as the registry does.
        case redirect(to: String, status: Int = 302)
        /// Answers with a status and a page that is not a document of a registry.
        case status(Int, [TransferField] = [])
        /// Sends the beginning of the answer, and then too slowly.
        case drip(byteCount: Int)
    }

    let registry: ScriptedRegistry
    /// The beginning of the paths that it is about.
    let prefix: String
    let manner: Manner
    /// True if the other origin changes the bytes that it sends.
    var spoils = false
    /// The status with which the other origin refuses everything.
    var refusal: Int?
    /// True if it refuses only requests with `If-Range`.
    var refusesConditionsOnly = false
    /// True if requests with `If-Range` are answered by the registry.
    var isAtHomeUnderConditions = false
    let asked = Guarded([TransferRequest]())

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        asked.withLock { $0.append(request) }
        guard request.url.path.hasPrefix(prefix) else { return try await registry.exchange(request) }
        switch manner {
        case .redirect(let origin, let status):
            guard !request.url.description.hasPrefix(origin) else {
                let hasCondition = request.fields.contains { $0.name == "If-Range" }
                if let refusal, hasCondition || !refusesConditionsOnly { return self.answer(refusal, [], request) }
                let answer = try await registry.exchange(request)
                guard spoils else { return answer }
                let bytes = try await answer.body.collect().map { $0 ^ 1 }
                return TransferAnswer(answer.head, body: ResponseBody(Pieces(bytes, ending: nil)))
            }
            if isAtHomeUnderConditions, request.fields.contains(where: { $0.name == "If-Range" }) {
                return try await registry.exchange(request)
            }
            let query = request.url.query.map { "?\($0)" } ?? ""
            return answer(status, [TransferField("Location", origin + request.url.path + query)], request)
        case .status(let status, let fields): return answer(status, fields, request)
        case .drip(let byteCount):
            let whole = try await registry.exchange(request)
            let bytes = Array(try await whole.body.collect().prefix(byteCount))
            return TransferAnswer(
                whole.head,
                body: ResponseBody(Pieces(bytes, ending: TransferError(.tooSlow(1_024), request.url))))
        }
    }

    private func answer(_ status: Int, _ fields: [TransferField], _ request: TransferRequest) -> TransferAnswer {
        TransferAnswer(
            TransferHead(status: status, fields: fields, url: request.url),
            body: ResponseBody(Pieces(Array("<html>".utf8), ending: nil)))
    }

    /// A host that asks this instead of its registry.
    func fetcher(_ host: Host, _ change: (inout FetchOptions) -> Void = { _ in }) throws -> WidgetFetcher {
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 3)
        change(&options)
        return WidgetFetcher(
            registry: host.fetcher.registry, cache: host.cache,
            client: TransferClient(transport: self, in: .skipping()),
            options: options)
    }
}

/// A registry's feed that a test writes.
final class Feed: Sendable {
    private let listeners = Guarded([AsyncStream<[UInt8]>.Continuation]())
    private let open = Observed((now: 0, most: 0, all: 0))

    /// The most streams that were open at a time.
    var mostAtOnce: Int { open.value.most }

    /// Returns when so many streams were opened.
    func isOpened(_ count: Int) async { await open.becomes { $0.all >= count } }

    /// Returns when no stream is open.
    func ends() async { await open.becomes { $0.now == 0 } }

    /// The number of listeners so far.
    var listenerCount: Int { listeners.withLock { $0.count } }

    func send(_ text: String) {
        for listener in listeners.withLock({ $0 }) { listener.yield(Array(text.utf8)) }
    }

    func send(change sequence: Int, _ bundleIdentifier: String = "com.example.Sample", channel: String = "stable") {
        send(
            "id: \(sequence)\ndata: {\"bundleIdentifier\":\"\(bundleIdentifier)\",\"channel\":\"\(channel)\",\"sequence\":\(sequence)}\n\n"
        )
    }

    /// Ends the streams of the present listeners.
    func end() {
        for listener in listeners.withLock({ $0 }) { listener.finish() }
    }

    func listener(_ url: TransferURL) -> any BodySource {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        listeners.withLock { $0.append(continuation) }
        open.change { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
        return Listener(stream) { [open] in open.change { $0.now -= 1 } }
    }

    private final class Listener: BodySource {
        private let stream: AsyncStream<[UInt8]>
        private let close: @Sendable () -> Void

        init(_ stream: AsyncStream<[UInt8]>, _ close: @escaping @Sendable () -> Void) {
            self.stream = stream
            self.close = close
        }

        deinit { close() }

        func next() async throws(TransferError) -> [UInt8]? {
            for await bytes in stream { return bytes }
            return nil
        }

        func cancel() {}
    }
}
