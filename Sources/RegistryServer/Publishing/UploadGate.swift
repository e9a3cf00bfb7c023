internal import HTTPServer
internal import HTTPWire
internal import Synchronization

/// Lets so many uploads in at a time; each one holds a file and a place on the work queue.
final class UploadGate: Sendable {
    private let count = Atomic<Int>(0)

    /// What to tell one upload more than the limit.
    func obstacle(limit: Int) -> Problem? {
        guard count.load(ordering: .relaxed) >= limit else { return nil }
        return UploadGate.full(limit)
    }

    func enter() { count.add(1, ordering: .relaxed) }
    func leave() { count.subtract(1, ordering: .relaxed) }

    private static func full(_ limit: Int) -> Problem {
        var problem = ProblemCatalogue.problem(
            .tooManyUploads, "As many uploads as are allowed (\(limit)) are under way; try again shortly.")
        problem.fields.add("Retry-After", 2)
        return problem
    }
}
