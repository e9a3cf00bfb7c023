internal import Addresses
internal import HTTPWire
internal import Sockets

extension ServerLoop {
    func accepted(_ socket: Int32, from peer: IPAddress, listener: Int) {
        counters.add(.accepted)
        guard shared.census.admit(limit: limits.connections) || makeRoom() else {
            turnAway(socket)
            return
        }
        let client = peer.client
        let isCounted = !limits.isExempt(peer)
        guard !isCounted || shared.census.admit(client, limit: limits.connectionsPerAddress) else {
            shared.census.leave()
            turnAway(socket)
            return
        }
        guard let slot = table.take(socket) else {
            if isCounted { shared.census.leave(client) }
            shared.census.leave()
            turnAway(socket)
            return
        }
        Socket.disableDelay(socket)
        table[slot].listener = UInt8(truncatingIfNeeded: listener)
        table[slot].peer = peer
        table[slot].deadline = after(limits.idleTimeout)
        if isCounted { table[slot].marks.insert(.isCounted) }
        if !loop.watch(socket, token: table.token(slot)) { close(slot) }
    }

    /// At the limit, the connection that has been idle longest makes room for one that has something to say.
    private func makeRoom() -> Bool {
        var oldest: Int?
        for slot in 0..<table.highWater where table[slot].phase == .idle {
            if oldest.map({ table[slot].deadline < table[$0].deadline }) ?? true { oldest = slot }
        }
        guard let oldest else { return false }
        // Its place is handed over rather than given back, or another loop could take it in between.
        close(oldest, givesUpPlace: false)
        // Connections accepted in one turn share its time; at the limit they must not look equally old.
        loop.refreshClock()
        return true
    }

    /// Says why, once, to a connection there is no room for.
    private func turnAway(_ socket: Int32) {
        counters.add(.turnedAway)
        counters.add(.closed)
        let problem = shared.explain(.tooManyConnections)
        counters.countRefusal(problem.code)
        let identity = identities.next()
        output.removeAll()
        appendResponseHead(problem.response(instance: identity.text), identity: identity, closes: true, isHTTP10: false)
        output.append(contentsOf: problem.document(instance: identity.text))
        _ = unsafe output.withUnsafeBytes { unsafe Socket.send(socket, $0, more: false) }
        output.removeAll()
        Socket.finishSending(socket)
        // What has arrived is taken, so that closing does not turn into a reset that eats the answer.
        _ = unsafe Socket.receive(socket, into: room)
        Socket.close(socket)
    }
}
