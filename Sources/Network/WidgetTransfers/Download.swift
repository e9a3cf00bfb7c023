internal import WidgetBytes
package import WidgetFiles

/// A representation to be downloaded in full, over as many connections as that takes.
package struct Download: Sendable {
    /// A GET. Its limits hold for each attempt, the total for all of them.
    package var request: TransferRequest
    /// The part that is wanted; `nil` for all of it. A server that sends another part is refused.
    package var range: Range<Int>?
    /// The strong entity tag of the wanted representation, if it is known beforehand; else the first answer decides.
    package var entityTag: String?
    /// The number of bytes of it, or of its range, that are held already. Needs the entity tag they came with.
    package var heldByteCount = 0
    /// The most bytes that are taken. The request's own limit is for answers in place of the bytes too.
    package var byteLimit: Int?
    /// True for a 429 or 503, by its body, that will be the same however long a client waits.
    package var isFinal: (@Sendable (_ status: Int, _ body: [UInt8]) -> Bool)?
    /// Called with the number of the wanted bytes that are held.
    package var progress: (@Sendable (TransferProgress) -> Void)?

    package init(_ request: TransferRequest, range: Range<Int>? = nil, entityTag: String? = nil) {
        self.request = request
        self.range = range
        self.entityTag = entityTag
    }

    package enum Outcome: Sendable {
        /// Every byte that was announced has been handed to the sink. The head is that of the last answer.
        case complete(TransferHead, byteCount: Int)
        /// An answer without the bytes: not modified, a problem. Earlier attempts may have brought some.
        case other(TransferAnswer)
    }
}

extension Download {
    /// The body of an answer that asks for patience, if its reason is looked for there.
    func body(of answer: TransferAnswer) async -> [UInt8]? {
        guard isFinal != nil else { return nil }
        return (try? await answer.body.collect()) ?? []
    }
}

/// A body that was read already.
final class HeldBody: BodySource {
    private let bytes: Guarded<[UInt8]?>

    init(_ bytes: [UInt8]) { self.bytes = Guarded(bytes.isEmpty ? nil : bytes) }

    func next() async throws(TransferError) -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
    }

    func cancel() {}
}

/// The destination of a download.
package protocol DownloadSink: AnyObject, Sendable {
    /// Takes bytes; offsets count from the start of what is wanted and follow on each other.
    func write(_ bytes: [UInt8], at offset: Int) throws(FileError)
    /// The bytes written belong to another representation: writing begins anew, at zero.
    func restart() throws(FileError)
}

/// The held part of a download, and the part that an answer adds to it.
struct DownloadState {
    /// The meaning of an answer for the download.
    enum Verdict: Equatable {
        /// Its body goes to the sink.
        case bytes
        /// All bytes are held already.
        case nothing
        /// The held bytes belong to another representation.
        case again
        case other
    }

    private let download: Download
    private let sink: any DownloadSink
    /// The number of the wanted bytes that are held.
    private(set) var position: Int
    private(set) var isComplete = false
    private var entityTag: String?
    /// The number of bytes wanted; `nil` until a server has said how large the whole is.
    private var wanted: Int?
    /// The number of bytes held when the present answer has been read; `nil` if the answer does not say.
    private var end: Int?

    init(_ download: Download, _ sink: any DownloadSink) {
        self.download = download
        self.sink = sink
        position = max(0, download.heldByteCount)
        entityTag = download.entityTag.flatMap(DownloadState.strong)
        wanted = download.range?.count
    }

    private var url: TransferURL { download.request.url }

    /// Discards bytes that are held without a tag, because the rest cannot be asked for.
    mutating func prepare() throws(TransferError) {
        if position > 0, entityTag == nil { try restart() }
    }

    /// The request for the missing bytes.
    var request: TransferRequest {
        var request = download.request
        // Places are counted in the bytes as they are kept.
        request.acceptsCompression = false
        guard position > 0 || download.range != nil else { return request }
        let first = (download.range?.lowerBound ?? 0) + position
        let last = download.range.map { String($0.upperBound - 1) } ?? ""
        request.fields.append(TransferField("Range", "bytes=\(first)-\(last)"))
        if let entityTag { request.fields.append(TransferField("If-Range", entityTag)) }
        return request
    }

    mutating func judge(_ head: TransferHead) throws(TransferError) -> Verdict {
        // Another server has tags with another meaning; bytes that are proven need none.
        let isElsewhere = download.request.hasProvenContent && !url.isAtHome(head.url)
        let tag = isElsewhere ? entityTag : head.strongEntityTag
        switch head.status {
        case 200:
            if !isElsewhere, let fixed = download.entityTag.flatMap(DownloadState.strong), tag != fixed {
                throw TransferError(tag == nil ? .untagged : .changedMeanwhile, url)
            }
            guard download.range == nil else {
                throw TransferError(.malformedAnswer("everything came where a part was asked for"), url)
            }
            if position > 0 { try restart() }
            entityTag = tag
            wanted = head.contentLength
            end = wanted
        case 206:
            guard let range = try part(head), tag == nil || tag == entityTag || entityTag == nil else {
                return try restartOrFail()
            }
            end = position + range.count
        case 416 where position > 0:
            let whole = head["Content-Range"].flatMap(ContentRangeField.init)?.whole
            guard download.range == nil, whole == position else { return try restartOrFail() }
            isComplete = true
            return .nothing
        default: return .other
        }
        guard head["Content-Encoding"] == nil else {
            throw TransferError(.malformedAnswer("it is compressed where that was not asked for"), url)
        }
        if let limit = download.request.limits.bodyByteCount, let wanted, wanted > limit {
            throw TransferError(.limitReached(.body, limit), url)
        }
        return .bytes
    }

    /// The part that a 206 brings; `nil` when it is of a whole of another size than before.
    private mutating func part(_ head: TransferHead) throws(TransferError) -> Range<Int>? {
        let first = (download.range?.lowerBound ?? 0) + position
        guard position > 0 || download.range != nil,
            let content = head["Content-Range"].flatMap(ContentRangeField.init),
            let range = content.bytes, range.lowerBound == first,
            download.range.map({ range.upperBound <= $0.upperBound }) ?? true,
            head.contentLength == nil || head.contentLength == range.count
        else { throw TransferError(.malformedAnswer("it is another part than was asked for"), url) }
        if download.range == nil, let whole = content.whole {
            guard wanted == nil || wanted == whole else { return nil }
            wanted = whole
        }
        return range
    }

    /// Begins at zero, because the server has another representation, unless the caller wants exactly the old one.
    private mutating func restartOrFail() throws(TransferError) -> Verdict {
        guard download.entityTag == nil, download.range == nil else { throw TransferError(.changedMeanwhile, url) }
        try restart()
        return .again
    }

    private mutating func restart() throws(TransferError) {
        position = 0
        entityTag = download.entityTag.flatMap(DownloadState.strong)
        wanted = download.range?.count
        try rethrowing(try sink.restart(), as: { TransferError(.file($0), url) })
    }

    mutating func receive(_ answer: TransferAnswer) async throws(TransferError) {
        while let bytes = try await answer.body.next() {
            guard let next = position.adding(bytes.count), next <= end ?? .max else {
                answer.body.cancel()
                throw TransferError(.malformedAnswer("it is longer than announced"), url)
            }
            if let limit = download.byteLimit ?? download.request.limits.bodyByteCount, next > limit {
                throw TransferError(.limitReached(.body, limit), url)
            }
            try rethrowing(try sink.write(bytes, at: position), as: { TransferError(.file($0), url) })
            position = next
            download.progress?(TransferProgress(done: position, total: wanted))
        }
        isComplete = wanted.map { position == $0 } ?? (position == end ?? position)
    }

    /// A weak tag does not say that the bytes are the same.
    static func strong(_ tag: String) -> String? { tag.hasPrefix("\"") ? tag : nil }
}

/// The part that a 206 brings and the size of its whole, or the size that a 416 names (RFC 9110 §14.4).
package struct ContentRangeField: Equatable {
    /// `nil` in the answer to an unsatisfiable range.
    package var bytes: Range<Int>?
    /// `nil` when the server does not say.
    package var whole: Int?

    /// `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, String(words[0]).hasSameLetters(as: "bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let whole = TransferHead.wholeNumber(parts[1]) else { return nil }
            self.whole = whole
        }
        guard parts[0] != "*" else {
            guard whole != nil else { return nil }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = TransferHead.wholeNumber(ends[0]),
            let last = TransferHead.wholeNumber(ends[1]), first <= last, last < Int.max, last < whole ?? .max
        else { return nil }
        bytes = first..<(last + 1)
    }
}
