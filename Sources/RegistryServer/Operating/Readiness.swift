internal import Dispatch
internal import Synchronization

/// The checks that decide whether this server should be sent requests.
package final class ReadinessChecks: Sendable {
    /// One thing that has to hold.
    package struct Check: Sendable {
        package let name: String
        /// What is wrong, in words for an operator; `nil` when all is well. May block.
        package let failure: @Sendable () -> String?

        package init(_ name: String, failure: @escaping @Sendable () -> String?) {
            self.name = name
            self.failure = failure
        }
    }

    package struct Outcome: Sendable {
        package let name: String
        package let failure: String?
    }

    private let checks: [Check]
    private let isDraining = Atomic<Bool>(false)
    // Checks may touch a slow disk, which must not hold up a loop.
    private let queue = DispatchQueue(label: "widgetd.readiness", qos: .utility)

    package init(_ checks: [Check]) {
        self.checks = checks
    }

    /// From now on the server is not ready, whatever else holds.
    package func beginDraining() {
        isDraining.store(true, ordering: .releasing)
    }

    package func run(_ completion: @escaping @Sendable ([Outcome]) -> Void) {
        queue.async { [self] in
            let accepting = isDraining.load(ordering: .acquiring) ? "the server is shutting down" : nil
            completion(
                [Outcome(name: "accepting", failure: accepting)]
                    + checks.map { Outcome(name: $0.name, failure: $0.failure()) })
        }
    }
}
