import WidgetBytes
import WidgetPlist

/// Any bytes give a value, or a refusal with a place inside the file; never a trap, and never a tree larger than the
/// limits. The reading for files of people differs from the strict one only where a key is repeated, and says so.
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
        let reading = try PlistReading(parsingStrings: bytes, limits: limits)
        precondition(reading.notes.count <= PlistNote.mostKept, "there are more notes than allowed")
        precondition(reading.notes.allSatisfy { $0.position.line >= 1 && $0.position.column >= 1 })
    } catch {
        precondition((0...count).contains(error.offset ?? -1), "a refusal lies outside its file")
    }
    compareReadings(bytes, limits)
    return 0
}

private func compareReadings(_ bytes: [UInt8], _ limits: PlistLimits) {
    let strict = try? PlistValue(parsing: bytes, limits: limits)
    let reading = try? PlistReading(parsing: bytes, limits: limits)
    if let strict {
        precondition(reading?.value == strict, "the two readings differ")
        precondition(reading?.notes.isEmpty == true, "a note on a list without a repeated key")
    } else if let reading {
        precondition(!reading.notes.isEmpty, "a repeated key without a note")
    }
    guard let decisive = try? PlistReading(parsing: bytes, limits: limits, decisive: ["a"]) else { return }
    precondition(decisive.value == reading?.value, "a decisive key changes a value")
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
