import Synchronization
import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: texts take the room that the system gives them. Method: heights that Xcode archived, and widths that follow
/// from the font's own numbers.
@Suite struct `Text metrics` {
    private static func width(_ text: String, _ font: ResolvedFont) -> Double {
        TextMetrics().width(of: text[...], in: font)
    }

    private static func wrapped(
        _ text: String, _ width: Double, most: Int = 0, _ lineBreak: LineBreak = .truncateTail, size: Double = 17
    ) -> (lines: [TextLine], isCut: Bool) {
        TextWrap.lines(
            of: text, in: ResolvedFont(size: size), width: width, most: most, lineBreak: lineBreak,
            measure: TextMetrics())
    }

    @Test(arguments: [(12.0, 14.5), (14, 17), (17, 20.5), (18, 21.5), (19, 23), (24, 29)])
    func `A line is as high as Xcode archived it`(size: Double, height: Double) {
        let exact = ResolvedFont(size: size).height(ofLines: 1)
        #expect((exact * 2).rounded(.up) / 2 == height)
    }

    @Test func `Advances are those of the font at each weight`() {
        // Inter's H: 2,084 of 2,816 units at 400; bold letters are wider, and a scalar has the same advance twice.
        let regular = Self.width("H", ResolvedFont(size: 12))
        let bold = Self.width("H", ResolvedFont(size: 12, weight: 700))
        #expect(abs(regular - 12 * 2_084 / 2_816) < 0.01 && bold > regular)
        #expect(abs(Self.width("HH", ResolvedFont(size: 12)) - 2 * regular) < 0.001)
        for text in ["ž", "Ω", "Ж", "—", "€"] {
            let own = Self.width(text, ResolvedFont(size: 10))
            #expect(own > 2 && own != 10 * TextMetrics.usualAdvance, "\(text) is in the table")
        }
    }

    @Test func `A sign of another font is about as wide as high`() {
        let font = ResolvedFont(size: 100)
        for sign in ["⬆", "♥", "✖"] {
            #expect(
                abs(Self.width(sign, font) - 100 * (TextMetrics.signAdvance + TextMetrics.tracking(at: 100))) < 0.01)
        }
    }

    @Test func `A small triangle is as wide at each size and weight as its page makes it`() {
        for (size, weight) in [(17.0, 400), (33, 400), (33, 700)] {
            for mark in ["▾", "▸"] {
                #expect(Self.width(mark, ResolvedFont(size: size, weight: weight)) == 0.8 * size)
                #expect(TextMetrics.isMark(mark))
            }
        }
        for text in ["", "▾▾", "▾ ", "♥", "a"] { #expect(!TextMetrics.isMark(text), "\(text)") }
    }

    @Test(arguments: [
        ("fog-horn", ["fog-", "horn"]), ("ABCD-1234", ["ABCD-", "1234"]), ("at -1234", ["at", "-1234"]), ("3-", ["3-"]),
    ])
    func `A line ends behind a hyphen, and not behind the sign of a number`(text: String, lines: [String]) {
        let room = lines.map { Self.width($0, ResolvedFont(size: 17)) }.max() ?? 0
        #expect(Self.wrapped(text, room).lines.map(\.text) == lines)
        #expect(text.split(separator: " ").flatMap { TextWrap.parts(of: $0) }.map(String.init) == lines)
    }

    @Test func `Letters of a kerning pair lie closer`() {
        let font = ResolvedFont(size: 12)
        let apart = Self.width("T", font) + Self.width("a", font)
        #expect(Self.width("Ta", font) < apart - 0.5)
        #expect(abs(Self.width("HI", font) - Self.width("H", font) - Self.width("I", font)) < 0.001)
    }

    @Test(arguments: [
        (11.0, 0.0), (12, 0), (13, -6), (16.5, -21), (17, -22), (20, -26), (22, -32.5), (24, -39), (40, -39),
    ])
    func `Tracking follows the size`(size: Double, thousandths: Double) {
        #expect(abs(TextMetrics.tracking(at: size) * 1_000 - thousandths) < 0.001)
    }

    /// Counts the characters that are measured.
    private final class CountedWidths: TextMeasure {
        private let sum = Mutex(0)
        var count: Int { sum.withLock { $0 } }

        func width(of text: Substring, in font: ResolvedFont) -> Double {
            sum.withLock { $0 += text.count }
            return Double(text.count) * 10
        }
    }

    @Test(arguments: [5.0, 25, 400])
    func `A word that is longer than its line is measured once, and not for every line`(width: Double) {
        let counted = CountedWidths()
        let text = String(repeating: "w", count: 20_000)
        let wrapped = TextWrap.lines(
            of: text, in: ResolvedFont(size: 17), width: width, most: 0, lineBreak: .wordWrap, measure: counted)
        #expect(wrapped.lines.map(\.text).joined() == text)
        #expect(wrapped.lines.dropLast().allSatisfy { $0.width > width - 10 && $0.width <= max(width, 10) })
        #expect(counted.count < text.count * 60, "\(counted.count)")
    }

    @Test func `Scalars outside of the table take the room of their block`() {
        let font = ResolvedFont(size: 10)
        #expect(Self.width("日", font) == 10)
        #expect(Self.width("\u{5D0}", font) == 10 * TextMetrics.usualAdvance)
        #expect(Self.width("e\u{301}\u{200B}", font) == Self.width("e", font))
        #expect(Self.width(String(repeating: "\u{301}", count: 4_000), font) == 0)
    }

    @Test(arguments: Viewport.TextSize.allCases)
    func `A text style grows with the reader's setting`(setting: Viewport.TextSize) {
        for style in TextStyle.allCases {
            let own = ResolvedFont(FontRequest(size: 1, style: style), at: setting).size
            #expect(own == style.size(at: setting))
        }
        let plain = ResolvedFont(FontRequest(size: 10), at: setting).size
        #expect(abs(plain - 10 * TextStyle.body.size(at: setting) / 17) < 0.001)
    }

    @Test func `A text style has the size that the system documents`() {
        #expect(TextStyle.body.size(at: .large) == 17 && TextStyle.body.size(at: .accessibility5) == 53)
        #expect(TextStyle.caption2.size(at: .extraSmall) == 11 && TextStyle.largeTitle.size(at: .large) == 34)
    }

    // MARK: - Lines

    @Test func `A text breaks between words and loses none`() {
        let text = "The quick brown fox jumps over the lazy dog"
        let (lines, isCut) = Self.wrapped(text, 100)
        #expect(lines.count > 3 && !isCut && lines.allSatisfy { $0.width <= 100.01 })
        #expect(lines.map(\.text).joined(separator: " ") == text)
    }

    @Test func `A word that is longer than a line breaks within`() {
        let text = "Donaudampfschifffahrtsgesellschaft"
        let (lines, _) = Self.wrapped(text, 60)
        #expect(lines.count > 3 && lines.map(\.text).joined() == text && lines.allSatisfy { $0.width <= 60.01 })
        #expect(Self.wrapped("abc", 0).lines.count == 3)
        #expect(Self.wrapped("日本語のテキスト", 40).lines.map(\.text) == ["日本", "語の", "テキ", "スト"])
    }

    @Test func `Paragraphs begin new lines`() {
        #expect(Self.wrapped("a\nb\r\n\nc", .infinity).lines.map(\.text) == ["a", "b", "", "c"])
        #expect(Self.wrapped("a\nb", .infinity, most: 1).isCut)
        #expect(Self.wrapped("", 100).lines.count == 1)
    }

    @Test(arguments: [
        (LineBreak.truncateTail, "The ", "…"), (.truncateHead, "…", " dog"), (.truncateMiddle, "Th", "og"),
        (.clip, "The q", ""),
    ])
    func `A text that is too long is shortened where its author chose`(
        lineBreak: LineBreak, start: String, end: String
    ) {
        let (lines, isCut) = Self.wrapped("The quick brown fox jumps over the lazy dog", 56, most: 1, lineBreak)
        let shown = lines.first?.text ?? ""
        #expect(isCut && lines.count == 1 && shown.hasPrefix(start) && shown.hasSuffix(end) && shown.count < 12)
        #expect(lines[0].width <= 56 && shown.contains("…") == (lineBreak != .clip))
    }

    @Test func `The last of several lines is shortened`() {
        let (lines, isCut) = Self.wrapped("The quick brown fox jumps over the lazy dog", 80, most: 2)
        #expect(isCut && lines.count == 2 && lines[0].text == "The quick" && lines[1].text.hasSuffix("…"))
    }
}
