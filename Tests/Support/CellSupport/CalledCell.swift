internal import Dispatch
internal import Foundation
package import WidgetCells
package import WidgetFiles
package import WidgetProcesses
package import WidgetSurroundings
internal import WidgetTestSupport

/// A cell in the test's own process, on a thread for itself: for tests of what a host does with its cells. What only a
/// process shows, such as what confines it, a crash, and time and memory that it takes, is asked of a process.
package final class CalledCell: CellProcess {
    /// An act of the cell before it carries out an order.
    package struct Deed: Sendable {
        package var order: String
        package var name: String

        package init(before order: String, _ name: String) { (self.order, self.name) = (order, name) }
    }

    package let channel: StreamSocket?
    private let inside: StreamSocket
    private let ended = DispatchGroup()

    /// - Parameters:
    ///   - without: the parts of the confinement that it says are missing.
    package init(
        reviewer: any CellReviewer, without parts: [String] = [], before deed: Deed? = nil
    ) throws(CellEnd) {
        guard let (outer, inner) = RawConnection.pair() else { throw .notStarted("no sockets are left") }
        let (host, inside) = (StreamSocket(owning: outer), StreamSocket(owning: inner))
        (channel, self.inside) = (host, inside)
        let ended = ended
        ended.enter()
        Thread.detachNewThread {
            CalledCell.obey(inside, reviewer: reviewer, without: parts) { order in
                if order == deed?.order { FalseMessages.perform(deed?.name ?? "", on: inside) }
            }
            ended.leave()
        }
    }

    /// Is a cell until its host leaves.
    fileprivate static func obey(
        _ host: StreamSocket, reviewer: any CellReviewer, without parts: [String] = [],
        before order: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        if let confinement = Confinement(text: text(without: parts)) {
            _ = CellProgram.obey(host, confinement, reviewer: reviewer, before: order)
        }
        // As the end of a process does.
        host.close()
    }

    private static func text(without parts: [String]) -> String {
        Confinement.Part.allCases.map { part in
            "\(part.rawValue)=" + (parts.contains(part.rawValue) ? "off left out on request" : "on")
        }.joined(separator: ";")
    }

    package var residentBytes: Int? { nil }
    package var processorTime: Duration? { nil }

    package func stop() { inside.close() }

    package func wait(seconds: Double) -> ProgramEnd? {
        ended.wait(timeout: .now() + seconds) == .success ? .exit(0) : nil
    }
}

extension CalledCell {
    /// Cells in the test's own process, for commands that ask one what confines it.
    package static let programs: any Programs = CalledCells(reviewer: Echo())

    /// The same, for commands that have them look at bundles.
    package static func programs(reviewedBy reviewer: any CellReviewer) -> any Programs {
        CalledCells(reviewer: reviewer)
    }
}

private struct CalledCells: Programs {
    let reviewer: any CellReviewer

    func run(_ path: String, _ arguments: [String], onLine: @Sendable (String) -> Void) -> Bool? { nil }

    func begin(_ path: String, onLine: @escaping @Sendable (String) -> Void) -> Int32? {
        guard let (outer, inner) = RawConnection.pair() else { return nil }
        let inside = StreamSocket(owning: inner)
        Thread.detachNewThread { [reviewer] in CalledCell.obey(inside, reviewer: reviewer) }
        return outer
    }
}

/// Messages that no cell sends.
package enum FalseMessages {
    /// Sends what a cell that was taken over would; nothing for a deed of another kind.
    package static func perform(_ deed: String, on host: StreamSocket) {
        switch deed {
        case "garbage": send(Array(repeating: 0xFF, count: 64), on: host)
        case "unasked": send(#"{"n":99999}"#, on: host)
        case "strays": for _ in 0..<20_000 { send(#"{"changed":"0","number":1}"#, on: host) }
        case "number": send("[1]", on: host)
        case "leave": host.close()
        default: return
        }
    }

    /// A message without a body.
    private static func send(_ head: String, on host: StreamSocket) {
        send([0, 0, 0, UInt8(head.utf8.count), 0, 0, 0, 0] + Array(head.utf8), on: host)
    }

    private static func send(_ bytes: [UInt8], on host: StreamSocket) {
        _ = host.write(bytes, until: .now + .seconds(60))
    }
}

/// A reviewer that sends the question back: once, or too often, or before a deed.
package struct Echo: CellReviewer {
    /// Called with the name of a deed of the cell.
    private let perform: @Sendable (String) -> Void

    package init(_ perform: @escaping @Sendable (String) -> Void = { _ in }) { self.perform = perform }

    package func review(_ archive: consuming FileDescriptor, _ question: String, _ send: (ReviewPiece) -> Void) {
        let count = (try? archive.status().byteCount) ?? 0
        send(ReviewPiece(name: question, kind: "size", bytes: Array("\(count)".utf8)))
        switch question {
        case "crash later": perform("crash")
        case "loop later": perform("loop")
        case "many": for number in 0..<5_000 { send(ReviewPiece(name: "\(number)", kind: "", bytes: [])) }
        case "large":
            for _ in 0..<8 { send(ReviewPiece(name: "", kind: "", bytes: Array(repeating: 0, count: 1 << 20))) }
        default: break
        }
    }
}
