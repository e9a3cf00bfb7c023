internal import Addresses
internal import HTTPWire
internal import Sockets

extension ServerLoop {
    /// Says that nothing more will be sent, and drops what still arrives until the client stops.
    ///
    /// Closing at once would answer bytes under way with a reset, which can destroy the answer before the client
    /// has read it (RFC 9112 §9.6).
    func beginLingering(_ slot: Int) {
        let token = table.token(slot)
        flush(slot)
        guard table.slot(token) != nil else { return }
        if table[slot].exchange?.hasPending ?? false {
            enterSending(slot)
            return
        }
        table[slot].exchange = nil
        Socket.finishSending(table[slot].socket)
        guard table[slot].marks.contains(.mayRead) || !table[slot].marks.contains(.halfClosed) else {
            close(slot)
            return
        }
        table[slot].phase = .lingering
        // What has arrived already will not be reported a second time.
        if table[slot].marks.contains(.mayRead) { schedule(token) }
        table[slot].progress = 0
        table[slot].deadline = after(isDraining ? ServerLoop.hurriedLinger : limits.lingerTimeout)
    }

    /// How long a client gets to read its answer from a server that is about to stop.
    private static let hurriedLinger: Duration = .seconds(2)

    /// Counts what is dropped.
    func linger(_ slot: Int, _ count: Int) {
        let (sum, didOverflow) = table[slot].progress.addingReportingOverflow(UInt32(truncatingIfNeeded: count))
        guard !didOverflow, Int(sum) <= limits.lingerBytes else {
            close(slot)
            return
        }
        table[slot].progress = sum
    }

    /// The client is gone in the middle of something: whoever works for it is told.
    func abandon(_ slot: Int) {
        if let exchange = table[slot].exchange {
            exchange.sink?.abandon()
            exchange.stream?.source.stop()
            if var facts = exchange.facts {
                facts.sent = max(0, facts.sent &- exchange.pendingByteCount)
                record(slot, facts, isComplete: false)
            }
            exchange.facts = nil
        }
        close(slot)
    }

    /// - Parameter givesUpPlace: whether there is room for one connection more from now on.
    func close(_ slot: Int, givesUpPlace: Bool = true) {
        guard table[slot].phase != .free else { return }
        Socket.close(table[slot].socket)
        // Nothing gathered for this connection may ever reach another.
        output.removeAll()
        if table[slot].marks.contains(.isCounted) { shared.census.leave(table[slot].peer.client) }
        if givesUpPlace { shared.census.leave() }
        counters.add(.closed)
        table.release(slot)
        if isDraining, table.count == 0 { reportDrained() }
    }

    // MARK: Shutting down

    /// Finishes what is under way and takes nothing new; `completion` is called when no connection is left.
    func drain(_ completion: @escaping @Sendable () -> Void) {
        isDraining = true
        drained = completion
        loop.stopListening()
        endStreams()
        for slot in 0..<table.highWater where table[slot].phase == .idle { close(slot) }
        for slot in 0..<table.highWater where table[slot].phase != .free {
            table[slot].marks.insert(.closes)
            if table[slot].phase == .lingering {
                table[slot].deadline = min(table[slot].deadline, after(ServerLoop.hurriedLinger))
            }
        }
        if table.count == 0 { reportDrained() }
    }

    /// The time for finishing is over.
    func closeAll() {
        for slot in 0..<table.highWater where table[slot].phase != .free { abandon(slot) }
    }

    private func reportDrained() {
        let report = drained
        drained = nil
        report?()
    }
}
