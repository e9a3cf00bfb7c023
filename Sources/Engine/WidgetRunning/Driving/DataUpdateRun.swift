internal import WidgetCore

/// The requests of an update that is running: those that wait for an answer when it begins, and those that their answers
/// lead to. Other requests of the widget, such as those of a timer or a tap, are not part of it.
struct DataUpdateRun: Sendable {
    let number: Int
    /// The first failure of its requests.
    private(set) var failure: RequestFailure?
    private var requests: Set<Int>
    /// The requests that it has caused, also those that have ended.
    private var caused: Set<Int>
    /// Those of them whose answer was that nothing has changed.
    private var unchanged: Set<Int> = []
    /// Actions that wait for their delay. A delay that ends after the update's deadline is not waited for.
    private var delays: Set<Int> = []
    private let deadline: Double

    /// - Parameters:
    ///   - before: the store before the event that has begun the update.
    ///   - deadline: the moment at which the update has failed.
    init(_ number: Int, from before: Store, to after: Store, failures: [RequestFailure], until deadline: Double) {
        self.number = number
        self.deadline = deadline
        requests = Set(after.requests.map { $0.number })
        caused = requests.subtracting(before.requests.map { $0.number })
        delays = newDelays(from: before, to: after)
        failure = failures.first
    }

    /// True if nothing is left to wait for.
    var isOver: Bool { requests.isEmpty && delays.isEmpty }

    /// True if it has asked, and each answer was that nothing has changed.
    var isUnchanged: Bool { !caused.isEmpty && caused == unchanged }

    /// The requests that it has caused and that are not answered. Other requests continue when it is given up.
    var unanswered: [Int] { caused.intersection(requests).sorted() }

    /// Takes note of an answer that is still right.
    mutating func noteUnchanged(_ request: Int) { unchanged.insert(request) }

    /// Follows an event of the widget.
    mutating func follow(from before: Store, to after: Store, failures: [RequestFailure]) {
        let waiting = Set(after.requests.map { $0.number })
        let timers = Set(after.timers.map { $0.number })
        let isAnswered = !requests.isSubset(of: waiting)
        let isDelayOver = !delays.isSubset(of: timers)
        guard isAnswered || isDelayOver else { return }
        let caused = waiting.subtracting(before.requests.map { $0.number })
        if failure == nil {
            failure = failures.first {
                requests.contains($0.request) || !before.requests.contains(numbered: $0.request)
            }
        }
        requests = requests.intersection(waiting).union(caused)
        self.caused.formUnion(caused)
        delays.formIntersection(timers)
        // A delay that another delay begins may never end.
        if isAnswered { delays.formUnion(newDelays(from: before, to: after)) }
    }

    private func newDelays(from before: Store, to after: Store) -> Set<Int> {
        let requests = Set(after.requests.map { $0.number })
        let known = Set(before.timers.map { $0.number })
        return Set(
            after.timers.lazy.filter { $0.isOneShot && $0.due <= deadline }.map { $0.number }
                .filter { !known.contains($0) && !requests.contains($0) })
    }
}

extension [PendingRequest] {
    fileprivate func contains(numbered number: Int) -> Bool { contains { $0.number == number } }
}
