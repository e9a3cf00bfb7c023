internal import WidgetBytes

/// Names of languages, such as `de` and `pt-BR`, and what is written in their place.
package enum LanguageName {
    /// A name that is of no language.
    package struct Fault: Equatable, Sendable {
        /// The name that may be meant.
        package var meant: String?
    }

    /// The fault of a name; `nil` for that of a language.
    package static func fault(of name: String) -> Fault? {
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map(String.init)
        let (written, code) = (parts[0], parts[0].lowercased())
        func meaning(_ code: String) -> Fault { Fault(meant: ([code] + parts.dropFirst()).joined(separator: "-")) }
        guard (2...3).contains(written.utf8.count), written.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            let nearest = codes[code] ?? NearestName.of(code, in: codes.keys.sorted(), atMost: 2).flatMap { codes[$0] }
            return nearest.map(meaning) ?? Fault(meant: nil)
        }
        if let meant = slips[code] { return meaning(meant) }
        guard code.utf8.count == 3 || languages.contains(code) else { return Fault(meant: nil) }
        return written == code ? nil : meaning(code)
    }

    /// Codes of countries that are mistaken for those of languages, where no language has them.
    private static let slips = [
        "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "cn": "zh-Hans", "ua": "uk", "gb": "en",
    ]

    /// The names of languages, with their codes.
    private static let codes = [
        "arabic": "ar", "chinese": "zh-Hans", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en",
        "finnish": "fi", "french": "fr", "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi",
        "hungarian": "hu",
        "italian": "it", "japanese": "ja", "korean": "ko", "norwegian": "nb", "persian": "fa", "polish": "pl",
        "portuguese": "pt", "romanian": "ro", "russian": "ru", "spanish": "es", "swedish": "sv", "thai": "th",
        "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
    ]

    /// The codes of two letters of ISO 639, with the older ones that folders have.
    private static let languages = Set(
        ("aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el "
            + "en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is "
            + "it iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml "
            + "mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd "
            + "se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve "
            + "vi vo wa wo xh yi yo za zh zu").split(separator: " ").map(String.init))
}
