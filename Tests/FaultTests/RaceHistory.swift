/// What clients asked of one bundle and its channel `stable` at the same time, and what they were told.
struct RaceHistory: Sendable {
    enum Action: Equatable, Sendable {
        /// Of a content that belongs to this key alone.
        case publish(key: String)
        /// Of another content than the one that belongs to the key.
        case publishOther(key: String)
        /// Under the condition that the channel's sequence is what the client has seen.
        case promote(key: String, seen: Int)
        case rollback
        case withdraw(key: String)
        case restore(key: String)
        case resolve
        case release(key: String)
    }

    /// Nobody publishes, withdraws or restores one release twice, so that a change tells which request made it.
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
        /// Whether the channel moved, and to what.
        var sequence: Int?
    }

    var operations: [Operation]
    /// In the order of their tags.
    var changes: [Change]
}

extension RaceHistory {
    /// What there is after so many changes.
    struct State: Equatable, Sendable {
        var releases: Set<String> = []
        var withdrawn: Set<String> = []
        var sequence = 0
        /// What the channel shows, where the feed says so: after a withdrawal it does not.
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
