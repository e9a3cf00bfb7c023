/// Choices that an input makes: its bytes first, then numbers that follow from all of them, so that a short input makes a
/// whole interface and every byte matters.
struct Choices {
    private let bytes: [UInt8]
    private var place = 0
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        for byte in self.bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// A number from 0 up to a limit, which it does not reach.
    mutating func roll(_ sides: Int) -> Int {
        if place < bytes.count {
            var number = Int(bytes[place])
            place += 1
            if sides > 256, place < bytes.count {
                number = number << 8 | Int(bytes[place])
                place += 1
            }
            return number % sides
        }
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % sides
    }

    mutating func chance(_ share: Int) -> Bool { roll(share) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

    mutating func maybe<Element>(_ share: Int, _ element: (inout Choices) -> Element) -> Element? {
        chance(share) ? element(&self) : nil
    }

    /// Points, mostly of a screen.
    mutating func length() -> Double {
        chance(24) ? pick(Choices.lengths) : Double(roll(1_400) - 200) / 2
    }

    mutating func fraction() -> Double { chance(8) ? pick(Choices.lengths) : Double(roll(201)) / 100 }

    private static let lengths: [Double] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300, -1e12, 1e-300, -0.0, 1e16, 0.1 + 0.2,
    ]

    mutating func text() -> String {
        switch roll(12) {
        case 0: return ownText()
        case 1: return text(of: 4) + text(of: 4)
        case 2: return String(repeating: text(of: Choices.texts.count), count: roll(30))
        case 3: return "e" + String(repeating: "\u{301}", count: roll(4_000))
        default: return text(of: Choices.texts.count)
        }
    }

    private mutating func text(of count: Int) -> String { Choices.texts[roll(min(count, Choices.texts.count))] }

    /// A part of the input as text.
    private mutating func ownText() -> String {
        let count = min(roll(40), bytes.count - min(place, bytes.count))
        let text = String(decoding: bytes[min(place, bytes.count)..<min(place, bytes.count) + count], as: UTF8.self)
        place += count
        return text
    }

    /// Numbers that are no characters, which literals may not have.
    private static let noCharacters = String(
        String.UnicodeScalarView([0xFFFE, 0xFFFF, 0x10FFFF, 0xFDD0].compactMap { Unicode.Scalar(UInt32($0)) }))

    private static let texts = [
        "", "a", " ", "word", "Words that need more than the width of a telephone and fill some lines",
        "<script>alert(1)</script>", "</textarea></title><img src=x onerror=alert(1)>", "]]>--><!--", "\"' onload=\"x",
        "&amp;&lt;&#0;&", "\u{202E}gnp.exe\u{2066}\u{200F}", "\u{0}\u{1B}[31m\u{9F}\u{7F}\u{C}",
        "\n\na\r\nb\r\u{2028}c\u{85}",
        "\u{FEFF}\u{2066}\u{061C}", noCharacters, "日本語の文章🇦🇹👩‍👩‍👧‍👦", "javascript:alert(1)", "//example.org/x",
        "url(//x)}*{color:red", "expression(1)", "@import 'x';", "/* */ { } ;", "\\", "\\0041 \\\"", "%@ $content %K",
        "\u{E0041}\u{E007F}", "\tx\t", "العربية \u{202B}abc", "w f scr hit", "a-1-2", "</style>", "${x}", "a@b.c",
        "1.4@r5",
        "<!DOCTYPE html>", "\u{AD}\u{200B}\u{2060}", "Ünïcödé ﷽", "--tint", "0", "-1", "NaN",
    ]
}
