import HTTPWire
import Testing
import WidgetAddresses

@testable import WidgetHTTPServer

@Suite struct `An exchange` {
    private let sink = CollectedBody { _ in .response(Response(.ok)) }

    private func exchange(body: RequestBody? = nil, _ stage: Exchange.Stage = .due) -> Exchange {
        var exchange = Exchange(
            start: 7, method: .put, identity: .made(1, 2), isHTTP10: false, client: .loopbackV4, received: 100,
            endsConnection: false)
        exchange.body = body
        exchange.stage = stage
        return exchange
    }

    /// A name for each stage. A new stage does not compile until it has one, and its row below.
    private func name(_ stage: Exchange.Stage) -> String {
        switch stage {
        case .due: "due"
        case .held: "held"
        case .deferred: "deferred"
        case .streaming: "streaming"
        case .given: "given"
        }
    }

    @Test func `An exchange accepts the answer of its own responder alone, and only while it waits`() {
        let stream = StreamState(source: TestStream(), isChunked: true)
        let stages: [(Exchange.Stage, UInt64?)] = [
            (.due, nil), (.held(.plain(.refused(.noRoute))), nil), (.deferred(5, nil), 5), (.streaming(6, stream), 6),
            (.given, nil),
        ]
        #expect(stages.map { name($0.0) } == ["due", "held", "deferred", "streaming", "given"])
        for (stage, number) in stages { #expect(exchange(stage).responder == number, "\(name(stage))") }
        for (stage, _) in stages { #expect(exchange(stage).isGiven == (name(stage) == "given")) }
    }

    @Test func `An exchange reports its end to its connection`() {
        let body = RequestBody(.length(3), limit: 10)
        #expect(exchange().ending == .answerFinished)
        #expect(exchange(body: body).ending == .answerFinishedBeforeBody)
        var last = exchange(body: body)
        last.endsConnection = true
        #expect(last.ending == .lastAnswerFinished)
    }

    @Test func `An exchange counts the bytes of its body`() {
        var exchange = exchange(body: RequestBody(.length(5), limit: 0))
        var position = 2
        #expect(exchange.readBody([0, 0, 1, 2, 3].span, &position) == .piece(2..<5, isLast: false))
        #expect(exchange.received == 103)
        #expect(exchange.readBody([0, 0, 1, 2, 3].span, &position) == .piece(5..<5, isLast: false))
        position = 0
        #expect(exchange.readBody([9, 8, 7].span, &position) == .piece(0..<2, isLast: true))
        #expect(exchange.received == 105)
    }

    @Test func `An exchange without an unread body reads nothing`() {
        var exchange = exchange()
        var position = 1
        #expect(exchange.readBody([1, 2].span, &position) == nil)
        #expect(position == 1)
        #expect(exchange.received == 100)
    }

    @Test func `An exchange gives a held answer once`() {
        var exchange = exchange(.held(.plain(.refused(.noRoute))))
        #expect(exchange.release() != nil)
        #expect(exchange.release() == nil)
        #expect(name(exchange.stage) == "due")
    }

    @Test func `An exchange leaves its connection open if its answer comes after the whole body`() {
        var exchange = exchange(.deferred(1, nil))
        #expect(exchange.resume(isEarly: false) == nil)
        #expect(name(exchange.stage) == "due")
        #expect(!exchange.endsConnection)
    }

    @Test func `An exchange ends its connection if its answer comes before the body is whole`() {
        var exchange = exchange(body: RequestBody(.length(3), limit: 10, sink: sink), .deferred(1, nil))
        #expect(exchange.resume(isEarly: true) === sink)
        #expect(exchange.body == nil)
        #expect(exchange.ending == .lastAnswerFinished)
    }

    @Test func `An exchange ends its connection if its body cannot be read to the end`() {
        var exchange = exchange(body: RequestBody(.chunked, limit: 10, sink: sink), .deferred(1, nil))
        #expect(exchange.refuseBody() === sink)
        #expect(exchange.responder == nil)
        #expect(exchange.ending == .lastAnswerFinished)
    }

    @Test func `An exchange ends a stream once, with the bytes its framing takes`() {
        var exchange = exchange(.streaming(6, StreamState(source: TestStream(), isChunked: true)))
        #expect(exchange.endStream()?.end == Array("0\r\n\r\n".utf8))
        #expect(exchange.endStream() == nil)
        let plain = StreamState(source: TestStream(), isChunked: false)
        #expect(plain.end.isEmpty)
        #expect(plain.framed([1, 2]) == [1, 2])
    }
}

@Suite struct `A request's body` {
    private func read(_ body: inout RequestBody, _ text: String) -> [RequestBody.Step] {
        let bytes = Array(text.utf8)
        var position = 0
        var steps: [RequestBody.Step] = []
        while position < bytes.count {
            steps.append(body.read(bytes.span, &position))
            if case .piece(_, isLast: false)? = steps.last { continue }
            break
        }
        return steps
    }

    @Test func `A body of known length ends with its last byte`() {
        var body = RequestBody(.length(4), limit: 0)
        #expect(read(&body, "abc") == [.piece(0..<3, isLast: false)])
        #expect(read(&body, "dGET /") == [.piece(0..<1, isLast: true)])
    }

    @Test func `A body of no bytes ends at once`() {
        var body = RequestBody(.none, limit: 0)
        #expect(read(&body, "GET /") == [.piece(0..<0, isLast: true)])
    }

    @Test func `A chunked body ends with its last chunk`() {
        var body = RequestBody(.chunked, limit: 3)
        #expect(read(&body, "3\r\nabc\r\n0\r\n\r\nGET /") == [.piece(3..<6, isLast: false), .end])
    }

    @Test func `A chunked body is cut off at its limit`() {
        var body = RequestBody(.chunked, limit: 3)
        #expect(read(&body, "3\r\nabc\r\n1\r\nd") == [.piece(3..<6, isLast: false), .tooLarge])
    }

    @Test func `A malformed chunked body is refused`() {
        var body = RequestBody(.chunked, limit: 3)
        guard case .malformed? = read(&body, "x\r\n").last else {
            Issue.record("taken")
            return
        }
        #expect(read(&body, "1") != [.needsMore])
    }

    @Test func `A chunked body may pause in the middle of a chunk's head`() {
        var body = RequestBody(.chunked, limit: 3)
        #expect(read(&body, "3") == [.needsMore])
        #expect(read(&body, "\r\nabc") == [.piece(2..<5, isLast: false)])
    }
}

/// Every combination: the framing, whether the client waits for permission, whether the answer is a refusal, and
/// whether it can wait for the body.
@Suite struct `An unwanted body` {
    private func handling(
        _ framing: BodyFraming, expects: Bool = false, isRefusal: Bool, canWait: Bool
    ) -> UnwantedBody {
        UnwantedBody(framing, expectsContinue: expects, isRefusal: isRefusal, canWait: canWait, limit: 10)
    }

    @Test(arguments: [true, false], [true, false])
    func `An absent unwanted body needs nothing`(isRefusal: Bool, canWait: Bool) {
        #expect(handling(.none, expects: true, isRefusal: isRefusal, canWait: canWait) == .none)
    }

    @Test(arguments: [true, false], [true, false])
    func `An unwanted body that the client has not begun to send stays unread`(isRefusal: Bool, canWait: Bool) {
        for framing in [.length(3), .chunked] as [BodyFraming] {
            #expect(handling(framing, expects: true, isRefusal: isRefusal, canWait: canWait) == .unread)
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `An unwanted body that is too long to discard stays unread`(isRefusal: Bool, canWait: Bool) {
        #expect(handling(.length(11), isRefusal: isRefusal, canWait: canWait) == .unread)
    }

    @Test(arguments: [true, false])
    func `An unwanted body of known length delays an answer that accepts the request`(canWait: Bool) {
        #expect(handling(.length(10), isRefusal: false, canWait: canWait) == .discardedBeforeAnswer)
        #expect(handling(.length(10), isRefusal: true, canWait: canWait) == .discardedAfterAnswer)
    }

    @Test(arguments: [true, false])
    func `An unwanted chunked body delays every answer that can wait`(isRefusal: Bool) {
        #expect(handling(.chunked, isRefusal: isRefusal, canWait: true) == .discardedBeforeAnswer)
        #expect(handling(.chunked, isRefusal: isRefusal, canWait: false) == .unread)
    }
}
