internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry
internal import WidgetSurroundings

/// Limits the uploads at a time, by number and by the room on the disk, of which each reserves what it may write.
///
/// Places are shared by the names that tokens are for, label by label: a token makes others only for names below its
/// own, so any number of them counts as one branch. No branch has every place of its parent. When all places are taken,
/// the branch with more than its share loses one to a newcomer: at once that of the upload furthest behind the least
/// rate, and otherwise its oldest, once that is older than ``grace``.
final class UploadGate: Sendable {
    fileprivate struct Holder {
        let share: UploadShare
        let since: ContinuousClock.Instant
        /// Until when what has arrived is on time, by the least rate.
        var due: ContinuousClock.Instant
        /// The bytes it has still to write.
        var promised: Int
        /// All of it has arrived: from now on it takes the server's time, not its sender's.
        var hasArrived = false
    }

    fileprivate enum Reason {
        case slow, share
    }

    fileprivate struct State {
        /// By numbers that rise, so the lowest has been there longest.
        var holders: [Int: Holder] = [:]
        /// The reasons for which places were given to others, for the answers of their uploads.
        var given: [Int: Reason] = [:]
        var next = 0

        /// Bytes that uploads under way have still to write.
        var promised: Int { holders.values.reduce(0) { $0 + $1.promised } }

        /// True if every place is taken that a newcomer may have. With many places, each branch leaves one to its neighbours,
        /// on each level of the names.
        func isFull(for share: UploadShare, limit: Int) -> Bool {
            guard holders.count < limit else { return true }
            guard limit >= UploadGate.leastToKeep else { return false }
            return share.path.indices.contains { depth in
                let branch = share.path[...depth]
                let most = max(limit - depth - 1, limit / 2)
                return holders.values.count { $0.share.path.starts(with: branch) } >= most
            }
        }

        /// The place that a newcomer gets while all are taken.
        func placeToGive(to share: UploadShare, now: ContinuousClock.Instant) -> (number: Int, reason: Reason)? {
            let slow = holders(ahead: 1, of: share).filter { !$0.value.hasArrived && $0.value.due < now }
            if let last = slow.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }) { return (last.key, .slow) }
            let long = holders(ahead: 2, of: share).filter {
                !$0.value.hasArrived && now - $0.value.since >= UploadGate.grace
            }
            return long.keys.min().map { ($0, .share) }
        }

        /// The holders in the largest branch, at the label where it parts from the newcomer's and has so many more places;
        /// within it, those of its largest branch.
        private func holders(ahead margin: Int, of share: UploadShare) -> [Int: Holder] {
            var among = holders
            var depth = 0
            var isBeside = false
            while true {
                let branches = Dictionary(grouping: among.keys) { holders[$0]?.share[depth] ?? "" }
                guard let most = branches.max(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) }) else {
                    return [:]
                }
                let own = isBeside ? nil : share[depth]
                let isAhead =
                    most.key != own && most.value.count >= (own.map { branches[$0]?.count ?? 0 } ?? 0) + margin
                if isBeside || isAhead {
                    isBeside = true
                    // The token itself is the last name.
                    if most.key.isEmpty { return among }
                    among = among.filter { most.value.contains($0.key) }
                } else {
                    guard let own, !own.isEmpty, let same = branches[own] else { return [:] }
                    among = among.filter { same.contains($0.key) }
                }
                depth += 1
            }
        }
    }

    /// The age from which even a fast upload can lose its place.
    static let grace = Duration.seconds(30)
    /// Bytes a second below which an upload is the first to give way, when places are short.
    static let leastRate = 16 << 10
    /// The time by which an upload may be behind the least rate, and the most it can get ahead.
    static let leeway = Duration.seconds(5)
    /// With fewer places none is kept for others.
    static let leastToKeep = 8

    fileprivate let state = Guarded(State())
    fileprivate let clock: any Clock

    init(in world: World = .machine) { clock = world.clock }

    /// A place for an upload, held until the value is released; throws the reason for a refusal.
    ///
    /// - Parameters:
    ///   - share: the branch that the upload belongs to.
    ///   - limit: the number of uploads at a time.
    ///   - byteCount: the most bytes it may write.
    ///   - room: the bytes free on the disk above its reserve.
    func enter(
        _ share: UploadShare, limit: Int, byteCount: Int, room: Int
    ) throws(Problem) -> UploadPlace {
        let now = clock.now
        let number = try state.withLock { state throws(Problem) in
            var given: (number: Int, reason: Reason)?
            if state.isFull(for: share, limit: limit) {
                given = state.placeToGive(to: share, now: now)
                guard given != nil else { throw UploadGate.full(limit, isForAll: state.holders.count >= limit) }
            }
            guard byteCount <= room, state.promised <= room - byteCount else {
                throw ProblemCatalogue.problem(RegistryError.outOfSpace)
            }
            if let given {
                state.holders[given.number] = nil
                state.given[given.number] = given.reason
            }
            state.next += 1
            state.holders[state.next] = Holder(
                share: share, since: now, due: now + UploadGate.leeway, promised: byteCount)
            return state.next
        }
        return UploadPlace(self, number)
    }

    private static func full(_ limit: Int, isForAll: Bool) -> Problem {
        retry(
            isForAll
                ? "As many uploads as are allowed (\(limit)) are under way; try again shortly."
                : "Tokens for the same names have all places for uploads but those that are kept for others; try again shortly."
        )
    }

    fileprivate static func retry(_ detail: String) -> Problem {
        var problem = ProblemCatalogue.problem(.tooManyUploads, detail)
        problem.fields.add("Retry-After", 2)
        return problem
    }
}

/// The owner of an upload: the labels of the names that its token is for, then the token.
package struct UploadShare: Sendable {
    /// The labels, and then the token.
    let path: [String]

    init(_ caller: Caller) {
        self.init(prefix: caller.prefix, token: caller.name)
    }

    package init(prefix: String, token: String) {
        // No label has a blank, so no token is taken for one.
        path = prefix.split(separator: ".").map(String.init) + ["token \(token)"]
    }

    /// Empty beyond the token.
    fileprivate subscript(depth: Int) -> String { depth < path.count ? path[depth] : "" }
}

/// One upload's place, given back with the last reference to it.
final class UploadPlace: Sendable {
    private let gate: UploadGate
    private let number: Int

    fileprivate init(_ gate: UploadGate, _ number: Int) {
        self.gate = gate
        self.number = number
    }

    deinit {
        gate.state.withLock { state in
            state.holders[number] = nil
            state.given[number] = nil
        }
    }

    /// Throws if the place was given to another upload.
    func confirm() throws(Problem) {
        guard let reason = gate.state.withLock({ $0.given[number] }) else { return }
        let remedy =
            switch reason {
            case .slow:
                "this one had brought less than \(UploadGate.leastRate >> 10) KiB a second. Send it again, over a faster line "
                    + "or when fewer are under way."
            case .share:
                "this one had been held longest, and others for the same names were under way. Send it again, with fewer "
                    + "at a time."
            }
        throw UploadGate.retry("All places for uploads were wanted, and \(remedy)")
    }

    /// So much was written: the disk itself knows of it now.
    func wrote(_ byteCount: Int) {
        let now = gate.clock.now
        let time = Duration.seconds(1) * byteCount / UploadGate.leastRate
        gate.state.withLock { state in
            guard var holder = state.holders[number] else { return }
            holder.promised -= min(holder.promised, byteCount)
            // A burst counts for a while, not for ever, and so does a pause.
            holder.due = min(max(holder.due, now - UploadGate.leeway) + time, now + UploadGate.leeway)
            state.holders[number] = holder
        }
    }

    /// All of the upload has arrived: the place is safe from now on.
    func complete() {
        gate.state.withLock { $0.holders[number]?.hasArrived = true }
    }
}
