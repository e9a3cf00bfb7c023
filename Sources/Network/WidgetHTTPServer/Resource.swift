package import HTTPWire

/// A stored representation with everything about its answer prepared: status lines, header lines, and
/// where the bytes are. Made once, sent any number of times, never changed.
package final class Resource: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        case file(OpenFile, offset: Int, count: Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, _, let count): count
            }
        }
    }

    /// When a Range field counts.
    package enum RangePolicy: Sendable {
        case never
        /// For mutable names: a resume must prove that it continues the same bytes.
        case onlyWithIfRange
        case always
    }

    package let mediaType: String
    /// The media type without its parameters, as Accept compares it.
    let essence: String
    package let content: Content
    let validators: Validators
    let rangePolicy: RangePolicy
    /// Those besides the fields that follow from the content.
    package let fields: FieldBlock
    /// Sent in place of the bytes, once the conditions of a request admit them: they are elsewhere.
    let redirect: Response?
    /// The same representation, compressed, for clients that take it.
    let gzipped: Resource?
    /// Compressed by Brotli, which is smaller; another program has done that.
    let brotli: Resource?

    /// Status line and header lines of the whole, of 304, and the lines 206 and 416 share with the whole.
    let wholeHead: [UInt8]
    let notModifiedHead: [UInt8]
    let partialFields: [UInt8]

    /// Bytes of the representation.
    package var byteCount: Int { content.count }

    /// - Parameters:
    ///   - fields: everything but Content-Type, Content-Length, ETag, Last-Modified and Accept-Ranges; Vary with what else it varies by.
    ///   - variesByType: true if the same address has other media types too.
    ///   - redirect: the answer in place of the content, whose bytes are elsewhere.
    package init(
        mediaType: String, content: Content, validators: Validators, fields: FieldBlock = FieldBlock(),
        rangePolicy: RangePolicy = .never, variesByType: Bool = false, contentCoding: String? = nil,
        gzipped: Resource? = nil, brotli: Resource? = nil, redirect: Response? = nil
    ) {
        self.mediaType = mediaType
        essence = String(mediaType.prefix { $0 != ";" })
        self.content = content
        self.validators = validators
        self.rangePolicy = rangePolicy
        self.fields = fields
        self.gzipped = gzipped
        self.brotli = brotli
        self.redirect = redirect

        var shared = FieldBlock()
        shared.add("ETag", String(decoding: validators.entityTag, as: UTF8.self))
        if let changed = validators.lastModified { shared.add("Last-Modified", HTTPDate.string(changed)) }
        // One line has all that it varies by.
        let others = fields.value("Vary")
        let varies =
            (others.map { [$0] } ?? []) + (variesByType ? ["Accept"] : [])
            + (gzipped != nil || brotli != nil || contentCoding != nil ? ["Accept-Encoding"] : [])
        if !varies.isEmpty { shared.add("Vary", varies.joined(separator: ", ")) }
        shared.add(others == nil ? fields : fields.without("Vary"))

        var partial = FieldBlock()
        partial.add(shared)
        if let contentCoding { partial.add("Content-Encoding", contentCoding) }
        if case .always = rangePolicy { partial.add("Accept-Ranges", "bytes") }

        var whole = FieldBlock()
        whole.add("Content-Type", mediaType)
        whole.add("Content-Length", content.count)
        whole.add(partial)

        wholeHead = StatusLine.bytes(.ok) + whole.bytes
        notModifiedHead = StatusLine.bytes(.notModified) + shared.bytes
        partialFields = partial.bytes
    }
}

/// The part of a resource that is sent for one request.
enum ResourcePlan: Equatable {
    case whole
    case notModified
    case part(Range<Int>)
    case parts([Range<Int>])
    /// The answer in place of the bytes.
    case redirect
    case refused(Refusal)

    /// Conditions first, then ranges (RFC 9110 §13.2.2), then what the client can read.
    static func make(_ resource: Resource, _ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> ResourcePlan {
        switch Preconditions.evaluate(head, bytes, resource.validators) {
        case .notModified: return .notModified
        case .failed: return .refused(.preconditionFailed)
        case .proceed: break
        }
        if let accept = head.value(.accept), !Negotiation.admits(bytes, accept, mediaType: resource.essence) {
            return .refused(.notAcceptable(available: resource.mediaType))
        }
        // Ranges are for the server that has the bytes.
        if resource.redirect != nil { return .redirect }
        guard head.method == .get, let range = head.value(.range), isRangeWelcome(resource, head),
            Preconditions.allowsRange(head, bytes, resource.validators)
        else { return .whole }
        let size = resource.content.count
        switch ByteRanges(bytes, range, size: size) {
        case .whole: return .whole
        case .one(let part): return .part(part)
        case .several(let parts): return .parts(parts)
        case .unsatisfiable: return .refused(.rangeUnsatisfiable(size: size))
        }
    }

    private static func isRangeWelcome(_ resource: Resource, _ head: borrowing RequestHead) -> Bool {
        switch resource.rangePolicy {
        case .never: false
        case .always: true
        case .onlyWithIfRange: head.has(.ifRange)
        }
    }
}

/// The body of an answer with several ranges (RFC 9110 §14.6): the text before, between and after them.
struct MultipartRanges {
    let boundary: String
    let partHeads: [[UInt8]]
    let end: [UInt8]
    let byteCount: Int

    /// - Parameter boundary: must not occur in the content; callers pass an unpredictable text.
    init(_ ranges: [Range<Int>], size: Int, mediaType: String, boundary: String) {
        self.boundary = boundary
        partHeads = ranges.enumerated().map { index, range in
            let lead = index == 0 ? "" : "\r\n"
            return Array(
                ("\(lead)--\(boundary)\r\nContent-Type: \(mediaType)\r\n"
                    + "Content-Range: \(ContentRange.text(range, size: size))\r\n\r\n").utf8)
        }
        end = Array("\r\n--\(boundary)--\r\n".utf8)
        let heads = partHeads.reduce(0) { $0 &+ $1.count }
        byteCount = heads &+ end.count &+ ranges.reduce(0) { $0 &+ $1.count }
    }
}

enum ContentRange {
    static func text(_ range: Range<Int>, size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound &- 1)/\(size)"
    }
}
