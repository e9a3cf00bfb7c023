internal import Sockets

/// Answers of the connection whose turn it is, one behind the other, until they are sent or queued.
///
/// Memory of its own rather than an array: an array in a class is checked for exclusive access and unique
/// ownership on every append, which is a good part of what a small answer costs.
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
