internal import Bytes
package import Processes

/// The reason why a cell has ended.
package enum CellEnd: Error, Equatable, Sendable {
    /// It ended by itself, by a crash or by a call that is not allowed.
    case ended(ProgramEnd)
    /// It has not answered within so many seconds.
    case tooSlow(seconds: Double)
    case tooLarge(byteCount: Int)
    /// It has sent something that is not of the protocol.
    case fault(String)
    /// It had no viewing any more, or its host ends.
    case unneeded
    /// It has rewritten the pictures of a bundle, or reviewed it.
    case done
    /// Its release was withdrawn.
    case withdrawn
    /// It could not be started.
    case notStarted(String)
    /// It cannot run the bundle.
    case refused(CellFinding)

    /// Counted under this name.
    package var name: String {
        switch self {
        case .ended(let end) where end.isForbiddenCall: "forbidden"
        case .ended: "crash"
        case .tooSlow: "time"
        case .tooLarge: "memory"
        case .fault: "protocol"
        case .unneeded: "idle"
        case .refused: "refused"
        case .done: "done"
        case .withdrawn: "withdrawn"
        case .notStarted: "start"
        }
    }

    /// All names that ends are counted under.
    package static let names = [
        "forbidden", "crash", "time", "memory", "protocol", "idle", "done", "refused", "withdrawn", "start",
    ]

    /// The middle of a sentence for viewers, which begins with the page that has ended.
    package var reason: String {
        switch self {
        case .ended(let end) where end.isForbiddenCall:
            "its widget did something that widgets may not do"
        case .ended(let end): "the process of its widget has ended: \(end)"
        case .tooSlow(let seconds): "its widget did not answer within \(Int(seconds.rounded(.up))) seconds"
        case .tooLarge(let byteCount): "its widget took \(ByteCountText.of(byteCount)) of memory"
        case .fault: "the process of its widget sent what the server could not read"
        case .unneeded: "its server has ended the widget"
        case .done: "its bundle was read"
        case .withdrawn: "the release of its widget was withdrawn"
        case .refused(let finding): "its widget cannot run: \(finding.message)"
        case .notStarted(let reason): "its widget could not be started: \(reason)"
        }
    }
}

/// The reason why a widget is not shown in a cell.
package enum CellRefusal: Error, Equatable, Sendable {
    /// The bundle cannot run, with the place in its files where that is known.
    case unreadable(CellFinding)
    case ended(CellEnd)
    /// All cells are in use.
    case full(limit: Int)
    /// Others wait for the same cell.
    case busy
    case noScreen(String)

    init(_ end: CellEnd) {
        self = if case .refused(let finding) = end { .unreadable(finding) } else { .ended(end) }
    }
}

/// A sentence of a cell about a bundle, with its place.
package struct CellFinding: Equatable, Sendable {
    package var message: String
    package var file: String?
    package var line: Int?
    package var column: Int?
    /// False if the host is at fault, which could not open the archive.
    package var isOfBundle = true

    /// The sentence, with its place.
    package var sentence: String {
        guard let file else { return message }
        let place = [line, column].compactMap { $0 }.filter { $0 > 0 }.map { ":\($0)" }.joined()
        return "\(file)\(place): \(message)"
    }
}
