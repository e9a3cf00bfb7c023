internal import HTTPWire
internal import Sockets

extension ServerLoop {
    private static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// A route wants the body: refused by its announced length, or begun.
    func receive(
        _ slot: Int, _ receipt: BodyReceipt, _ facts: inout RequestFacts, _ input: Span<UInt8>, hasMore: Bool
    ) {
        if let refusal = refusal(receipt, input) {
            refuseUnread(slot, .refused(refusal), &facts)
            return
        }
        if let obstacle = receipt.obstacle {
            refuseUnread(slot, .problem(obstacle), &facts)
            return
        }
        let exchange = exchange(slot)
        switch head.framing {
        case .none: exchange.body = nil
        case .length(let length): exchange.body = .length(remaining: length)
        case .chunked: exchange.body = .chunked(ChunkedDecoder(), received: 0)
        }
        let responder = wait(slot, facts)
        exchange.sink = receipt.sink
        exchange.bodyLimit = receipt.limit
        receipt.sink.begin(responder)
        guard exchange.body != nil else {
            finishBody(slot, exchange)
            return
        }
        table[slot].phase = .body
        startRateWindow(slot)
        // A client that has begun to send does not wait to be told (RFC 9110 §10.1.1).
        if head.expectsContinue, !hasMore { output.append(contentsOf: ServerLoop.goOn) }
    }

    /// What the head alone says against the body.
    private func refusal(_ receipt: BodyReceipt, _ input: Span<UInt8>) -> Refusal? {
        if let mediaTypes = receipt.mediaTypes {
            let hasType = head.value(.contentType).map { Negotiation.isOne(of: mediaTypes, input, $0) } ?? true
            if !hasType || head.has(.contentEncoding) {
                return .unsupportedMediaType(accepted: mediaTypes.joined(separator: " or "))
            }
        }
        if case .length(let length) = head.framing, length > receipt.limit {
            return .contentTooLarge(limit: receipt.limit, announced: length)
        }
        return nil
    }

    private func refuseUnread(_ slot: Int, _ answer: Answer, _ facts: inout RequestFacts) {
        if case .length(let length) = head.framing, length <= limits.unwantedBody, !head.expectsContinue {
            exchange(slot).body = .length(remaining: length)
        } else if head.framing != .none {
            table[slot].marks.insert(.closes)
        }
        deliver(slot, .plain(answer), &facts)
    }

    /// Uses body bytes of the room from `position` on, for a sink or for nobody.
    func consumeBody(_ slot: Int, _ position: inout Int, _ count: Int) {
        guard let exchange = table[slot].exchange, let progress = exchange.body else {
            finishExchange(slot)
            return
        }
        let start = position
        switch progress {
        case .length(let remaining):
            let taken = min(remaining, count &- position)
            let range = position..<(position &+ taken)
            position &+= taken
            exchange.body = .length(remaining: remaining &- taken)
            note(slot, exchange, start, position)
            give(slot, exchange, range)
            if remaining == taken { finishBody(slot, exchange) }
        case .chunked(var decoder, let received):
            let input = unsafe UnsafeBufferPointer(rebasing: room.assumingMemoryBound(to: UInt8.self)[..<count])
            let step = unsafe decoder.next(input.span, &position)
            note(slot, exchange, start, position)
            switch step {
            case .data(let range):
                let sum = received &+ range.count
                exchange.body = .chunked(decoder, received: sum)
                guard sum <= (exchange.sink == nil ? limits.unwantedBody : exchange.bodyLimit) else {
                    bodyTooLarge(slot, exchange)
                    return
                }
                give(slot, exchange, range)
            case .needsMore:
                exchange.body = .chunked(decoder, received: received)
            case .end:
                finishBody(slot, exchange)
            case .refused(let malformation):
                position = count
                refuseBody(slot, .malformed(malformation))
            }
        }
    }

    private func note(_ slot: Int, _ exchange: Exchange, _ start: Int, _ end: Int) {
        noteProgress(slot, end &- start)
        exchange.facts?.received &+= end &- start
    }

    private func give(_ slot: Int, _ exchange: Exchange, _ range: Range<Int>) {
        guard let sink = exchange.sink, !range.isEmpty else { return }
        let bytes = unsafe UnsafeBufferPointer(rebasing: room.assumingMemoryBound(to: UInt8.self)[range])
        if unsafe !sink.receive(bytes.span) { exchange.isPaused = true }
    }

    /// The body is complete.
    private func finishBody(_ slot: Int, _ exchange: Exchange) {
        exchange.body = nil
        exchange.isPaused = false
        if let sink = exchange.sink {
            exchange.sink = nil
            table[slot].phase = .waiting
            table[slot].deadline = .max
            guard let answer = sink.finish(), var facts = exchange.facts else { return }
            exchange.sequence = 0
            exchange.facts = nil
            deliver(slot, .plain(answer), &facts)
        } else if let held = exchange.heldAnswer, var facts = exchange.facts {
            exchange.heldAnswer = nil
            exchange.facts = nil
            deliver(slot, held, &facts)
        } else {
            finishExchange(slot)
        }
    }

    /// More came than was wanted.
    private func bodyTooLarge(_ slot: Int, _ exchange: Exchange) {
        guard exchange.sink == nil else {
            refuseBody(slot, .contentTooLarge(limit: exchange.bodyLimit))
            return
        }
        guard let held = exchange.heldAnswer, var facts = exchange.facts else {
            close(slot)
            return
        }
        // Nobody wanted the body, and there is too much of it to wait for its end.
        exchange.heldAnswer = nil
        exchange.facts = nil
        exchange.body = nil
        table[slot].marks.insert(.closes)
        deliver(slot, held, &facts)
    }

    /// The body cannot be read to its end: the answer says why, and the connection ends.
    func refuseBody(_ slot: Int, _ refusal: Refusal) {
        guard let exchange = table[slot].exchange, var facts = exchange.facts else {
            // The request has been answered already; there is nobody to tell.
            close(slot)
            return
        }
        exchange.sink?.abandon()
        exchange.sink = nil
        exchange.heldAnswer = nil
        exchange.body = nil
        exchange.isPaused = false
        exchange.sequence = 0
        exchange.facts = nil
        table[slot].marks.insert(.closes)
        deliver(slot, .plain(.refused(refusal)), &facts)
    }

    /// The sink is ready for more.
    func resumeBody(_ token: UInt64, _ sequence: UInt64) {
        guard let (slot, exchange) = underWay(token, sequence), exchange.isPaused else { return }
        exchange.isPaused = false
        startRateWindow(slot)
        resumeInput(slot)
    }
}
