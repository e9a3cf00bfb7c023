/// What the world is at one moment. Everything that is not in the scene or the store comes from here.
package struct Environment: Equatable, Sendable {
    /// Seconds since the first moment of 2001, UTC.
    package var now: Double
    /// Where randomness begins.
    package var seed: UInt64
    /// The reader's.
    package var timeZone: TimeZoneRules
    /// The reader's language, as `en_US`.
    package var locale: String

    package init(
        now: Double = 0, seed: UInt64 = 0, timeZone: TimeZoneRules = .utc, locale: String = "en_US"
    ) {
        self.now = now
        self.seed = seed
        self.timeZone = timeZone
        self.locale = locale
    }
}
