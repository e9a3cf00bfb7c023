internal import Bytes

/// Time, chance and threads: the surroundings of a part of the program, besides its input, its files and its network.
///
/// It is handed to each part that is made, and from it to those that this one makes; tests hand in their own.
package struct World: Sendable {
    package var clock: any Clock
    package var chance: any Chance
    package var threads: any Threads

    package init(
        clock: any Clock = SystemClock(), chance: any Chance = SystemChance(), threads: any Threads = SystemThreads()
    ) {
        self.clock = clock
        self.chance = chance
        self.threads = threads
    }

    /// The machine's.
    package static let machine = World()
}

/// A source of random numbers. Only the system's cannot be predicted.
package protocol Chance: Sendable {
    func next() -> UInt64
}

extension Chance {
    /// A number in `0..<1`.
    package var fraction: Double { Double(next() >> 11) * 0x1p-53 }

    package func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

/// The system's source.
package struct SystemChance: Chance {
    package init() {}

    package func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}

/// Numbers that a seed decides, for tests that repeat a run: SplitMix64.
package final class SeededChance: Chance {
    private let state: Guarded<UInt64>

    package init(seed: UInt64) { state = Guarded(seed) }

    package func next() -> UInt64 {
        var mixed = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The same number each time, for tests.
package struct FixedChance: Chance {
    private let number: UInt64

    /// - Parameter fraction: the value of ``Chance/fraction``, in `0..<1`.
    package init(_ fraction: Double) { number = UInt64(fraction * 0x1p53) << 11 }

    package func next() -> UInt64 { number }
}
