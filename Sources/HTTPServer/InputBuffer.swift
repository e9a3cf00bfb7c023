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
