/// What one event and one evaluation may use. Reaching a limit is a diagnostic of its own, and the rest of the
/// screen stays.
package struct Budget: Sendable {
    /// Bytes of text in one view.
    package var byteCount: Int
    /// Nodes of one view.
    package var nodeCount: Int
    /// Nodes within nodes.
    package var depth: Int
    /// Rows of one list.
    package var rowCount: Int
    /// Steps that one event may cause, requests and signals among them.
    package var stepCount: Int
    /// Steps of one expression.
    package var fuel: Int
    /// Records in the store.
    package var recordCount: Int
    /// The shortest time between two turns of a timer, in seconds.
    package var shortestInterval: Double
    /// Whether the time is over. A host that measures time says so here; without it nothing is measured.
    package var isTimeOver: @Sendable () -> Bool

    package init(
        byteCount: Int = 16 << 20, nodeCount: Int = 120_000, depth: Int = 100, rowCount: Int = 20_000,
        stepCount: Int = 2_000, fuel: Int = 200_000, recordCount: Int = 100_000, shortestInterval: Double = 0.1,
        isTimeOver: @escaping @Sendable () -> Bool = { false }
    ) {
        self.byteCount = byteCount
        self.nodeCount = nodeCount
        self.depth = min(depth, 200)
        self.rowCount = rowCount
        self.stepCount = stepCount
        self.fuel = fuel
        self.recordCount = recordCount
        self.shortestInterval = max(shortestInterval, 0.01)
        self.isTimeOver = isTimeOver
    }
}
