internal import Dispatch
internal import JSONText
internal import WidgetBytes
package import WidgetFiles
internal import WidgetLive
internal import WidgetProcesses
internal import WidgetSurroundings

/// The host's end of a cell: a confined process that looks at one bundle.
final class Cell: Sendable {
    private struct State {
        var awaited: [Int: Question] = [:]
        var lastNumber = 0
        var end: CellEnd?
        var confinement: String?
        var onReady: [CheckedContinuation<String?, Never>] = []
        var residentByteCount = 0
    }

    private let program: any CellProcess
    private let channel: CellChannel
    private let socket: StreamSocket
    private let clock: any Clock
    private let limits: CellLimits
    private let started: ContinuousClock.Instant
    private let state = Guarded(State())
    private let ended: @Sendable (Cell, CellEnd) -> Void
    /// Takes what a cell sends unasked.
    private let extra: Guarded<(@Sendable (CellMessage) -> Void)?> = Guarded(nil)

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - reports: bounds of what it may send.
    ///   - ended: called once, when it has ended.
    init(
        _ start: CellStart, _ limits: CellLimits, reports: CellMessageLimits, clock: any Clock,
        ended: @escaping @Sendable (Cell, CellEnd) -> Void
    ) throws(CellEnd) {
        program = try start.begin()
        guard let socket = program.channel else { throw .notStarted("it has no channel") }
        self.socket = socket
        channel = CellChannel(socket)
        self.clock = clock
        self.limits = limits
        self.ended = ended
        started = clock.now
        // The thread keeps the cell until its channel has closed, which the end of the process does.
        DispatchQueue(label: "cell.reports").async { [self] in
            let fault = channel.read(reports) { take($0) }
            finish(fault)
        }
    }

    /// Waits until the process has confined itself.
    ///
    /// - Returns: what confines it.
    func ready() async throws(CellEnd) -> String {
        let text = await withCheckedContinuation { continuation in
            let known: String?? = state.withLock { state in
                if let text = state.confinement { return .some(text) }
                if state.end != nil { return .some(nil) }
                state.onReady.append(continuation)
                return .none
            }
            if let known { continuation.resume(returning: known) }
        }
        guard let text else { throw end ?? .unneeded }
        return text
    }

    var end: CellEnd? { state.withLock { $0.end } }
    var residentByteCount: Int { state.withLock { $0.residentByteCount } }

    // MARK: - Messages

    /// Asks for an answer, and ends the cell if none comes in time.
    ///
    /// - Parameter file: comes before the order.
    func ask(
        _ what: String, within seconds: Double, passing file: HandedFile, _ members: (inout JSONWriter) -> Void
    ) async throws(CellEnd) -> CellMessage {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let message = CellMessage.bytes { json in
            json.member("do", what)
            json.member("n", number)
            json.member("passes", true)
            members(&json)
        }
        let used = processorSeconds
        let answer = await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                guard state.end == nil else { return true }
                state.awaited[number] = Question(
                    answer: continuation, deadline: clock.moment(after: limits.waitingSeconds), seconds: seconds,
                    used: used)
                return false
            }
            if isEnded { return continuation.resume(returning: nil) }
            if !channel.send(message, passing: file.descriptor) { failSending() }
        }
        guard let answer else { throw end ?? .unneeded }
        return answer
    }

    /// Ends a cell that takes no order, mostly because its process has just ended.
    private func failSending() {
        kill(program.wait(seconds: 0.5).map { .ended($0) } ?? .fault("it does not read"))
    }

    func onExtra(_ take: @escaping @Sendable (CellMessage) -> Void) { extra.withLock { $0 = take } }

    private func take(_ message: CellMessage) {
        if let number = message.number {
            let awaited = state.withLock { $0.awaited.removeValue(forKey: number) }
            guard let awaited else { return kill(.fault("it answers what was not asked")) }
            return awaited.answer.resume(returning: message)
        }
        if let number = message.integer("begun") {
            let (now, used) = (clock.now, processorSeconds)
            return state.withLock { $0.awaited[number]?.begin(at: now, used: used) ?? () }
        }
        if let text = message.text("confined") {
            let ready = state.withLock { state in
                state.confinement = text
                defer { state.onReady = [] }
                return state.onReady
            }
            for waiter in ready { waiter.resume(returning: text) }
        } else if let reason = message.text("fault") {
            kill(.fault(reason))
        } else if let take = extra.withLock({ $0 }) {
            take(message)
        } else {
            kill(.fault("it sends what was not asked for"))
        }
    }

    // MARK: - Time and memory

    /// Ends a cell that does not answer in time, or that takes too much memory.
    func tick() {
        let now = clock.now
        let (resident, used) = (program.residentBytes ?? 0, processorSeconds)
        let reason: CellEnd? = state.withLock { state in
            state.residentByteCount = resident
            guard state.end == nil else { return nil }
            if resident > limits.mostByteCount { return .tooLarge(byteCount: resident) }
            if state.confinement == nil, now.seconds(since: started) > limits.startSeconds {
                return .notStarted("it was not ready within \(Int(limits.startSeconds)) seconds")
            }
            if let late = state.awaited.values.first(where: { $0.isLate(at: now, used: used) }) {
                return .tooSlow(seconds: late.seconds)
            }
            return nil
        }
        if let reason { kill(reason) }
    }

    /// The processor time that it has used.
    private var processorSeconds: Double { (program.processorTime ?? .zero) / .seconds(1) }

    // MARK: - The end

    /// Ends the process.
    func kill(_ reason: CellEnd) {
        let isFirst = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = reason
            return true
        }
        guard isFirst else { return }
        program.stop()
        channel.close()
        release(reason)
    }

    /// The channel has closed.
    private func finish(_ fault: CellFault?) {
        if let fault { return kill(.fault(fault.description)) }
        guard end == nil else { return }
        let how = program.wait(seconds: 1) ?? .signal(9)
        kill(.ended(how))
    }

    private func release(_ reason: CellEnd) {
        let (awaited, ready) = state.withLock { state in
            defer { (state.awaited, state.onReady) = ([:], []) }
            return (Array(state.awaited.values), state.onReady)
        }
        // The end is known, and counted, before those who wait hear of it: they say why.
        ended(self, reason)
        for question in awaited { question.answer.resume(returning: nil) }
        for waiter in ready { waiter.resume(returning: nil) }
    }
}

/// An order whose answer is awaited.
struct Question {
    let answer: CheckedContinuation<CellMessage?, Never>
    /// The moment until which it is, and the seconds from its beginning until then.
    var deadline: ContinuousClock.Instant
    let seconds: Double
    /// The processor time that the cell had used before it.
    var used: Double

    /// Counts from here on: the cell has begun with it.
    mutating func begin(at now: ContinuousClock.Instant, used: Double) {
        (deadline, self.used) = (now + Duration(nearest: seconds), used)
    }

    /// True after the deadline; five times as late if the cell has had little of the processor: then it is the machine that
    /// is slow.
    func isLate(at now: ContinuousClock.Instant, used: Double) -> Bool {
        let isStarved = used - self.used < seconds / 2
        return now >= (isStarved ? deadline + Duration(nearest: 4 * seconds) : deadline)
    }
}

/// A descriptor that is handed on, and closed with this object.
package final class HandedFile: Sendable {
    let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
