internal import CWidgetZlib

/// Inflates raw deflate streams (RFC 1951), or members of gzip (RFC 1952), one after another, in steps and in bounded
/// memory.
///
/// The state, 40 KiB with its window, is allocated once and reused. zlib judges the stream, not
/// libdeflate: the latter also takes streams that break the format (length symbols 286 and 287, too many
/// code lengths, a used distance code that was never given). A stream that only one inflater reads must not be
/// handed on.
///
/// Safe to use: the stream is made, owned and freed here, never leaves, and every pointer lent to it is
/// valid for the one call that uses it.
@safe
package struct Inflater: ~Copyable {
    private let owner = unsafe StreamOwner(ending: inflateEnd)
    private var stream: UnsafeMutablePointer<z_stream> { unsafe owner.stream }

    /// - Parameter isGzip: whether streams have a header and a trailer, which are checked as well.
    package init(isGzip: Bool = false) throws(DeflateError) {
        // Negative: raw; sixteen more: gzip. Both with the largest window the format knows.
        guard unsafe inflateInit2_(stream, isGzip ? 31 : -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else {
            throw DeflateError(.outOfMemory)
        }
    }

    /// Discards the current stream; the next bytes begin another.
    package mutating func reset() {
        unsafe inflateReset(stream)
    }

    /// Reads from `input` and writes up to `roomCount` bytes to `room`, until either is used up.
    ///
    /// With `isWhole`, the input is the rest of the stream and the room holds its whole output:
    /// zlib then works without copying its window. Running out of either is not an error here; the caller
    /// knows whether more may come.
    ///
    /// - Throws: ``DeflateError`` with reason `.corrupt` where the stream breaks the format.
    package mutating func inflate(
        _ input: borrowing Span<UInt8>, into room: inout MutableSpan<UInt8>, roomCount: Int, isWhole: Bool = false
    ) throws(DeflateError) -> StreamProgress {
        precondition(roomCount > 0 && roomCount <= room.count, "zlib needs room to make a step")
        let inputCount = min(input.count, Int(clamping: UInt32.max))
        let roomCount = min(roomCount, Int(clamping: UInt32.max))
        let stream = unsafe self.stream
        let status = unsafe input.withUnsafeBufferPointer { source in
            unsafe room.withUnsafeMutableBufferPointer { target in
                // zlib declares its input mutable for historical reasons and only reads it.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(inputCount)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(roomCount)
                return unsafe CWidgetZlib.inflate(stream, isWhole ? Z_FINISH : Z_NO_FLUSH)
            }
        }
        let progress = unsafe StreamProgress(
            consumed: inputCount - Int(clamping: stream.pointee.avail_in),
            produced: roomCount - Int(clamping: stream.pointee.avail_out),
            isFinished: status == Z_STREAM_END)
        switch status {
        // Z_BUF_ERROR says that no step was possible without more input or more room.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: return progress
        case Z_MEM_ERROR: throw DeflateError(.outOfMemory)
        default: throw DeflateError(.corrupt, offset: progress.consumed)
        }
    }
}

/// Deflates into raw streams (RFC 1951) one after another, in steps and in bounded memory.
///
/// Always at zlib's level 9, because a packed folder should be the same bytes every time.
///
/// Safe to use: the stream is made, owned and freed here, never leaves, and every pointer lent to it is
/// valid for the one call that uses it.
@safe
package struct Deflater: ~Copyable {
    private let owner = unsafe StreamOwner(ending: deflateEnd)
    private var stream: UnsafeMutablePointer<z_stream> { unsafe owner.stream }

    package init() throws(DeflateError) {
        let status = unsafe deflateInit2_(
            stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw DeflateError(.outOfMemory) }
    }

    /// Discards the current stream; the next bytes begin another.
    package mutating func reset() {
        unsafe deflateReset(stream)
    }

    /// Reads from `input` and writes to `room`, until either is used up.
    ///
    /// With `isLast`, no input follows: call again with an empty input until the progress is finished.
    package mutating func deflate(
        _ input: borrowing Span<UInt8>, into room: inout MutableSpan<UInt8>, isLast: Bool
    ) throws(DeflateError) -> StreamProgress {
        precondition(room.count > 0, "zlib needs room to make a step")
        let inputCount = min(input.count, Int(clamping: UInt32.max))
        let roomCount = min(room.count, Int(clamping: UInt32.max))
        let stream = unsafe self.stream
        let status = unsafe input.withUnsafeBufferPointer { source in
            unsafe room.withUnsafeMutableBufferPointer { target in
                // zlib declares its input mutable for historical reasons and only reads it.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(inputCount)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(roomCount)
                return unsafe CWidgetZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            }
        }
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw DeflateError(.outOfMemory)
        }
        return unsafe StreamProgress(
            consumed: inputCount - Int(clamping: stream.pointee.avail_in),
            produced: roomCount - Int(clamping: stream.pointee.avail_out),
            isFinished: status == Z_STREAM_END)
    }
}

/// Frees a stream of zlib with its last owner. A class does it: Embedded Swift cannot see the end of a value that
/// cannot be copied from another module.
@safe
private final class StreamOwner: @unchecked Sendable {
    /// At a fixed address: zlib's state points back at its stream.
    let stream: UnsafeMutablePointer<z_stream>
    private let end: (z_streamp?) -> CInt

    init(ending end: @escaping (z_streamp?) -> CInt) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe self.end = end
    }

    deinit {
        // It fails for a stream that could not begin.
        _ = unsafe end(stream)
        unsafe stream.deallocate()
    }
}

/// The result of one step of a stream: the bytes consumed and produced.
package struct StreamProgress: Equatable, Sendable {
    /// Bytes of the input that need not be offered again.
    package var consumed: Int
    /// Bytes written to the start of the room.
    package var produced: Int
    /// True if the end of the stream was reached; input that follows is not part of it.
    package var isFinished: Bool
}

/// Why bytes could not be inflated or deflated.
package struct DeflateError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The stream breaks a rule of RFC 1951.
        case corrupt
        /// The library could not allocate its state.
        case outOfMemory
    }

    package var reason: Reason
    /// Bytes of the step's input consumed before the fault was seen.
    package var offset: Int?

    package init(_ reason: Reason, offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
