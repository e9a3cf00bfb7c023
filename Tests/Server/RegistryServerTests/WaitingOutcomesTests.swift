import RegistryContract
import Testing
import WidgetAddresses
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Goal: nothing that waits is lost or doubled, and each address has its turn. Method: random histories of outcomes that come, are
/// taken and put back, against a count of what should be there.
@Suite struct `Outcomes that wait` {
    private static func sent(_ release: Int) throws -> SentOutcome {
        let widget = try #require(WidgetIdentifier(checking: "com.acme.Clock-1"))
        return try #require(
            SentOutcome(OutcomeReport(.started, of: "\(release).0~1", on: "stable"), of: widget, on: 1, prefix: ""))
    }

    private static func pick(_ chance: SeededChance, _ count: Int) -> Int { Int(chance.fraction * Double(count)) }

    @Test func `All that is admitted is taken once`() throws {
        for _ in 0..<200 {
            let seed = UInt64.random(in: 0 ... .max)
            let chance = SeededChance(seed: seed)
            var waiting = WaitingOutcomes()
            var (admitted, taken): (Int64, Int64) = (0, 0)
            for _ in 0..<60 {
                let address = try #require(IPAddress("10.0.0.\(Self.pick(chance, 9) + 1)"))
                for _ in 0..<Self.pick(chance, 40) {
                    let one = try Self.sent(Self.pick(chance, 200))
                    guard waiting.admission(of: one, from: address) == .admitted else { continue }
                    waiting.add(one, from: address)
                    admitted += 1
                }
                let known = Self.pick(chance, 3) == 0 ? waiting.takeKnown() : [:]
                let strangers = waiting.takeStrangers(Self.pick(chance, 60))
                if Self.pick(chance, 3) == 0 {
                    #expect(waiting.putBack(known, strangers) == 0, "seed \(seed)")
                } else {
                    taken += known.values.reduce(0, +) + strangers.values.reduce(0) { $0 + $1.count }
                    if Self.pick(chance, 2) == 0 {
                        waiting.remember(strangers.keys.filter { _ in Self.pick(chance, 2) == 0 })
                    }
                }
                #expect(admitted == taken + waiting.total, "seed \(seed)")
                #expect(waiting.isEmpty == (waiting.total == 0), "seed \(seed)")
            }
            taken += waiting.takeKnown().values.reduce(0, +)
            while case let strangers = waiting.takeStrangers(50), !strangers.isEmpty {
                taken += strangers.values.reduce(0) { $0 + $1.count }
            }
            #expect(waiting.isEmpty && admitted == taken, "seed \(seed)")
        }
    }

    @Test func `Each address has its turn, and what is known goes first`() throws {
        var waiting = WaitingOutcomes()
        let addresses = try (1...20).map { try #require(IPAddress("10.0.0.\($0)")) }
        // The first has much more than the others.
        for release in 0..<500 { waiting.add(try Self.sent(release), from: addresses[0]) }
        for (number, address) in addresses.enumerated() {
            waiting.add(try Self.sent(1_000 + number), from: address)
        }
        let taken = waiting.takeStrangers(20)
        #expect(Set(taken.values.map(\.address)) == Set(addresses))
        #expect(waiting.total == 500)
        let known = try Self.sent(3)
        #expect(!waiting.knows(known))
        waiting.remember([known])
        waiting.add(known, from: addresses[5])
        #expect(waiting.takeKnown() == [known: 1])
        waiting.forget()
        #expect(!waiting.knows(known))
        #expect(waiting.clear() == 500 && waiting.isEmpty && waiting.takeStrangers(9).isEmpty)
    }

    @Test func `What is remembered is bounded`() throws {
        var waiting = WaitingOutcomes()
        let first = try Self.sent(0)
        waiting.remember(try (0..<WaitingOutcomes.mostPlaces).map { try Self.sent($0) })
        #expect(waiting.knows(first))
        waiting.remember([try Self.sent(WaitingOutcomes.mostPlaces)])
        #expect(!waiting.knows(first))
    }
}
