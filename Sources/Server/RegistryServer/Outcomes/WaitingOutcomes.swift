internal import RegistryContract
internal import WidgetAddresses
internal import WidgetRegistry

/// Outcomes that wait to be looked up and counted, so that forged ones leave room for genuine ones.
///
/// Those of places that were found in the registry before wait apart, and go first. All others wait by the address that sent
/// them: an address may have a part of the room that is left, so that one with little finds room while a few have much, and each
/// has its turn.
struct WaitingOutcomes: Sendable {
    /// The subject of an outcome, as it was sent.
    private struct Place: Hashable {
        var widget: WidgetIdentifier
        var release: String
        var channel: String
        var prefix: String

        init(_ sent: SentOutcome) {
            (widget, release, channel, prefix) = (sent.widget, sent.release, sent.channel, sent.prefix)
        }
    }

    /// The answer to an outcome that is to wait.
    enum Admission {
        case admitted
        /// Its address has as much here as it may.
        case overAddress
        case full
    }

    /// The most different outcomes of each kind that wait.
    static let capacity = 20_000
    /// The most places that are known: fewer than those of which ``OutcomePlaces`` knows the bundles.
    static let mostPlaces = 5_000
    /// An address has at most this part of the room that is left.
    static let share = 16

    /// Outcomes about places that were found before.
    private(set) var known: [SentOutcome: Int64] = [:]
    private var places: Set<Place> = []
    private var strangers: [IPAddress: [SentOutcome: Int64]] = [:]
    /// Each address with strangers, in the order of their turns.
    private var turns: [IPAddress] = []
    /// The different outcomes of strangers.
    private var strangerCount = 0

    var isEmpty: Bool { known.isEmpty && strangers.isEmpty }

    /// The number of all outcomes that wait.
    var total: Int64 {
        strangers.values.reduce(known.values.reduce(0, +)) { $0 + $1.values.reduce(0, +) }
    }

    // MARK: Adding

    func knows(_ one: SentOutcome) -> Bool { places.contains(Place(one)) }

    /// The answer to one that is to wait.
    func admission(of one: SentOutcome, from address: IPAddress) -> Admission {
        if knows(one) { return known[one] != nil || known.count < WaitingOutcomes.capacity ? .admitted : .full }
        let waiting = strangers[address]
        if waiting?[one] != nil { return .admitted }
        let most = (WaitingOutcomes.capacity - strangerCount) / WaitingOutcomes.share
        guard most > 0 else { return .full }
        return waiting?.count ?? 0 < most ? .admitted : .overAddress
    }

    /// Adds one that is admitted.
    mutating func add(_ one: SentOutcome, _ count: Int64 = 1, from address: IPAddress) {
        guard !knows(one) else { return known[one, default: 0] += count }
        if strangers[address] == nil { turns.append(address) }
        if strangers[address]?[one] == nil { strangerCount += 1 }
        strangers[address, default: [:]][one, default: 0] += count
    }

    // MARK: Taking

    /// Takes all that is about known places.
    mutating func takeKnown() -> [SentOutcome: Int64] {
        defer { known = [:] }
        return known
    }

    /// Takes some of the others, one of each address in turn.
    mutating func takeStrangers(_ most: Int) -> [SentOutcome: (count: Int64, address: IPAddress)] {
        var taken: [SentOutcome: (count: Int64, address: IPAddress)] = [:]
        while taken.count < most, !turns.isEmpty {
            let now = turns.prefix(most - taken.count)
            turns.removeFirst(now.count)
            for address in now {
                guard var waiting = strangers.removeValue(forKey: address), let (one, count) = waiting.popFirst() else {
                    continue
                }
                strangerCount -= 1
                taken[one, default: (0, address)].count += count
                guard !waiting.isEmpty else { continue }
                strangers[address] = waiting
                turns.append(address)
            }
        }
        return taken
    }

    /// Has what was taken wait again.
    ///
    /// - Returns: the number of those for which the room has been taken.
    mutating func putBack(
        _ known: [SentOutcome: Int64], _ strangers: [SentOutcome: (count: Int64, address: IPAddress)]
    ) -> Int64 {
        var lost: Int64 = 0
        for (one, count) in known {
            if self.known[one] != nil || self.known.count < WaitingOutcomes.capacity {
                self.known[one, default: 0] += count
            } else {
                lost += count
            }
        }
        for (one, (count, address)) in strangers {
            if admission(of: one, from: address) == .admitted {
                add(one, count, from: address)
            } else {
                lost += count
            }
        }
        return lost
    }

    /// Remembers that the registry has these, so that the next about the same places go first.
    mutating func remember(_ found: [SentOutcome]) {
        for one in found {
            if places.count >= WaitingOutcomes.mostPlaces { places = [] }
            places.insert(Place(one))
        }
    }

    /// Knows no place any more. Those that wait as known stay before the others.
    mutating func forget() { places = [] }

    /// Removes all, and returns the number.
    mutating func clear() -> Int64 {
        defer { (known, strangers, turns, strangerCount) = ([:], [:], [], 0) }
        return total
    }
}
