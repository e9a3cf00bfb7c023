internal import Addresses
internal import CCurl

extension CurlOptions {
    /// Tells libcurl whom to call. All functions are called on the thread that drives the handle, with `context`,
    /// which is the ``EasyTransfer`` that owns it.
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
