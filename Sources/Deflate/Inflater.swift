internal import CZlib

/// Inflates raw deflate streams (RFC 1951), or members of gzip (RFC 1952), one after another, in steps and in bounded
/// memory.
///
/// The state, 40 KiB with its window, is allocated once and reused. zlib judges the stream, not
/// libdeflate: the latter also takes streams that break the format (length symbols 286 and 287, too many
/// code lengths, a used distance code that was never given), and what only one inflater reads is not
/// something to hand on.
///
/// Safe to use: the stream is made, owned and freed here, never leaves, and every pointer lent to it is
/// valid for the one call that uses it.
@safe
package struct Inflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter isGzip: whether streams have a header and a trailer, which are checked as well.
    package init(isGzip: Bool = false) throws(DeflateError) {
        // zlib's state points back at its stream, so the stream needs an address of its own.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // Negative: raw; sixteen more: gzip. Both with the largest window the format knows.
        guard unsafe inflateInit2_(stream, isGzip ? 31 : -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else {
            throw DeflateError(.outOfMemory)
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Forgets the stream under way; the next bytes begin another.
    package mutating func reset() {
        unsafe inflateReset(stream)
    }

    /// Takes what it can from `input` and writes up to `roomCount` bytes to `room`.
    ///
    /// With `isWhole`, the input is the rest of the stream and the room is meant to hold all that comes:
    /// zlib then works without copying its window. Running out of either is not an error here; the caller
    /// knows whether more may come.
    ///
    /// - Throws: ``DeflateError`` with reason `.corrupt` where the stream breaks the format.
    package mutating func inflate(
        _ input: borrowing Span<UInt8>, into room: inout MutableSpan<UInt8>, roomCount: Int, isWhole: Bool = false
    ) throws(DeflateError) -> StreamProgress {
        precondition(roomCount > 0 && roomCount <= room.count, "zlib needs room to make a step")
        let inputCount = min(input.count, Int(UInt32.max))
        let roomCount = min(roomCount, Int(UInt32.max))
        let stream = unsafe self.stream
        let status = unsafe input.withUnsafeBufferPointer { source in
            unsafe room.withUnsafeMutableBufferPointer { target in
                // zlib declares its input mutable for historical reasons and only reads it.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(inputCount)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(roomCount)
                return unsafe CZlib.inflate(stream, isWhole ? Z_FINISH : Z_NO_FLUSH)
            }
        }
        let progress = unsafe StreamProgress(
            consumed: inputCount - Int(stream.pointee.avail_in),
            produced: roomCount - Int(stream.pointee.avail_out),
            isFinished: status == Z_STREAM_END)
        switch status {
        // Z_BUF_ERROR says that no step was possible without more input or more room.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: return progress
        case Z_MEM_ERROR: throw DeflateError(.outOfMemory)
        default: throw DeflateError(.corrupt, offset: progress.consumed)
        }
    }
}
