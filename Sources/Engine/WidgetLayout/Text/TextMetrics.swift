/// The widths of texts. Frames are made with a table; a test hands in those of its browser.
package protocol TextMeasure: AnyObject, Sendable {
    /// The width of a text on one line, in points.
    func width(of text: Substring, in font: ResolvedFont) -> Double
}

/// Widths by the advances of Inter, with the commonest kerning pairs and the tracking of the system's font.
package final class TextMetrics: TextMeasure {
    /// The part of an em that scalars outside of the table take: usual ones, signs of other fonts, and those of wide scripts.
    package static let usualAdvance = 0.6
    package static let signAdvance = 0.84
    package static let wideAdvance = 1.0
    /// Of small triangles in each font: they differ much between fonts, and a page gives one without other signs this width.
    package static let markAdvance = 0.8
    /// Of fonts whose characters are equally wide.
    package static let monospacedAdvance = 0.6

    package init() {}

    package func width(of text: Substring, in font: ResolvedFont) -> Double {
        let face = AdvanceTable.shared.face(font.weight)
        var (ems, count, last) = (0.0, 0, UInt32(0))
        for scalar in text.unicodeScalars {
            let value = scalar.value
            guard !CharacterWidth.isZero(value) else { continue }
            if CharacterWidth.isMark(value) {
                (ems, last) = (ems + TextMetrics.markAdvance, value)
                continue
            }
            count += 1
            if font.isMonospaced {
                ems += CharacterWidth.isWide(value) ? TextMetrics.wideAdvance : TextMetrics.monospacedAdvance
                continue
            }
            if let advance = face.advance(value) {
                ems += advance + AdvanceTable.shared.kerning(last, value)
            } else {
                ems +=
                    CharacterWidth.isWide(value)
                    ? TextMetrics.wideAdvance
                    : CharacterWidth.isSign(value) ? TextMetrics.signAdvance : TextMetrics.usualAdvance
            }
            last = value
        }
        return (ems + Double(count) * (font.isMonospaced ? 0 : TextMetrics.tracking(at: font.size))) * font.size
    }

    /// True for a text that is a small triangle alone.
    package static func isMark(_ text: String) -> Bool {
        var scalars = text.unicodeScalars.makeIterator()
        guard let scalar = scalars.next(), scalars.next() == nil else { return false }
        return CharacterWidth.isMark(scalar.value)
    }

    /// The distance between letters that the system's font adds at a size, in ems.
    package static func tracking(at size: Double) -> Double {
        let steps: [(size: Double, thousandths: Double)] = [
            (12, 0), (13, -6), (14, -10), (15, -15), (16, -20), (17, -22), (18, -23), (19, -24), (20, -26),
            (24, -39),
        ]
        guard size > steps[0].size else { return 0 }
        for (before, after) in zip(steps, steps.dropFirst()) where size <= after.size {
            let part = (size - before.size) / (after.size - before.size)
            return (before.thousandths + (after.thousandths - before.thousandths) * part) / 1_000
        }
        return (steps.last?.thousandths ?? 0) / 1_000
    }
}

/// The unpacked table of Inter.
private final class AdvanceTable: Sendable {
    static let shared = AdvanceTable()

    /// The advances of one weight, in ems.
    struct Face: Sendable {
        /// Of the scalars below `direct`, most of all texts.
        private var first: [Double]
        private var more: [UInt32: Double] = [:]
        private static let direct: UInt32 = 0x180

        init(_ packed: String) {
            first = Array(repeating: -1, count: Int(Face.direct))
            var numbers = PackedAdvances(packed)
            for range in InterTable.ranges {
                for scalar in range {
                    guard let number = numbers.next() else { continue }
                    let advance = Double(number) / InterTable.unitsPerEm
                    if scalar < Face.direct { first[Int(scalar)] = advance } else { more[scalar] = advance }
                }
            }
        }

        func advance(_ scalar: UInt32) -> Double? {
            guard scalar < Face.direct else { return more[scalar] }
            let advance = first[Int(scalar)]
            return advance < 0 ? nil : advance
        }
    }

    private let regular = Face(InterTable.weight400)
    private let medium = Face(InterTable.weight500)
    private let semibold = Face(InterTable.weight600)
    private let bold = Face(InterTable.weight700)
    private let pairs: [UInt64: Double]
    /// The first scalars of pairs. Most scalars begin no pair, so that this saves look-ups.
    private let begins: Set<UInt32>

    private init() {
        var (pairs, begins): ([UInt64: Double], Set<UInt32>) = ([:], [])
        var rest = InterTable.pairs.unicodeScalars[...]
        while let first = rest.popFirst(), let second = rest.popFirst(), rest.count >= 2 {
            var numbers = PackedAdvances(String(rest.prefix(2)))
            rest.removeFirst(2)
            guard let number = numbers.next() else { continue }
            pairs[AdvanceTable.key(first.value, second.value)] = Double(number - 2_048) / InterTable.unitsPerEm
            begins.insert(first.value)
        }
        (self.pairs, self.begins) = (pairs, begins)
    }

    private static func key(_ first: UInt32, _ second: UInt32) -> UInt64 { UInt64(first) << 32 | UInt64(second) }

    func face(_ weight: Int) -> Face {
        switch weight {
        case ..<450: regular
        case ..<550: medium
        case ..<650: semibold
        default: bold
        }
    }

    /// The change of the distance between two letters, in ems.
    func kerning(_ first: UInt32, _ second: UInt32) -> Double {
        begins.contains(first) ? pairs[AdvanceTable.key(first, second)] ?? 0 : 0
    }
}

/// Numbers of two digits of 64 each.
private struct PackedAdvances {
    private var bytes: String.UTF8View.Iterator

    init(_ text: String) {
        bytes = text.utf8.makeIterator()
    }

    /// `nil` for a number that is missing.
    mutating func next() -> Int? {
        guard let high = bytes.next(), let low = bytes.next(), let first = PackedAdvances.digit(high),
            let second = PackedAdvances.digit(low)
        else { return nil }
        return first * 64 + second
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "-"): 63
        default: nil
        }
    }
}
