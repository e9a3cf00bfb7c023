internal import HTTPServer
internal import HTTPWire
internal import Locks
internal import Registry
internal import RegistryContract

/// Lets so many uploads in at a time, and no more than the disk has room for: what one is going to write, another
/// must not count on.
///
/// When every place is taken, whoever has more of them than a newcomer gives up the one held longest, if that was long
/// enough for an upload that makes haste: slow uploads with one token never keep others from publishing.
final class UploadGate: Sendable {
    fileprivate struct Holder {
        var name: String
        var since: ContinuousClock.Instant
    }

    fileprivate struct State {
        /// By numbers that rise, so the lowest has been there longest.
        var holders: [Int: Holder] = [:]
        var next = 0
        /// Bytes that uploads under way have still to write.
        var promised = 0

        /// The place to give to somebody who comes while all are taken.
        func placeToGive(to name: String, now: ContinuousClock.Instant) -> Int? {
            let counts = Dictionary(holders.values.map { ($0.name, 1) }, uniquingKeysWith: +)
            guard let greediest = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
                greediest.value > counts[name, default: 0] + 1,
                let oldest = holders.filter({ $0.value.name == greediest.key }).min(by: { $0.key < $1.key })
            else { return nil }
            return now - oldest.value.since >= UploadGate.grace ? oldest.key : nil
        }
    }

    /// How long a place is safe from others.
    static let grace = Duration.seconds(30)

    fileprivate let state = Guarded(State())

    /// A place for an upload, held for as long as somebody holds the value; or why there is none.
    ///
    /// - Parameters:
    ///   - name: whose upload it is.
    ///   - limit: how many may be under way.
    ///   - byteCount: what it may come to write.
    ///   - room: what the disk has left above its reserve.
    func enter(
        _ name: String, limit: Int, byteCount: Int, room: Int, now: ContinuousClock.Instant = .now
    ) throws(Problem) -> UploadPlace {
        let number = try state.withLock { state throws(Problem) in
            var given: Int?
            if state.holders.count >= limit {
                given = state.placeToGive(to: name, now: now)
                guard given != nil else { throw UploadGate.full(limit) }
            }
            guard byteCount <= room, state.promised <= room - byteCount else {
                throw ProblemCatalogue.problem(RegistryError.outOfSpace)
            }
            if let given { state.holders[given] = nil }
            state.promised += byteCount
            state.next += 1
            state.holders[state.next] = Holder(name: name, since: now)
            return state.next
        }
        return UploadPlace(self, number, byteCount)
    }

    private static func full(_ limit: Int) -> Problem {
        retry("As many uploads as are allowed (\(limit)) are under way; try again shortly.")
    }

    fileprivate static func retry(_ detail: String) -> Problem {
        var problem = ProblemCatalogue.problem(.tooManyUploads, detail)
        problem.fields.add("Retry-After", 2)
        return problem
    }
}

/// One upload's place, given back when nobody holds it any more.
final class UploadPlace: Sendable {
    private let gate: UploadGate
    private let number: Int
    private let left: Guarded<Int>

    fileprivate init(_ gate: UploadGate, _ number: Int, _ byteCount: Int) {
        self.gate = gate
        self.number = number
        left = Guarded(byteCount)
    }

    deinit {
        let left = left.withLock { $0 }
        gate.state.withLock { state in
            state.holders[number] = nil
            state.promised -= left
        }
    }

    /// Throws when the place was given to somebody else.
    func confirm() throws(Problem) {
        guard gate.state.withLock({ $0.holders[number] == nil }) else { return }
        throw UploadGate.retry(
            "All places for uploads were wanted, this one had been held longest, and others with the same token were "
                + "under way. Send it again, with fewer at a time.")
    }

    /// So much was written: the disk itself knows of it now.
    func wrote(_ byteCount: Int) {
        let known = left.withLock { left in
            let known = min(left, byteCount)
            left -= known
            return known
        }
        gate.state.withLock { $0.promised -= known }
    }
}
