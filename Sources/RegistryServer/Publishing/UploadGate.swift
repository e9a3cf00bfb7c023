internal import HTTPServer
internal import HTTPWire
internal import Locks
internal import Registry

/// Lets so many uploads in at a time, and no more than the disk has room for: what one is going to write, another
/// must not count on.
final class UploadGate: Sendable {
    fileprivate struct State {
        var count = 0
        /// Bytes that uploads under way have still to write.
        var promised = 0
    }

    fileprivate let state = Guarded(State())

    /// A place for an upload, held for as long as somebody holds the value; or why there is none.
    ///
    /// - Parameters:
    ///   - limit: how many may be under way.
    ///   - byteCount: what it may come to write.
    ///   - room: what the disk has left above its reserve.
    func enter(limit: Int, byteCount: Int, room: Int) throws(Problem) -> UploadPlace {
        try state.withLock { state throws(Problem) in
            guard state.count < limit else { throw UploadGate.full(limit) }
            guard byteCount <= room, state.promised <= room - byteCount else {
                throw ProblemCatalogue.problem(RegistryError.outOfSpace)
            }
            state.count += 1
            state.promised += byteCount
        }
        return UploadPlace(self, byteCount)
    }

    private static func full(_ limit: Int) -> Problem {
        var problem = ProblemCatalogue.problem(
            .tooManyUploads, "As many uploads as are allowed (\(limit)) are under way; try again shortly.")
        problem.fields.add("Retry-After", 2)
        return problem
    }
}

/// One upload's place, given back when nobody holds it any more.
final class UploadPlace: Sendable {
    private let gate: UploadGate
    private let left: Guarded<Int>

    fileprivate init(_ gate: UploadGate, _ byteCount: Int) {
        self.gate = gate
        left = Guarded(byteCount)
    }

    deinit {
        let left = left.withLock { $0 }
        gate.state.withLock { state in
            state.count -= 1
            state.promised -= left
        }
    }

    /// So much was written: the disk itself knows of it now.
    func wrote(_ byteCount: Int) {
        let known = left.withLock { left in
            let known = min(left, byteCount)
            left -= known
            return known
        }
        gate.state.withLock { $0.promised -= known }
    }
}
