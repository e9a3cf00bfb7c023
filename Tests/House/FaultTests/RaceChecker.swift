/// Decides whether a history can be explained: whether there is one order of all operations, in which each that ended
/// before another began comes first, and in which every answer is the one that a registry serving one client at a time
/// would have given.
///
/// The feed of changes gives the order of the operations that changed something; every other one is put between two
/// changes. Each operation's place is the first that its answer allows and that no earlier operation forbids. These
/// places are the earliest possible, so if they contradict each other, no order explains the history.
struct RaceChecker {
    private let history: RaceHistory
    private let states: [RaceHistory.State]
    private var complaints: [String] = []

    private init(_ history: RaceHistory) {
        self.history = history
        states = history.states
    }

    /// The answers that cannot be explained; empty when the history is sound.
    static func complaints(about history: RaceHistory) -> [String] {
        var checker = RaceChecker(history)
        checker.checkFeed()
        checker.place()
        return checker.complaints
    }

    // MARK: The feed by itself

    private mutating func checkFeed() {
        for (index, change) in history.changes.enumerated() {
            let (before, after) = (states[index], states[index + 1])
            if change.sequence != nil, after.sequence <= before.sequence {
                complaints.append("change \(index + 1) takes the sequence from \(before.sequence) to \(after.sequence)")
            }
            let isSound =
                switch change.kind {
                case .publish: !before.releases.contains(change.key)
                case .promote, .rollback:
                    before.releases.contains(change.key) && !before.withdrawn.contains(change.key)
                        && change.sequence != nil
                case .withdraw: before.releases.contains(change.key)
                case .restore: before.releases.contains(change.key)
                }
            if !isSound { complaints.append("change \(index + 1) cannot be: \(change.kind) \(change.key)") }
        }
    }

    // MARK: Places

    private mutating func place() {
        // The changes that no request explains yet.
        var open = Dictionary(grouping: history.changes.indices) { index in
            let change = history.changes[index]
            return "\(change.by) \(change.kind) \(change.key)"
        }
        var placed: [(end: UInt64, place: Int)] = []
        let operations = history.operations.sorted { $0.start < $1.start }
        var made: [Int?] = operations.map { _ in nil }
        // Promotions and rollbacks are answered with the sequence, which identifies them. The others come after them.
        for isTold in [true, false] {
            for (index, operation) in operations.enumerated() {
                guard let (kind, key) = changing(operation),
                    (kind == .promote && !isRepeated(operation)
                        || kind == .rollback) == isTold
                else { continue }
                let name = "\(operation.client) \(kind) \(key)"
                let found = open[name]?.firstIndex {
                    !isTold || history.changes[$0].sequence == operation.sequence
                }
                if let found { made[index] = open[name]?.remove(at: found) }
            }
        }
        for (index, operation) in operations.enumerated() {
            // Everything that had ended came first.
            let least = placed.filter { $0.end < operation.start }.map(\.place).max() ?? 0
            if let change = made[index] {
                if change + 1 <= least {
                    complaints.append("change \(change + 1) came before what had ended before \(operation)")
                }
                if !follows(operation, states[change]) {
                    complaints.append("change \(change + 1) cannot follow what was there: \(operation)")
                }
                placed.append((operation.end, change + 1))
            } else if let place = (least..<states.count).first(where: { allows(operation, states[$0]) }) {
                placed.append((operation.end, place))
            } else {
                complaints.append("no moment after change \(least) explains \(operation)")
            }
        }
        for (name, indices) in open where !indices.isEmpty { complaints.append("\(name) was never asked for") }
    }

    /// The change that an operation made; `nil` when it changed nothing.
    private func changing(_ operation: RaceHistory.Operation) -> (RaceHistory.Change.Kind, key: String)? {
        switch (operation.action, operation.status) {
        case (.publish(let key), 201): (.publish, key)
        // A release that is stored already may still be put on the channel.
        case (.publish(let key), 200): (.promote, key)
        case (.promote(let key, _), 200): (.promote, key)
        case (.rollback, 200): (.rollback, operation.release ?? "")
        case (.withdraw(let key), 200): (.withdraw, key)
        case (.restore(let key), 200): (.restore, key)
        default: nil
        }
    }

    private func isRepeated(_ operation: RaceHistory.Operation) -> Bool {
        if case .publish = operation.action { true } else { false }
    }

    /// True when a change could be made in the state before it.
    private func follows(_ operation: RaceHistory.Operation, _ before: RaceHistory.State) -> Bool {
        switch operation.action {
        case .publish(let key):
            operation.status == 201
                ? !before.releases.contains(key) : before.releases.contains(key) && !before.withdrawn.contains(key)
        case .promote(let key, let seen):
            before.sequence == seen && before.releases.contains(key) && !before.withdrawn.contains(key)
        case .withdraw(let key): !before.withdrawn.contains(key)
        case .restore(let key): before.withdrawn.contains(key)
        default: true
        }
    }

    /// True when an answer without a change is right in a state.
    private func allows(_ operation: RaceHistory.Operation, _ state: RaceHistory.State) -> Bool {
        func exists(_ key: String) -> Bool { state.releases.contains(key) }
        func isGone(_ key: String) -> Bool { state.withdrawn.contains(key) }
        switch (operation.action, operation.status) {
        case (.publish(let key), 200): return exists(key) && !isGone(key)
        case (.publish(let key), 410): return isGone(key)
        case (.publishOther(let key), 409): return exists(key)
        case (.promote(_, let seen), 412): return state.sequence != seen
        // Either of two reasons may be answered.
        case (.promote(let key, _), 410): return isGone(key)
        case (.promote(let key, _), 404): return !exists(key)
        case (.rollback, 409): return state.sequence > 0
        case (.rollback, 404): return state.sequence == 0
        case (.withdraw(let key), 200): return isGone(key)
        case (.withdraw(let key), 404), (.restore(let key), 404): return !exists(key)
        case (.restore(let key), 200), (.restore(let key), 409): return exists(key) && !isGone(key)
        case (.resolve, 200):
            guard operation.sequence == state.sequence else { return false }
            if let shown = state.shown, shown != operation.release { return false }
            return operation.release.map { exists($0) && !isGone($0) } == true
        case (.resolve, 404): return state.sequence == 0
        case (.resolve, 410): return state.sequence > 0
        case (.release(let key), 200): return exists(key) && !isGone(key)
        case (.release(let key), 404): return !exists(key)
        case (.release(let key), 410): return isGone(key)
        default: return false
        }
    }
}

/// The requests of clients about one bundle and its channel `stable` at the same time, with their answers.
struct RaceHistory: Sendable {
    enum Action: Equatable, Sendable {
        /// Of a content that belongs to this key alone.
        case publish(key: String)
        /// Of another content than the one that belongs to the key.
        case publishOther(key: String)
        /// Under the condition that the channel's sequence is the one that the client has seen.
        case promote(key: String, seen: Int)
        case rollback
        case withdraw(key: String)
        case restore(key: String)
        case resolve
        case release(key: String)
    }

    /// No release is published, withdrawn or restored twice, so that a change identifies its request.
    struct Operation: Sendable {
        /// The name of the client's token, which the feed repeats.
        var client: String
        var action: Action
        /// Of one clock, in any unit.
        var start: UInt64
        var end: UInt64
        var status: Int
        /// The channel as the answer shows it, if it does.
        var sequence: Int?
        var release: String?
    }

    /// One entry of the feed of changes.
    struct Change: Sendable {
        enum Kind: String, Sendable { case publish, promote, rollback, withdraw, restore }

        var kind: Kind
        var key: String
        var by: String
        /// The channel's new sequence; `nil` when it did not move.
        var sequence: Int?
    }

    var operations: [Operation]
    /// In the order of their tags.
    var changes: [Change]
}

extension RaceHistory {
    /// The state after a number of changes.
    struct State: Equatable, Sendable {
        var releases: Set<String> = []
        var withdrawn: Set<String> = []
        var sequence = 0
        /// The release that the channel shows, where the feed says so: after a withdrawal it does not.
        var shown: String?
    }

    /// The state before the first change, after it, after the second, and so on.
    var states: [State] {
        var state = State()
        return [state]
            + changes.map { change in
                switch change.kind {
                case .publish: state.releases.insert(change.key)
                case .withdraw: state.withdrawn.insert(change.key)
                case .restore: state.withdrawn.remove(change.key)
                case .promote, .rollback: break
                }
                if let sequence = change.sequence {
                    state.sequence = sequence
                    state.shown = change.kind == .withdraw || change.kind == .restore ? nil : change.key
                }
                return state
            }
    }
}
