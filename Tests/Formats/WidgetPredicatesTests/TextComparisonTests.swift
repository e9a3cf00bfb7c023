import FoundationEssentials
import Testing
import WidgetTestSupport

@testable import WidgetPredicates

/// Goal: texts compare as Unicode and Foundation's options say. Method: a table of pairs, and properties of random
/// ones.
@Suite struct `Comparing texts` {
    static let rows = TextTable.rows("texts.tsv")

    @Test func `Comparing texts follows every row of the table`() {
        #expect(Self.rows.count >= 150)
        for row in Self.rows {
            guard row.count == 5 else {
                Issue.record("a row of \(row.count) columns: \(row)")
                continue
            }
            #expect(answer(to: row) == row[2], "\(row)")
        }
    }

    private func answer(to row: [String]) -> String {
        let comparison = TextComparison(letters: row[1])
        let yes = { (holds: Bool) in holds ? "yes" : "no" }
        return switch row[0] {
        case "equals": yes(comparison.areEqual(row[3], row[4]))
        case "begins": yes(comparison.hasPrefix(row[3], row[4]))
        case "ends": yes(comparison.hasSuffix(row[3], row[4]))
        case "contains": yes(comparison.contains(row[3], row[4]))
        case "order": "\(comparison.compare(row[3], row[4]).signum())"
        default: "unknown operation"
        }
    }

    @Test(arguments: ["-", "c", "d", "cd", "n", "ct", "cl"])
    func `Comparing random texts gives consistent results`(letters: String) {
        let comparison = TextComparison(letters: letters)
        var random = SeededGenerator(seed: 20_261_121)
        for _ in 0..<2_000 {
            let text = randomText(&random)
            let other = randomText(&random)
            #expect(comparison.areEqual(text, text) && comparison.contains(text, text))
            #expect(comparison.areEqual(text, other) == comparison.areEqual(other, text))
            #expect(comparison.compare(text, other).signum() == -comparison.compare(other, text).signum())
            // A syllable or an accent at the joint would merge two characters into one.
            let whole = text + " " + other
            #expect(comparison.hasPrefix(whole, text) && comparison.contains(whole, text), "\(whole), \(text)")
            #expect(!comparison.hasPrefix(text, other) || comparison.contains(text, other), "\(text), \(other)")
            #expect(!comparison.hasSuffix(text, other) || comparison.contains(text, other), "\(text), \(other)")
        }
    }

    @Test(arguments: ["-", "c", "d", "cd", "ct", "cl"])
    func `Comparing bytes gives the same results as comparing folded texts`(letters: String) {
        let comparison = TextComparison(letters: letters)
        var random = SeededGenerator(seed: 20_261_122)
        let marks = ["\u{301}", "\u{323}", "\u{345}", "\u{5B0}", "ι", "ü", "\u{1FB3}", "\u{1161}", "K", ";"]
        for _ in 0..<5_000 {
            let text = randomText(&random, marks, most: 12)
            let part = randomText(&random, marks, most: 3)
            let whole = FoldedText(text, comparison)
            let entries = FoldedText(part, comparison).entries
            let isIn = entries.isEmpty || whole.entries.indices.contains { whole.has(entries, at: $0) }
            #expect(comparison.contains(text, part) == isIn, "\(text), \(part)")
            #expect(FoldedPart(part, comparison).isPart(of: text) == isIn, "\(text), \(part)")
            let other = randomText(&random, marks, most: 12)
            let (first, second) = (whole.entries, FoldedText(other, comparison).entries)
            let scalars = { (entries: [UInt32]) in entries.map { $0 & FoldTable.scalar } }
            #expect(
                (comparison.compare(text, other) < 0) == scalars(first).lexicographicallyPrecedes(scalars(second)),
                "\(text), \(other)")
            #expect((comparison.compare(text, other) == 0) == (scalars(first) == scalars(second)), "\(text), \(other)")
        }
    }

    private func randomText(_ random: inout SeededGenerator, _ more: [String] = [], most: Int = 5) -> String {
        let letters =
            more + [
                "a", "A", "b", "i", "I", "İ", "ı", "e\u{301}", "é", "ß", "Σ", "ς", "각", "\u{1100}\u{1161}", "が", "ᾳ",
                "😀",
            ]
        return (0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test func `Comparing texts accepts any number of marks on one letter`() {
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        #expect(TextComparison().areEqual("e" + marks, "e" + marks))
        #expect(TextComparison(.diacriticInsensitive).areEqual("e" + marks, "e"))
        #expect(!TextComparison().areEqual("e" + marks, "e"))
    }

    @Test func `Searching a repetitive text takes linear time`() {
        let text = String(repeating: "a", count: 200_000)
        let part = String(repeating: "a", count: 100_000) + "b"
        #expect(!TextComparison(.caseInsensitive).contains(text, part))
        #expect(TextComparison(.caseInsensitive).contains(text + "B", part))
    }

    @Test func `Comparing texts follows the languages whose letters fold differently`() {
        for name in ["tr", "tr_TR", "TR-tr", "az", "az-Latn-AZ"] { #expect(TextLocale(identifier: name) == .turkic) }
        for name in ["lt", "lt_LT"] { #expect(TextLocale(identifier: name) == .lithuanian) }
        for name in ["", "en", "de_DE", "trv", "art"] { #expect(TextLocale(identifier: name) == .root) }
    }
}

extension TextComparison {
    /// Options as the tables write them: the letters in brackets, `t` for `[l]` in Turkish and `l` in Lithuanian.
    init(letters: String) {
        var options: TextOptions = []
        if letters.contains("c") { options.insert(.caseInsensitive) }
        if letters.contains("d") { options.insert(.diacriticInsensitive) }
        if letters.contains("n") { options.insert(.normalized) }
        if letters.contains("t") || letters.contains("l") { options.insert(.localeSensitive) }
        self.init(options, locale: letters.contains("t") ? .turkic : letters.contains("l") ? .lithuanian : .root)
    }
}

/// Rows of a table under `Tests/Corpus/predicates`: columns between tabs, and `<HEX>` for a scalar that an editor does
/// not show.
struct TextTable {
    static func rows(_ name: String) -> [[String]] {
        guard let file = Corpus.files(in: "predicates").first(where: { $0.name == name }) else { return [] }
        return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(plain) }
    }

    private static func plain(_ cell: Substring) -> String {
        var plain = String.UnicodeScalarView()
        var rest = cell.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "<", let end = rest.firstIndex(of: ">"), let number = UInt32(String(rest[..<end]), radix: 16),
                let meant = Unicode.Scalar(number)
            {
                plain.append(meant)
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(scalar)
            }
        }
        return String(plain)
    }
}
