internal import WidgetBytes
package import WidgetProcesses

/// The reason why a cell has ended.
package enum CellEnd: Error, Equatable, Sendable {
    /// It ended by itself, by a crash or by a call that is not allowed.
    case ended(ProgramEnd)
    /// It has not answered within so many seconds.
    case tooSlow(seconds: Double)
    case tooLarge(byteCount: Int)
    /// It has sent something that is not of the protocol.
    case fault(String)
    /// Its host ends.
    case unneeded
    /// It has done what it was for.
    case done
    /// It could not be started.
    case notStarted(String)

    /// Counted under this name.
    package var name: String {
        switch self {
        case .ended(let end) where end.isForbiddenCall: "forbidden"
        case .ended: "crash"
        case .tooSlow: "time"
        case .tooLarge: "memory"
        case .fault: "protocol"
        case .unneeded: "idle"
        case .done: "done"
        case .notStarted: "start"
        }
    }

    /// All names that ends are counted under.
    package static let names = [
        "forbidden", "crash", "time", "memory", "protocol", "idle", "done", "start",
    ]

    /// The end of a sentence about a review, for its bundle's publishers and readers.
    package var reason: String {
        switch self {
        case .ended(let end) where end.isForbiddenCall:
            "its widget did something that widgets may not do"
        case .ended(let end): "the process of its widget has ended: \(end)"
        case .tooSlow(let seconds): "its widget did not answer within \(Int(seconds.rounded(.up))) seconds"
        case .tooLarge(let byteCount): "its widget took \(ByteCountText.of(byteCount)) of memory"
        case .fault: "the process of its widget sent what the server could not read"
        case .unneeded: "its server has ended"
        case .done: "its bundle was read"
        case .notStarted(let reason): "its process could not be started: \(reason)"
        }
    }
}
