internal import Deflate

/// Expands one gzip member, a piece at a time.
final class Expander {
    enum Step: Equatable {
        case bytes(Int)
        /// Nothing more comes of the bytes there were.
        case needsMore
        case malformed
    }

    private var inflater: Inflater
    private var room = [UInt8](repeating: 0, count: 64 << 10)
    private(set) var isFinished = false

    init() throws(DeflateError) {
        inflater = try Inflater(isGzip: true)
    }

    /// Takes what it can of the bytes from `position` on.
    func step(_ bytes: borrowing Span<UInt8>, from position: inout Int) -> Step {
        // A second member, or anything else behind the first, is not what servers send.
        guard !isFinished else { return position < bytes.count ? .malformed : .needsMore }
        do throws(DeflateError) {
            var target = room.mutableSpan
            let progress = try inflater.inflate(
                bytes.extracting(position..<bytes.count), into: &target, roomCount: target.count)
            position += progress.consumed
            isFinished = progress.isFinished
            if progress.produced > 0 { return .bytes(progress.produced) }
            return isFinished && position < bytes.count ? .malformed : .needsMore
        } catch {
            return .malformed
        }
    }

    /// The bytes of the last step.
    func give(_ count: Int, to body: (borrowing Span<UInt8>) -> Void) {
        let room = self.room
        body(room.span.extracting(0..<count))
    }
}
