internal import HTTPWire
internal import WidgetAddresses
internal import WidgetLogging
internal import WidgetSockets
internal import WidgetSurroundings

/// One event loop with its connections: where HTTPWire meets Sockets.
///
/// The loop owns the table of connections and the buffers their turns share. Each connection's `ConnectionState`
/// decides what follows from an event, and the loop carries it out: reading and bodies in `ServerLoop+Input`, answers
/// and sending in `ServerLoop+Output`, places for connections at the end of this file.
///
/// Confined to its loop's thread. Other threads reach it only through `loop.perform`, which is what makes the
/// `@unchecked Sendable` true.
final class ServerLoop: EventLoopClient, @unchecked Sendable {
    /// Answers up to this size are gathered and sent together.
    static let outputRoom = 64 * 1_024
    /// Lines of requests are handed to the log when there are so many bytes of them, and at the end of each turn.
    private static let logRoom = 32 * 1_024

    let loop: EventLoop
    let shared: ServerShared
    /// The next loop of a ring; `nil` where there is only one. Released when the server stops.
    var neighbour: ServerLoop?
    let counters: Counters
    private(set) var limits: ServerLimits
    private(set) var bounds: ConnectionBounds
    let table: ConnectionTable

    let input = InputBuffer()
    /// Answers of the connection whose turn it is; always sent or queued before the turn ends.
    let output = OutputBuffer(capacity: ServerLoop.outputRoom)
    let dispatcher: Dispatcher
    let heads: HeadWriter
    private var responderCount: UInt64 = 0
    /// Connections whose turn continues after the other connections' turns.
    private var eager: [UInt64] = []
    private(set) var isDraining = false
    /// Lines of requests of this turn.
    private var lines: LogLines
    private var drained: (@Sendable () -> Void)?
    /// Called at the end of each turn, for tests.
    var turnEnded: (() -> Void)?

    init(
        loop: EventLoop, shared: ServerShared, counters: Counters, limits: ServerLimits, capacity: Int,
        in world: World
    ) {
        self.loop = loop
        self.shared = shared
        self.counters = counters
        self.limits = limits
        bounds = ConnectionBounds(limits)
        table = ConnectionTable(capacity: capacity)
        dispatcher = Dispatcher(shared, world.chance)
        dispatcher.take(limits)
        heads = HeadWriter(serverName: shared.serverName, world.clock)
        lines = LogLines(shared.logger.format)
    }

    func apply(_ limits: ServerLimits) {
        self.limits = limits
        bounds = ConnectionBounds(limits, isDraining: isDraining)
        dispatcher.take(limits)
    }

    // MARK: Events of the loop

    var wantsTicks: Bool { table.count > 0 }
    var isEager: Bool { !eager.isEmpty }

    func acceptPaused() {
        counters.add(.shortages)
    }

    func ready(_ token: UInt64, _ readiness: Readiness) {
        guard let slot = table.slot(token) else { return }
        if readiness.contains(.broken) {
            signal(slot, .broken)
            guard table.isOpen(slot) else { return }
        }
        if readiness.contains(.halfClosed) {
            signal(slot, .peerFinished)
        } else if !readiness.isDisjoint(with: table[slot].channel.readinessToReceive) {
            signal(slot, .becameReadable)
        }
        if table[slot].state.phase == .sending || table.hasOutput(slot),
            !readiness.isDisjoint(with: table[slot].channel.readinessToSend)
        {
            sendQueued(slot)
        }
        read(slot)
    }

    func settled() {
        takeTurns()
        writeLog()
        turnEnded?()
    }

    /// Continues the turns that were postponed.
    private func takeTurns() {
        guard !eager.isEmpty else { return }
        let turn = eager
        eager.removeAll(keepingCapacity: true)
        for token in turn {
            guard let slot = table.slot(token) else { continue }
            sendQueued(slot)
            resumeInput(slot)
        }
    }

    /// Looks at every connection; a deadline is kept to within a tick.
    func tick() {
        let now = loop.now
        for slot in 0..<table.highWater {
            if table[slot].state.wantsUnacknowledged(at: now) {
                table[slot].state.countUnacknowledged(table[slot].channel.unacknowledged, at: now, bounds)
            }
            if table[slot].state.deadline <= now { signal(slot, .deadlineReached) }
        }
        writeLog()
        turnEnded?()
    }

    // MARK: The log

    /// Counts and logs an exchange.
    func record(_ exchange: borrowing Exchange, isComplete: Bool = true) {
        let duration = loop.now &- exchange.start
        counters.count(exchange, duration: duration)
        counters.add(.ended)
        shared.logRequest(exchange, duration, isComplete: isComplete, to: &lines)
        if lines.bytes.count >= ServerLoop.logRoom { writeLog() }
    }

    private func writeLog() { shared.logger.write(&lines) }

    // MARK: Events of a connection

    /// Reports an event to a connection's state and carries out what follows.
    @inline(__always)
    func signal(_ slot: Int, _ event: ConnectionState.Event) {
        let action = table[slot].state.on(event, at: loop.now, bounds)
        if action != .none { carryOut(slot, action) }
    }

    func carryOut(_ slot: Int, _ action: ConnectionState.Action) {
        switch action {
        // An answer that arrives is taken up by `answer`, which holds it.
        case .none, .respond, .respondEarly: break
        case .close: close(slot)
        case .abandon: abandon(slot)
        case .refuseHead(let shortcoming):
            refuseHead(slot, shortcoming == .tooSlow ? .headTooSlow : .malformed(.incomplete))
            flush(slot)
        case .refuseBody(let shortcoming):
            refuseBody(slot, shortcoming == .tooSlow ? .contentTooSlow : .malformed(.incomplete))
            flush(slot)
        case .finishExchange: finishSentExchange(slot)
        case .finishSending: finishSending(slot)
        case .continueReading: resumeInput(slot)
        case .readLater: schedule(slot)
        }
    }

    /// Continues a connection's turn after the present one, rather than on top of it.
    func schedule(_ slot: Int) {
        eager.append(table.token(slot))
    }

    /// The memory of a connection, made when first needed.
    func activity(_ slot: Int) -> Activity {
        if let activity = table[slot].activity { return activity }
        let activity = Activity()
        table[slot].activity = activity
        return activity
    }

    /// Takes the exchange that waits on a connection.
    func takeExchange(_ slot: Int) -> Exchange? {
        table[slot].activity?.exchange.take()
    }

    // MARK: Answers from other threads

    /// A responder for an exchange that is about to wait.
    func nextResponder(_ slot: Int) -> Responder {
        responderCount &+= 1
        return Responder(loop: self, token: table.token(slot), number: responderCount)
    }

    /// Suspends a connection until a responder answers.
    func suspend(_ slot: Int, _ exchange: inout Exchange, _ head: HeldHead? = nil) -> Responder {
        let responder = nextResponder(slot)
        exchange.stage = .deferred(responder.number, head)
        activity(slot).exchange = exchange
        signal(slot, .answerDeferred)
        return responder
    }

    /// The connection a responder speaks for, unless its request is over.
    private func slot(_ token: UInt64, _ responder: UInt64) -> Int? {
        guard let slot = table.slot(token), table[slot].activity?.exchange?.responder == responder else { return nil }
        return slot
    }

    func answer(_ token: UInt64, _ responder: UInt64, with answer: Answer) {
        guard let slot = slot(token, responder),
            case .deferred(_, let head)? = table[slot].activity?.exchange?.stage
        else {
            answer.abandon()
            return
        }
        let action = table[slot].state.on(.answerArrived, at: loop.now, bounds)
        guard action != .none, var exchange = takeExchange(slot) else {
            answer.abandon()
            return
        }
        exchange.resume(isEarly: action == .respondEarly)?.abandon()
        respond(slot, PlannedAnswer(answer, held: head), &exchange)
        flush(slot)
        if table[slot].state.isReady { resumeInput(slot) }
    }

    /// Continues reading a body after its sink's pause.
    func resumeBody(_ token: UInt64, _ responder: UInt64) {
        guard let slot = slot(token, responder) else { return }
        signal(slot, .bodyResumed)
    }

    func writeStream(_ token: UInt64, _ responder: UInt64, _ bytes: [UInt8], _ backlog: StreamBacklog) {
        guard let slot = slot(token, responder), let activity = table[slot].activity,
            case .streaming(_, let stream)? = activity.exchange?.stage
        else { return }
        let piece = stream.framed(bytes)
        activity.exchange?.sent += bytes.count
        activity.output.append(.streamed(piece, 0..<piece.count, backlog, weight: bytes.count))
        sendStream(slot)
    }

    func endStream(_ token: UInt64, _ responder: UInt64) {
        guard let slot = slot(token, responder) else { return }
        endStream(slot)
    }

    private func endStream(_ slot: Int) {
        guard let activity = table[slot].activity, let stream = activity.exchange?.endStream() else { return }
        if stream.isChunked { activity.output.append(.bytes(stream.end)) }
        sendStream(slot)
    }

    private func sendStream(_ slot: Int) {
        signal(slot, .streamWritten)
        sendQueued(slot)
    }

    // MARK: The end

    /// Ends a connection's work: stops its body and its stream, and counts its exchange.
    func abandon(_ slot: Int) {
        if var exchange = takeExchange(slot), !exchange.isGiven {
            exchange.endBody()?.abandon()
            if case .streaming(_, let stream) = exchange.stage { stream.source.stop() }
            exchange.sent = max(0, exchange.sent &- (table[slot].activity?.output.byteCount ?? 0))
            record(exchange, isComplete: false)
        }
        close(slot)
    }

    /// - Parameter givesUpPlace: true if its place becomes free for another connection.
    func close(_ slot: Int, givesUpPlace: Bool = true) {
        guard table.isOpen(slot) else { return }
        table[slot].channel.close()
        // Output gathered for this connection may never reach another.
        output.removeAll()
        if table[slot].isCounted { shared.census.leave(table[slot].peer.client) }
        if givesUpPlace { shared.census.leave() }
        counters.add(.closed)
        table.release(slot)
        if isDraining, table.count == 0 { reportDrained() }
    }

    /// Finishes everything under way and takes nothing new; `completion` is called when no connection is left.
    func drain(_ completion: @escaping @Sendable () -> Void) {
        isDraining = true
        bounds = ConnectionBounds(limits, isDraining: true)
        drained = completion
        loop.stopListening()
        for slot in 0..<table.highWater { stopStream(slot) }
        for slot in 0..<table.highWater { signal(slot, .drainBegan) }
        if table.count == 0 { reportDrained() }
    }

    /// Ends a stream that would keep a server from stopping for as long as its client listens.
    private func stopStream(_ slot: Int) {
        guard case .streaming(_, let stream)? = table[slot].activity?.exchange?.stage else { return }
        stream.source.stop()
        table[slot].activity?.exchange?.endsConnection = true
        endStream(slot)
    }

    /// Closes every connection where it is.
    func closeAll() {
        for slot in 0..<table.highWater where table.isOpen(slot) { abandon(slot) }
        writeLog()
    }

    private func reportDrained() {
        writeLog()
        let report = drained
        drained = nil
        report?()
    }

    // MARK: Places for connections

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

    /// At the limit, closes the connection that has been idle longest in favour of a new one.
    ///
    /// A loop without idle connections takes its fair share all the same, and has another loop close an idle one: the
    /// kernel, not the client, chooses the loop of a connection.
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

    /// Sends a short explanation to a connection for which no slot is left.
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
