internal import WidgetBytes

/// The offsets of a time zone from UTC, at every moment.
///
/// The host passes the rules in, so that a widget shows the same times on every machine with the same rules.
package struct TimeZoneRules: Equatable, Sendable {
    /// Larger offsets exist nowhere (RFC 8536 §3.2).
    static let offsetLimit = 26 * 3_600
    /// About ten thousand years to either side.
    private static let horizon = 3e11

    /// Before the first change.
    private let initial: Int
    /// Rising moments in seconds since 1970, and the offset that each begins.
    private let changes: [(moment: Int64, offset: Int)]
    /// After the last change; `nil` when its offset stays.
    private let yearly: YearlyTimeRule?

    package static let utc = TimeZoneRules(initial: 0)

    /// - Parameter changes: rising moments in seconds since 1970, and the offset that each begins.
    init(initial: Int, changes: [(moment: Int64, offset: Int)] = [], yearly: YearlyTimeRule? = nil) {
        self.initial = initial
        self.changes = changes
        self.yearly = yearly
    }

    /// The rule that `TZ` holds when it names no file, such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` for other texts.
    package init?(posix text: String) {
        guard let yearly = YearlyTimeRule(text) else { return nil }
        self.init(initial: yearly.standard, yearly: yearly)
    }

    package static func == (left: TimeZoneRules, right: TimeZoneRules) -> Bool {
        left.initial == right.initial && left.yearly == right.yearly
            && left.changes.elementsEqual(right.changes) { $0 == $1 }
    }

    /// Seconds east of Greenwich.
    ///
    /// - Parameter seconds: since the first moment of 2001, UTC.
    package func offset(at seconds: Double) -> Int {
        offset(atUnix: TimeZoneRules.unix(seconds))
    }

    /// The moment at which clocks show a time.
    ///
    /// A time that clocks show twice is taken for the first moment. One that they skip counts on from before the
    /// change, so that half past two becomes half past three.
    ///
    /// - Parameter local: as if the clocks showed UTC.
    package func seconds(ofLocal local: Double) -> Double {
        let unix = TimeZoneRules.unix(local)
        let before = offset(atUnix: unix - 86_400)
        if offset(atUnix: unix - Int64(before)) == before { return local - Double(before) }
        let after = offset(atUnix: unix + 86_400)
        if offset(atUnix: unix - Int64(after)) == after { return local - Double(after) }
        return local - Double(before)
    }

    private static func unix(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return Int64(CivilDate.secondsTo2001) }
        return Int64((min(max(seconds, -horizon), horizon) + CivilDate.secondsTo2001).rounded(.down))
    }

    private func offset(atUnix moment: Int64) -> Int {
        guard let last = changes.last else { return yearly?.offset(at: moment) ?? initial }
        if moment >= last.moment { return yearly?.offset(at: moment) ?? last.offset }
        // The first change after the moment.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].moment <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : changes[low - 1].offset
    }
}

// Files of time zones, as `/usr/share/zoneinfo` has them (RFC 8536).

extension TimeZoneRules {
    /// Bytes of a file that is read; the largest in use has fewer than 4,000.
    package static let fileByteCount = 64 << 10

    /// The rules in a file's bytes; `nil` for other bytes, and for a file that counts leap seconds.
    package init?(file bytes: [UInt8]) {
        guard bytes.count <= TimeZoneRules.fileByteCount, let first = TimeZoneBlock(bytes, at: 0, wordByteCount: 4)
        else { return nil }
        guard first.version > 0 else {
            guard let (initial, changes) = first.changes(in: bytes) else { return nil }
            self.init(initial: initial, changes: changes)
            return
        }
        // The first block is for 32-bit programs; the second is complete.
        guard let block = TimeZoneBlock(bytes, at: first.end, wordByteCount: 8),
            let (initial, changes) = block.changes(in: bytes),
            let footer = TimeZoneRules.footer(bytes[block.end...])
        else { return nil }
        if footer.isEmpty {
            self.init(initial: initial, changes: changes)
        } else {
            guard let yearly = YearlyTimeRule(footer) else { return nil }
            self.init(initial: initial, changes: changes, yearly: yearly)
        }
    }

    /// The text between two line ends.
    private static func footer(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.first == 0x0A, let end = bytes.dropFirst().firstIndex(of: 0x0A) else { return nil }
        return String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
    }
}

/// One of the two blocks of a file: its counts, all of which fit the file, and where its parts begin.
private struct TimeZoneBlock {
    static let headByteCount = 44

    let version: UInt8
    let end: Int
    private let wordByteCount: Int
    private let changeCount: Int
    private let typeCount: Int
    private let start: Int

    /// `nil` unless a block of that form lies there, whole.
    init?(_ bytes: [UInt8], at offset: Int, wordByteCount: Int) {
        guard offset <= bytes.count - TimeZoneBlock.headByteCount,
            bytes[offset..<(offset + 4)].elementsEqual("TZif".utf8)
        else { return nil }
        version = bytes[offset + 4]
        self.wordByteCount = wordByteCount
        start = offset + TimeZoneBlock.headByteCount
        var counts: [Int] = []
        for index in 0..<6 {
            let word = TimeZoneBlock.number(bytes, at: offset + 20 + 4 * index, byteCount: 4)
            let count = Int(clamping: word & 0xFFFF_FFFF)
            guard count <= bytes.count else { return nil }
            counts.append(count)
        }
        let (utCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
        (changeCount, typeCount) = (counts[3], counts[4])
        let byteCount =
            changeCount * (wordByteCount + 1) + typeCount * 6 + counts[5] + leapCount * (wordByteCount + 4)
            + standardCount + utCount
        guard leapCount == 0, byteCount <= bytes.count - start else { return nil }
        end = start + byteCount
    }

    /// `nil` unless moments rise and offsets are those of a place on Earth.
    func changes(in bytes: [UInt8]) -> (initial: Int, changes: [(moment: Int64, offset: Int)])? {
        let types = start + changeCount * (wordByteCount + 1)
        var offsets: [Int] = []
        for index in 0..<typeCount {
            let offset = Int(bounded: TimeZoneBlock.number(bytes, at: types + index * 6, byteCount: 4))
            guard (-TimeZoneRules.offsetLimit...TimeZoneRules.offsetLimit).contains(offset) else { return nil }
            offsets.append(offset)
        }
        guard let initial = offsets.first else { return nil }
        var changes: [(moment: Int64, offset: Int)] = []
        changes.reserveCapacity(changeCount)
        for index in 0..<changeCount {
            let moment = TimeZoneBlock.number(bytes, at: start + index * wordByteCount, byteCount: wordByteCount)
            let type = Int(bytes[start + changeCount * wordByteCount + index])
            guard offsets.indices.contains(type), changes.last.map({ $0.moment < moment }) ?? true else { return nil }
            changes.append((moment, offsets[type]))
        }
        return (initial, changes)
    }

    /// A signed number, its first byte the largest; the caller has checked that it is there.
    private static func number(_ bytes: [UInt8], at offset: Int, byteCount: Int) -> Int64 {
        let bits = bytes[offset..<(offset + byteCount)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return byteCount == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
