internal import HTTPWire
internal import Sockets

extension ServerLoop {
    /// What is read from one connection before others get their turn.
    private static let readTurn = 1_024 * 1_024
    /// An unfinished head is looked at again at the latest when this much has been added to it.
    private static let headStep = 1_024

    /// Reads and uses what has arrived, until there is no more or it is not this connection's turn to speak.
    func pump(_ slot: Int) {
        let token = table.token(slot)
        var budget = ServerLoop.readTurn
        while table.slot(token) != nil, table[slot].marks.contains(.mayRead), isReading(slot) {
            guard budget > 0 else {
                schedule(token)
                return
            }
            let kept = table[slot].exchange?.input.count ?? 0
            guard kept < ServerLoop.inputRoom else {
                abandon(slot)
                return
            }
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[kept...])
            switch unsafe Socket.receive(table[slot].socket, into: free) {
            case .moved(let count):
                budget &-= count
                // A short read has emptied the socket, unless the end of the stream waits behind it.
                if count < free.count, !table[slot].marks.contains(.halfClosed) { table[slot].marks.remove(.mayRead) }
                restoreInput(slot, kept)
                consume(slot, kept: kept, count: kept &+ count)
            case .wouldBlock:
                table[slot].marks.remove(.mayRead)
            case .ended:
                table[slot].marks.remove(.mayRead)
                table[slot].marks.insert(.halfClosed)
                inputEnded(slot)
            case .failed:
                abandon(slot)
            }
        }
    }

    /// Goes on with requests that arrived while an earlier one was being answered.
    func resumeInput(_ slot: Int) {
        let token = table.token(slot)
        let kept = table[slot].exchange?.input.count ?? 0
        if kept > 0, isReading(slot) {
            restoreInput(slot, kept)
            consume(slot, kept: 0, count: kept)
        }
        if table.slot(token) != nil { pump(slot) }
    }

    private func isReading(_ slot: Int) -> Bool {
        switch table[slot].phase {
        case .idle, .head, .discarding, .lingering: true
        case .body: !(table[slot].exchange?.isPaused ?? false)
        case .free, .waiting, .sending: false
        }
    }

    /// Puts what was kept in front of what has just been read.
    private func restoreInput(_ slot: Int, _ kept: Int) {
        guard kept > 0, let exchange = table[slot].exchange else { return }
        unsafe exchange.input.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    }

    /// Uses the first `count` bytes of the room, of which `kept` had been there before.
    private func consume(_ slot: Int, kept: Int, count: Int) {
        let token = table.token(slot)
        var position = 0
        var isUnderWay = true
        while position < count, isUnderWay {
            switch table[slot].phase {
            case .idle, .head:
                isUnderWay = consumeHead(slot, &position, kept: kept, count: count)
                // A client that asks much and reads nothing has its next requests wait, not its answers.
                if output.count > ServerLoop.outputRoom { flush(slot) }
            case .body where !(table[slot].exchange?.isPaused ?? false), .discarding:
                consumeBody(slot, &position, count)
            case .lingering:
                linger(slot, count &- position)
                position = count
            case .free:
                return
            case .body, .waiting, .sending:
                isUnderWay = false
            }
            guard table.slot(token) != nil else { return }
        }
        keep(slot, position..<count, kept: kept)
        flush(slot)
    }

    /// - Returns: whether there is anything more to do with this input now.
    private func consumeHead(_ slot: Int, _ position: inout Int, kept: Int, count: Int) -> Bool {
        if position == 0, kept > 0, !isWorthParsing(slot, kept: kept, count: count) { return false }
        let bytes = unsafe UnsafeBufferPointer(rebasing: room.assumingMemoryBound(to: UInt8.self)[position..<count])
        switch unsafe RequestHeadParser.parse(bytes.span, into: &headRoom.pointee, limits: limits.head) {
        case .complete:
            let length = head.byteCount
            position &+= length
            table[slot].exchange?.examined = 0
            unsafe dispatch(slot, bytes, hasMore: position < count)
            return true
        case .incomplete:
            if table[slot].phase == .idle {
                table[slot].phase = .head
                table[slot].deadline = after(limits.headTimeout)
            }
            exchange(slot).examined = count &- position
            return false
        case .refused(let refusal):
            position = count
            refuseUnparsed(slot, refusal)
            return false
        }
    }

    /// An unfinished head is looked at again when a line has ended or when it has grown much: a client that sends
    /// byte by byte costs no more than one that does not.
    private func isWorthParsing(_ slot: Int, kept: Int, count: Int) -> Bool {
        let examined = table[slot].exchange?.examined ?? 0
        if count >= min(2 &* examined, examined &+ ServerLoop.headStep) { return true }
        let fresh = unsafe UnsafeRawBufferPointer(rebasing: room[kept..<count])
        return unsafe fresh.contains(0x0A)
    }

    /// Keeps what was not used. Bytes that had been kept already are not copied again.
    private func keep(_ slot: Int, _ rest: Range<Int>, kept: Int) {
        guard let exchange = table[slot].exchange ?? (rest.isEmpty ? nil : self.exchange(slot)) else { return }
        if rest.isEmpty {
            exchange.input = []
            if table[slot].phase == .idle, !exchange.hasPending { table[slot].exchange = nil }
        } else if rest.lowerBound == 0, exchange.input.count == kept {
            unsafe exchange.input.append(contentsOf: room[kept..<rest.upperBound])
        } else {
            unsafe exchange.input = Array(room[rest])
        }
    }

    /// A head will not become whole. Empty lines alone are no head, and nobody waits for an answer to them.
    func refuseHead(_ slot: Int, _ refusal: Refusal) {
        if table[slot].exchange?.input.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) ?? true {
            close(slot)
        } else {
            refuseUnparsed(slot, refusal)
            flush(slot)
        }
    }

    /// The client has said all it will say.
    private func inputEnded(_ slot: Int) {
        switch table[slot].phase {
        case .head:
            refuseHead(slot, .malformed(.incomplete))
        case .body:
            refuseBody(slot, .malformed(.incomplete))
            flush(slot)
        case .discarding:
            refuseBody(slot, .malformed(.incomplete))
            if table[slot].phase != .free { flush(slot) }
        case .idle, .lingering:
            close(slot)
        case .free, .waiting, .sending:
            break
        }
    }
}
