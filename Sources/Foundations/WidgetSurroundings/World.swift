internal import WidgetBytes

/// Time, chance, threads and other programs: the surroundings of a part of the program, besides its input, its files and
/// its network.
///
/// It is passed to each new part, which passes it on to its own parts. Tests pass in their own.
package struct World: Sendable {
    package var clock: any Clock
    package var chance: any Chance
    package var threads: any Threads
    /// Programs that are called in place of processes.
    package var programs: (any Programs)?

    package init(
        clock: any Clock = SystemClock(), chance: any Chance = SystemChance(), threads: any Threads = SystemThreads(),
        programs: (any Programs)? = nil
    ) {
        self.clock = clock
        self.chance = chance
        self.threads = threads
        self.programs = programs
    }

    /// The machine's.
    package static let machine = World()
}

/// Programs as functions, for tests. If the function returns `nil`, the program is started.
package protocol Programs: Sendable {
    /// Runs a program to its end.
    ///
    /// - Parameter onLine: called with each line that it prints, by any threads.
    /// - Returns: whether its exit code is 0.
    func run(_ path: String, _ arguments: [String], onLine: @Sendable (String) -> Void) -> Bool?

    /// Begins a program that answers questions over a channel.
    ///
    /// - Parameter onLine: called with each line that it prints.
    /// - Returns: the descriptor of the caller's end of the channel. The program ends when the caller closes it.
    func begin(_ path: String, onLine: @escaping @Sendable (String) -> Void) -> Int32?
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
