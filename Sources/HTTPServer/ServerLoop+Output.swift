internal import HTTPWire
internal import Sockets
internal import Synchronization

extension ServerLoop {
    /// Contents from memory up to this size are gathered with their head; larger ones are sent from where they are.
    private static let gatherLimit = 16 * 1_024
    /// What one connection sends before others get their turn.
    private static let sendTurn = 2 * 1_024 * 1_024

    /// Sends a stretch of content behind the head that stands in `output`.
    ///
    /// - Parameter owner: the resource whose content it is, kept until all of it has been sent: whoever counts what
    ///   slow clients hold in memory, or gives others the same bytes, sees the resource.
    func send(
        _ slot: Int, _ content: Resource.Content, _ range: Range<Int>, of owner: Resource?, _ facts: inout RequestFacts
    ) {
        guard facts.method != .head, !range.isEmpty else {
            complete(slot, &facts)
            return
        }
        facts.sent = range.count
        switch content {
        case .bytes(let bytes):
            if range.count <= ServerLoop.gatherLimit {
                if output.count &+ range.count > ServerLoop.outputRoom { flush(slot) }
                guard table[slot].phase != .free else {
                    recordUnsent(slot, &facts)
                    return
                }
                if !hasPending(slot) {
                    output.append(contentsOf: bytes[range])
                    complete(slot, &facts)
                    return
                }
            }
            takeOutput(slot)
            exchange(slot).append(.bytes(bytes, range, of: owner))
            beginSending(slot, &facts)
        case .file(let file, let offset, _):
            sendFile(slot, file, offset: offset &+ range.lowerBound, count: range.count, &facts)
        }
    }

    /// The head with a promise that more follows, then the file, all within this turn if the client keeps up.
    private func sendFile(_ slot: Int, _ file: OpenFile, offset: Int, count: Int, _ facts: inout RequestFacts) {
        if !hasPending(slot), sendOutput(slot, more: true) {
            let wanted = min(count, ServerLoop.sendTurn)
            switch Socket.sendFile(table[slot].socket, file: file.descriptor, offset: offset, count: wanted) {
            case .moved(count):
                complete(slot, &facts)
                return
            case .moved(let moved):
                exchange(slot).append(.file(file, offset: offset &+ moved, count: count &- moved))
            case .wouldBlock:
                exchange(slot).append(.file(file, offset: offset, count: count))
            case .ended, .failed:
                facts.sent = 0
                exchange(slot).facts = facts
                abandon(slot)
                return
            }
        } else {
            guard table[slot].phase != .free else {
                recordUnsent(slot, &facts)
                return
            }
            takeOutput(slot)
            exchange(slot).append(.file(file, offset: offset, count: count))
        }
        beginSending(slot, &facts)
    }

    /// The client turned out to be gone before the answer was on its way.
    private func recordUnsent(_ slot: Int, _ facts: inout RequestFacts) {
        facts.sent = 0
        record(slot, facts, isComplete: false)
    }

    private func hasPending(_ slot: Int) -> Bool {
        table[slot].exchange?.hasPending ?? false
    }

    /// Sends what has been gathered; what the client does not take now is kept for later.
    func flush(_ slot: Int) {
        guard !output.isEmpty, table[slot].phase != .free else {
            output.removeAll()
            return
        }
        guard !hasPending(slot) else {
            takeOutput(slot)
            return
        }
        if sendOutput(slot, more: false) { return }
        guard table[slot].phase != .free else { return }
        takeOutput(slot)
        // The answers are complete, only not on their way yet: nothing new is read until they are.
        if table[slot].phase == .idle || table[slot].phase == .head { enterSending(slot) }
    }

    /// - Returns: whether all of it went. What did not is left in `output`.
    private func sendOutput(_ slot: Int, more: Bool) -> Bool {
        guard !output.isEmpty else { return true }
        switch unsafe output.withUnsafeBytes({ unsafe Socket.send(table[slot].socket, $0, more: more) }) {
        case .moved(output.count):
            output.removeAll()
            return true
        case .moved(let count):
            output.removeFirst(count)
            return false
        case .wouldBlock:
            return false
        case .ended, .failed:
            output.removeAll()
            abandon(slot)
            return false
        }
    }

    /// Moves what has been gathered behind what is pending already.
    func takeOutput(_ slot: Int) {
        guard !output.isEmpty else { return }
        exchange(slot).append(.bytes(output.take()))
    }

    /// The answer is all there, and part of it has to wait for the client.
    func beginSending(_ slot: Int, _ facts: inout RequestFacts) {
        exchange(slot).facts = facts
        enterSending(slot)
        resumeOutput(slot)
    }

    func enterSending(_ slot: Int) {
        table[slot].phase = .sending
        startRateWindow(slot)
    }

    /// Sends on from where the client's window was full.
    func resumeOutput(_ slot: Int) {
        guard let exchange = table[slot].exchange else { return }
        var budget = ServerLoop.sendTurn
        while exchange.hasPending {
            guard budget > 0 else {
                eager.append(table.token(slot))
                return
            }
            let isLast = exchange.nextPending &+ 1 == exchange.pending.count
            let movement: Movement
            switch exchange.pending[exchange.nextPending] {
            case .bytes(let bytes, let range, _), .piece(let bytes, let range, _, _):
                movement = unsafe bytes.withUnsafeBytes {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[range])
                    return unsafe Socket.send(table[slot].socket, rest, more: !isLast)
                }
            case .file(let file, let offset, let count):
                movement = Socket.sendFile(
                    table[slot].socket, file: file.descriptor, offset: offset, count: min(count, budget))
            }
            switch movement {
            case .moved(let count):
                budget &-= count
                noteProgress(slot, count)
                advance(exchange, by: count)
            case .wouldBlock:
                return
            case .ended, .failed:
                abandon(slot)
                return
            }
        }
        outputDrained(slot)
    }

    private func advance(_ exchange: Exchange, by moved: Int) {
        let index = exchange.nextPending
        switch exchange.pending[index] {
        case .bytes(let bytes, let range, let owner):
            let rest = range.dropFirst(moved)
            exchange.pending[index] = .bytes(bytes, rest, of: owner)
            if !rest.isEmpty { return }
        case .piece(let bytes, let range, let backlog, let weight):
            let rest = range.dropFirst(moved)
            exchange.pending[index] = .piece(bytes, rest, backlog, weight: weight)
            if !rest.isEmpty { return }
            backlog.byteCount.subtract(weight, ordering: .relaxed)
        case .file(let file, let offset, let count):
            exchange.pending[index] = .file(file, offset: offset &+ moved, count: count &- moved)
            if moved < count { return }
        }
        // Lets go of what has been sent, a file's descriptor among it.
        exchange.pending[index] = .bytes([])
        exchange.nextPending &+= 1
    }

    /// Everything that was to be sent has been.
    private func outputDrained(_ slot: Int) {
        guard let exchange = table[slot].exchange else { return }
        exchange.pending = []
        exchange.nextPending = 0
        guard table[slot].phase == .sending else { return }
        if exchange.stream != nil {
            // The stream goes on when its source has something to say.
            table[slot].phase = .waiting
            table[slot].deadline = .max
            return
        }
        let token = table.token(slot)
        if var facts = exchange.facts {
            complete(slot, &facts)
        } else {
            finishExchange(slot)
        }
        // The next request may have arrived meanwhile.
        if table.slot(token) != nil, isReady(slot) { schedule(token) }
    }

    /// Whether input that was kept can be used now.
    func isReady(_ slot: Int) -> Bool {
        table[slot].phase == .idle || table[slot].phase == .discarding
    }

    /// Looks at kept input again after the present turn, rather than on top of it.
    func schedule(_ token: UInt64) {
        eager.append(token)
    }
}
