import Bytes

/// What observers were told.
final class Seen: Sendable {
    private let kept: Guarded<[String]> = Guarded([])

    func add(_ line: String) { kept.withLock { $0.append(line) } }

    var lines: [String] { kept.withLock { $0 } }
}
