import Plist

/// Any bytes give a value, or a refusal with a place inside the file; never a trap, and never a tree larger than the
/// limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlist(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let limits = PlistLimits(visitCount: 2_000, expandedByteCount: 100_000)
    do {
        let value = try PlistValue(parsing: bytes, limits: limits)
        precondition(value == value, "a value differs from itself")
        precondition(visitCount(value) <= 2_000, "a tree unfolds beyond its limit")
    } catch {
        precondition((0...count).contains(error.offset ?? -1), "a refusal lies outside its file")
        _ = error.description
    }
    do {
        _ = try PlistValue(parsingStrings: bytes, limits: limits)
    } catch {
        precondition((0...count).contains(error.offset ?? -1), "a refusal lies outside its file")
    }
    return 0
}

private func visitCount(_ root: PlistValue) -> Int {
    var pending = [root]
    var count = 0
    while let value = pending.popLast() {
        count += 1
        pending.append(contentsOf: value.array ?? value.dictionary?.values ?? [])
    }
    return count
}
