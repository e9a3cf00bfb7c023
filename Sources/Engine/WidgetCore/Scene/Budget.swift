internal import Synchronization
internal import WidgetPredicates

/// The limits of one event and one evaluation. Each limit has a separate diagnostic, and reaching it leaves the rest
/// of the screen as it is.
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
    /// True when the time is over. A host that limits time sets this; by default time is unlimited.
    package var isTimeOver: @Sendable () -> Bool

    // MARK: - Kept from one event to the next

    /// Bytes of one stored text.
    package var textByteCount: Int
    /// The depth and the number of values within one stored value.
    package var valueDepth = 80
    package var valueCount = 100_000
    /// The weight of all states of the open screens: a value counts as one, and as another for each 16 bytes of text.
    package var stateWeight = 500_000
    /// Records in the store, and what all of them weigh together.
    package var recordCount: Int
    package var recordWeight = RecordTable.weightLimit
    /// Objects within objects of one document that becomes records.
    package var documentDepth = 32
    /// Records that one deletion may visit in groups that cannot be deleted.
    package var lookCount = 200_000
    /// Open screens.
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
    /// Cached answers, and the weight of all of them.
    package var cachedAnswerCount = 64
    package var cachedAnswerWeight = 100_000
    /// Answers of stubs that a changed stub replaces, and the records of all of them.
    package var scriptedAnswerCount = 1_000
    package var scriptedRecordCount = 500_000
    /// The longest delay before the retry of a request that reached no server, in seconds.
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

/// The remaining fuel of one event or one evaluation, shared by all of its expressions. Expressions that read each
/// other multiply, so separate limits would not bound the sum.
package final class Meter: PredicateMeter {
    private let rest: Atomic<Int>
    private let circle = Atomic(-1)
    private let hasLongText = Atomic(false)
    /// Bytes of one text that an expression may make.
    package let textByteCount: Int
    /// Bindings that may lead to one another.
    let bindingDepth: Int

    package init(
        _ steps: Int, textByteCount: Int = .max, bindingDepth: Int = Budget().bindingDepth
    ) {
        rest = Atomic(max(0, steps))
        self.textByteCount = textByteCount
        self.bindingDepth = bindingDepth
    }

    package convenience init(_ budget: Budget) {
        self.init(budget.fuel, textByteCount: budget.textByteCount, bindingDepth: budget.bindingDepth)
    }

    // The cost of work outside of expressions: one step is about 25 nanoseconds.

    /// Making a scope for one more expression.
    static let binding = 150
    /// Filling in one place of a text.
    static let place = 8
    /// One node of a view.
    static let node = 12
    /// One row of a list.
    static let row = 12
    /// One item that is passed to an expression, or tested by a query.
    static let item = 6
    /// One piece of work of an event.
    static let work = 40
    /// One record made of a document, and each of its properties.
    static let record = 45
    static let field = 3
    /// One field of a form that is read.
    static let formField = 24

    package var left: Int { max(0, rest.load(ordering: .relaxed)) }

    package var isEmpty: Bool { left == 0 }

    package func spend(_ steps: Int) {
        if steps > 0, !isEmpty { rest.wrappingSubtract(min(steps, .max / 2), ordering: .relaxed) }
    }

    /// An element whose value leads back to itself, if one was met.
    var circularNode: NodeID? {
        let id = circle.load(ordering: .relaxed)
        return id < 0 ? nil : id
    }

    func noteCircle(at id: NodeID) { circle.store(id, ordering: .relaxed) }

    /// True if a text was cut off because of its length since the last call.
    func takeLongText() -> Bool { hasLongText.exchange(false, ordering: .relaxed) }

    package func noteLongText() { hasLongText.store(true, ordering: .relaxed) }
}

extension Finding.Code {
    /// The diagnostic code of a failed evaluation.
    init(_ error: PredicateError) {
        self = [.fuelLimit, .memoryLimit].contains(error.code) ? .expressionBudget : .expression
    }
}
