internal import Sockets
internal import Synchronization

/// The output of a connection that its client has not taken yet, in order.
struct OutputQueue {
    /// A stretch of an answer.
    enum Piece {
        /// A stretch of bytes in memory, and the resource it belongs to.
        case bytes([UInt8], Range<Int>, of: Resource?)
        /// A piece of a stream, counted in its backlog.
        case streamed([UInt8], Range<Int>, StreamBacklog, weight: Int)
        case file(OpenFile, offset: Int, count: Int)

        /// All of bytes that belong to nothing else.
        static func bytes(_ bytes: [UInt8]) -> Piece { .bytes(bytes, 0..<bytes.count, of: nil) }

        var byteCount: Int {
            switch self {
            case .bytes(_, let range, _), .streamed(_, let range, _, _): range.count
            case .file(_, _, let count): count
            }
        }
    }

    /// Sent pieces at the front that are kept before they are cleared away.
    private static let sentLimit = 64

    private var pieces: [Piece] = []
    private var next = 0

    var isEmpty: Bool { next == pieces.count }

    /// The number of entries that take memory, sent pieces among them.
    var entryCount: Int { pieces.count }

    /// The number of bytes that are left to be sent.
    var byteCount: Int { pieces[next...].reduce(0) { $0 &+ $1.byteCount } }

    mutating func append(_ piece: Piece) {
        // A stream whose client is always a little behind never empties the queue.
        if next > OutputQueue.sentLimit, next &* 2 > pieces.count {
            pieces.removeFirst(next)
            next = 0
        }
        if next == pieces.count, next > 0 { removeAll() }
        pieces.append(piece)
    }

    mutating func removeAll() {
        pieces = []
        next = 0
    }

    /// Sends from the first piece, of a file at most `budget` bytes.
    mutating func send(through channel: ByteChannel, budget: Int) -> Movement {
        guard !isEmpty else { return .moved(0) }
        let movement: Movement
        switch pieces[next] {
        case .bytes(let bytes, let range, _), .streamed(let bytes, let range, _, _):
            let isLast = next &+ 1 == pieces.count
            movement = unsafe bytes.withUnsafeBytes {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[range])
                return unsafe channel.send(rest, more: !isLast)
            }
        case .file(let file, let offset, let count):
            movement = channel.sendFile(file.descriptor, offset: offset, count: min(count, budget))
        }
        if case .moved(let count) = movement { advance(by: count) }
        return movement
    }

    private mutating func advance(by moved: Int) {
        switch pieces[next] {
        case .bytes(let bytes, let range, let owner):
            let rest = range.dropFirst(moved)
            pieces[next] = .bytes(bytes, rest, of: owner)
            if !rest.isEmpty { return }
        case .streamed(let bytes, let range, let backlog, let weight):
            let rest = range.dropFirst(moved)
            pieces[next] = .streamed(bytes, rest, backlog, weight: weight)
            if !rest.isEmpty { return }
            backlog.byteCount.subtract(weight, ordering: .relaxed)
        case .file(let file, let offset, let count):
            pieces[next] = .file(file, offset: offset &+ moved, count: count &- moved)
            if moved < count { return }
        }
        // Releases the bytes, or the file's descriptor.
        pieces[next] = .bytes([])
        next &+= 1
    }
}
