internal import Dispatch
internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetProcesses
internal import WidgetSurroundings

/// The answers of a widget's program, taken from its channel by one thread and awaited by others.
final class AnswerBox: Sendable {
    private struct State {
        var declaration: NativeDeclaration?
        /// The reason why no answer will come.
        var failure: NativeFailure?
        /// The turns that were asked and are not answered.
        var unanswered: Set<Int> = []
        /// The turn whose answer is awaited.
        var awaited: Int?
        var reply: NativeReply?
        /// Answers that came after the deadline of their turns.
        var late: NativeReply?
        var notice: (@Sendable () -> Void)?
        /// True from a notice on until the next turn, which all further notices wait for.
        var isNoticed = false
    }

    /// The most turns without an answer.
    private static let unansweredCount = 100

    private let state = Guarded(State())
    private let bell = DispatchSemaphore(value: 0)
    private let clock: any Clock

    init(_ clock: any Clock) { self.clock = clock }

    // MARK: - Waiting

    func declaration(
        until deadline: ContinuousClock.Instant, seconds: Double
    ) throws(NativeFailure) -> NativeDeclaration {
        try wait(until: deadline, seconds: seconds) { $0.declaration }
    }

    /// Remembers that a turn is being asked.
    ///
    /// - Returns: true if an earlier one is not answered yet.
    func begin(_ turn: Int) throws(NativeFailure) -> Bool {
        let (failure, isBehind) = state.withLock { state -> (NativeFailure?, Bool) in
            let isBehind = !state.unanswered.isEmpty
            guard state.failure == nil else { return (state.failure, isBehind) }
            guard state.unanswered.count < AnswerBox.unansweredCount else { return (.timeout(seconds: 0), isBehind) }
            state.unanswered.insert(turn)
            // An answer that came just after its deadline belongs to those that came late.
            if let old = state.reply { state.late = state.late.map { $0.followed(by: old) } ?? old }
            state.reply = nil
            state.awaited = turn
            state.isNoticed = false
            return (nil, isBehind)
        }
        if let failure { throw failure }
        return isBehind
    }

    /// Takes back ``begin(_:)``.
    func abandon(_ turn: Int) {
        state.withLock { state in
            state.unanswered.remove(turn)
            state.awaited = nil
        }
    }

    /// The answer to a turn, with those that came late for earlier ones.
    func reply(
        to turn: Int, until deadline: ContinuousClock.Instant, seconds: Double
    ) throws(NativeFailure) -> NativeReply {
        defer { state.withLock { $0.awaited = nil } }
        return try wait(until: deadline, seconds: seconds) { state in
            guard let reply = state.reply else { return nil }
            defer { (state.reply, state.late) = (nil, nil) }
            return state.late.map { $0.followed(by: reply) } ?? reply
        }
    }

    private func wait<Found: Sendable>(
        until deadline: ContinuousClock.Instant, seconds: Double, _ find: (inout State) -> Found?
    ) throws(NativeFailure) -> Found {
        while true {
            let (found, failure) = state.withLock { state -> (Found?, NativeFailure?) in
                let found = find(&state)
                return (found, state.failure)
            }
            if let found { return found }
            if let failure { throw failure }
            guard clock.now < deadline else { throw .timeout(seconds: seconds) }
            let alarm = clock.call(at: deadline) { [bell] in bell.signal() }
            // A clock that a test has moved past the deadline meanwhile would never make the call.
            if clock.now < deadline { bell.wait() }
            alarm.cancel()
        }
    }

    func onNotice(_ notice: @escaping @Sendable () -> Void) { state.withLock { $0.notice = notice } }

    /// Sends no notices any more.
    func forget() {
        state.withLock { $0.notice = nil }
        fail(.ended("it was ended"))
    }

    // MARK: - Reading

    /// Reads until the channel ends.
    func read(_ channel: StreamSocket, of program: SpawnedProgram?) {
        let limit = NativeReply.limits.byteCount
        var splitter = LineSplitter(limit: limit)
        while !hasFailed {
            let bytes = channel.read(count: 64 << 10)
            guard !bytes.isEmpty else {
                // The channel of a program that has ended is closed a moment before the end is known.
                let end = program?.wait(seconds: 1)
                fail(.ended(end.map { "\($0)" } ?? "it has closed its channel"))
                break
            }
            var isCut = false
            splitter.take(bytes[...]) { line, isShortened in
                isCut = isCut || isShortened
                if !isCut { take(line) }
            }
            if isCut || splitter.isCut { fail(.unreadable("a line of it has more than \(limit) bytes")) }
        }
        channel.close()
        program?.stop()
    }

    private var hasFailed: Bool { state.withLock { $0.failure != nil } }

    func fail(_ failure: NativeFailure) {
        let notice = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.failure == nil else { return nil }
            state.failure = failure
            // A turn tells the viewer of a program that ends by itself.
            return state.awaited == nil ? state.notice : nil
        }
        bell.signal()
        notice?()
    }

    private func take(_ line: [UInt8]) {
        guard !hasFailed else { return }
        do throws(JSONError) {
            let document = try JSONDocument(parsing: line, limits: AnswerBox.limits)
            take(try document.cursor.decode(as: ChannelAnswer.self))
        } catch {
            fail(.unreadable("\(error)"))
        }
    }

    /// An answer is one level deeper than its reply.
    private static let limits: JSONLimits = {
        var limits = NativeReply.limits
        limits.depth += 1
        return limits
    }()

    private func take(_ answer: ChannelAnswer) {
        let notice = state.withLock { state -> (@Sendable () -> Void)? in
            switch answer {
            case .program(let declaration):
                guard state.declaration == nil else {
                    state.failure = .unreadable("it has described itself twice")
                    return nil
                }
                state.declaration = declaration
                return nil
            case .reply(let reply):
                guard state.unanswered.remove(reply.turn) != nil else {
                    state.failure = .unreadable("it answers the turn \(reply.turn), which is not open")
                    return nil
                }
                if state.awaited == reply.turn {
                    state.reply = reply
                    return nil
                }
                state.late = state.late.map { $0.followed(by: reply) } ?? reply
                return AnswerBox.notice(&state)
            case .notice: return AnswerBox.notice(&state)
            }
        }
        bell.signal()
        notice?()
    }

    private static func notice(_ state: inout State) -> (@Sendable () -> Void)? {
        guard !state.isNoticed else { return nil }
        state.isNoticed = true
        return state.notice
    }
}

extension NativeReply {
    /// The effects of this answer and of a later one.
    fileprivate func followed(by later: NativeReply) -> NativeReply {
        let names = Set(later.documents.map(\.name))
        return NativeReply(
            to: later.turn, documents: documents.filter { !names.contains($0.name) } + later.documents,
            commands: commands + later.commands, remarks: remarks + later.remarks)
    }
}
