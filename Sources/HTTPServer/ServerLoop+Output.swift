internal import HTTPWire
internal import Sockets
internal import Synchronization

extension ServerLoop {
    /// Contents from memory up to this size are gathered with their head; larger ones are sent from where they are.
    private static let gatherLimit = 16 * 1_024
    /// What one connection sends before others get their turn.
    private static let sendTurn = 2 * 1_024 * 1_024

    /// Sends a stretch of content behind the head that stands in `output`.
    func send(_ slot: Int, _ content: Resource.Content, _ range: Range<Int>, _ facts: inout RequestFacts) {
        guard facts.method != .head, !range.isEmpty else {
            complete(slot, &facts)
            return
        }
        facts.sent = range.count
        switch content {
        case .bytes(let bytes):
            if range.count <= ServerLoop.gatherLimit {
                if output.count &+ range.count > ServerLoop.outputRoom { flush(slot) }
                guard table[slot].phase != .free else { return }
                if !hasPending(slot) {
                    output.append(contentsOf: bytes[range])
                    complete(slot, &facts)
                    return
                }
            }
            takeOutput(slot)
            exchange(slot).append(.bytes(range.count == bytes.count ? bytes : Array(bytes[range]), from: 0))
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
                exchange(slot).facts = facts
                abandon(slot)
                return
            }
        } else {
            guard table[slot].phase != .free else { return }
            takeOutput(slot)
            exchange(slot).append(.file(file, offset: offset, count: count))
        }
        beginSending(slot, &facts)
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
        exchange(slot).append(.bytes(output.take(), from: 0))
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
            case .bytes(let bytes, let from), .piece(let bytes, let from, _, _):
                movement = unsafe bytes.withUnsafeBytes {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[from...])
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
        case .bytes(let bytes, let from):
            exchange.pending[index] = .bytes(bytes, from: from &+ moved)
            if from &+ moved < bytes.count { return }
        case .piece(let bytes, let from, let backlog, let weight):
            exchange.pending[index] = .piece(bytes, from: from &+ moved, backlog, weight: weight)
            if from &+ moved < bytes.count { return }
            backlog.byteCount.subtract(weight, ordering: .relaxed)
        case .file(let file, let offset, let count):
            exchange.pending[index] = .file(file, offset: offset &+ moved, count: count &- moved)
            if moved < count { return }
        }
        // Lets go of what has been sent, a file's descriptor among it.
        exchange.pending[index] = .bytes([], from: 0)
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
