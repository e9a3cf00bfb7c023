internal import Predicates
internal import Synchronization

/// What one event or one evaluation may still use, for all of its expressions together: expressions that read each
/// other multiply, and a limit for each alone would bound nothing.
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

    // What work takes beside the steps of expressions: about 25 nanoseconds are one.

    /// Making what one more expression sees.
    static let binding = 150
    /// Filling in one place of a text.
    static let place = 8
    /// One node of a view.
    static let node = 12
    /// One row of a list.
    static let row = 12
    /// One item handed to an expression, or asked whether it belongs to an answer.
    static let item = 6
    /// One thing that an event leads to.
    static let work = 40
    /// One record made of what a document says, and each of its properties.
    static let record = 45
    static let field = 3
    /// One field of a form that is read.
    static let formField = 24

    package var left: Int { max(0, rest.load(ordering: .relaxed)) }

    package var isEmpty: Bool { left == 0 }

    package func spend(_ steps: Int) {
        if steps > 0, !isEmpty { rest.wrappingSubtract(min(steps, 1 << 40), ordering: .relaxed) }
    }

    /// An element whose value leads back to itself, if one was met.
    var circularNode: NodeID? {
        let id = circle.load(ordering: .relaxed)
        return id < 0 ? nil : id
    }

    func noteCircle(at id: NodeID) { circle.store(id, ordering: .relaxed) }

    /// Whether a text was cut off because it grew too long, since this was last asked.
    func takeLongText() -> Bool { hasLongText.exchange(false, ordering: .relaxed) }

    package func noteLongText() { hasLongText.store(true, ordering: .relaxed) }
}

extension Diagnostic.Code {
    /// What an evaluation that failed is reported as.
    init(_ error: PredicateError) {
        self = [.fuelLimit, .memoryLimit].contains(error.code) ? .expressionBudget : .expression
    }
}
