/// The ranges that a Range field asks of a representation of known size (RFC 9110 §14).
package enum ByteRanges: Equatable, Sendable {
    /// The field means nothing here, or asks for too much; the whole is sent.
    case whole
    case one(Range<Int>)
    /// Two to `limit` ranges, in the order they were asked for.
    case several([Range<Int>])
    case unsatisfiable

    /// More ranges than this are answered with the whole: a set that large costs more than it saves.
    package static let limit = 8

    package init(_ bytes: Span<UInt8>, _ value: Range<Int>, size: Int) {
        self = ByteRanges.parse(bytes, value, size: size) ?? .whole
    }

    private static func parse(_ bytes: Span<UInt8>, _ value: Range<Int>, size: Int) -> ByteRanges? {
        let unitLength = 6
        guard value.count > unitLength,
            bytes.spells("bytes=", in: value.lowerBound..<(value.lowerBound &+ unitLength))
        else { return nil }
        var members = ListCursor((value.lowerBound &+ unitLength)..<value.upperBound)
        var ranges: [Range<Int>] = []
        var specifierCount = 0
        while let member = members.next(in: bytes) {
            specifierCount &+= 1
            guard specifierCount <= limit, let specifier = RangeSpecifier(bytes, member) else { return nil }
            // The last bytes of nothing are nothing, and Content-Range has no way to say so (RFC 9110 §14.4).
            if size == 0, specifier.isSatisfiableSuffix { return nil }
            if let range = specifier.resolved(size: size) { ranges.append(range) }
        }
        guard specifierCount > 0 else { return nil }
        guard let first = ranges.first else { return .unsatisfiable }
        guard ranges.count > 1 else { return .one(first) }
        return isAbusive(ranges, size: size) ? nil : .several(ranges)
    }

    /// RFC 9110 §14.2 lets a server ignore sets with many overlaps; CVE-2011-3192 is what becomes of
    /// servers that do not. One overlap is tolerated, asking for more than everything is not.
    private static func isAbusive(_ ranges: [Range<Int>], size: Int) -> Bool {
        var total = 0
        var overlaps = 0
        for (index, range) in ranges.enumerated() {
            let (sum, didOverflow) = total.addingReportingOverflow(range.count)
            guard !didOverflow else { return true }
            total = sum
            if ranges[..<index].contains(where: { $0.overlaps(range) }) { overlaps &+= 1 }
        }
        return total > size || overlaps > 1
    }
}

/// One `first-last`, `first-` or `-length`; numbers past what an `Int` holds count as very large.
struct RangeSpecifier {
    private enum Form {
        case between(first: Int, last: Int)
        case from(first: Int)
        case suffix(length: Int)
    }

    private let form: Form

    init?(_ bytes: Span<UInt8>, _ member: Range<Int>) {
        guard let dash = member.first(where: { bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let before = member.lowerBound..<dash
        let after = (dash &+ 1)..<member.upperBound
        if before.isEmpty {
            guard let length = RangeSpecifier.number(bytes, after) else { return nil }
            form = .suffix(length: length)
        } else {
            guard let first = RangeSpecifier.number(bytes, before) else { return nil }
            if after.isEmpty {
                form = .from(first: first)
            } else {
                guard let last = RangeSpecifier.number(bytes, after), first <= last else { return nil }
                form = .between(first: first, last: last)
            }
        }
    }

    /// True for a suffix that is not empty, which RFC 9110 §14.1.2 calls satisfiable for every size.
    var isSatisfiableSuffix: Bool {
        if case .suffix(let length) = form { length > 0 } else { false }
    }

    /// The bytes meant, or `nil` where the representation has none of them.
    func resolved(size: Int) -> Range<Int>? {
        switch form {
        case .between(let first, let last):
            first < size ? first..<(min(last, size &- 1) &+ 1) : nil
        case .from(let first):
            first < size ? first..<size : nil
        case .suffix(let length):
            length > 0 && size > 0 ? (size &- min(length, size))..<size : nil
        }
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        var value = 0
        for index in range {
            guard ByteClass.isDigit(bytes[index]) else { return nil }
            let (tens, didOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, didOverflowAgain) = tens.addingReportingOverflow(Int(bytes[index] &- 0x30))
            value = didOverflow || didOverflowAgain ? Int.max : sum
        }
        return value
    }
}
