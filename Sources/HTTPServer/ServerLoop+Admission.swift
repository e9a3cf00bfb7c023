internal import Addresses
internal import HTTPWire
internal import Sockets

/// Places for connections: how many there may be, from one address and in all, and who makes room.
extension ServerLoop {
    func accepted(_ channel: ByteChannel, from peer: IPAddress, listener: Int) {
        counters.add(.accepted)
        guard shared.census.admit(limit: limits.connections) || makeRoom() else {
            turnAway(channel)
            return
        }
        let client = peer.client
        let isCounted = !limits.isExempt(peer)
        guard !isCounted || shared.census.admit(client, limit: limits.connectionsPerAddress) else {
            shared.census.leave()
            turnAway(channel)
            return
        }
        guard let slot = table.take(channel, ConnectionState(acceptedAt: loop.now, bounds)) else {
            if isCounted { shared.census.leave(client) }
            shared.census.leave()
            turnAway(channel)
            return
        }
        channel.disableDelay()
        table[slot].listener = UInt8(truncatingIfNeeded: listener)
        table[slot].peer = peer
        table[slot].isCounted = isCounted
        if !loop.watch(channel, token: table.token(slot)) { close(slot) }
    }

    /// At the limit, the connection that has been idle longest makes room for one that has something to say.
    ///
    /// A loop without idle connections takes its fair share all the same, and has another loop close one of its own:
    /// which loop a connection comes to is the kernel's choice, not the client's fault.
    private func makeRoom() -> Bool {
        if evict() { return true }
        guard table.count < shared.fairShare(limits), let neighbour else { return false }
        shared.census.admitBeyondLimit()
        neighbour.loop.perform { neighbour.evictForOthers() }
        return true
    }

    /// Gives up an idle connection if there are more than there should be.
    private func evictForOthers() {
        if shared.census.count > limits.connections, evict() { shared.census.leave() }
    }

    /// Closes the connection that has been idle longest; its place stays taken.
    private func evict() -> Bool {
        var oldest: Int?
        for slot in 0..<table.highWater where table[slot].state.phase == .idle {
            if oldest.map({ table[slot].state.deadline < table[$0].state.deadline }) ?? true { oldest = slot }
        }
        guard let oldest else { return false }
        // Its place is handed over rather than given back, or another loop could take it in between.
        close(oldest, givesUpPlace: false)
        // Connections accepted in one turn share its time; at the limit they must not look equally old.
        loop.refreshClock()
        return true
    }

    /// Explains itself, once, to a connection there is no room for.
    private func turnAway(_ channel: ByteChannel) {
        counters.add(.turnedAway)
        counters.add(.closed)
        let problem = shared.problem(.tooManyConnections)
        counters.countRefusal(problem.code)
        let identity = dispatcher.nextIdentity()
        output.removeAll()
        heads.write(
            problem.response(instance: identity.text),
            HeadWriter.Ending(identity: identity, isHTTP10: false, closes: true), at: loop.now, to: output)
        output.append(contentsOf: problem.document(instance: identity.text))
        _ = output.send(through: channel, more: false)
        output.removeAll()
        channel.finishSending()
        // Bytes that have arrived are read, so that closing does not turn into a reset that destroys the answer.
        _ = unsafe channel.receive(into: input.room(after: 0))
        channel.close()
    }
}
