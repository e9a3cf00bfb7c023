internal import Bytes

/// Looks at one file while its bytes pass by: digest, first bytes, format.
///
/// It holds the beginning of the file, and the whole of it only when it is of a kind that is read as a whole
/// and within that limit.
struct FileInspector: ~Copyable {
    private var sha = SHA256()
    /// In place of ``sha``, for a file that takes longer to hash than a second thread to start.
    private let beside: QueuedSHA256?
    private var head: [UInt8] = []
    private var whole: [UInt8] = []
    private let collects: Bool
    private var check: FormatCheck

    private static let largeByteCount = 256 << 10

    /// `kind` is what the file's name says, when it may be kept.
    init(_ kind: ContentKind?, byteCount: Int, limits: BundleLimits) {
        collects = (kind?.isParsed ?? false) && byteCount <= limits.parsedByteCount
        check =
            kind.map {
                FormatCheck($0, bounds: PictureBounds(fileByteCount: byteCount, pixelCount: limits.pixelCount))
            } ?? .none
        beside = byteCount > FileInspector.largeByteCount ? QueuedSHA256() : nil
        if collects { whole.reserveCapacity(byteCount) }
    }

    mutating func consume(_ chunk: borrowing Span<UInt8>) {
        if let beside { beside.update(copying: chunk) } else { sha.update(chunk) }
        if head.count < Magic.byteCount {
            head.append(copying: chunk.extracting(..<min(chunk.count, Magic.byteCount - head.count)))
        }
        if collects {
            whole.append(copying: chunk)
        } else {
            check.consume(chunk)
        }
    }

    /// What was seen of a file.
    struct Seen {
        var digest: Digest
        /// What it is when it is something foreign.
        var foreign: ContentKind?
        var fault: FormatFault?
        /// All of it, when it is of a kind that is read as a whole.
        var bytes: [UInt8]
    }

    consuming func finish() -> Seen? {
        let foreign = Magic.foreign(head)
        let fault = check.finish()
        let bytes = whole
        guard let digest = beside == nil ? sha.finish() : beside?.value else { return nil }
        return Seen(digest: digest, foreign: foreign, fault: fault, bytes: bytes)
    }
}
