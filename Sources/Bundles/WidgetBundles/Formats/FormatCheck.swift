internal import WidgetBytes

/// The check of a file whose format can be followed while its bytes are streamed.
enum FormatCheck: Sendable {
    case none
    case png(FormatDriver<PNGWalk>)
    case jpeg(FormatDriver<JPEGWalk>)
    case gif(FormatDriver<GIFWalk>)
    case webp(FormatDriver<WebPWalk>)
    case heic(FormatDriver<HEICWalk>)
    case font(FormatDriver<FontWalk>)
    case catalog(FormatDriver<CatalogWalk>)

    init(_ kind: ContentKind, bounds: PictureBounds) {
        switch kind {
        case .png: self = .png(FormatDriver(PNGWalk(bounds)))
        case .jpeg: self = .jpeg(FormatDriver(JPEGWalk(bounds)))
        case .gif: self = .gif(FormatDriver(GIFWalk(bounds)))
        case .webp: self = .webp(FormatDriver(WebPWalk(bounds)))
        case .heic: self = .heic(FormatDriver(HEICWalk(bounds)))
        case .font: self = .font(FormatDriver(FontWalk(fileByteCount: bounds.fileByteCount)))
        case .assetCatalog: self = .catalog(FormatDriver(CatalogWalk(fileByteCount: bounds.fileByteCount)))
        default: self = .none
        }
    }

    mutating func consume(_ chunk: borrowing Span<UInt8>) {
        // The driver is moved out and back, so that its buffer is not copied.
        let check = self
        self = .none
        switch check {
        case .none: break
        case .png(var driver):
            driver.consume(chunk)
            self = .png(driver)
        case .jpeg(var driver):
            driver.consume(chunk)
            self = .jpeg(driver)
        case .gif(var driver):
            driver.consume(chunk)
            self = .gif(driver)
        case .webp(var driver):
            driver.consume(chunk)
            self = .webp(driver)
        case .heic(var driver):
            driver.consume(chunk)
            self = .heic(driver)
        case .font(var driver):
            driver.consume(chunk)
            self = .font(driver)
        case .catalog(var driver):
            driver.consume(chunk)
            self = .catalog(driver)
        }
    }

    /// Returns the fault of the file that has now ended.
    func finish() -> FormatFault? {
        switch self {
        case .none: nil
        case .png(let driver): driver.finished
        case .jpeg(let driver): driver.finished
        case .gif(let driver): driver.finished
        case .webp(let driver): driver.finished
        case .heic(let driver): driver.finished
        case .font(let driver): driver.finished
        case .catalog(let driver): driver.finished
        }
    }
}

extension FormatDriver {
    fileprivate var finished: FormatFault? {
        var driver = self
        driver.finish()
        return driver.fault
    }
}

/// A fault in a file with the right name, and its offset.
package struct FormatFault: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case wrongMagic
        case truncated
        case invalidHeader
        case invalidPart
        case partOutOfBounds
        case tableOutOfBounds
        case tablesOverlap
        case hiddenData
        case noPicture
        case tooManyPixels(limit: Int)
        case checksumMismatch
        case dataAfterEnd
        case notAnArchive
        case interfaceSource
        case unknownVersion
    }

    package var reason: Reason
    package var offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension FormatFault.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongMagic: "it does not begin as such a file does"
        case .truncated: "it ends too early"
        case .invalidHeader: "its header makes no sense"
        case .invalidPart: "one of its parts makes no sense"
        case .partOutOfBounds: "one of its parts reaches beyond the end of the file"
        case .tableOutOfBounds: "one of its tables reaches beyond the end of the file"
        case .tablesOverlap: "one of its tables reaches into another"
        case .hiddenData: "something lies between its tables that belongs to none of them"
        case .noPicture: "it holds no picture"
        case .tooManyPixels(let limit): "it holds a picture of more than \(limit) pixels"
        case .checksumMismatch: "a checksum inside it does not match"
        case .dataAfterEnd: "something follows its end"
        case .notAnArchive: "it is a property list, but not a keyed archive"
        case .interfaceSource: "it is the source of an interface; build the bundle with `widget build`, or with Xcode"
        case .unknownVersion: "its version is unknown"
        }
    }
}

/// A reader that goes through a file from front to back, holding at most one header in memory.
///
/// It receives bytes in pieces of the size that it asks for, and returns its next request; the bytes between are
/// skipped. It has no access to the file, so it cannot read it whole.
protocol FormatWalk: Sendable {
    /// The first request.
    var start: FormatStep { get }
    /// Reads the requested bytes and returns the next request.
    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep
    /// Observes bytes that are skipped.
    mutating func pass(_ bytes: borrowing Span<UInt8>)
    /// Returns true if the file may end when only `count` of the requested bytes have arrived.
    func mayEnd(holding count: Int) -> Bool
}

extension FormatWalk {
    mutating func pass(_ bytes: borrowing Span<UInt8>) {}
    func mayEnd(holding count: Int) -> Bool { false }
}

/// A walk's next request.
enum FormatStep {
    /// Skip some bytes, then deliver `take` bytes.
    case next(skip: Int = 0, take: Int)
    /// Skip everything up to the byte, and deliver `take` bytes after it.
    case find(UInt8, take: Int)
    /// Skip zeros, then deliver `take` bytes.
    case skipZeros(take: Int)
    /// The file must end here.
    case end
    /// The rest of the file is not checked.
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

    /// Advances by at least one byte of the chunk.
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

    /// Ends the file.
    mutating func finish() {
        guard fault == nil else { return }
        switch step {
        case .end, .rest: break
        default:
            if skipping > 0 || !walk.mayEnd(holding: held.count) { fault = FormatFault(.truncated, at: position) }
        }
    }
}

/// Reads numbers inside delivered bytes; the caller asked for enough of them.
extension Array<UInt8> {
    func bigEndian16(_ index: Int) -> Int { Int(self[index]) << 8 | Int(self[index + 1]) }

    func bigEndianWord(_ index: Int) -> UInt32 {
        UInt32(bigEndian16(index)) << 16 | UInt32(bigEndian16(index + 2))
    }

    func bigEndian32(_ index: Int) -> Int { Int(bounded: bigEndianWord(index)) }

    func littleEndian16(_ index: Int) -> Int { Int(self[index + 1]) << 8 | Int(self[index]) }

    func littleEndian24(_ index: Int) -> Int { Int(self[index + 2]) << 16 | littleEndian16(index) }

    func littleEndian32(_ index: Int) -> Int {
        Int(bounded: UInt32(littleEndian16(index + 2)) << 16 | UInt32(littleEndian16(index)))
    }

    func holds(_ text: String, at index: Int) -> Bool {
        count >= index + text.utf8.count && self[index...].starts(with: text.utf8)
    }
}

/// The limits on a picture's size.
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
