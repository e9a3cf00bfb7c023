/// The limits of one event and one evaluation. Reaching one is a diagnostic of its own, and the rest of the screen
/// stays.
package struct Budget: Sendable {
    // MARK: - One view

    /// Bytes of text in one view.
    package var byteCount: Int
    /// Nodes of one view.
    package var nodeCount: Int
    /// Nodes within nodes.
    package var depth: Int
    /// Rows of one list.
    package var rowCount: Int
    /// Inputs of one value that an explanation names.
    package var inputCount = 50

    // MARK: - One event

    /// Steps that one event may cause, requests and signals among them.
    package var stepCount: Int
    /// Steps that a widget may take by itself while a host or a script waits for it to settle.
    package var unrestStepCount: Int
    /// Lines of the log of one event, and bytes of each.
    package var logCount = 1_000
    package var logTextByteCount = 1_000

    // MARK: - Either

    /// Steps of all expressions of one event or one view together.
    package var fuel: Int
    /// Bindings that lead to one another.
    package var bindingDepth = 12
    /// Diagnostics of one event or one view.
    package var diagnosticCount = 200
    /// Whether the time is over. A host that measures time answers here; without it nothing is measured.
    package var isTimeOver: @Sendable () -> Bool

    // MARK: - Kept from one event to the next

    /// Bytes of one text that is kept.
    package var textByteCount: Int
    /// Values within one value that is kept, in each other and in all.
    package var valueDepth = 80
    package var valueCount = 100_000
    /// Records in the store, and what all of them weigh together.
    package var recordCount: Int
    package var recordWeight = RecordTable.weightLimit
    /// Objects within objects of one document that becomes records.
    package var documentDepth = 32
    /// Records that one deletion may look at without a match.
    package var lookCount = 200_000
    /// Screens over each other.
    package var screenCount = 50
    package var alertCount = 20
    package var alertTitleByteCount = 200
    package var alertMessageByteCount = 4_000
    package var timerCount = 200
    /// The shortest time between two turns of a timer, in seconds.
    package var shortestInterval: Double
    /// The longest time that a timer waits, in seconds.
    package var longestDelay = 1e9

    // MARK: - Requests

    /// Requests that wait for their answers.
    package var requestCount = 500
    /// Actions that follow one another by themselves.
    package var chainLength = 20
    /// Bytes of a request's body, where it is made of parameters.
    package var requestByteCount = 1 << 20
    /// Characters of an address; no server takes as many.
    package var addressLength = 8 << 10
    /// Parameters within parameters.
    package var parameterDepth = 64
    /// Answers that stay good for a while, and what all of them weigh together.
    package var cachedAnswerCount = 64
    package var cachedAnswerWeight = 100_000
    /// The longest time until a request is sent again that reached no server, in seconds.
    package var longestRetryWait = 60.0

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
