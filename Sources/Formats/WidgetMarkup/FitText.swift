/// Text of unknown origin, made fit to be part of a page.
///
/// Characters that a page cannot have, or that reverse or hide other text, are left out. Line ends of all kinds
/// become one kind. A letter keeps as many marks as any language uses. Marks of direction stay: they have no
/// effect beyond their own place, and translations into Arabic or Hebrew need them.
package enum FitText {
    /// The most marks on one letter: no script has more, and thousands take long to lay out.
    package static let mostMarks = 16

    /// The text as a page shows it, without escapes.
    package static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        scan(text) { plain.append($0) }
        return String(plain)
    }

    /// The text, if anything of it is seen or heard on a page: not spaces alone, nor what pages leave out.
    package static func seen(_ text: String?) -> String? {
        guard let text else { return nil }
        let isSeen = text.unicodeScalars.contains { scalar in
            guard scalar.value > 0x20 else { return false }
            if scalar.isASCII { return scalar.value != 0x7F }
            return isFit(scalar) && !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
        return isSeen ? text : nil
    }

    /// Appends the text, with markup characters escaped.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        scan(text) { scalar in
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\"": bytes.append(contentsOf: "&quot;".utf8)
            case "'": bytes.append(contentsOf: "&#39;".utf8)
            default:
                if scalar.value < 0x80 {
                    bytes.append(UInt8(truncatingIfNeeded: scalar.value))
                } else {
                    bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
                }
            }
        }
    }

    private static func scan(_ text: String, _ take: (Unicode.Scalar) -> Void) {
        var marks = 0
        var tags = 0
        var isBehindReturn = false
        for scalar in text.unicodeScalars {
            defer { isBehindReturn = scalar == "\r" }
            if !(tag ~= scalar.value) { tags = 0 }
            switch scalar.value {
            case 0x20..<0x7F, 0xA0..<0x300, 0x09:
                marks = 0
                take(scalar)
            // A line end may be two characters.
            case 0x0A where isBehindReturn: continue
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
                marks = 0
                take("\n")
            case blackFlag:
                (marks, tags) = (0, mostTags)
                take(scalar)
            // Directly after a black flag they name its region.
            case tag where tags > 0:
                tags -= 1
                take(scalar)
            default:
                guard isFit(scalar) else { continue }
                // Joined letters share the room for marks.
                marks = scalar.properties.isGraphemeExtend || scalar == joiner ? marks + 1 : 0
                if marks <= mostMarks { take(scalar) }
            }
        }
    }

    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let blackFlag: UInt32 = 0x1F3F4
    private static let tag: ClosedRange<UInt32> = 0xE0020...0xE007F
    /// The tags of a flag: a region of at most six, and the end.
    private static let mostTags = 7

    /// False for controls, for what changes the direction of the text around, for tags, which are invisible, and for
    /// numbers that are no characters.
    private static func isFit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF, 0xE0000...0xE007F:
            false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
