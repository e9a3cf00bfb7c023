import Addresses
import CLinux
import Dispatch
import Glibc
import Sockets
import TestSupport

@testable import HTTPServer

/// Whether something becomes true; only a test that fails waits for long.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<2_000 {
        if try condition() { return true }
        poll(nil, 0, 10)
    }
    return try condition()
}

extension TestServer {
    /// Hands the first loop a connection that seems to come from somewhere else, with what has been said there.
    func connect(from peer: IPAddress, saying text: String = "", sendBuffer: Int32? = nil) throws -> Conversation {
        guard let (ours, theirs) = RawConnection.pair() else { throw Conversation.NoAnswer(description: "no sockets") }
        _ = linux_set_nonblocking(theirs)
        if let sendBuffer { _ = linux_set_option(theirs, SOL_SOCKET, SO_SNDBUF, sendBuffer) }
        let connection = RawConnection(adopting: ours)
        connection.send(text)
        let loop = server.loops[0]
        loop.loop.perform { loop.accepted(.plain(theirs), from: peer, listener: 0) }
        return Conversation(connection)
    }

    /// Looks at something on every loop's own thread.
    func onEachLoop<Result: Sendable>(_ look: @escaping @Sendable (ServerLoop) -> Result) -> [Result] {
        server.loops.map { loop in
            let answer = Waiting<Result>()
            loop.loop.perform { answer.put(look(loop)) }
            guard let result = answer.take() else { fatalError("a loop does not answer") }
            return result
        }
    }

    /// Whether every connection is gone, and every request that was begun has been counted as ended.
    func comesToRest() -> Bool {
        eventually {
            letGo()
            return server.connectionCount == 0
                && onEachLoop { $0.table.count == 0 && $0.counters.value(.begun) == $0.counters.value(.ended) }
                    .allSatisfy { $0 }
        }
    }

    /// Slots between requests that keep more than a slot.
    func heavyIdleConnections() -> Int {
        onEachLoop { loop in
            (0..<loop.table.highWater).count { loop.table[$0].state.phase == .idle && loop.table[$0].activity != nil }
        }.reduce(0, +)
    }
}

extension TestServer {
    /// What connections there are, for a test that finds more than it should.
    var remains: [String] {
        let listening = port
        return onEachLoop { loop in
            (0..<loop.table.highWater).filter { loop.table.isOpen($0) }.map { slot in
                let connection = loop.table[slot]
                let (state, activity) = (connection.state, connection.activity)
                return "\(state.phase) marks \(state.marks.rawValue) progress \(state.progress) "
                    + "input \(activity?.input.count ?? -1) pending \(activity?.output.byteCount ?? -1) "
                    + "body \(activity?.exchange?.body != nil) "
                    + "socket \(Shell.run("ss -tnoie state all sport = :\(listening) | grep -v LISTEN").output)"
            }
        }.flatMap { $0 }
    }
}
