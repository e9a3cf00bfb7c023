import HTTPWire

/// Feeds the head parser: whatever it answers, it answers the same for every way the bytes could have arrived.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The bytes belong to libFuzzer and outlive this call.
    unsafe checkHead(UnsafeBufferPointer(start: start, count: count).span)
    return 0
}

private func checkHead(_ bytes: Span<UInt8>) {
    var head = RequestHead()
    let outcome = RequestHeadParser.parse(bytes, into: &head, limits: HeadLimits())
    if outcome == .complete { checkPositions(head, bytes) }
    let step = max(1, bytes.count / 4)
    var prefixCount = 0
    while prefixCount < bytes.count {
        var part = RequestHead()
        let partly = RequestHeadParser.parse(bytes.extracting(first: prefixCount), into: &part, limits: HeadLimits())
        switch outcome {
        case .complete:
            precondition(
                partly == (prefixCount < head.byteCount ? .incomplete : .complete), "a prefix was read differently")
        case .incomplete:
            precondition(partly == .incomplete, "a prefix was decided and the whole is not")
        case .refused:
            precondition(partly == .incomplete || partly == outcome, "a prefix was refused for another reason")
        }
        prefixCount += step
    }
}

private func checkPositions(_ head: RequestHead, _ bytes: Span<UInt8>) {
    precondition(head.byteCount <= bytes.count && head.byteCount <= HeadLimits().total, "a head longer than its bytes")
    let whole = 0..<head.byteCount
    precondition(whole.contains(head.methodName) && whole.contains(head.path), "a position outside the head")
    _ = try? PercentDecoding.path(bytes, head.path)
    if let query = head.query {
        precondition(whole.contains(query), "a query outside the head")
        _ = PercentDecoding.queryPart(bytes, query)
    }
    for field in head.fields {
        precondition(whole.contains(field.name) && whole.contains(field.value), "a field outside the head")
    }
}
