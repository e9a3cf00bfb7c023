/// What an evaluation may know of the world.
package struct PredicateEnvironment: Sendable {
    /// What `now()` gives, in seconds since the first moment of 2001.
    package var now: Double
    /// Where `random()` begins; the same seed gives the same numbers.
    package var seed: UInt64

    package init(now: Double = 0, seed: UInt64 = 0) {
        self.now = now
        self.seed = seed
    }
}
