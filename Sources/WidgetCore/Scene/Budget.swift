/// What one event and one evaluation may use. Reaching a limit is a diagnostic of its own, and the rest of the
/// screen stays.
package struct Budget: Sendable {
    /// Bytes of text in one view.
    package var byteCount: Int
    /// Bytes of one text that is kept.
    package var textByteCount: Int
    /// Nodes of one view.
    package var nodeCount: Int
    /// Nodes within nodes.
    package var depth: Int
    /// Rows of one list.
    package var rowCount: Int
    /// Steps that one event may cause, requests and signals among them.
    package var stepCount: Int
    /// Steps that a widget may take by itself while somebody waits for it to come to rest.
    package var unrestStepCount: Int
    /// Steps of all expressions of one event or one view together.
    package var fuel: Int
    /// Records in the store.
    package var recordCount: Int
    /// The shortest time between two turns of a timer, in seconds.
    package var shortestInterval: Double
    /// Whether the time is over. A host that measures time says so here; without it nothing is measured.
    package var isTimeOver: @Sendable () -> Bool

    package init(
        byteCount: Int = 4 << 20, textByteCount: Int = 256 << 10, nodeCount: Int = 75_000, depth: Int = 100,
        rowCount: Int = 20_000,
        stepCount: Int = 2_000, unrestStepCount: Int = 20_000, fuel: Int = 2_000_000, recordCount: Int = 100_000,
        shortestInterval: Double = 0.1,
        isTimeOver: @escaping @Sendable () -> Bool = { false }
    ) {
        self.byteCount = byteCount
        self.textByteCount = textByteCount
        self.nodeCount = nodeCount
        self.depth = min(depth, 200)
        self.rowCount = rowCount
        self.stepCount = stepCount
        self.unrestStepCount = unrestStepCount
        self.fuel = fuel
        self.recordCount = recordCount
        self.shortestInterval = max(shortestInterval, 0.01)
        self.isTimeOver = isTimeOver
    }
}
