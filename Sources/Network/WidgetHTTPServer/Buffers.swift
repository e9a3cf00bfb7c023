internal import Synchronization
internal import WidgetSockets

/// The buffer in which a loop's reads arrive, used by one connection at a time.
///
/// Safe to use: the memory is made and freed here, and every range is checked against it. The pointers it lends are
/// for the turn of the connection that reads.
@safe
final class InputBuffer {
    /// Room for one read, behind an unfinished head.
    static let capacity = 128 * 1_024

    private let room: UnsafeMutableRawBufferPointer

    init() {
        unsafe room = .allocate(byteCount: InputBuffer.capacity, alignment: 64)
    }

    deinit {
        unsafe room.deallocate()
    }

    /// The room behind the first `kept` bytes.
    func room(after kept: Int) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[kept...])
    }

    func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(rebasing: room.assumingMemoryBound(to: UInt8.self)[range])
    }

    /// Puts kept bytes in front of those just read.
    func restore(_ kept: [UInt8]) {
        precondition(kept.count <= InputBuffer.capacity, "no more is kept than one read brings")
        unsafe kept.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    }

    func hasLineFeed(in range: Range<Int>) -> Bool {
        unsafe UnsafeRawBufferPointer(rebasing: room[range]).contains(0x0A)
    }
}

/// Answers of the connection whose turn it is, one behind the other, until they are sent or queued.
///
/// Raw memory rather than an array: an array in a class is checked for exclusive access and unique
/// ownership on every append, which is a good part of the cost of a small answer.
///
/// Safe to use: the memory is made, grown and freed here, and every write is preceded by `reserve`.
@safe
final class OutputBuffer {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        unsafe base = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit {
        unsafe base.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    func append(contentsOf bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    func append(contentsOf bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// Appends the eight bytes of a word, the lowest first.
    func append(_ word: UInt64) {
        reserve(8)
        unsafe (base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count &+= 8
    }

    func removeAll() {
        count = 0
    }

    func removeFirst(_ gone: Int) {
        precondition(gone >= 0 && gone <= count, "no more is removed than is there")
        count &-= gone
        if count > 0 { unsafe base.copyMemory(from: base + gone, byteCount: count) }
    }

    /// Removes the content and returns it, as an array of exactly its size.
    func take() -> [UInt8] {
        defer { count = 0 }
        return unsafe withUnsafeBytes { unsafe Array($0) }
    }

    /// Sends from the front, and keeps the rest.
    func send(through channel: ByteChannel, more: Bool) -> Movement {
        let movement = unsafe withUnsafeBytes { unsafe channel.send($0, more: more) }
        if case .moved(let sent) = movement { removeFirst(sent) }
        return movement
    }

    private func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // The first `count` bytes have been written, and stay where they are until the next append.
        unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        reserve(bytes.count)
        unsafe (base + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    @inline(__always)
    private func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        let wider = max(capacity * 2, count + more)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 64)
        unsafe moved.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = wider
    }
}

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
            backlog.remove(weight)
        case .file(let file, let offset, let count):
            pieces[next] = .file(file, offset: offset &+ moved, count: count &- moved)
            if moved < count { return }
        }
        // Releases the bytes, or the file's descriptor.
        pieces[next] = .bytes([])
        next &+= 1
    }
}
