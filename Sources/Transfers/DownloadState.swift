internal import Bytes
internal import Files

/// What of a download is here, and what an answer adds to it.
struct DownloadState {
    /// What an answer is.
    enum Verdict: Equatable {
        /// Its body goes to the sink.
        case bytes
        /// All is here already.
        case nothing
        /// What is here belongs to another representation.
        case again
        case other
    }

    private let download: Download
    private let sink: any DownloadSink
    /// How many of the wanted bytes are here.
    private(set) var position: Int
    private(set) var isComplete = false
    private var entityTag: String?
    /// How many bytes are wanted; `nil` until a server has said how large the whole is.
    private var wanted: Int?
    /// How many bytes are here when the present answer has been read; `nil` when it does not say.
    private var end: Int?

    init(_ download: Download, _ sink: any DownloadSink) {
        self.download = download
        self.sink = sink
        position = max(0, download.heldByteCount)
        entityTag = download.entityTag.flatMap(DownloadState.strong)
        wanted = download.range?.count
    }

    private var url: TransferURL { download.request.url }

    /// What is held without a tag to ask for the rest by is of no use.
    mutating func prepare() throws(TransferError) {
        if position > 0, entityTag == nil { try restart() }
    }

    /// The request for what is not here yet.
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
        let tag = head["ETag"].flatMap(DownloadState.strong)
        switch head.status {
        case 200:
            if let fixed = download.entityTag.flatMap(DownloadState.strong), tag != fixed {
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
                return try anew()
            }
            end = position + range.count
        case 416 where position > 0:
            let whole = head["Content-Range"].flatMap(ContentRange.init)?.whole
            guard download.range == nil, whole == position else { return try anew() }
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
        guard position > 0 || download.range != nil, let content = head["Content-Range"].flatMap(ContentRange.init),
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

    /// What is here is not what the server has: begins at zero, unless the caller wants exactly what there was.
    private mutating func anew() throws(TransferError) -> Verdict {
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
            if let limit = download.request.limits.bodyByteCount, next > limit {
                throw TransferError(.limitReached(.body, limit), url)
            }
            try rethrowing(try sink.write(bytes, at: position), as: { TransferError(.file($0), url) })
            position = next
            download.progress?(TransferProgress(done: position, total: wanted))
        }
        isComplete = wanted.map { position == $0 } ?? (position == end ?? position)
    }

    /// A weak tag does not say that the bytes are the same.
    private static func strong(_ tag: String) -> String? { tag.hasPrefix("\"") ? tag : nil }
}
