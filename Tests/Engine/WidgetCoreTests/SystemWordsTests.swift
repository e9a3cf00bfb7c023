import Testing

@testable import WidgetCore

/// Goal: a reader gets all words of the system in one language. Method: the file of words against the list of them.
@Suite struct SystemWordsTests {
    private static let file = WordFile.shared

    /// The places of values in a text, such as `$name`.
    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\$[a-z]+/).map { String($0.0) })
    }

    private static func section(_ language: String) -> [String: String] {
        Dictionary((file.lines(language) ?? []).map { ($0.name, $0.text) }) { first, _ in first }
    }

    @Test func `The file has ten languages and more, and nothing but their words`() {
        #expect(Self.file.faults == [])
        #expect(
            Set(Self.file.languages).isSuperset(of: ["ar", "de", "en", "es", "fr", "he", "it", "ja", "pt", "zh-Hans"]))
        #expect(Set(Self.file.languages).count == Self.file.languages.count)
    }

    @Test(arguments: file.languages) func `A language has every word once, and no other`(language: String) {
        let names = (Self.file.lines(language) ?? []).map(\.name)
        #expect(SystemWord.allCases.map(\.rawValue).filter { !names.contains($0) } == [], "missing in [\(language)]")
        #expect(names.filter { SystemWord(rawValue: $0) == nil } == [], "unknown in [\(language)]")
        #expect(names.count == Set(names).count, "written twice in [\(language)]")
    }

    @Test(arguments: file.languages) func `A text has the places of the English one`(
        language: String
    ) {
        for (name, text) in Self.section(language) {
            let wanted = Self.places(Self.section("en")[name] ?? "")
            #expect(Self.places(text) == wanted, "\(name) in [\(language)]")
            #expect(!text.isEmpty && text.allSatisfy { !$0.isNewline }, "\(name) in [\(language)]")
        }
    }

    @Test(arguments: [
        ("", "en"), ("en_US", "en"), ("xx", "en"), ("../de", "en"), ("de", "de"), ("de_AT", "de"), ("de-CH", "de"),
        ("pt_BR", "pt"), ("zh", "zh-Hans"), ("zh_CN", "zh-Hans"), ("zh-Hans-SG", "zh-Hans"), ("zh_TW", "en"),
        ("zh-Hant-HK", "en"), ("iw_IL", "he"), ("he", "he"), ("ar-EG", "ar"), ("fa", "en"),
    ]) func `The words are those of the language that suits a reader best`(locale: String, language: String) {
        #expect(SystemWords(locale).language == language)
    }

    @Test func `A word that a language lacks is English`() {
        let file = WordFile("[xx]\n# A remark.\nback = Kcab\nnothing here\n")
        #expect(file.texts("xx") == [.back: "Kcab"])
        #expect(file.faults == [WordFile.Fault(line: 4, text: "nothing here")])
        #expect(SystemWords("xx", file)[.back] == "Kcab" && SystemWords("xx", file)[.cancel] == "Cancel")
    }

    @Test func `Values take their places in a sentence`() {
        #expect(SystemWords("de")[.moreRowsShown, ["shown": "2", "count": "9"]] == "Weitere Zeilen (2 von 9 zu sehen)")
    }

    @Test(arguments: [
        ("ar", true), ("ar_EG", true), ("he-IL", true), ("iw", true), ("fa", true), ("ur_PK", true), ("ps", true),
        ("ckb", true), ("az-Arab", true), ("ur-Latn", false), ("", false), ("en", false), ("de_AT", false),
        ("zh_TW", false), ("arn", false),
    ]) func `Languages that are written from right to left are known`(locale: String, isRightToLeft: Bool) {
        #expect(ReaderLanguage(locale).isRightToLeft == isRightToLeft)
    }

    @Test(arguments: [
        ("de_AT", ["de-AT", "de_AT", "de"]), ("de", ["de"]), ("", []), ("zh_CN", ["zh-CN", "zh_CN", "zh-Hans", "zh"]),
        ("zh-Hant-TW", ["zh-Hant-TW", "zh_Hant_TW", "zh-Hant", "zh"]), ("iw_IL", ["iw-IL", "iw_IL", "iw", "he"]),
    ]) func `What is written for a reader is looked for under several names`(locale: String, names: [String]) {
        #expect(ReaderLanguage(locale).names == names)
    }
}
