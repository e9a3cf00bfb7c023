/// Every bound that cells keep.
package struct CellLimits: Equatable, Sendable {
    /// Resident bytes at which a cell is ended.
    package var mostByteCount = 96 << 20
    /// Seconds within which an order has to be begun.
    package var waitingSeconds = 5.0
    /// Seconds for which a bundle is not looked at whose cells have ended so many times by a fault within them.
    package var failureSeconds = 30.0
    package var faults = 5
    /// Seconds within which a new process has to be ready.
    package var startSeconds = 10.0
    /// Seconds within which a release has to be reviewed, the reviews at once, and the pieces and bytes that one sends.
    package var reviewSeconds = 10.0
    package var reviews = 4
    package var reviewPieces = 4_096
    package var reviewByteCount = 4 << 20

    package init() {}

    /// The bounds of what a cell sends.
    var reports: CellMessageLimits {
        CellMessageLimits(headByteCount: 1 << 20, bodyByteCount: CellLimits.messageByteCount)
    }

    static let messageByteCount = 4 << 20

    /// The bounds of what a cell takes: short orders.
    static let orders = CellMessageLimits(headByteCount: 1 << 20, bodyByteCount: 64 << 10)
}
