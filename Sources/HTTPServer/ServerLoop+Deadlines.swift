internal import HTTPWire
internal import Sockets

extension ServerLoop {
    /// From now on, bytes have to move at the least rate there is.
    func startRateWindow(_ slot: Int) {
        table[slot].progress = 0
        table[slot].deadline = after(limits.rateWindow)
    }

    /// Bytes have moved. The count stops at its end: past it, any client is fast enough.
    func noteProgress(_ slot: Int, _ count: Int) {
        let (sum, didOverflow) = table[slot].progress.addingReportingOverflow(UInt32(truncatingIfNeeded: count))
        table[slot].progress = didOverflow ? .max : sum
    }

    /// Looks at every connection; a deadline is kept to within a tick.
    func tick() {
        let now = loop.now
        for slot in 0..<table.highWater where table[slot].deadline <= now && table[slot].phase != .free {
            expire(slot)
        }
    }

    private func expire(_ slot: Int) {
        switch table[slot].phase {
        case .free, .waiting:
            table[slot].deadline = .max
        case .idle, .lingering:
            close(slot)
        case .head:
            refuseHead(slot, .headTooSlow)
        case .body:
            // A pause is ours; the client cannot send what is not read.
            if table[slot].exchange?.isPaused ?? false || isFastEnough(slot) {
                startRateWindow(slot)
            } else {
                refuseBody(slot, .contentTooSlow)
                flush(slot)
            }
        case .discarding:
            if isFastEnough(slot) {
                startRateWindow(slot)
            } else {
                refuseBody(slot, .contentTooSlow)
                if table[slot].phase != .free { flush(slot) }
            }
        case .sending:
            if isFastEnough(slot) { startRateWindow(slot) } else { abandon(slot) }
        }
    }

    private func isFastEnough(_ slot: Int) -> Bool {
        let seconds = Double(limits.rateWindow.nanoseconds) / 1_000_000_000
        return Double(table[slot].progress) >= Double(limits.bodyRate) * seconds
    }
}
