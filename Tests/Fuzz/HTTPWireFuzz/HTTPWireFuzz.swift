import HTTPWire

/// Feeds arbitrary bytes to everything that reads bytes from a client, and checks what must hold of any answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPWire(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The fuzzer keeps its input alive and unchanged during the call.
    let input = unsafe UnsafeBufferPointer(start: start, count: count)
    guard count > 0 else { return 0 }
    let bytes = unsafe input.span
    let seed = unsafe input.reduce(UInt64(count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    checkHead(bytes, HeadLimits(), seed)
    checkHead(bytes, HeadLimits(requestLine: 40, field: 30, fields: 90, fieldCount: 3), seed)
    checkChunks(bytes, seed)
    checkRanges(bytes, 0..<count)
    return 0
}

private func require(_ condition: Bool, _ what: StaticString) {
    // Says which rule broke, in an optimised build too.
    guard condition else { fatalError("\(what)") }
}

private func isInside(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    range.lowerBound >= 0 && range.upperBound <= bytes.count
}

// MARK: Heads

private func checkHead(_ bytes: Span<UInt8>, _ limits: HeadLimits, _ seed: UInt64) {
    var head = RequestHead()
    let outcome = RequestHeadParser.parse(bytes, into: &head, limits: limits)
    if outcome == .incomplete { require(bytes.count < limits.total, "an incomplete head is within its limits") }

    // However the bytes arrived, the answer is the same, and no refusal is taken back.
    let cut = Int(truncatingIfNeeded: seed >> 8) & Int.max % (bytes.count + 1)
    var earlier = RequestHead()
    let early = RequestHeadParser.parse(bytes.extracting(first: min(cut, bytes.count)), into: &earlier, limits: limits)
    require(early == .incomplete || early == outcome, "more bytes change only what was incomplete")

    guard outcome == .complete else { return }
    require(head.byteCount > 0 && head.byteCount <= min(bytes.count, limits.total), "a head ends inside its bytes")
    require(head.fields.count <= limits.fieldCount, "fields are counted")
    var exact = RequestHead()
    let again = RequestHeadParser.parse(bytes.extracting(first: head.byteCount), into: &exact, limits: limits)
    require(again == .complete && exact.byteCount == head.byteCount, "a head needs no byte after it")
    require(exact.framing == head.framing && exact.keepsAlive == head.keepsAlive, "nor is it read by them")
    let short = RequestHeadParser.parse(bytes.extracting(first: head.byteCount - 1), into: &exact, limits: limits)
    require(short == .incomplete, "a head is over at its last byte only")

    require(isInside(head.methodName, bytes) && isInside(head.path, bytes), "parts are inside")
    require(head.query.map { isInside($0, bytes) } ?? true, "the query is inside")
    for field in head.fields {
        require(isInside(field.name, bytes) && isInside(field.value, bytes), "fields are inside")
        require(!field.name.isEmpty && field.name.upperBound < field.value.upperBound + 1, "a name comes first")
        for index in field.value { require(bytes[index] >= 0x20 || bytes[index] == 9, "values hold no controls") }
    }
    checkFraming(head)
    checkValues(head, bytes)
}

private func checkFraming(_ head: RequestHead) {
    switch head.framing {
    case .none: require(!head.has(.transferEncoding) && !head.expectsContinue, "no body, no coding")
    case .length(let length): require(length > 0 && !head.has(.transferEncoding), "a length or a coding")
    case .chunked: require(!head.has(.contentLength) && !head.isHTTP10, "a coding and no length")
    }
    require(head.isHTTP10 || head.has(.host), "HTTP/1.1 has a host")
    require(!head.isRepeated(.host) && !head.isRepeated(.contentLength), "there is one of each")
}

private func checkValues(_ head: RequestHead, _ bytes: Span<UInt8>) {
    let validators = Validators(entityTag: "\"a\"", lastModified: 784_111_777)
    _ = Preconditions.evaluate(head, bytes, validators)
    if Preconditions.allowsRange(head, bytes, validators) { require(head.method == .get, "ranges are for GET") }
    if let value = head.value(.range) { checkRanges(bytes, value) }
    if let value = head.value(.accept) { _ = Negotiation.admits(bytes, value, mediaType: "application/json") }
    if let value = head.value(.acceptEncoding) { _ = Negotiation.admitsGzip(bytes, value) }
    if let value = head.value(.requestID) { _ = RequestID.isSane(bytes, value) }
    if let value = head.value(.ifModifiedSince), let date = HTTPDate.parse(bytes, value) {
        let text = Array(HTTPDate.string(date).utf8)
        require(HTTPDate.parse(text.span, 0..<text.count) == date, "dates survive writing")
    }
    require(ForwardedAddresses.list(head, bytes, limit: 4).count <= 4, "addresses are bounded")

    if let path = try? PercentDecoding.path(bytes, head.path) {
        require(path.count <= head.path.count, "decoding shortens")
        require(path.allSatisfy { $0 >= 0x20 && $0 != 0x5C && $0 != 0x7F }, "paths hold no controls")
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        require(!segments.contains([0x2E]) && !segments.contains([0x2E, 0x2E]), "paths hold no dot segments")
    }
    if let query = head.query {
        let value = Query.value("a", bytes, query)
        if Query.isWellFormed(bytes, query), let value {
            require(!value.utf8.contains { $0 < 0x20 }, "queries hold no controls")
        }
        var block = FieldBlock()
        block.add("X", value ?? bytes.text(in: query))
        require(block.bytes.count { $0 == 0x0A } == 1 && block.bytes.count { $0 == 0x0D } == 1, "one line is one line")
    }
}

private func checkRanges(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    for size in [0, 1, 100, Int.max] {
        switch ByteRanges(bytes, value, size: size) {
        case .whole, .unsatisfiable: break
        case .one(let range):
            require(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "a range is inside")
        case .several(let ranges):
            require(ranges.count > 1 && ranges.count <= ByteRanges.limit, "ranges are bounded")
            require(
                ranges.allSatisfy { !$0.isEmpty && $0.lowerBound >= 0 && $0.upperBound <= size }, "ranges are inside")
            require(ranges.reduce(0) { $0 + $1.count } <= size, "ranges are no more than the whole")
        }
    }
}

// MARK: Chunks

/// A decoder's result, which must not depend on where the bytes were cut.
private struct Reading: Equatable {
    var data: [UInt8] = []
    var position = 0
    var last = ChunkedDecoder.Step.needsMore
}

private func checkChunks(_ bytes: Span<UInt8>, _ seed: UInt64) {
    let whole = reading(bytes) { _ in bytes.count }
    var state = seed
    let pieces = reading(bytes) { start in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return start + 1 + Int(state >> 33) % 7
    }
    require(whole == pieces, "chunks are read the same however they are cut")
    require(whole.position <= bytes.count && whole.data.count <= bytes.count, "a body is inside its bytes")
    if whole.last == .needsMore { require(whole.position == bytes.count, "all was used before more is asked for") }
}

private func reading(_ bytes: Span<UInt8>, nextCut: (Int) -> Int) -> Reading {
    var reading = Reading()
    var decoder = ChunkedDecoder()
    while reading.position < bytes.count {
        let end = min(bytes.count, nextCut(reading.position))
        let piece = bytes.extracting(first: end)
        while true {
            let before = reading.position
            reading.last = decoder.next(piece, &reading.position)
            require(reading.position >= before && reading.position <= end, "a decoder goes forward")
            guard case .data(let range) = reading.last else { break }
            require(
                !range.isEmpty && range == before..<reading.position || range.upperBound == reading.position,
                "data is new")
            for index in range { reading.data.append(bytes[index]) }
        }
        guard reading.last == .needsMore else { return reading }
    }
    return reading
}
