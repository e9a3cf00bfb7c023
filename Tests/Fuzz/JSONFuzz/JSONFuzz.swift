import JSONText

/// Any bytes give a value, or a refusal with a place inside the document; never a trap. A value survives being written
/// and read again, and its objects have no two names that Swift takes for one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    do {
        let value = try JSONValue(parsing: bytes)
        var writer = JSONWriter()
        writer.value(value)
        let again = try JSONValue(parsing: writer.bytes, limits: JSONLimits(byteCount: .max))
        precondition(again == value, "a document changed by being written again")
        requireDistinctNames(value)
        precondition(value.span.range.upperBound <= count, "a value ends behind its document")
    } catch {
        precondition((0...count).contains(error.offset), "a refusal lies outside its document")
        precondition(error.line >= 1 && error.column >= 1 && error.column <= count + 1)
        _ = error.description
    }
    return 0
}

private func requireDistinctNames(_ root: JSONValue) {
    var pending = [root]
    while let value = pending.popLast() {
        let members = value.object?.members ?? []
        precondition(Set(members.map(\.name)).count == members.count, "two names are one text to Unicode")
        pending += members.map(\.value) + (value.array ?? [])
    }
}
