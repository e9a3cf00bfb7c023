/// What a part of the program takes from outside besides its input, its files and its network: time, chance and threads.
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
