internal import WidgetBytes

/// One line of the notation, cut into its words.
struct NotationLine {
    enum Token: Equatable {
        case word(String)
        case text(String)
        case arrow
    }

    struct Fault: Error {
        var sentence: String
        /// Bytes of the line before the place of the fault.
        var offset: Int
        var hints: [String] = []
    }

    /// Spaces before the first word.
    let indentation: Int
    /// The words with the bytes before each.
    private(set) var tokens: [(token: Token, offset: Int)] = []

    /// - Parameter line: the bytes of the line in valid UTF-8, without its end.
    init(_ line: [UInt8]) throws(Fault) {
        var position = 0
        while position < line.count, line[position] == UInt8(ascii: " ") { position += 1 }
        indentation = position
        while position < line.count {
            switch line[position] {
            case UInt8(ascii: " "): position += 1
            case UInt8(ascii: "\t"):
                throw Fault(sentence: "a tab is not allowed here", offset: position, hints: ["indent with four spaces"])
            case UInt8(ascii: "#") where !NotationLine.isHexadecimal(line, position): return
            case UInt8(ascii: "\""):
                let start = position
                tokens.append((.text(try NotationLine.text(line, &position)), start))
                guard position == line.count || line[position] == UInt8(ascii: " ") else {
                    throw Fault(
                        sentence: "a space is missing behind the text", offset: position,
                        hints: ["a quotation mark in a text is written \\\""])
                }
            default:
                let start = position
                while position < line.count, line[position] != UInt8(ascii: " "), line[position] != UInt8(ascii: "\"") {
                    guard line[position] >= 0x20, line[position] != 0x7F else {
                        throw Fault(sentence: "a control character is not allowed here", offset: position)
                    }
                    position += 1
                }
                let word = String(decoding: line[start..<position], as: UTF8.self)
                tokens.append((word == "->" ? .arrow : .word(word), start))
            }
        }
    }

    /// True at the start of a colour, which begins with the sign of comments.
    private static func isHexadecimal(_ line: [UInt8], _ position: Int) -> Bool {
        let digits = line[(position + 1)...].prefix { $0 != UInt8(ascii: " ") }
        return position > 0 && [6, 8].contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
    }

    private static func text(_ line: [UInt8], _ position: inout Int) throws(Fault) -> String {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while position < line.count {
            let byte = line[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                switch position < line.count ? line[position] : 0 {
                case UInt8(ascii: "n"): bytes.append(0x0A)
                case UInt8(ascii: "t"): bytes.append(0x09)
                case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
                case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
                default:
                    throw Fault(
                        sentence: "a backslash has no meaning here", offset: position - 1,
                        hints: ["\\n begins a line, \\t is a tab, \\\" a quotation mark, \\\\ a backslash"])
                }
                position += 1
            case 0..<0x20, 0x7F:
                throw Fault(
                    sentence: "a control character is not allowed in a text", offset: position - 1,
                    hints: ["\\t is a tab"])
            default: bytes.append(byte)
            }
        }
        throw Fault(
            sentence: "the text has no end", offset: start, hints: ["a text ends with a quotation mark in its line"])
    }

    // MARK: Words

    /// True if a text may be a name behind the kind of a line.
    static func isName(_ text: String) -> Bool { isPlainWord(text) && NotationProperty.named(text) == nil }

    /// True for letters, digits, hyphens, dots and underscores, with a letter or an underscore first.
    static func isPlainWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first), first != 0x2D, first != 0x2E else {
            return false
        }
        return text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || [0x2D, 0x2E, 0x5F].contains($0)
        }
    }

    static func name(_ text: String) -> String { isPlainWord(text) ? text : quoted(text) }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
