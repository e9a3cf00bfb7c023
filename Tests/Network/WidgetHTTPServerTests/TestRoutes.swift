import Dispatch
import Glibc
import HTTPWire
import WidgetBytes
import WidgetHTTPServer
import WidgetSockets

/// Routes that take, keep and send bodies of every kind, and the handles by which tests steer them.
final class TestRoutes: Sendable {
    static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    static let largeByteCount = 4 * 1_024 * 1_024
    static let hugeByteCount = 64 * 1_024 * 1_024

    /// Requests that wait to be answered by the test.
    let held = Waiting<Responder>()
    /// Streams that wait to be fed by the test.
    let streams = Waiting<TestStream>()
    /// Bodies under way on routes that pause.
    let paused = Waiting<PausingSink>()
    let consumers = Waiting<GatedConsumer>()
    private let queue = DispatchQueue(label: "test.bodies")

    func add(to routes: inout Routes) {
        addBodies(&routes)
        addResources(&routes)
        addOddAnswers(&routes)
    }

    private func addBodies(_ routes: inout Routes) {
        for method in [Method.post, .put] {
            routes.on(method, "/echo") { _ in
                .readBody(BodyReceipt(limit: 1 << 20, sink: CollectedBody { .response(TestRoutes.bytes($0)) }))
            }
        }
        routes.on(.put, "/hash") { [queue] _ in
            .readBody(
                BodyReceipt(limit: 64 << 20, sink: QueuedBody(queue: queue, consumer: HashingConsumer())))
        }
        routes.on(.put, "/gated") { [consumers] _ in
            let consumer = GatedConsumer()
            consumers.put(consumer)
            let queue = DispatchQueue(label: "test.gated")
            return .readBody(BodyReceipt(limit: 64 << 20, sink: QueuedBody(queue: queue, consumer: consumer)))
        }
        routes.on(.put, "/paused") { [paused] _ in
            let sink = PausingSink()
            paused.put(sink)
            return .readBody(BodyReceipt(limit: 64 << 20, sink: sink))
        }
        routes.on(.put, "/small") { _ in
            .readBody(BodyReceipt(limit: 16, sink: CollectedBody { .response(TestRoutes.bytes($0)) }))
        }
        routes.on(.post, "/typed") { _ in
            .readBody(
                BodyReceipt(
                    limit: 1 << 20, mediaTypes: ["application/zip"],
                    sink: CollectedBody { .response(TestRoutes.bytes($0)) }))
        }
        routes.on(.post, "/plain") { _ in .response(TestRoutes.bytes(Array("plain".utf8))) }
        routes.on(.put, "/late") { [held] _ in .later { held.put($0) } }
    }

    // Made once: every test has another server.
    private static let lettersResource = Resource(
        mediaType: "text/plain", content: .bytes(TestRoutes.letters),
        validators: Validators(entityTag: "\"letters\"", lastModified: 784_111_777),
        fields: FieldBlock(["Cache-Control": "no-cache"]), rangePolicy: .always)
    private static let mutable = Resource(
        mediaType: "text/plain", content: .bytes(TestRoutes.letters),
        validators: Validators(entityTag: "\"letters\""), rangePolicy: .onlyWithIfRange)
    private static let twin = Resource(
        mediaType: "application/json", content: .bytes(Array("{}".utf8)), validators: Validators(entityTag: "\"id\""),
        gzipped: Resource(
            mediaType: "application/json", content: .bytes([31, 139, 8]), validators: Validators(entityTag: "\"gz\""),
            contentCoding: "gzip"))
    static let large = pattern(largeByteCount)
    private static let largeResource = Resource(
        mediaType: "application/zip", content: .bytes(large), validators: Validators(entityTag: "\"large\""),
        rangePolicy: .always)
    private static let file = file(largeByteCount)
    private static let huge = file(hugeByteCount)

    private func addResources(_ routes: inout Routes) {
        let letters = TestRoutes.lettersResource
        routes.get("/letters") { _ in .resource(letters) }
        routes.get("/mutable") { _ in .resource(TestRoutes.mutable) }
        routes.get("/twin") { _ in .resource(TestRoutes.twin) }
        routes.get("/large") { _ in .resource(TestRoutes.largeResource) }
        routes.get("/file") { _ in .resource(TestRoutes.file) }
        routes.get("/huge") { _ in .resource(TestRoutes.huge) }
        routes.get("/later-letters") { _ in
            .later { responder in DispatchQueue.global().async { responder.answer(.resource(letters)) } }
        }
        // The same again, answered later by another thread.
        for (name, resource) in [
            ("letters", letters), ("mutable", TestRoutes.mutable), ("twin", TestRoutes.twin), ("file", TestRoutes.file),
        ] {
            routes.get("/late/\(name)") { _ in
                .later { responder in DispatchQueue.global().async { responder.answer(.resource(resource)) } }
            }
        }
        // Answered by a responder of a responder.
        routes.get("/later/twice/letters") { _ in
            .later { responder in
                responder.answer(.later { $0.answer(.later { $0.answer(.resource(letters)) }) })
            }
        }
    }

    private func addOddAnswers(_ routes: inout Routes) {
        routes.get("/later/{text}") { (_, text: String) in
            .later { responder in
                DispatchQueue.global().async { responder.answer(.response(TestRoutes.bytes(Array(text.utf8)))) }
            }
        }
        routes.get("/held") { [held] _ in .later { held.put($0) } }
        routes.get("/twice") { _ in
            .later { responder in
                DispatchQueue.global().async {
                    responder.answer(.response(TestRoutes.bytes(Array("first".utf8))))
                    responder.answer(.response(TestRoutes.bytes(Array("second".utf8))))
                }
            }
        }
        routes.get("/stream") { [streams] _ in
            let stream = TestStream()
            streams.put(stream)
            return .response(
                Response(.ok, fields: FieldBlock(["Content-Type": "text/event-stream"]), stream: stream))
        }
        routes.get("/counted") { _ in
            .response(Response(.ok, fields: FieldBlock(["Content-Type": "text/plain"]), stream: CountingStream()))
        }
        routes.get("/problem") { _ in
            throw Problem(code: "release-exists", title: "It exists", status: .conflict, detail: "Raise the version.")
        }
        routes.get("/fails") { _ in throw Unforeseen() }
        routes.get("/empty") { _ in .response(Response(.noContent)) }
        routes.get("/id") { request in .response(TestRoutes.bytes(Array(request.id.utf8))) }
        routes.get("/path/{one}/{two}") { (request, one: String, two: String) in
            .response(TestRoutes.bytes(Array("\(one) \(two) \(request.query("q") ?? "-")".utf8)))
        }
    }

    private struct Unforeseen: Error {}

    static func bytes(_ bytes: [UInt8]) -> Response {
        Response(.ok, fields: FieldBlock(["Content-Type": "application/octet-stream"]), body: bytes)
    }

    /// Bytes of which no stretch of a page looks like another.
    static func pattern(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        // A prime number of them, so that no two blocks or pages begin alike.
        let block = (0..<8_191).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes.append(contentsOf: block) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Held where a leak checker finds them; inside a resource they are packed into an enum.
    private static let openFiles = Guarded<[OpenFile]>([])

    /// A file without a name, with the pattern at its start and holes behind it.
    private static func file(_ byteCount: Int) -> Resource {
        var name = Array("/tmp/widgetd-test-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&name)
        _ = unsafe unlink(name)
        let start = pattern(65_536)
        _ = unsafe write(descriptor, start, start.count)
        ftruncate(descriptor, byteCount)
        let file = OpenFile(owning: descriptor)
        openFiles.withLock { $0.append(file) }
        return Resource(
            mediaType: "application/zip", content: .file(file, offset: 0, count: byteCount),
            validators: Validators(entityTag: "\"file-\(byteCount)\"", lastModified: 784_111_777),
            rangePolicy: .always)
    }
}

/// Things that one thread puts down and another waits for.
final class Waiting<Thing: Sendable>: Sendable {
    typealias Taker = @Sendable (Thing) -> Void

    private let things = Guarded<(waiting: [Thing], taker: Taker?)>(([], nil))
    private let count = DispatchSemaphore(value: 0)

    func put(_ thing: Thing) {
        let taker = things.withLock { things in
            if things.taker == nil { things.waiting.append(thing) }
            return things.taker
        }
        if let taker { taker(thing) } else { count.signal() }
    }

    /// Hands over all that is there and that comes, until it is called with `nil`.
    func hand(to taker: Taker?) {
        things.withLock { $0.taker = taker }
        if let taker { for thing in takeAll() { taker(thing) } }
    }

    /// Everything that is there now.
    func takeAll() -> [Thing] {
        let taken = things.withLock { things in
            defer { things.waiting = [] }
            return things.waiting
        }
        // Each was counted, or is about to be.
        for _ in taken { count.wait() }
        return taken
    }

    /// The oldest that has not been taken, or `nil` when none comes.
    func take() -> Thing? {
        guard count.wait(timeout: .now() + .seconds(20)) == .success else { return nil }
        return things.withLock { $0.waiting.removeFirst() }
    }
}

/// Answers with the digest of a body.
final class HashingConsumer: BodyConsumer {
    private let collected = Guarded<[UInt8]>([])

    func consume(_ bytes: [UInt8]) -> Answer? {
        collected.withLock { $0 += bytes }
        return nil
    }

    func complete() -> Answer {
        let digest = collected.withLock { Digest.sha256($0)?.hex ?? "" }
        return .response(TestRoutes.bytes(Array(digest.utf8)))
    }

    func abandon() {}
}

/// Takes nothing before it is opened; then counts.
final class GatedConsumer: BodyConsumer {
    private let gate = DispatchSemaphore(value: 0)
    private let state = Guarded((byteCount: 0, isAbandoned: false))
    private let end = DispatchSemaphore(value: 0)

    func open() { gate.signal() }
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// True if the body was abandoned, once that is decided.
    func waitUntilAbandoned() -> Bool { end.wait(timeout: .now() + .seconds(20)) == .success }

    func consume(_ bytes: [UInt8]) -> Answer? {
        gate.wait()
        gate.signal()
        state.withLock { $0.byteCount += bytes.count }
        return nil
    }

    func complete() -> Answer { .response(TestRoutes.bytes(Array("\(byteCount)".utf8))) }

    func abandon() { end.signal() }
}

/// Asks for a pause after every stretch of bytes.
final class PausingSink: BodySink {
    private let state = Guarded((responder: Responder?.none, byteCount: 0, isOpen: false))
    let received = Waiting<Int>()
    let abandoned = Waiting<Bool>()

    var byteCount: Int { state.withLock { $0.byteCount } }
    /// Takes everything from now on.
    func open() {
        state.withLock { $0.isOpen = true }
        resume()
    }

    func resume() { state.withLock { $0.responder }?.resume() }
    func answer(_ answer: Answer) { state.withLock { $0.responder }?.answer(answer) }

    func begin(_ responder: Responder) { state.withLock { $0.responder = responder } }

    func write(_ bytes: Span<UInt8>) -> Bool {
        let continues = state.withLock { state in
            state.byteCount += bytes.count
            return state.isOpen
        }
        received.put(bytes.count)
        return continues
    }

    func finish() -> Answer? { .response(TestRoutes.bytes(Array("\(byteCount)".utf8))) }
    func abandon() { abandoned.put(true) }
}

/// A stream that tests write to.
final class TestStream: StreamSource {
    let begun = Waiting<ResponseStream>()
    let stopped = Waiting<Bool>()

    func begin(_ stream: ResponseStream) { begun.put(stream) }
    func stop() { stopped.put(true) }
}

/// A stream of the numbers from 0 to 99 that ends by itself.
final class CountingStream: StreamSource {
    static let text = (0..<100).map { "\($0)\n" }.joined()

    func begin(_ stream: ResponseStream) {
        DispatchQueue.global().async {
            for number in 0..<100 { stream.write(Array("\(number)\n".utf8)) }
            stream.end()
        }
    }

    func stop() {}
}
