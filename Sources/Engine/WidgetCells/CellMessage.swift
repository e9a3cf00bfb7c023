internal import JSONText
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetProcesses

/// A message between a host and a cell: an object of JSON, and bytes.
///
/// On the wire the lengths of both come first, each as four bytes, the most significant one first.
struct CellMessage: Sendable {
    let head: JSONValue
    let body: [UInt8]
    /// The bytes of the head.
    let headByteCount: Int

    /// The number by which an answer finds its question.
    var number: Int? { head["n"]?.integer.flatMap { Int(exactly: $0) } }

    func text(_ name: String) -> String? { head[name]?.string }

    func integer(_ name: String) -> Int? { head[name]?.integer.flatMap { Int(exactly: $0) } }

    /// Its bytes on the wire.
    static func bytes(_ body: [UInt8] = [], _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        let head = writer.finish()
        return lengths(head.count, body.count) + head + body
    }

    static let prefixByteCount = 8

    private static func lengths(_ head: Int, _ body: Int) -> [UInt8] {
        [head, body].flatMap { count in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }
    }
}

/// The bounds of the messages that one end takes. The other end may be a process that has been taken over.
struct CellMessageLimits: Sendable {
    var headByteCount: Int
    var bodyByteCount: Int
    var valueCount = 100_000

    private static let depth = 16

    fileprivate var json: JSONLimits {
        JSONLimits(byteCount: headByteCount, depth: CellMessageLimits.depth, valueCount: valueCount)
    }
}

/// Makes messages of the bytes of a channel.
struct CellMessageReader {
    private let limits: CellMessageLimits
    private var buffer: [UInt8] = []
    private var start = 0

    init(_ limits: CellMessageLimits) {
        self.limits = limits
    }

    /// The bytes that have arrived and belong to no message yet.
    var pendingByteCount: Int { buffer.count - start }

    mutating func add(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next whole message; `nil` until more of it arrives.
    mutating func next() throws(CellFault) -> CellMessage? {
        guard pendingByteCount >= CellMessage.prefixByteCount else { return nil }
        let (head, body) = (length(at: start), length(at: start + 4))
        guard head <= limits.headByteCount, body <= limits.bodyByteCount else {
            throw CellFault("a message has \(head) and \(body) bytes")
        }
        let first = start + CellMessage.prefixByteCount
        guard buffer.count - first >= head + body else { return nil }
        guard let json = try? JSONValue(parsing: Array(buffer[first..<(first + head)]), limits: limits.json),
            json.object != nil
        else { throw CellFault("a message is not an object of JSON") }
        start = first + head + body
        return CellMessage(head: json, body: Array(buffer[(first + head)..<start]), headByteCount: head)
    }

    /// The bytes of the message that are still to come after its lengths.
    func missingByteCount() throws(CellFault) -> Int {
        let (head, body) = (length(at: start), length(at: start + 4))
        guard head <= limits.headByteCount, body <= limits.bodyByteCount else {
            throw CellFault("an order has \(head) and \(body) bytes")
        }
        return head + body
    }

    private func length(at place: Int) -> Int {
        buffer[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A message that is not one of this protocol.
struct CellFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// One end of the channel: one thread reads, and any thread writes whole messages.
final class CellChannel: Sendable {
    private let socket: StreamSocket
    private let turn = Guarded(())

    /// The time until the other end has to have read a message.
    private let patience: Duration
    private static let windowByteCount = 64 << 10

    init(_ socket: StreamSocket, patience: Duration = .seconds(10)) {
        self.socket = socket
        self.patience = patience
    }

    /// Sends a message.
    ///
    /// - Returns: false if the other end is gone, or does not read.
    @discardableResult
    func send(_ message: [UInt8]) -> Bool {
        turn.withLock { _ in write(message) }
    }

    /// Sends an order that says that a descriptor follows, and the descriptor.
    ///
    /// - Returns: false if the other end is gone, or does not read.
    func send(_ message: [UInt8], passing file: borrowing FileDescriptor) -> Bool {
        turn.withLock { _ in write(message) && socket.send(file, until: .now + patience) }
    }

    private func write(_ message: [UInt8]) -> Bool {
        guard socket.write(message, until: .now + patience) else {
            // Half a message may have been written, so that nothing can follow it.
            socket.close()
            return false
        }
        return true
    }

    /// Reads until the other end closes, or sends what is not a message.
    ///
    /// - Returns: the fault of the other end, if it has made one.
    func read(_ limits: CellMessageLimits, _ take: (CellMessage) -> Void) -> CellFault? {
        var reader = CellMessageReader(limits)
        while true {
            let bytes = socket.read(count: CellChannel.windowByteCount)
            guard !bytes.isEmpty else { return nil }
            reader.add(bytes)
            do throws(CellFault) {
                while let message = try reader.next() { take(message) }
            } catch {
                return error
            }
        }
    }

    /// Reads orders until the host closes the channel. Each may be followed by a descriptor, which it says; so no more
    /// is read at once than belongs to it.
    ///
    /// - Returns: the fault of the host, if it has made one.
    func readOrders(
        _ limits: CellMessageLimits, _ take: (CellMessage, consuming FileDescriptor?) -> Void
    ) -> CellFault? {
        while true {
            var reader = CellMessageReader(limits)
            guard let prefix = socket.read(exactly: CellMessage.prefixByteCount, until: CellChannel.never) else {
                return nil
            }
            reader.add(prefix)
            do throws(CellFault) {
                let count = try reader.missingByteCount()
                guard let rest = socket.read(exactly: count, until: .now + patience) else {
                    return nil
                }
                reader.add(rest)
                guard let order = try reader.next() else { throw CellFault("an order is not whole") }
                guard order.head["passes"]?.boolean == true else {
                    take(order, nil)
                    continue
                }
                let file = try rethrowing(
                    try socket.receiveDescriptor(until: .now + patience),
                    as: { (error: FileError) in CellFault("\(error)") })
                take(order, file)
            } catch {
                return error
            }
        }
    }

    /// Later than any program runs.
    private static var never: ContinuousClock.Instant { .now + .seconds(1 << 32) }

    func close() { socket.close() }
}
