import HTTPWire

/// Feeds the Range parser: every range it finds lies inside the representation, whatever its size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The bytes belong to libFuzzer and outlive this call.
    unsafe checkRanges(UnsafeBufferPointer(start: start, count: count).span)
    return 0
}

private func checkRanges(_ bytes: Span<UInt8>) {
    for size in [0, 1, 2, 1_000, 1 << 40, Int.max] {
        switch ByteRanges(bytes, 0..<bytes.count, size: size) {
        case .whole, .unsatisfiable:
            break
        case .one(let range):
            precondition(!range.isEmpty && (0..<size).contains(range), "a range outside the representation")
        case .several(let ranges):
            precondition((2...ByteRanges.limit).contains(ranges.count), "a set that is none, or too large")
            for range in ranges {
                precondition(!range.isEmpty && (0..<size).contains(range), "a range outside the representation")
            }
        }
    }
}
