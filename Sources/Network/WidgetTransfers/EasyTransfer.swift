internal import CWidgetCurl
internal import WidgetAddresses
internal import WidgetFiles
internal import WidgetSurroundings

/// One exchange in libcurl's hands. It belongs to the transfer thread.
///
/// Safe to use: the handle and the buffer are made, owned and freed here; libcurl calls back on the same thread, while
/// the handle is with it and therefore this object alive.
@safe
final class EasyTransfer {
    let exchange: TransferExchange
    let easy: UnsafeMutableRawPointer
    private let words: UnsafeMutablePointer<CChar>
    private var list: UnsafeMutablePointer<curl_slist>?

    private var head: HeadReader
    /// The time at which the last byte moved, or reading resumed; `nil` until the request can be sent.
    private var lastMove: ContinuousClock.Instant?
    private let clock: any Clock
    /// Wakes the thread when the exchange may have stalled.
    private var alarm: (moment: ContinuousClock.Instant, call: Alarm)?
    /// By the machine's clock, as libcurl's limits are.
    private let start = ContinuousClock.now
    /// The rate at which the body arrives; `nil` before its head, and without a least rate.
    private var rate: RateWindow?
    /// The number of times the request was given to a connection.
    private var askCount = 0
    /// True while the server waits for the reader.
    private var isPaused = false
    private var body = BodyReader()
    private var sentByteCount = 0
    /// Why a callback stopped the exchange.
    private var refusal: TransferError.Reason?
    private var refusedAddress: String?

    var request: TransferRequest { exchange.request }

    init(_ exchange: TransferExchange, authorities: String?, _ clock: any Clock) throws(TransferError) {
        self.exchange = exchange
        self.clock = clock
        head = HeadReader(
            byteLimit: exchange.request.limits.headByteCount, fieldLimit: exchange.request.limits.fieldCount)
        guard let easy = unsafe curl_easy_init() else {
            throw TransferError(.failed(code: Int(CURLE_OUT_OF_MEMORY.rawValue)), exchange.request.url)
        }
        unsafe self.easy = easy
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let options = unsafe CurlOptions(easy)
        try options.apply(request, authorities: authorities)
        unsafe list = try options.fields(of: request)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe options.connect(context, words: words, list: list)
    }

    deinit {
        alarm?.call.cancel()
        // The handle refers to the other two, so it goes first.
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(list)
        unsafe words.deallocate()
    }

    // MARK: The thread asks

    /// The reason why the exchange is to end: it has stalled or is too slow. While it is not, the thread is woken when it
    /// can be.
    func stallReason(_ wake: @escaping @Sendable () -> Void) -> TransferError.Reason? {
        let now = clock.now
        guard let (left, reason) = timeToStall(at: now) else { return nil }
        guard left > .zero else { return reason }
        let moment = now + left
        // An alarm that comes too early is set again. Each byte moves the moment, and would move the alarm.
        guard alarm.map({ $0.moment <= now || $0.moment > moment }) ?? true else { return nil }
        alarm?.call.cancel()
        alarm = (moment, clock.call(at: moment, wake))
        return nil
    }

    private func timeToStall(at now: ContinuousClock.Instant) -> (left: Duration, reason: TransferError.Reason)? {
        guard let lastMove, !isPaused else { return nil }
        let stall = (left: lastMove + request.limits.stall - now, reason: TransferError.Reason.timedOut(.stalled))
        guard let least = request.limits.leastRate, let slow = rate?.timeLeft(at: now), slow < stall.left else {
            return stall
        }
        return (slow, .tooSlow(least.bytesPerSecond))
    }

    /// The reader has room again.
    func resume() {
        isPaused = false
        let now = clock.now
        lastMove = now
        rate?.restart(at: now)
        _ = unsafe curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// The error that an outcome means; `nil` for success.
    func error(_ outcome: CURLcode) -> TransferError? {
        if outcome == CURLE_OK, refusal == nil { refusal = body.end() }
        guard refusal != nil || outcome != CURLE_OK else { return nil }
        // The library ends its words with a zero within the buffer.
        let detail = unsafe String(cString: words)
        let reason = refusal ?? reason(outcome)
        return TransferError(reason, request.url, detail: refusal == nil ? detail : "")
    }

    private func reason(_ outcome: CURLcode) -> TransferError.Reason {
        let isConnected = lastMove != nil
        // libcurl gathers a line before it hands it over, and says of one without an end that memory is short.
        if isConnected, !head.isComplete, outcome == CURLE_OUT_OF_MEMORY {
            return .limitReached(.head, request.limits.headByteCount)
        }
        var port: Int = 0
        // One number is written; the local end of a connection has a port once it is established.
        _ = unsafe ccurl_get_long(easy, CURLINFO_LOCAL_PORT, &port)
        return CurlOutcome.reason(
            outcome, refusedAddress: refusedAddress, isConnected: isConnected,
            isHandshaking: request.url.scheme == .https && port > 0,
            isOverTime: request.limits.total.map { .now - start >= $0 } ?? false)
    }

    // MARK: libcurl calls back

    func headerLine(_ line: borrowing Span<UInt8>) -> Bool {
        lastMove = clock.now
        do throws(HeadReader.Mistake) {
            guard case .head(let status, let fields) = try head.read(line) else { return true }
            let head = TransferHead(status: status, fields: fields, url: request.url)
            refusal = body.begin(head, for: request)
            guard refusal == nil else { return false }
            rate = request.limits.leastRate.map { RateWindow($0, at: clock.now) }
            exchange.arrived(head)
            return true
        } catch {
            refusal = error.reason
            return false
        }
    }

    /// - Returns: whether the bytes are taken; `nil` when the exchange is to end.
    func bodyBytes(_ bytes: borrowing Span<UInt8>) -> Bool? {
        lastMove = clock.now
        guard exchange.hasRoom() else {
            isPaused = true
            return false
        }
        rate?.add(bytes.count)
        refusal = body.take(bytes, request.limits) { exchange.arrived($0) }
        return refusal == nil ? true : nil
    }

    /// The next bytes to send, at most `count`; `nil` when they cannot be had.
    func nextBytes(_ count: Int) -> [UInt8]? {
        lastMove = clock.now
        guard let body = request.body else { return [] }
        let wanted = min(count, body.byteCount - sentByteCount)
        guard wanted > 0 else { return [] }
        let bytes: [UInt8]
        switch body {
        case .bytes(let all): bytes = Array(all[sentByteCount..<(sentByteCount + wanted)])
        case .file(let region):
            do throws(FileError) {
                bytes = try region.file.descriptor.read(at: region.offset + sentByteCount, count: wanted)
            } catch {
                refusal = .file(error)
                return nil
            }
            guard !bytes.isEmpty else {
                refusal = .bodyTooShort
                return nil
            }
        }
        sentByteCount += bytes.count
        request.uploadProgress?(TransferProgress(done: sentByteCount, total: body.byteCount))
        return bytes
    }

    /// The body is to be sent again from there.
    func rewind(to offset: Int) -> Bool {
        guard let body = request.body, (0...body.byteCount).contains(offset) else { return false }
        sentByteCount = offset
        return true
    }

    /// True if an address may be connected to, or be sent a request over an established connection.
    func mayConnect(_ address: IPAddress?, port: UInt16) -> Bool {
        guard let policy = request.policy else { return true }
        if let address, policy.allows(address, port: port) { return true }
        refusedAddress = address.map { "\($0), port \(port)" } ?? "an address of an unknown kind"
        return false
    }

    func mayAsk(_ address: IPAddress?, port: UInt16) -> Bool {
        lastMove = clock.now
        askCount += 1
        // Stops libcurl from sending a request again by itself, for any reason.
        guard askCount == 1 || request.isRepeatable else {
            refusal = .connectionLost
            return false
        }
        return mayConnect(address, port: port)
    }
}
