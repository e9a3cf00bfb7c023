internal import Predicates
internal import Synchronization

/// What one event or one evaluation may still use, for all of its expressions together: expressions that read each
/// other multiply, and a limit for each alone would bound nothing.
package final class Meter: PredicateMeter {
    private let rest: Atomic<Int>
    private let circle = Atomic(-1)

    package init(_ steps: Int) {
        rest = Atomic(max(0, steps))
    }

    package var left: Int { max(0, rest.load(ordering: .relaxed)) }

    package var isEmpty: Bool { left == 0 }

    package func spend(_ steps: Int) { rest.wrappingSubtract(max(0, min(steps, 1 << 40)), ordering: .relaxed) }

    /// An element whose value leads back to itself, if one was met.
    var circularNode: NodeID? {
        let id = circle.load(ordering: .relaxed)
        return id < 0 ? nil : id
    }

    func noteCircle(at id: NodeID) { circle.store(id, ordering: .relaxed) }
}

extension Diagnostic.Code {
    /// What an evaluation that failed is reported as.
    init(_ error: PredicateError) {
        self = [.fuelLimit, .memoryLimit].contains(error.code) ? .expressionBudget : .expression
    }
}
