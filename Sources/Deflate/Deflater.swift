internal import CZlib

/// Deflates into raw streams (RFC 1951) one after another, in steps and in bounded memory.
///
/// Always at zlib's level 9, because a packed folder should be the same bytes every time.
///
/// Safe to use: the stream is made, owned and freed here, never leaves, and every pointer lent to it is
/// valid for the one call that uses it.
@safe
package struct Deflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    package init() throws(DeflateError) {
        // zlib's state points back at its stream, so the stream needs an address of its own.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe deflateInit2_(
            stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw DeflateError(.outOfMemory) }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Forgets the stream under way; the next bytes begin another.
    package mutating func reset() {
        unsafe deflateReset(stream)
    }

    /// Takes what it can from `input` and writes what it can to `room`.
    ///
    /// With `isLast`, no input follows: call again with an empty input until the progress is finished.
    package mutating func deflate(
        _ input: borrowing Span<UInt8>, into room: inout MutableSpan<UInt8>, isLast: Bool
    ) throws(DeflateError) -> StreamProgress {
        precondition(room.count > 0, "zlib needs room to make a step")
        let inputCount = min(input.count, Int(UInt32.max))
        let roomCount = min(room.count, Int(UInt32.max))
        let stream = unsafe self.stream
        let status = unsafe input.withUnsafeBufferPointer { source in
            unsafe room.withUnsafeMutableBufferPointer { target in
                // zlib declares its input mutable for historical reasons and only reads it.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(inputCount)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(roomCount)
                return unsafe CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            }
        }
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw DeflateError(.outOfMemory)
        }
        return unsafe StreamProgress(
            consumed: inputCount - Int(stream.pointee.avail_in),
            produced: roomCount - Int(stream.pointee.avail_out),
            isFinished: status == Z_STREAM_END)
    }
}
