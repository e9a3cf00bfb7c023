/// Every bound that cells keep.
package struct CellLimits: Equatable, Sendable {
    /// The most cells with a bundle, and those that wait for one.
    package var cells = 16
    package var spares = 2
    /// Those that rewrite the pictures of a bundle at once.
    package var rewritings = 2
    /// The most viewings of one cell.
    package var viewingsPerCell = 64
    /// Resident bytes from which a cell gets no further viewing, and at which it is ended.
    package var fullByteCount = 64 << 20
    package var mostByteCount = 96 << 20
    /// Seconds within which a bundle has to be read, and an event answered.
    package var readingSeconds = 5.0
    package var eventSeconds = 2.0
    /// Seconds within which an order has to be begun that waits behind others, and the orders of one viewing that wait.
    package var waitingSeconds = 5.0
    package var waitingOrders = 8
    /// First screens that wait for one cell.
    package var waitingStills = 8
    /// Seconds for which a bundle that could not be read is not read again, and one whose cells have ended so many times
    /// by a fault within them.
    package var failureSeconds = 30.0
    package var faults = 5
    /// Cells of one release for readers of other languages than the bundle's own.
    package var cellsPerRelease = 3
    /// Seconds within which a new process has to be ready.
    package var startSeconds = 10.0
    /// Seconds after which a cell without viewings is ended.
    package var idleSeconds = 60.0
    /// The bytes of the pictures of one release, as they are sent to browsers, and their number.
    package var pictureByteCount = 16 << 20
    package var pictureCount = 2_000
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

    /// The bounds of what a cell takes: the largest is a form with files.
    static let orders = CellMessageLimits(headByteCount: 8 << 20, bodyByteCount: 32 << 20, valueCount: 1_000_000)
}
