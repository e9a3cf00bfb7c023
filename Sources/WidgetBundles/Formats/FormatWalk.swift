internal import Bytes

/// A reader that goes through a file from front to back, holding no more of it than one header.
///
/// It is told bytes in pieces of the size it asks for, and says what it wants next; whatever lies between is
/// passed over. It never sees the file, so it cannot read it whole.
protocol FormatWalk: Sendable {
    /// What to do first.
    var start: FormatStep { get }
    /// Takes the bytes that were asked for and says what comes next.
    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep
    /// Sees bytes that are passed over.
    mutating func pass(_ bytes: borrowing Span<UInt8>)
    /// Whether the file may end while so many bytes of what was asked for are there.
    func mayEnd(holding count: Int) -> Bool
}

extension FormatWalk {
    mutating func pass(_ bytes: borrowing Span<UInt8>) {}
    func mayEnd(holding count: Int) -> Bool { false }
}

/// What a walk wants next.
enum FormatStep {
    /// Pass over some bytes, then be given `take` bytes.
    case next(skip: Int = 0, take: Int)
    /// Pass over everything up to the byte, and be given `take` bytes after it.
    case find(UInt8, take: Int)
    /// Pass over zeros, then be given `take` bytes.
    case skipZeros(take: Int)
    /// The file must end here.
    case end
    /// Whatever follows is somebody else's business.
    case rest
}

/// Feeds a walk from chunks of any size.
struct FormatDriver<Walk: FormatWalk>: Sendable {
    private var walk: Walk
    private var step: FormatStep
    private var skipping = 0
    private var isFinding = false
    private var isSkippingZeros = false
    private var wanted = 0
    private var held: [UInt8] = []
    private var position = 0
    private(set) var fault: FormatFault?

    init(_ walk: Walk) {
        self.walk = walk
        step = walk.start
        begin(step)
    }

    private mutating func begin(_ next: FormatStep) {
        step = next
        skipping = 0
        isFinding = false
        isSkippingZeros = false
        wanted = 0
        held.removeAll(keepingCapacity: true)
        switch next {
        case .next(let skip, let take): (skipping, wanted) = (skip, take)
        case .find(_, let take): (isFinding, wanted) = (true, take)
        case .skipZeros(let take): (isSkippingZeros, wanted) = (true, take)
        case .end, .rest: break
        }
    }

    mutating func consume(_ chunk: borrowing Span<UInt8>) {
        var index = 0
        while index < chunk.count, fault == nil {
            index += advance(chunk.extracting(index...))
        }
    }

    /// Uses at least one byte of the chunk.
    private mutating func advance(_ chunk: Span<UInt8>) -> Int {
        var used = 0
        switch step {
        case .rest:
            position += chunk.count
            return chunk.count
        case .end:
            fault = FormatFault(.dataAfterEnd, at: position)
            return chunk.count
        case .find(let byte, _) where isFinding:
            while used < chunk.count, chunk[used] != byte { used += 1 }
            if used < chunk.count {
                used += 1
                isFinding = false
            }
            position += used
            return used
        case .skipZeros where isSkippingZeros:
            while used < chunk.count, chunk[used] == 0 { used += 1 }
            if used < chunk.count { isSkippingZeros = false }
            position += used
            if used > 0 { return used }
        case .next where skipping > 0:
            used = min(skipping, chunk.count)
            walk.pass(chunk.extracting(..<used))
            skipping -= used
            position += used
            return used
        default: break
        }
        used = min(wanted - held.count, chunk.count)
        held.append(copying: chunk.extracting(..<used))
        position += used
        if held.count == wanted { takeStep() }
        return max(used, 1)
    }

    private mutating func takeStep() {
        do throws(FormatFault) {
            begin(try walk.take(held, at: position - held.count))
        } catch {
            fault = error
        }
    }

    /// Says that the file has ended.
    mutating func finish() {
        guard fault == nil else { return }
        switch step {
        case .end, .rest: break
        default:
            if skipping > 0 || !walk.mayEnd(holding: held.count) { fault = FormatFault(.truncated, at: position) }
        }
    }
}

/// Numbers inside bytes that were taken; the caller asked for enough of them.
extension Array<UInt8> {
    func bigEndian16(_ index: Int) -> Int { Int(self[index]) << 8 | Int(self[index + 1]) }

    func bigEndian32(_ index: Int) -> Int { bigEndian16(index) << 16 | bigEndian16(index + 2) }

    func littleEndian16(_ index: Int) -> Int { Int(self[index + 1]) << 8 | Int(self[index]) }

    func littleEndian24(_ index: Int) -> Int { Int(self[index + 2]) << 16 | littleEndian16(index) }

    func littleEndian32(_ index: Int) -> Int { littleEndian16(index + 2) << 16 | littleEndian16(index) }

    func holds(_ text: String, at index: Int) -> Bool {
        count >= index + text.utf8.count && self[index...].starts(with: text.utf8)
    }
}

/// How large a picture may be.
struct PictureBounds: Sendable {
    var fileByteCount: Int
    var pixelCount: Int

    func require(_ width: Int, _ height: Int, at offset: Int) throws(FormatFault) {
        guard width > 0, height > 0 else { throw FormatFault(.invalidHeader, at: offset) }
        let (pixels, didOverflow) = width.multipliedReportingOverflow(by: height)
        guard !didOverflow, pixels <= pixelCount else {
            throw FormatFault(.tooManyPixels(limit: pixelCount), at: offset)
        }
    }
}
