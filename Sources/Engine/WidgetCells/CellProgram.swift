internal import JSONText
internal import WidgetBytes
internal import WidgetLive
package import WidgetProcesses
package import WidgetSurroundings

/// The program that is a cell: it confines itself, and then obeys its host until the channel closes.
package enum CellProgram {
    /// The word behind a program's name that makes it a cell.
    private static let command = "cell"

    /// The words for the cell, if a command line starts one.
    package static func words(of arguments: [String]) -> [String]? {
        arguments.dropFirst().first == command ? Array(arguments.dropFirst(2)) : nil
    }

    /// This program as a cell. The file of a running program can be replaced; this name is of the one that runs.
    package static var start: CellStart { start(of: "/proc/self/exe") }

    /// A program as a cell.
    ///
    /// - Parameter programs: called in place of it.
    package static func start(of path: String, programs: (any Programs)? = nil) -> CellStart {
        var start = ProgramStart(path, [command], environment: ConfinementLimits.environment)
        // Starting takes more of the processor than most reviews do.
        start.niceness = ConfinementLimits().niceness
        return CellStart(start, programs: programs)
    }

    /// Runs the cell.
    ///
    /// - Parameters:
    ///   - words: the parts of the confinement that a test leaves out.
    ///   - reviewer: looks at bundles for the pages about them, in hosts that have such pages.
    ///   - before: called with the name of each order before it is carried out, by tests.
    /// - Returns: false if the system gives it no limits.
    package static func run(
        _ words: [String] = [], reviewer: (any CellReviewer)? = nil, before: (String) -> Void = { _ in }
    ) -> Bool {
        guard let channel = StreamSocket.toParent() else { return false }
        let forbidden = Set(words.compactMap { Confinement.Part(rawValue: $0) })
        let confinement = Confinement.enter(without: forbidden) { CellWarmth.spread() }
        return obey(channel, confinement, reviewer: reviewer, before: before)
    }

    /// Obeys a host until the channel closes.
    ///
    /// - Parameter confinement: the one that the host hears of. Tests of hosts choose it.
    package static func obey(
        _ host: StreamSocket, _ confinement: Confinement, reviewer: (any CellReviewer)? = nil,
        before: (String) -> Void = { _ in }
    ) -> Bool {
        let messages = CellChannel(host)
        messages.send(CellMessage.bytes { $0.member("confined", confinement.text) })
        guard confinement.isBounded else { return false }
        let room = CellRoom(messages, reviewer: reviewer)
        _ = messages.readOrders(CellLimits.orders) { order, archive in
            before(order.text("do") ?? "")
            room.take(order, archive)
        }
        return true
    }
}

/// The first use of what opens files when it is first used.
enum CellWarmth {
    static func spread() {
        // The digests come from a library that reads its settings when it begins.
        _ = Digest.sha256([0])
        _ = UInt64.random(in: 0...9)
        LiveThreads.begin {}
    }
}
