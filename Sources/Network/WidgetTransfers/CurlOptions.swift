internal import CWidgetCurl
internal import WidgetAddresses

/// The settings of one handle. Every value is copied by libcurl, or outlives the handle.
@safe
struct CurlOptions {
    let easy: UnsafeMutableRawPointer

    init(_ easy: UnsafeMutableRawPointer) {
        unsafe self.easy = easy
    }

    func apply(_ request: TransferRequest, authorities: String?) throws(TransferError) {
        let limits = request.limits
        try text(CURLOPT_URL, request.url.description, request)
        // Redirects are followed one exchange each, so that every address is judged before it is asked.
        try text(CURLOPT_PROTOCOLS_STR, "http,https", request)
        try number(CURLOPT_FOLLOWLOCATION, 0, request)
        try number(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1, request)
        try number(CURLOPT_HTTP09_ALLOWED, 0, request)
        try number(CURLOPT_SSL_VERIFYPEER, 1, request)
        try number(CURLOPT_SSL_VERIFYHOST, 2, request)
        try number(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2, request)
        if let authorities { try text(CURLOPT_CAINFO, authorities, request) }
        try number(CURLOPT_NOSIGNAL, 1, request)
        // A name without an answer from DNS would hold up the one thread, and with it every other transfer.
        try number(CURLOPT_QUICK_EXIT, 1, request)
        try number(CURLOPT_NOPROGRESS, 1, request)
        try number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1, request)
        try number(CURLOPT_TCP_KEEPALIVE, 1, request)
        try number(CURLOPT_BUFFERSIZE, 128 << 10, request)
        try number(CURLOPT_CONNECTTIMEOUT_MS, limits.connecting.milliseconds, request)
        if let total = limits.total { try number(CURLOPT_TIMEOUT_MS, total.milliseconds, request) }
        if request.policy != nil { try text(CURLOPT_PROXY, "", request) }
        // Bodies are expanded here: libcurl does not notice when a compressed body is cut off.
        try number(CURLOPT_HTTP_CONTENT_DECODING, 0, request)
        // Over a connection that was kept and turns out to be closed, libcurl sends a request again by itself.
        if !request.isRepeatable { try number(CURLOPT_FRESH_CONNECT, 1, request) }
        try method(request)
    }

    private func method(_ request: TransferRequest) throws(TransferError) {
        if let body = request.body {
            try number(CURLOPT_UPLOAD, 1, request)
            try check(
                unsafe ccurl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.byteCount)), request)
            try number(CURLOPT_UPLOAD_BUFFERSIZE, 128 << 10, request)
            // After a while the body is sent even if the server never asks for it.
            try number(CURLOPT_EXPECT_100_TIMEOUT_MS, 3_000, request)
        } else if request.method == .head {
            try number(CURLOPT_NOBODY, 1, request)
        }
        if request.method != .head { try text(CURLOPT_CUSTOMREQUEST, request.method.rawValue, request) }
    }

    /// The header fields as libcurl wants them; the caller frees the list.
    func fields(of request: TransferRequest) throws(TransferError) -> UnsafeMutablePointer<curl_slist>? {
        var fields = request.sentFields
        if let token = request.token { fields.append(TransferField("Authorization", "Bearer \(token)")) }
        // By default libcurl decides by the size of the body.
        let expectation = request.expectsContinue && request.body != nil ? "Expect: 100-continue" : "Expect:"
        var lines = [expectation]
        if request.acceptsCompression { lines.append("Accept-Encoding: gzip") }
        if request.body == nil, request.method == .post || request.method == .put || request.method == .patch {
            lines.append("Content-Length: 0")
        }
        for field in fields {
            guard Array(field.name.utf8).span.isToken, Array(field.value.utf8).span.isFieldValue else {
                throw TransferError(.invalidField(field.name), request.url)
            }
            // libcurl's way of writing a field without a value.
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else {
                unsafe curl_slist_free_all(list)
                throw TransferError(.failed(code: Int(CURLE_OUT_OF_MEMORY.rawValue)), request.url)
            }
            unsafe list = longer
        }
        return unsafe list
    }

    private func text(_ option: CURLoption, _ value: String, _ request: TransferRequest) throws(TransferError) {
        try check(unsafe ccurl_set_string(easy, option, value), request)
    }

    private func number(_ option: CURLoption, _ value: Int, _ request: TransferRequest) throws(TransferError) {
        try check(unsafe ccurl_set_long(easy, option, value), request)
    }

    private func check(_ code: CURLcode, _ request: TransferRequest) throws(TransferError) {
        guard code == CURLE_OK else { throw TransferError(.failed(code: Int(code.rawValue)), request.url) }
    }

    /// Sets libcurl's callbacks. All are called on the thread that drives the handle, with `context`, which is the
    /// ``EasyTransfer`` that owns it.
    func connect(
        _ context: UnsafeMutableRawPointer, words: UnsafeMutablePointer<CChar>,
        list: UnsafeMutablePointer<curl_slist>?
    ) {
        let easy = unsafe easy
        _ = unsafe ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        _ = unsafe ccurl_set_list(easy, CURLOPT_HTTPHEADER, list)
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_OPENSOCKETDATA,
            CURLOPT_PREREQDATA,
        ] {
            _ = unsafe ccurl_set_pointer(easy, option, context)
        }
        _ = unsafe ccurl_set_bytes_function(easy, CURLOPT_HEADERFUNCTION, headerCallback)
        _ = unsafe ccurl_set_bytes_function(easy, CURLOPT_WRITEFUNCTION, writeCallback)
        _ = unsafe ccurl_set_bytes_function(easy, CURLOPT_READFUNCTION, readCallback)
        _ = unsafe ccurl_set_seek_function(easy, seekCallback)
        _ = unsafe ccurl_set_socket_function(easy, socketCallback)
        _ = unsafe ccurl_set_request_function(easy, requestCallback)
    }
}

extension Duration {
    /// At least one: to libcurl, zero means no limit.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 31 else { return 1 << 40 }
        return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}

/// The object that libcurl was given.
private func transfer(_ context: UnsafeMutableRawPointer?) -> EasyTransfer? {
    unsafe context.map { unsafe Unmanaged<EasyTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let headerCallback: ccurl_bytes = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let transfer = unsafe transfer(context) else { return 0 }
    let length = size * count
    // The bytes are libcurl's for the length of the call.
    let line = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: length))
    return transfer.headerLine(line) ? length : 0
}

private let writeCallback: ccurl_bytes = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let transfer = unsafe transfer(context) else { return 0 }
    let length = size * count
    guard length > 0 else { return 0 }
    let body = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: length))
    // Any number but the length ends the transfer; one is reserved for a pause.
    return transfer.bodyBytes(body).map { $0 ? length : Int(CURL_WRITEFUNC_PAUSE) } ?? length &+ 1
}

private let readCallback: ccurl_bytes = { room, size, count, context in
    guard let room = unsafe room, let transfer = unsafe transfer(context),
        let bytes = transfer.nextBytes(size * count)
    else { return Int(CURL_READFUNC_ABORT) }
    // No more bytes than there is room for.
    unsafe UnsafeMutableRawBufferPointer(start: room, count: size * count).copyBytes(from: bytes)
    return bytes.count
}

private let seekCallback: curl_seek_callback = { context, offset, origin in
    guard origin == 0, let transfer = unsafe transfer(context), transfer.rewind(to: Int(offset)) else {
        return Int32(CURL_SEEKFUNC_FAIL)
    }
    return Int32(CURL_SEEKFUNC_OK)
}

private let socketCallback: curl_opensocket_callback = { context, _, wanted in
    guard let transfer = unsafe transfer(context), let wanted = unsafe wanted else { return -1 }
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var port: UInt16 = 0
    // Sixteen bytes and a port are written.
    let isKnown = unsafe withUnsafeMutableBytes(of: &bytes) {
        unsafe ccurl_address(wanted, $0.baseAddress, &port)
    }
    guard transfer.mayConnect(isKnown == 1 ? IPAddress(bytes) : nil, port: port) else { return -1 }
    return unsafe ccurl_open(wanted)
}

private let requestCallback: curl_prereq_callback = { context, address, _, port, _ in
    guard let transfer = unsafe transfer(context) else { return CURL_PREREQFUNC_ABORT }
    // The text is libcurl's and copied at once.
    let text = unsafe address.map { unsafe String(cString: $0) } ?? ""
    let isAllowed = transfer.mayAsk(IPAddress(text), port: UInt16(clamping: port))
    return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
