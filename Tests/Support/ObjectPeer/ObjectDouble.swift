internal import WidgetBytes
internal import WidgetFiles
package import WidgetTransfers

/// An S3-compatible store in memory, in the place of the network, with every fault of a real one on demand.
package final class ObjectDouble: Transport {
    package enum Fault: Sendable {
        /// An answer with a status and a code, and nothing else happens.
        case refusal(Int, String)
        /// The request is lost: nothing happens.
        case noConnection
        /// The request takes effect, and its answer is lost.
        case lostAnswer
        /// A body is stored later, by ``ObjectDouble/deliver()``; its answer is lost.
        case late
        /// Nothing moves for too long.
        case silence
        /// The body ends before its length.
        case cut(after: Int)
        /// The body has its length and one byte that is wrong.
        case wrongByte
        /// The body is shorter, and so is its announced length.
        case truncated
    }

    package struct Asked: Sendable {
        package var method: TransferMethod
        package var path: String
        package var fields: [TransferField]
    }

    private struct State {
        var objects: [String: [UInt8]] = [:]
        var hidden: Set<String> = []
        var faults: [Fault] = []
        var standing: (@Sendable (Asked) -> Fault?)?
        var late: [(String, [UInt8])] = []
        var asked: [Asked] = []
        var names: [String: Int] = [:]
    }

    private let state = Guarded(State())
    /// Entries of a page of a listing.
    package let pageCount: Int

    package init(pageCount: Int = 1_000) {
        self.pageCount = pageCount
    }

    // MARK: For tests

    /// The next requests meet these faults, one each.
    package func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    /// Every request meets the fault that this says, until it says `nil`.
    package func fail(each fault: (@Sendable (Asked) -> Fault?)?) { state.withLock { $0.standing = fault } }

    package var asked: [Asked] { state.withLock { $0.asked } }

    /// The paths of all objects.
    package var paths: [String] { state.withLock { $0.objects.keys.sorted() } }

    package subscript(_ path: String) -> [UInt8]? {
        get { state.withLock { $0.objects[path] } }
        set { state.withLock { $0.objects[path] = newValue } }
    }

    /// Leaves objects out of listings.
    package func hide(_ isHidden: (String) -> Bool) {
        state.withLock { state in state.hidden = Set(state.objects.keys.filter(isHidden)) }
    }

    /// Stores the bodies that were late.
    package func deliver() {
        state.withLock { state in
            for (path, bytes) in state.late { state.objects[path] = bytes }
            state.late = []
        }
    }

    /// The names that were written with different bytes, or written again after they were deleted.
    package var namesUsedTwice: [String] { state.withLock { $0.names.filter { $0.value > 1 }.keys.sorted() } }

    // MARK: Transport

    package func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        let asked = Asked(method: request.method, path: request.url.path, fields: request.fields)
        let body = try ObjectDouble.bytes(request)
        let standing = state.withLock { state in
            state.asked.append(asked)
            return state.standing
        }
        // It may ask the store itself.
        let fault = standing?(asked) ?? state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
        switch fault {
        case .refusal(let status, let code): return ObjectDouble.refusal(status, code, request)
        case .noConnection: throw TransferError(.noConnection, request.url)
        case .silence: throw TransferError(.timedOut(.stalled), request.url)
        case .late:
            state.withLock { $0.late.append((asked.path, body)) }
            throw TransferError(.connectionLost, request.url)
        case .lostAnswer:
            _ = answer(request, body)
            throw TransferError(.connectionLost, request.url)
        case .cut, .wrongByte, .truncated, nil: return answer(request, body, fault)
        }
    }

    private func answer(_ request: TransferRequest, _ body: [UInt8], _ fault: Fault? = nil) -> TransferAnswer {
        guard let hash = request.fields.first(where: { $0.name == "x-amz-content-sha256" })?.value,
            request.fields.contains(where: { $0.name == "Authorization" && $0.value.hasPrefix("AWS4-HMAC-SHA256 ") })
        else { return ObjectDouble.refusal(403, "AccessDenied", request) }
        guard Digest.sha256(body)?.hex == hash else { return ObjectDouble.refusal(400, "BadDigest", request) }
        let path = request.url.path
        switch request.method {
        case .put:
            state.withLock { state in
                if state.objects[path] != body { state.names[path, default: 0] += 1 }
                state.objects[path] = body
            }
            return ObjectDouble.answer(200, [], request)
        case .delete:
            let wasThere = state.withLock { $0.objects.removeValue(forKey: path) != nil }
            return wasThere
                ? ObjectDouble.answer(204, [], request) : ObjectDouble.refusal(404, "NoSuchKey", request)
        case .get where request.url.query?.contains("list-type=2") == true:
            return ObjectDouble.answer(200, Array(listing(request.url).utf8), request)
        case .get, .head:
            guard let bytes = self[path] else { return ObjectDouble.refusal(404, "NoSuchKey", request) }
            return ObjectDouble.answer(200, bytes, request, fault)
        default: return ObjectDouble.refusal(501, "NotImplemented", request)
        }
    }

    private func listing(_ url: TransferURL) -> String {
        let query = Dictionary(
            (url.query ?? "").split(separator: "&").map { part in
                let halves = part.split(separator: "=", omittingEmptySubsequences: false)
                return (String(halves[0]), halves.count > 1 ? ObjectDouble.decoded(String(halves[1])) : "")
            }
        ) { first, _ in first }
        let bucket = "\(url.path)/"
        let wanted = state.withLock { state in
            state.objects.filter { path, _ in
                ObjectDouble.decoded(path).hasPrefix(bucket + (query["prefix"] ?? "")) && !state.hidden.contains(path)
            }
        }
        let all = wanted.sorted { $0.key < $1.key }
        let start = Int(query["continuation-token"] ?? "") ?? 0
        let page = all.dropFirst(start).prefix(pageCount)
        var text = "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        for (path, bytes) in page {
            text += "<Contents><Key>\(ObjectDouble.decoded(String(path.dropFirst(bucket.count))))</Key>"
            text += "<LastModified>2026-05-21T08:30:00.000Z</LastModified><Size>\(bytes.count)</Size></Contents>"
        }
        let next = start + page.count
        if next < all.count {
            text += "<IsTruncated>true</IsTruncated><NextContinuationToken>\(next)</NextContinuationToken>"
        }
        return text + "</ListBucketResult>"
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bytes(_ request: TransferRequest) throws(TransferError) -> [UInt8] {
        switch request.body {
        case .bytes(let bytes): return bytes
        case .file(let region):
            do throws(FileError) {
                return try region.file.descriptor.read(at: region.offset, count: region.byteCount)
            } catch {
                throw TransferError(.file(error), request.url)
            }
        case nil: return []
        }
    }

    private static func refusal(_ status: Int, _ code: String, _ request: TransferRequest) -> TransferAnswer {
        answer(status, Array("<?xml version='1.0'?><Error><Code>\(code)</Code></Error>".utf8), request)
    }

    private static func answer(
        _ status: Int, _ bytes: [UInt8], _ request: TransferRequest, _ fault: Fault? = nil
    ) -> TransferAnswer {
        var sent = bytes
        var length = bytes.count
        var failure: TransferError?
        switch fault {
        case .cut(let count):
            sent = Array(bytes.prefix(count))
            failure = TransferError(.connectionLost, request.url)
        case .wrongByte: if !sent.isEmpty { sent[sent.count / 2] ^= 1 }
        case .truncated:
            sent = Array(bytes.dropLast())
            length = sent.count
        default: break
        }
        let head = TransferHead(
            status: status, fields: [TransferField("Content-Length", String(length))], url: request.url)
        let pieces = request.method == .head ? [] : sent.isEmpty ? [] : [sent]
        return TransferAnswer(head, body: ResponseBody(GivenBody(pieces, failure)))
    }
}

/// A body that is there already, and may end with a failure.
private final class GivenBody: BodySource {
    private let pieces: Guarded<[[UInt8]]>
    private let failure: TransferError?

    init(_ pieces: [[UInt8]], _ failure: TransferError?) {
        self.pieces = Guarded(pieces)
        self.failure = failure
    }

    func next() async throws(TransferError) -> [UInt8]? {
        let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let piece { return piece }
        if let failure { throw failure }
        return nil
    }

    func cancel() {}
}
