import WidgetCore

/// Any bytes give no rules, or rules whose offsets are those of a place on Earth, and whose clocks can be read back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTimeZones(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    for rules in [TimeZoneRules(file: bytes), TimeZoneRules(posix: String(decoding: bytes, as: UTF8.self))] {
        guard let rules else { continue }
        for moment in [-Double.infinity, -3e11, -1e9, -1, 0, 5.5e8, 1e9, 3e11, .infinity, .nan] {
            precondition(abs(rules.offset(at: moment)) <= 26 * 3_600, "an offset is larger than any on Earth")
            guard moment.isFinite else { continue }
            precondition(abs(rules.seconds(ofLocal: moment) - moment) <= 26 * 3_600, "a time is read on another day")
        }
    }
    return 0
}
