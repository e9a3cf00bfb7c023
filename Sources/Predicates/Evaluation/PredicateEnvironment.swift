/// What an evaluation may know of the world.
package struct PredicateEnvironment: Sendable {
    /// What `now()` gives, in seconds since the first moment of 2001.
    package var now: Double
    /// Where `random()` begins; the same seed gives the same numbers.
    package var seed: UInt64
    /// What many evaluations may use together; `nil`: each has what its own limits give it.
    package var meter: (any PredicateMeter)?

    package init(now: Double = 0, seed: UInt64 = 0, meter: (any PredicateMeter)? = nil) {
        self.now = now
        self.seed = seed
        self.meter = meter
    }
}

/// Steps that evaluations share. Whoever hands one in decides how many there are.
package protocol PredicateMeter: AnyObject, Sendable {
    var left: Int { get }
    /// Bytes of one text that may be made.
    var textByteCount: Int { get }
    func spend(_ steps: Int)
    func noteLongText()
}
