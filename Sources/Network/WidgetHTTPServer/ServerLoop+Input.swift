internal import HTTPWire
internal import WidgetSockets

/// The bytes of clients: reading them, keeping those whose turn has not come, and using them as heads and bodies.
extension ServerLoop {
    /// The most bytes read from one connection before others get their turn.
    private static let readTurn = 1_024 * 1_024
    /// The most requests of one connection that are answered before others get their turn.
    private static let requestTurn = 128
    /// An unfinished head is parsed again at the latest when this much has been added to it.
    private static let headStep = 1_024
    private static let continueLines = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    // MARK: Reading

    /// Reads and uses the bytes that have arrived, until there are no more or the connection's state takes none.
    func read(_ slot: Int) {
        var budget = ServerLoop.readTurn
        while table[slot].state.wantsRead {
            guard budget > 0 else {
                schedule(slot)
                return
            }
            let kept = table[slot].activity?.input.count ?? 0
            guard kept < InputBuffer.capacity else {
                // Only a head can fill all there is, under limits that allow more than that.
                refuseUnparsed(slot, .headTooLong(limit: InputBuffer.capacity))
                return
            }
            switch unsafe table[slot].channel.receive(into: input.room(after: kept)) {
            case .moved(let count):
                budget &-= count
                if table[slot].channel.isEmptied(by: count, of: InputBuffer.capacity &- kept) {
                    signal(slot, .inputEmptied)
                }
                restoreInput(slot)
                guard use(slot, kept: kept, count: kept &+ count) else { return }
            case .wouldBlock:
                signal(slot, .inputExhausted)
            case .ended where kept > 0 && table[slot].state.phase != .head:
                // The requests that were kept come before the end.
                schedule(slot)
                return
            case .ended:
                signal(slot, .inputEnded)
            case .failed:
                signal(slot, .failed)
            }
        }
    }

    /// Continues with bytes that arrived while an earlier request was being answered.
    func resumeInput(_ slot: Int) {
        let kept = table[slot].activity?.input.count ?? 0
        if kept > 0, table[slot].state.takesInput {
            restoreInput(slot)
            guard use(slot, kept: 0, count: kept) else { return }
        }
        read(slot)
    }

    /// Puts kept bytes in front of those just read.
    private func restoreInput(_ slot: Int) {
        guard let activity = table[slot].activity, !activity.input.isEmpty else { return }
        input.restore(activity.input)
    }

    /// Uses the first `count` bytes of the input, of which `kept` had been there before.
    ///
    /// - Returns: whether the connection's turn continues. Where it does not, another one is scheduled.
    private func use(_ slot: Int, kept: Int, count: Int) -> Bool {
        var position = 0
        var requests = 0
        var continues = true
        while position < count, continues {
            switch table[slot].state.phase {
            case .idle, .head:
                continues = readHead(slot, &position, kept: kept, count: count)
                requests &+= 1
                // A client that asks much and reads nothing has its next requests wait, not its answers.
                if output.count > ServerLoop.outputRoom { flush(slot) }
            case .body, .discarding:
                readBody(slot, &position, count)
            case .lingering:
                carryOut(slot, table[slot].state.countDiscarded(count &- position, bounds))
                position = count
            case .closed:
                return false
            case .paused, .suspended, .sending:
                continues = false
            }
            if requests == ServerLoop.requestTurn { break }
        }
        guard table.isOpen(slot) else { return false }
        keep(slot, position..<count, kept: kept)
        flush(slot)
        guard requests == ServerLoop.requestTurn, table.isOpen(slot) else { return true }
        schedule(slot)
        return false
    }

    /// Keeps unused bytes. Bytes that had been kept already are not copied again.
    private func keep(_ slot: Int, _ rest: Range<Int>, kept: Int) {
        guard let activity = table[slot].activity ?? (rest.isEmpty ? nil : activity(slot)) else { return }
        if rest.isEmpty {
            activity.input = []
            if table[slot].state.phase == .idle, activity.isEmpty { table[slot].activity = nil }
        } else if rest.lowerBound == 0, activity.input.count == kept {
            unsafe activity.input.append(contentsOf: input.bytes(kept..<rest.upperBound))
        } else {
            activity.input = unsafe Array(input.bytes(rest))
        }
    }

    // MARK: Heads

    /// - Returns: whether there is anything more to do with the input now.
    private func readHead(_ slot: Int, _ position: inout Int, kept: Int, count: Int) -> Bool {
        if position == 0, kept > 0, !isWorthParsing(slot, kept: kept, count: count) { return false }
        let bytes = unsafe input.bytes(position..<count)
        switch unsafe dispatcher.parse(bytes, limits.head) {
        case .complete:
            position &+= dispatcher.head.byteCount
            table[slot].activity?.examined = 0
            unsafe dispatch(slot, bytes, hasMore: position < count)
            return true
        case .incomplete:
            signal(slot, .headBegan)
            activity(slot).examined = count &- position
            return false
        case .refused(let refusal):
            position = count
            refuseUnparsed(slot, refusal)
            return false
        }
    }

    /// An unfinished head is parsed again when a line has ended or when it has grown much: a client that sends byte by
    /// byte costs no more than one that does not.
    private func isWorthParsing(_ slot: Int, kept: Int, count: Int) -> Bool {
        let examined = table[slot].activity?.examined ?? 0
        return count >= min(2 &* examined, examined &+ ServerLoop.headStep) || input.hasLineFeed(in: kept..<count)
    }

    /// Begins an exchange for the head just parsed, asks its route, and answers or reads the body.
    private func dispatch(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>, hasMore: Bool) {
        counters.add(.begun)
        let peer = table[slot].peer
        var exchange = unsafe dispatcher.exchange(
            bytes, from: peer, at: loop.now, endsConnection: !dispatcher.head.keepsAlive || isDraining)
        let answer = unsafe dispatcher.answer(
            bytes, listener: Int(table[slot].listener), peer: peer, &exchange)
        if case .readBody(let receipt) = answer {
            exchange.prefersText = unsafe dispatcher.prefersText(bytes)
            unsafe beginBody(slot, receipt, &exchange, bytes, hasMore: hasMore)
            return
        }
        let planned = unsafe dispatcher.planned(answer, bytes)
        if planned.mayBeProblem { exchange.prefersText = unsafe dispatcher.prefersText(bytes) }
        guard case .none = dispatcher.head.framing else {
            respondDespiteBody(slot, planned, isRefusal: answer.isRefusal, canWait: true, &exchange)
            return
        }
        respond(slot, planned, &exchange)
    }

    /// Answers a request whose body is not wanted.
    private func respondDespiteBody(
        _ slot: Int, _ planned: PlannedAnswer, isRefusal: Bool, canWait: Bool, _ exchange: inout Exchange
    ) {
        let framing = dispatcher.head.framing
        let handling = UnwantedBody(
            framing, expectsContinue: dispatcher.head.expectsContinue, isRefusal: isRefusal, canWait: canWait,
            limit: limits.unwantedBody)
        switch handling {
        case .none: break
        case .unread: exchange.endsConnection = true
        case .discardedAfterAnswer: exchange.body = RequestBody(framing, limit: limits.unwantedBody)
        case .discardedBeforeAnswer:
            exchange.body = RequestBody(framing, limit: limits.unwantedBody)
            exchange.stage = .held(planned)
            activity(slot).exchange = exchange
            signal(slot, .bodyUnwanted)
            return
        }
        respond(slot, planned, &exchange)
    }

    /// Answers bytes that could not be read as a request: without head and route, as the connection's last answer.
    private func refuseUnparsed(_ slot: Int, _ refusal: Refusal) {
        counters.add(.begun)
        var exchange = Exchange(
            start: loop.now, method: .other, identity: dispatcher.nextIdentity(), isHTTP10: false,
            client: table[slot].peer, received: 0, endsConnection: true)
        respond(slot, .refused(refusal), &exchange)
    }

    /// Refuses a head that will not become whole. Empty lines alone are no head, and their client waits for no answer.
    func refuseHead(_ slot: Int, _ refusal: Refusal) {
        if table[slot].activity?.input.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) ?? true {
            close(slot)
        } else {
            refuseUnparsed(slot, refusal)
        }
    }

    // MARK: Bodies

    /// Begins to read the body a route wants, unless its head alone speaks against it.
    private func beginBody(
        _ slot: Int, _ receipt: BodyReceipt, _ exchange: inout Exchange, _ bytes: UnsafeBufferPointer<UInt8>,
        hasMore: Bool
    ) {
        let refusal = unsafe receipt.refusal(dispatcher.head, bytes.span).map { receipt.explain?($0) ?? .refused($0) }
        if let answer = refusal ?? receipt.blockingProblem.map({ .problem($0) }) {
            respondDespiteBody(slot, .plain(answer), isRefusal: true, canWait: false, &exchange)
            return
        }
        let framing = dispatcher.head.framing
        let responder = nextResponder(slot)
        exchange.stage = .deferred(responder.number, nil)
        exchange.body = RequestBody(framing, limit: receipt.limit, sink: receipt.sink, explain: receipt.explain)
        activity(slot).exchange = exchange
        signal(slot, .bodyExpected)
        receipt.sink.begin(responder)
        if framing == .none {
            finishBody(slot)
        } else if dispatcher.head.expectsContinue, !hasMore {
            // A client that has begun to send does not wait for permission (RFC 9110 §10.1.1).
            output.append(contentsOf: ServerLoop.continueLines)
        }
    }

    /// Uses body bytes of the input from `position` on.
    private func readBody(_ slot: Int, _ position: inout Int, _ count: Int) {
        guard let activity = table[slot].activity else { return }
        let start = position
        let bytes = unsafe input.bytes(0..<count)
        let step = unsafe activity.exchange?.readBody(bytes.span, &position)
        table[slot].state.countMoved(position &- start)
        switch step {
        case .piece(let range, let isLast):
            if !range.isEmpty, let sink = activity.exchange?.body?.sink, unsafe !sink.write(input.bytes(range).span) {
                signal(slot, .bodyPaused)
            }
            if isLast { finishBody(slot) }
        case .needsMore: break
        case .end, nil: finishBody(slot)
        case .tooLarge: cutBody(slot)
        case .malformed(let malformation):
            position = count
            refuseBody(slot, .malformed(malformation))
        }
    }

    /// The body is complete: its sink answers now or later, or the held answer is given.
    private func finishBody(_ slot: Int) {
        let activity = activity(slot)
        if let sink = activity.exchange?.endBody() {
            signal(slot, .answerDeferred)
            guard let answer = sink.finish(), var exchange = takeExchange(slot) else { return }
            exchange.stage = .due
            respond(slot, answer, &exchange)
        } else if var exchange = takeExchange(slot) {
            if let held = exchange.release() {
                respond(slot, held, &exchange)
            } else {
                settle(slot, &exchange)
            }
        }
    }

    /// More of a body came than its limit allows.
    private func cutBody(_ slot: Int) {
        if let body = table[slot].activity?.exchange?.body, body.sink != nil {
            refuseBody(slot, .contentTooLarge(limit: body.limit))
        } else if var exchange = takeExchange(slot), let held = exchange.release() {
            // No route wants the body, and there is too much of it to wait for its end.
            exchange.body = nil
            exchange.endsConnection = true
            respond(slot, held, &exchange)
        } else {
            close(slot)
        }
    }

    /// Answers that the body cannot be read to its end, and why. The connection ends.
    func refuseBody(_ slot: Int, _ refusal: Refusal) {
        guard var exchange = takeExchange(slot), !exchange.isGiven else {
            // The request has been answered already.
            close(slot)
            return
        }
        let answer = exchange.body?.explain?(refusal) ?? .refused(refusal)
        exchange.refuseBody()?.abandon()
        respond(slot, answer, &exchange)
    }
}
