/// Every bound that viewings keep.
package struct LiveLimits: Equatable, Sendable {
    /// The most viewings at once, and the most of one address.
    package var viewings = 2_000
    package var viewingsPerAddress = 20
    /// The events that one viewing takes in a second, and how many at once.
    package var eventsPerSecond = 30.0
    package var eventBurst = 60.0
    /// Seconds until a viewing ends that nobody listens to, and one whose viewer does nothing.
    package var idleWithoutStream = 600.0
    package var idleWithStream = 1_800.0
    /// The moments that a viewing keeps, to say what has changed since.
    package var moments = 16
    /// The bytes of one viewing's view and store.
    package var viewingByteCount = 8 << 20
    /// Bytes that a stream may have waiting before a further change waits too.
    package var pendingByteCount = 32 << 10
    /// The most changes of one viewing in a second.
    package var changesPerSecond = 20.0
    /// Seconds between two beats of a stream.
    package var beat = 20.0

    package init() {}
}
