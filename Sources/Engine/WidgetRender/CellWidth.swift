internal import WidgetCore

/// The number of cells of a terminal that a text takes.
package enum CellWidth {
    package static func of(_ text: String) -> Int {
        TextFlow.isEven(text)
            ? text.utf8.reduce(0) { $0 + (TextFlow.beginsLetter($1) ? 1 : 0) } : text.reduce(0) { $0 + of($1) }
    }

    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value < 0x300 { return first.value < 0x20 || 0x7F..<0xA0 ~= first.value ? 0 : 1 }
        // What is asked to look like an emoji, flags and families among them, takes two.
        if scalars.contains(where: { $0.value == 0xFE0F }) || first.properties.isEmojiPresentation { return 2 }
        if isWide(first.value) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    /// Wide and full-width ranges of Unicode Standard Annex 11.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1B000...0x1B2FF,
        0x1F1E6...0x1F1FF, 0x1F200...0x1F320, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ scalar: UInt32) -> Bool { wide.contains { $0.contains(scalar) } }
}

/// Texts fitted into cells.
package enum TextFlow {
    /// The most bytes of one text that are laid out: readers want no more of a label, and a server could send
    /// megabytes.
    static let mostBytes = 16 << 10
    /// The most bytes of all texts together that are laid out. The longest are cut first.
    private static let mostBytesInAll = 1 << 20
    /// No text is cut shorter for others.
    private static let leastBytes = 16
    /// The cost of a byte in texts that have to be split into letters and measured; it is 1 in others.
    private static let unevenPrice = 3
    /// The most marks on one letter that are shown: no script has more, and thousands take long to lay out.
    private static let mostMarks = 16

    /// The bytes of one text that can be laid out, so that all texts together stay within the limit.
    static func longest(of root: AccessibleNode) -> Int {
        var total = 0
        // Texts longer than the shortest limit, each with the cost of one byte.
        var counts: [(bytes: Int, price: Int)] = []
        var pending = [root]
        while let node = pending.popLast() {
            for text in [node.name, node.value] {
                guard let text, !text.isEmpty else { continue }
                let (bytes, price) = (text.utf8.count, isEven(text) ? 1 : unevenPrice)
                if bytes <= leastBytes { total += bytes * price } else { counts.append((bytes, price)) }
            }
            pending.append(contentsOf: node.children)
        }
        var longest = mostBytes
        while longest > leastBytes,
            counts.reduce(total, { $0 + min($1.bytes, longest) * $1.price }) > mostBytesInAll
        {
            longest /= 2
        }
        return longest
    }

    /// True if every byte takes one cell.
    static func isPlain(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } }

    /// True if every scalar takes one cell, as in most texts in Latin letters.
    static func isEven(_ text: some StringProtocol) -> Bool {
        // The byte that must follow in the three bytes of an ellipsis; 0 outside of one.
        var expected: UInt8 = 0
        for byte in text.utf8 {
            if expected != 0, byte != expected { return false }
            switch byte {
            case 0x20..<0x7F, 0x80...0xBF, 0xC2...0xCB: expected = expected == 0x80 ? 0xA6 : 0
            case 0xE2: expected = 0x80
            default: return false
            }
        }
        return true
    }

    static func beginsLetter(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    /// Lines of at most `width` cells, broken at blanks if possible. A character is never cut.
    package static func lines(_ text: String, width: Int, upTo longest: Int = mostBytes) -> [String] {
        let width = max(2, width)
        let text = shortened(text, longest)
        if text.utf8.count <= width, isPlain(text) { return [trimmed(text)] }
        var lines: [String] = []
        for paragraph in paragraphs(text) {
            var line = ""
            var cells = 0
            let shown = visible(paragraph)
            if isEven(shown) {
                lines += evenLines(shown, width)
                continue
            }
            for word in words(shown) {
                let length = CellWidth.of(word)
                if cells > 0, cells + length > width {
                    lines.append(trimmed(line))
                    (line, cells) = ("", 0)
                    if word == " " { continue }
                }
                if length <= width {
                    line += word
                    cells += length
                    continue
                }
                for character in word {
                    let size = CellWidth.of(character)
                    if cells + size > width {
                        lines.append(line)
                        (line, cells) = ("", 0)
                    }
                    line.append(character)
                    cells += size
                }
            }
            lines.append(trimmed(line))
        }
        return lines
    }

    static func shortened(_ text: String, _ longest: Int) -> String {
        guard text.utf8.count > longest else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longest)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end]) + "…"
    }

    /// The parts of a text between line ends. It compares bytes, because splitting a text into letters is slow.
    static func paragraphs(_ text: String) -> [Substring] {
        let bytes = text.utf8
        if bytes.allSatisfy({ 0x0E..<0xC2 ~= $0 || 0x00..<0x0A ~= $0 }) { return [text[...]] }
        var paragraphs: [Substring] = []
        var start = bytes.startIndex
        var place = start
        while place < bytes.endIndex {
            let length = lineEnd(bytes[place...])
            let next = bytes.index(place, offsetBy: max(length, 1))
            if length > 0 {
                paragraphs.append(text[start..<place])
                start = next
            }
            place = next
        }
        paragraphs.append(text[start...])
        return paragraphs
    }

    /// The number of bytes of the line end that the text begins with, or zero.
    private static func lineEnd(_ bytes: Substring.UTF8View) -> Int {
        guard let first = bytes.first else { return 0 }
        switch first {
        case 0x0D: return bytes.dropFirst().first == 0x0A ? 2 : 1
        case 0x0A...0x0C: return 1
        case 0xC2: return bytes.dropFirst().first == 0x85 ? 2 : 0
        case 0xE2:
            return bytes.prefix(3).elementsEqual([0xE2, 0x80, 0xA8])
                || bytes.prefix(3).elementsEqual([0xE2, 0x80, 0xA9]) ? 3 : 0
        default: return 0
        }
    }

    /// The lines of a paragraph in which every scalar takes one cell.
    private static func evenLines(_ paragraph: String, _ width: Int) -> [String] {
        let bytes = Array(paragraph.utf8)
        var lines: [String] = []
        // The start of the line, the start of the word that it may be broken before, and the place of reading.
        var start = 0
        var cells = 0
        var wordStart = 0
        var wordCells = 0
        var place = 0
        func add(_ end: Int) { lines.append(trimmed(String(decoding: bytes[start..<end], as: UTF8.self))) }
        while true {
            let isEnd = place == bytes.count
            if !isEnd, bytes[place] != 0x20 {
                wordCells += beginsLetter(bytes[place]) ? 1 : 0
                place += 1
                continue
            }
            // A word is complete: it is put on this line or the next, or it is cut.
            if wordCells > 0 {
                if cells > 0, cells + wordCells > width {
                    add(wordStart)
                    (start, cells) = (wordStart, 0)
                }
                while wordCells > width {
                    let cut = index(start, after: width, in: bytes)
                    add(cut)
                    wordCells -= width
                    start = cut
                }
                cells += wordCells
            }
            if isEnd { break }
            if cells > 0, cells + 1 > width {
                add(place)
                (start, cells) = (place + 1, 0)
            } else {
                cells += 1
            }
            place += 1
            (wordStart, wordCells) = (place, 0)
        }
        add(bytes.count)
        return lines
    }

    private static func index(_ start: Int, after letters: Int, in bytes: [UInt8]) -> Int {
        var place = start
        var left = letters
        while place < bytes.count, left > 0 {
            place += 1
            while place < bytes.count, !beginsLetter(bytes[place]) { place += 1 }
            left -= 1
        }
        return place
    }

    /// Words and the blanks between them; a wide letter is a word, as lines of such letters break anywhere.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for character in text {
            if character == " " || CellWidth.of(character) > 1 {
                if !word.isEmpty { words.append(word) }
                word = ""
                words.append(String(character))
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// The text without the characters that a terminal would take as commands.
    package static func visible(_ text: some StringProtocol) -> String {
        if isPlain(text) { return String(text) }
        var result = ""
        var marks = 0
        // Unchanged parts are copied as a whole.
        var start = text.startIndex
        var place = start
        let scalars = text.unicodeScalars
        while place < scalars.endIndex {
            let scalar = scalars[place]
            let next = scalars.index(after: place)
            let replacement = replacement(scalar, &marks)
            if let replacement {
                result += text[start..<place]
                result += replacement
                start = next
            }
            place = next
        }
        result += text[start...]
        return result
    }

    /// The replacement of a scalar; `nil` for most, which are shown as they are.
    private static func replacement(_ scalar: Unicode.Scalar, _ marks: inout Int) -> String? {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0x300:
            marks = 0
            return nil
        case 0x09: return "    "
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x2028...0x202E, 0x2066...0x2069, 0xE0000...0xE007F, 0xF8FE: return ""
        default:
            marks = scalar.properties.isGraphemeExtend ? marks + 1 : 0
            return marks <= mostMarks ? nil : ""
        }
    }

    static func trimmed(_ line: String) -> String {
        guard line.utf8.last == 0x20 else { return line }
        let end = line.utf8.lastIndex { $0 != 0x20 }.map { line.utf8.index(after: $0) } ?? line.startIndex
        return String(line[..<end])
    }

    static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    package static func padded(_ text: String, _ width: Int) -> String {
        text + blanks(width - CellWidth.of(text))
    }

    /// The text shortened to `width` cells, with an ellipsis.
    package static func cut(_ text: String, _ width: Int) -> String {
        guard CellWidth.of(text) > width else { return text }
        var result = ""
        var cells = 0
        for character in text {
            let size = CellWidth.of(character)
            if cells + size > width - 1 { break }
            result.append(character)
            cells += size
        }
        return result + "…"
    }
}
