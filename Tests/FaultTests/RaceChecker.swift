/// Decides whether a history can be explained: whether there is one order of all operations, in which each that ended
/// before another began comes first, and in which every answer is the one that a registry serving one client at a time
/// would have given.
///
/// The feed of changes is taken at its word for the order of what changed something; everything else is put between two
/// changes. Each operation's place is the first that its answer allows and that no earlier operation forbids. These
/// places are the least there are, so if they contradict each other, there are none.
struct RaceChecker {
    private let history: RaceHistory
    private let states: [RaceHistory.State]
    private var complaints: [String] = []

    private init(_ history: RaceHistory) {
        self.history = history
        states = history.states
    }

    /// What cannot be explained; nothing when the history is sound.
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
        // Who promotes or rolls back is told the sequence, and is known by that. The others come after them.
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
        for (name, indices) in open where !indices.isEmpty { complaints.append("nobody asked for \(name)") }
    }

    /// What an operation changed, if it changed anything.
    private func changing(_ operation: RaceHistory.Operation) -> (RaceHistory.Change.Kind, key: String)? {
        switch (operation.action, operation.status) {
        case (.publish(let key), 201): (.publish, key)
        // What is stored already may still be put on the channel.
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

    /// Whether a change could be made where it was.
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

    /// Whether an answer that changed nothing is right in a state.
    private func allows(_ operation: RaceHistory.Operation, _ state: RaceHistory.State) -> Bool {
        func exists(_ key: String) -> Bool { state.releases.contains(key) }
        func isGone(_ key: String) -> Bool { state.withdrawn.contains(key) }
        switch (operation.action, operation.status) {
        case (.publish(let key), 200): return exists(key) && !isGone(key)
        case (.publish(let key), 410): return isGone(key)
        case (.publishOther(let key), 409): return exists(key)
        case (.promote(_, let seen), 412): return state.sequence != seen
        // Which of two reasons is told is not promised.
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
