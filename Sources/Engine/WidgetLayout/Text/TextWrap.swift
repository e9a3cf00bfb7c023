package import WidgetCore

/// One line of a text as it is drawn.
package struct TextLine: Equatable, Sendable {
    package var text: String
    /// Points, without spaces at its end.
    package var width: Double

    package init(_ text: String, width: Double) {
        self.text = text
        self.width = width
    }
}

/// Breaks a text into lines: between words, within words that are longer than a line, and behind each character of
/// scripts without spaces. Its work grows with the text alone.
package struct TextWrap {
    private let measure: any TextMeasure
    private let font: ResolvedFont
    private let width: Double
    private let most: Int
    private let lineBreak: LineBreak
    private var lines: [TextLine] = []
    /// True if a part of the text has no room.
    private var isCut = false

    /// Two widths that differ by less are equal.
    private static let slack = 0.01

    /// More characters than a line of this width has: few letters are narrower than a fifth of an em.
    private var longest: Int { 32 + Int(min(width / max(font.size * 0.2, 0.1), 1e6)) }

    private init(_ measure: any TextMeasure, _ font: ResolvedFont, width: Double, most: Int, _ lineBreak: LineBreak) {
        self.measure = measure
        self.font = font
        self.width = width
        self.most = most
        self.lineBreak = lineBreak
    }

    /// - Parameters:
    ///   - width: the room; infinite for a text that only its author breaks.
    ///   - most: the most lines; 0 for as many as it needs.
    package static func lines(
        of text: String, in font: ResolvedFont, width: Double, most: Int, lineBreak: LineBreak, measure: any TextMeasure
    ) -> (lines: [TextLine], isCut: Bool) {
        var wrap = TextWrap(
            measure, font, width: width.isNaN ? 0 : max(width, 0), most: most <= 0 ? .max : most, lineBreak)
        wrap.wrap(text)
        return (wrap.lines, wrap.isCut)
    }

    private mutating func wrap(_ text: String) {
        var rest = text[...]
        while lines.count < most {
            let end = rest.firstIndex { $0.isNewline } ?? rest.endIndex
            let isLast = end == rest.endIndex
            paragraph(rest[..<end], isLast: isLast)
            if isLast { return }
            rest = rest[rest.index(after: end)...]
        }
        isCut = true
    }

    private mutating func paragraph(_ text: Substring, isLast: Bool) {
        if most == 1 || width == .infinity {
            oneLine(text)
            return
        }
        // A box as wide as its text has room for it, although its words alone are a little wider.
        let whole = measure.width(of: text, in: font)
        if whole <= width + TextWrap.slack {
            lines.append(TextLine(String(text), width: whole))
            return
        }
        var start = text.startIndex
        repeat {
            if lines.count == most - 1 {
                oneLine(text[start...])
                return
            }
            let (end, length) = lineEnd(text[start...])
            lines.append(TextLine(String(text[start..<end]), width: length))
            start = end
            while start < text.endIndex, text[start] == " " { start = text.index(after: start) }
        } while start < text.endIndex && lines.count < most
    }

    /// The end of the first line of a text, and the line's width.
    private func lineEnd(_ text: Substring) -> (String.Index, Double) {
        var (end, length, place) = (text.startIndex, 0.0, text.startIndex)
        while place < text.endIndex {
            let word = nextWord(text[place...])
            let spaces = measure.width(of: text[end..<place], in: font)
            let own = measure.width(of: word, in: font)
            if length + spaces + own > width + TextWrap.slack {
                if end > text.startIndex { return (end, length) }
                return cut(word, from: text.startIndex)
            }
            length += spaces + own
            end = word.endIndex
            place = end
            while place < text.endIndex, text[place] == " " { place = text.index(after: place) }
        }
        return (end, length)
    }

    /// The beginning of a text up to where a line may end. Of a word that is longer than any line, as much as a line and
    /// a little more has, so that each line looks at its own characters alone.
    private func nextWord(_ text: Substring) -> Substring {
        if lineBreak == .characterWrap { return text.prefix(1) }
        var place = text.startIndex
        var left = longest
        while place < text.endIndex {
            if left == 0 { return text[..<place] }
            left -= 1
            let character = text[place]
            if character == " " {
                // A space at the beginning of a paragraph is a part of it.
                if place > text.startIndex { return text[..<place] }
            }
            let next = text.index(after: place)
            if TextWrap.breaks(behind: place, in: text) || breaksAnywhere(character) { return text[..<next] }
            if next < text.endIndex, breaksAnywhere(text[next]) { return text[..<next] }
            place = next
        }
        return text
    }

    /// True if a line may end behind a character within a word: a hyphen, but not the sign of a number.
    private static func breaks(behind place: String.Index, in text: Substring) -> Bool {
        let next = text.index(after: place)
        guard text[place] == "-", next < text.endIndex else { return false }
        guard text[next].isNumber, place > text.startIndex else { return !text[next].isNumber }
        let former = text[text.index(before: place)]
        return former.isLetter || former.isNumber
    }

    /// The parts of a word between which a line may end.
    static func parts(of word: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = word.startIndex
        for place in word.indices {
            guard breaks(behind: place, in: word) else { continue }
            let next = word.index(after: place)
            parts.append(word[start..<next])
            start = next
        }
        parts.append(word[start...])
        return parts
    }

    private func breaksAnywhere(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { CharacterWidth.breaksAnywhere($0.value) } ?? false
    }

    /// The characters of a long word that fit, at least one.
    private func cut(_ word: Substring, from start: String.Index) -> (String.Index, Double) {
        var (end, length) = (start, 0.0)
        for place in word.indices {
            let next = word.index(after: place)
            let own = measure.width(of: word[place..<next], in: font)
            if length + own > width + TextWrap.slack, end > start { break }
            (end, length) = (next, length + own)
        }
        return (end, length)
    }

    // MARK: - One line

    /// A line for all of a text, which is shortened if it is too long.
    private mutating func oneLine(_ text: Substring) {
        let whole = measure.width(of: text, in: font)
        guard whole > width + TextWrap.slack else {
            lines.append(TextLine(String(text), width: whole))
            return
        }
        isCut = true
        let dots = measure.width(of: "…", in: font)
        let shown: String =
            switch lineBreak {
            case .wordWrap, .characterWrap, .truncateTail: head(text, room: width - dots) + "…"
            case .clip: String(head(text, room: width))
            case .truncateHead: "…" + tail(text, room: width - dots)
            case .truncateMiddle:
                head(text, room: (width - dots) / 2) + "…" + tail(text, room: (width - dots) / 2)
            }
        lines.append(TextLine(shown, width: min(measure.width(of: shown[...], in: font), width)))
    }

    private func head(_ text: Substring, room: Double) -> Substring {
        var (end, length) = (text.startIndex, 0.0)
        while end < text.endIndex {
            let next = text.index(after: end)
            length += measure.width(of: text[end..<next], in: font)
            if length > room { break }
            end = next
        }
        return text[..<end]
    }

    private func tail(_ text: Substring, room: Double) -> Substring {
        var (start, length) = (text.endIndex, 0.0)
        while start > text.startIndex {
            let next = text.index(before: start)
            length += measure.width(of: text[next..<start], in: font)
            if length > room { break }
            start = next
        }
        return text[start...]
    }
}
