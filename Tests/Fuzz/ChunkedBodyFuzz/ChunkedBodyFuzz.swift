import HTTPWire

/// Feeds the chunked decoder: bytes that come one by one end as the same body as bytes that come together.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The bytes belong to libFuzzer and outlive this call.
    unsafe checkBody(UnsafeBufferPointer(start: start, count: count).span)
    return 0
}

private func checkBody(_ bytes: Span<UInt8>) {
    let whole = decoded(bytes, pieceCount: max(1, bytes.count))
    precondition(whole == decoded(bytes, pieceCount: 1), "another body from single bytes")
    precondition(whole == decoded(bytes, pieceCount: 7), "another body from pieces of seven")
}

/// What became of a body: its bytes, how it ended, and how much of the input it took.
private struct Body: Equatable {
    var bytes: [UInt8] = []
    var ending: ChunkedDecoder.Step = .needsMore
    var used = 0
}

private func decoded(_ bytes: Span<UInt8>, pieceCount: Int) -> Body {
    var body = Body()
    var decoder = ChunkedDecoder()
    var pieceStart = 0
    while pieceStart < bytes.count {
        let piece = bytes.extracting(pieceStart..<min(pieceStart + pieceCount, bytes.count))
        var position = 0
        steps: while true {
            let before = position
            body.ending = decoder.next(piece, &position)
            precondition((before...piece.count).contains(position), "a position outside the input")
            switch body.ending {
            case .data(let range):
                precondition((before..<position).contains(range) && !range.isEmpty, "data outside what was used")
                for index in range { body.bytes.append(piece[index]) }
            case .needsMore:
                precondition(position == piece.count, "asked for more with bytes left over")
                break steps
            case .end, .refused:
                body.used = pieceStart + position
                return body
            }
        }
        pieceStart += piece.count
    }
    body.used = bytes.count
    return body
}
