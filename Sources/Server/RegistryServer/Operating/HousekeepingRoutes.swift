internal import Dispatch
internal import HTTPWire
internal import JSONText
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry
internal import WidgetSurroundings

/// The routes of the control socket by which the owner of the data directory tends the store as a whole.
struct HousekeepingRoutes: Sendable {
    let housekeeper: Housekeeper
    let server: String
    // Such work takes long, and its thread has nothing else to do.
    private let queue: any ThreadQueue
    private let clock: any Clock

    init(housekeeper: Housekeeper, server: String, in world: World) {
        self.housekeeper = housekeeper
        self.server = server
        queue = world.threads.queue("widgetd.housekeeping", qos: .utility, isConcurrent: true)
        clock = world.clock
    }

    private static let dryRun = QueryParameter.flag("dryRun", "Everything but removing.")
    private static let confirmed = QueryParameter.flag("confirmed", "Changed rules of retention are meant.")
    private static let rate = QueryParameter.number(
        "rate", 1...Int.max, "Bytes a second.", expectation: "a whole number above zero")

    private static let prefix = QueryParameter.text(
        "prefix", .pattern("^[A-Za-z0-9.-]{0,155}$"), "The bundles: their first labels.",
        expectation: "the first labels of identifiers, like com.acme"
    ) { text in
        text.utf8.count <= 155 && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2E || $0 == 0x2D }
    }

    private static let collecting = QueryLaw.only([dryRun.described, confirmed.described])
    private static let scrubbing = QueryLaw.only([rate.described])
    private static let drawing = QueryLaw.only([prefix.described])

    func add(to routes: inout Routes) {
        routes.get("/v1/housekeeping", status)
        routes.on(.post, "/v1/gc", collect)
        routes.on(.post, "/v1/scrub", scrub)
        routes.on(.post, "/v1/stills", makeStills)
        routes.get("/v1/backup", backUp)
        routes.on(.post, "/v1/usage", usage)
    }

    /// `POST /v1/usage`: lines of progress, as with all work that may take long, and one with the report.
    func usage(_ request: borrowing Request) throws -> Answer {
        try HousekeepingRoutes.drawing.check(request)
        let prefix = try request.query(HousekeepingRoutes.prefix) ?? ""
        return work { [housekeeper] _ throws(RegistryError) in
            try housekeeper.usage(below: prefix).bytes
        }
    }

    /// `GET /v1/housekeeping`
    func status(_ request: borrowing Request) -> Answer {
        .response(WrittenDocument.response(.ok, housekeeper.state.document))
    }

    /// `POST /v1/gc`: lines of progress, and at last one with the report or the problem.
    func collect(_ request: borrowing Request) throws -> Answer {
        try HousekeepingRoutes.collecting.check(request)
        let isDryRun = try request.query(HousekeepingRoutes.dryRun) ?? false
        let isConfirmed = try request.query(HousekeepingRoutes.confirmed) ?? false
        return work { [housekeeper] watcher throws(RegistryError) in
            HousekeepingDocument.bytes(
                try housekeeper.collect(isDryRun: isDryRun, isConfirmed: isConfirmed, by: "owner", watcher))
        }
    }

    /// `POST /v1/scrub`
    func scrub(_ request: borrowing Request) throws -> Answer {
        try HousekeepingRoutes.scrubbing.check(request)
        let rate = try request.query(HousekeepingRoutes.rate)
        return work { [housekeeper] watcher throws(RegistryError) in
            housekeeper.document(try housekeeper.scrub(rate: rate, by: "owner", watcher))
        }
    }

    /// `POST /v1/stills`
    func makeStills(_ request: borrowing Request) throws -> Answer {
        try HousekeepingRoutes.drawing.check(request)
        let prefix = try request.query(HousekeepingRoutes.prefix) ?? ""
        return work { [housekeeper] watcher throws(RegistryError) in
            try housekeeper.makeStills(ofBundles: prefix, by: "owner", watcher).document
        }
    }

    /// `GET /v1/backup`: a tar archive. That it is whole is said by `/v1/housekeeping` afterwards.
    func backUp(_ request: borrowing Request) throws -> Answer {
        try QueryLaw.nothing.check(request)
        return .later { [self] responder in
            queue.async {
                let stream = OutgoingStream()
                do throws(RegistryError) {
                    _ = try housekeeper.backUp(server: server, by: "owner") { total in
                        var fields = FieldBlock(["Content-Type": "application/x-tar", "Cache-Control": "no-store"])
                        fields.add("Backup-Bytes", total)
                        responder.answer(.response(Response(.ok, fields: fields, stream: stream)))
                    } into: { bytes throws(RegistryError) in
                        try stream.write(bytes)
                    }
                } catch {
                    // Ignored when the stream has begun. The reader then sees that the end is missing.
                    responder.answer(.problem(ProblemCatalogue.problem(error)))
                }
                stream.end()
            }
        }
    }

    private func work(
        _ body: @escaping @Sendable (@escaping Housekeeper.Watcher) throws(RegistryError) -> [UInt8]
    ) -> Answer {
        let stream = OutgoingStream()
        queue.async { [clock] in
            var next = clock.now
            let line: [UInt8]
            do throws(RegistryError) {
                let report = try body { done, total throws(RegistryError) in
                    guard clock.now >= next else { return }
                    next = clock.now + .milliseconds(200)
                    // When the client is gone the work ends; the part that is done stays done.
                    try stream.write(Array("{\"done\":\(done),\"total\":\(total)}\n".utf8))
                }
                line = HousekeepingRoutes.line("report", report)
            } catch {
                let problem = ProblemCatalogue.problem(error)
                var writer = JSONWriter()
                writer.object { writer in
                    writer.member("code", problem.code)
                    // The socket's other end is the owner of the store, who may know the reason.
                    writer.member("detail", problem.reason ?? problem.detail)
                }
                line = HousekeepingRoutes.line("problem", writer.finish())
            }
            try? stream.write(line)
            stream.end()
        }
        let fields = FieldBlock(["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"])
        return .response(Response(.ok, fields: fields, stream: stream))
    }

    private static func line(_ name: String, _ value: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key(name)
            writer.finished(value)
        }
        return writer.finish()
    }
}

/// A streamed answer that a thread writes to, no faster than it is read.
final class OutgoingStream: StreamSource {
    private struct State {
        var stream: ResponseStream?
        var isStopped = false
        /// Bytes that were written before the head was sent.
        var early: [[UInt8]] = []
        var isEnded = false
    }

    private static let window = 4 << 20
    private let state = Guarded(State())
    /// Signalled when the reader may have read more, and when it is gone.
    private let progress = DispatchSemaphore(value: 0)

    func begin(_ stream: ResponseStream) {
        state.withLock { state in
            state.stream = stream
            for bytes in state.early { stream.write(bytes) }
            state.early = []
            if state.isEnded { stream.end() }
        }
        progress.signal()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        progress.signal()
    }

    /// Waits while the reader is behind; throws once the reader is gone.
    func write(_ bytes: [UInt8]) throws(RegistryError) {
        // It waits for a reader and not for time, so the clock has no part in it.
        while let pending = pendingByteCount, pending > OutgoingStream.window {
            let stream = state.withLock { $0.stream }
            stream?.whenPendingBytes(areBelow: OutgoingStream.window) { [progress] in progress.signal() }
            progress.wait()
        }
        let isGone = state.withLock { state in
            if let stream = state.stream { stream.write(bytes) } else { state.early.append(bytes) }
            return state.isStopped
        }
        if isGone { throw .interrupted }
    }

    /// `nil` when nothing is read any more.
    private var pendingByteCount: Int? {
        state.withLock { state in
            if state.isStopped { return nil }
            return state.stream?.pendingByteCount ?? state.early.reduce(0) { $0 + $1.count }
        }
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            if !state.isStopped { state.stream?.end() }
        }
    }
}
