/// Text of unknown origin, made fit to be part of a page.
///
/// Characters that a page cannot have, and those that turn or hide other text, are left out; line ends of all kinds
/// become one kind; a letter keeps as many marks as scripts of any language use.
package enum FitText {
    /// The most marks on one letter: no script has more, and thousands take long to lay out.
    package static let mostMarks = 16

    /// The text as a page shows it, without escapes.
    package static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        scan(text) { plain.append($0) }
        return String(plain)
    }

    /// Appends the text with escapes for what has a meaning in markup.
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
        var isBehindReturn = false
        for scalar in text.unicodeScalars {
            defer { isBehindReturn = scalar == "\r" }
            switch scalar.value {
            case 0x20..<0x7F, 0xA0..<0x300, 0x09:
                marks = 0
                take(scalar)
            // A line end may be two characters.
            case 0x0A where isBehindReturn: continue
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
                marks = 0
                take("\n")
            default:
                guard isFit(scalar) else { continue }
                marks = scalar.properties.isGraphemeExtend ? marks + 1 : 0
                if marks <= mostMarks { take(scalar) }
            }
        }
    }

    /// False for controls, for what changes the direction of the text around, for tags, which are invisible, and for
    /// numbers that are no characters.
    private static func isFit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF,
            0xE0000...0xE007F:
            false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
