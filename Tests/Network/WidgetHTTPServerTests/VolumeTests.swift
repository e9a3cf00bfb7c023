import Dispatch
import HTTPWire
import Testing
import WidgetBytes
import WidgetTestSupport

@testable import WidgetHTTPServer

/// Many clients on many threads, none of them polite: enough for a sanitizer to see a race, and for a
/// miscounted wake-up to leave a client waiting.
@Suite struct `Many clients at once` {
    static let threads = 6

    /// Runs `body` on new threads, with a seed for each.
    private func onThreads(_ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
        let complaints = Guarded<[String]>([])
        let group = DispatchGroup()
        for number in 0..<Self.threads {
            DispatchQueue(label: "test.client.\(number)").async(group: group) {
                do { try body(number) } catch { complaints.withLock { $0.append("\(number): \(error)") } }
            }
        }
        group.wait()
        return complaints.withLock { $0 }
    }

    static let questions: [(text: String, isRight: @Sendable (WireAnswer) -> Bool)] = [
        (get("/letters"), { $0.body == TestRoutes.letters }),
        (get("/later/abc"), { $0.text == "abc" }),
        (get("/counted"), { $0.text == CountingStream.text }),
        (echo("Content-Length: 5\r\n", "abcde"), { $0.text == "abcde" }),
        (chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), { $0.text == "abcde" }),
        (request("PUT /hash HTTP/1.1", "Content-Length: 3\r\n") + "abc", { $0.text.hasPrefix("ba7816bf") }),
        (
            request("PUT /hash HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n0\r\n\r\n",
            { $0.text.hasPrefix("ba7816bf") }
        ),
        (get("/nowhere"), { $0.status == 404 }),
        (get("/twice"), { $0.text == "first" }),
        (get("/later-letters"), { $0.body == TestRoutes.letters }),
        (get("/letters", "Range: bytes=1-2\r\n"), { $0.text == "bc" }),
        (get("/fails"), { $0.status == 500 }),
        (request("POST /nowhere HTTP/1.1", "Content-Length: 5\r\n") + "abcde", { $0.status == 404 }),
    ]

    @Test func `Many clients at once get the right answers in the right order`() throws {
        let server = try TestServer(workers: 2)
        let complaints = onThreads { number in
            var random = SeededGenerator(seed: UInt64(number))
            for _ in 0..<60 {
                let conversation = try server.connect()
                let chosen = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                    Self.questions[Int.random(in: 0..<Self.questions.count, using: &random)]
                }
                let bytes = Array(chosen.map(\.text).joined().utf8)
                // Cut where it falls.
                var sent = 0
                while sent < bytes.count {
                    let piece = min(bytes.count - sent, Int.random(in: 1...2_000, using: &random))
                    conversation.connection.send(Array(bytes[sent..<(sent + piece)]))
                    sent += piece
                }
                for question in chosen {
                    let answer = try conversation.next()
                    guard question.isRight(answer) else {
                        throw Conversation.NoAnswer(
                            description: "\(question.text.prefix(40)) got \(answer.status) \(answer.text.prefix(40))")
                    }
                }
            }
        }
        #expect(complaints == [])
        #expect(server.reaches { $0.heavyIdleConnections == 0 })
        #expect(server.settles())
    }

    @Test func `Many clients of which some vanish leave nothing behind`() throws {
        let server = try TestServer(workers: 2)
        let complaints = onThreads { number in
            var random = SeededGenerator(seed: UInt64(100 + number))
            for _ in 0..<400 {
                let connection = try RawConnection(port: server.port)
                let count = Int.random(in: 1...5, using: &random)
                let text = (0..<count).map { _ in
                    Self.questions[Int.random(in: 0..<Self.questions.count, using: &random)].text
                }.joined()
                connection.send(Array(text.utf8.prefix(Int.random(in: 0...text.utf8.count, using: &random))))
                if Bool.random(using: &random) { _ = connection.receive(upTo: 100, patience: 1) }
                if Bool.random(using: &random) { connection.reset() } else { connection.close() }
            }
        }
        #expect(complaints == [])
        #expect(server.isWell())
        #expect(server.settles())
    }

    /// Answers from outside race with the clients' leaving, and with each other:
    ///
    ///     client            loop                    other threads
    ///     GET /held   →     responder handed out →  answer, answer, answer
    ///     reset       →     slot free, used again   answer (late)
    @Test func `Clients that leave while several threads answer them get no other client's answer`() throws {
        let server = try TestServer(workers: 2)
        let isOver = Guarded(false)
        let answering = DispatchGroup()
        for number in 0..<2 {
            DispatchQueue(label: "test.answer.\(number)").async(group: answering) {
                while !isOver.withLock({ $0 }) {
                    for responder in server.routes.held.takeAll() {
                        for _ in 0..<3 { responder.answer(.response(TestRoutes.bytes(Array("held".utf8)))) }
                        responder.resume()
                    }
                }
            }
        }
        let complaints = onThreads { number in
            for round in 0..<300 {
                let conversation = try server.connect()
                conversation.connection.send(get("/held") + get("/letters"))
                if round % 3 == number % 3 {
                    conversation.connection.reset()
                } else {
                    guard try conversation.next().text == "held" else {
                        throw Conversation.NoAnswer(description: "not held")
                    }
                    guard try conversation.next().body == TestRoutes.letters else {
                        throw Conversation.NoAnswer(description: "not letters")
                    }
                }
            }
        }
        isOver.withLock { $0 = true }
        answering.wait()
        #expect(complaints == [])
        #expect(server.settles())
    }

    @Test func `Many clients that send and read as fast as they can all finish`() throws {
        let server = try TestServer(workers: 2)
        let byteCount = 3_000_000
        let complaints = onThreads { number in
            for _ in 0..<4 {
                let conversation = try server.connect()
                conversation.connection.send(request("PUT /hash HTTP/1.1", "Content-Length: \(byteCount)\r\n"))
                guard conversation.connection.push(byteCount) == byteCount else {
                    throw Conversation.NoAnswer(description: "stuck")
                }
                guard try conversation.next().text.utf8.count == 64 else {
                    throw Conversation.NoAnswer(description: "no digest")
                }
                guard
                    try conversation.ask(get(number % 2 == 0 ? "/file" : "/large")).body.count
                        == TestRoutes.largeByteCount
                else { throw Conversation.NoAnswer(description: "cut") }
            }
        }
        #expect(complaints == [])
        #expect(server.settles())
    }

    @Test func `Many clients are disconnected by a server that is stopped`() throws {
        for _ in 0..<10 {
            let server = try TestServer(workers: 2, isTimed: false)
            let started = DispatchSemaphore(value: 0)
            let done = DispatchGroup()
            for number in 0..<Self.threads {
                DispatchQueue(label: "test.client.\(number)").async(group: done) {
                    for round in 0..<100 {
                        guard let connection = try? RawConnection(port: server.port) else { return }
                        connection.send(
                            Self.questions[round % Self.questions.count].text + get("/held") + get("/stream"))
                        _ = connection.receive(upTo: 1_000, patience: 5)
                        if round == 5 { started.signal() }
                    }
                }
            }
            started.wait()
            server.server.reload(ServerLimits(), logsRequests: true)
            server.server.drain(grace: .milliseconds(20))
            done.wait()
            #expect(server.server.connectionCount == 0)
        }
    }

    @Test func `Thousands of requests in one piece take no more stack than one`() throws {
        let server = try TestServer()
        let connection = try RawConnection(port: server.port)
        let kinds = [
            get("/livez"), request("HEAD /letters HTTP/1.1"), get("/letters", "If-None-Match: *\r\n"), get("/later/x"),
        ]
        for kind in kinds {
            let count = 4_000
            let bytes = Array(String(repeating: kind, count: count).utf8)
            let sender = DispatchGroup()
            let descriptor = Guarded(connection.descriptor)
            DispatchQueue.global().async(group: sender) {
                _ = descriptor.withLock { RawConnection.sendAll(bytes, over: $0) }
            }
            var heads = 0
            var tail: [UInt8] = []
            while heads < count, case .bytes(let more) = connection.receive(upTo: 262_144) {
                let window = tail + more
                heads += window.indices.dropLast(8).count {
                    window[$0] == 0x48 && window[$0...].starts(with: "HTTP/1.1 ".utf8)
                }
                tail = Array(window.suffix(8))
            }
            #expect(heads == count)
            sender.wait()
        }
    }
}
