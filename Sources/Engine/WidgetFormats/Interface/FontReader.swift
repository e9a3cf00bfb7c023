internal import WidgetCore
internal import WidgetNib

/// Reads fonts. An archive has a font by its PostScript name; the system's also by their purpose or style.
struct FontReader {
    private var known: [NibPlace: FontRequest?] = [:]

    mutating func font(_ key: String, of element: NibElement) -> FontRequest? {
        guard let font = element.element(key) else { return nil }
        return self.font(font)
    }

    mutating func font(_ element: NibElement) -> FontRequest? {
        let place = NibPlace(element)
        if let font = known[place] { return font }
        let font = NibFont(element).map { FontReader.request($0) }
        known.updateValue(font, forKey: place)
        return font
    }

    private static let sizes = 1.0...1000
    /// No system has a font with a longer name; its own is shown instead.
    private static let nameByteCount = 63

    static func request(_ font: NibFont) -> FontRequest {
        let isSystem = font.isSystem || font.name.isEmpty || font.name.hasPrefix(".")
        let parts = font.name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: true)
        let face = parts.count > 1 ? parts[1].lowercased() : ""
        let usage = font.usageOverride ?? font.usage
        var weight = usage.flatMap { usages[$0] }
        var request = FontRequest(size: font.pointSize.limited(to: sizes))
        if let name = font.textStyle, let (style, size, usual) = style(name) {
            request.style = style
            request.size = size
            weight = weight ?? usual
        }
        request.weight =
            weight ?? FontReader.weight(ofFace: face, isSystem: isSystem) ?? (font.isBold ? 700 : 400)
        request.isItalic =
            font.isItalic || usage == "CTFontObliqueUsage" || ["italic", "oblique"].contains { face.contains($0) }
        request.isMonospaced = font.isMonospaced || monospaced.contains { font.name.contains($0) }
        let name = isSystem ? nil : font.familyName ?? family(String(parts.first ?? ""))
        if let name, name.utf8.count <= nameByteCount { request.family = name }
        return request
    }

    // MARK: - Weights

    private static let usages = [
        "CTFontUltraLightUsage": 100, "CTFontThinUsage": 200, "CTFontLightUsage": 300, "CTFontRegularUsage": 400,
        "CTFontMediumUsage": 500, "CTFontDemiUsage": 600, "CTFontEmphasizedUsage": 700, "CTFontBoldUsage": 700,
        "CTFontHeavyUsage": 800, "CTFontBlackUsage": 900,
    ]

    /// Words of faces, of which the first that occurs counts: those that contain others come first.
    private static let faces: [(word: String, weight: Int)] = [
        ("ultralight", 200), ("extralight", 200), ("semibold", 600), ("demibold", 600), ("extrabold", 800),
        ("ultrabold", 800), ("heavy", 800), ("black", 900), ("demi", 600), ("medium", 500), ("bold", 700),
        ("thin", 100), ("light", 300), ("book", 400), ("regular", 400), ("roman", 400),
    ]

    /// The system's two lightest weights are the other way round.
    private static let systemFaces = ["ultralight": 100, "thin": 200]

    private static func weight(ofFace face: String, isSystem: Bool) -> Int? {
        guard let (word, weight) = faces.first(where: { face.contains($0.word) }) else { return nil }
        return isSystem ? systemFaces[word] ?? weight : weight
    }

    private static let monospaced = ["Mono", "Courier", "Menlo"]

    // MARK: - Styles

    private static let styles: [String: (style: TextStyle, size: Double, weight: Int?)] = [
        "Title0": (.largeTitle, 34, nil), "Title1": (.title1, 28, nil), "Title2": (.title2, 22, nil),
        "Title3": (.title3, 20, nil), "Headline": (.headline, 17, 600), "Body": (.body, 17, nil),
        "Callout": (.callout, 16, nil), "Subhead": (.subheadline, 15, nil), "Footnote": (.footnote, 13, nil),
        "Caption1": (.caption1, 12, nil), "Caption2": (.caption2, 11, nil),
    ]

    private static let stylePrefix = "UICTFontTextStyle"
    private static let emphasis = "Emphasized"

    /// Returns the style of a name such as `UICTFontTextStyleEmphasizedBody`, with its size at the standard setting.
    private static func style(_ name: String) -> (TextStyle, Double, Int?)? {
        guard name.hasPrefix(stylePrefix) else { return nil }
        let rest = name.dropFirst(stylePrefix.count)
        let isEmphasized = rest.hasPrefix(emphasis)
        guard let found = styles[String(isEmphasized ? rest.dropFirst(emphasis.count) : rest)] else { return nil }
        return (found.style, found.size, isEmphasized ? 700 : found.weight)
    }

    // MARK: - Families

    /// Families whose PostScript names are not their names written as one word.
    private static let families = [
        "ArialMT": "Arial", "TimesNewRomanPSMT": "Times New Roman", "TimesNewRomanPS": "Times New Roman",
        "CourierNewPSMT": "Courier New", "CourierNewPS": "Courier New", "TrebuchetMS": "Trebuchet MS",
        "ComicSansMS": "Comic Sans MS", "GillSans": "Gill Sans", "AppleSDGothicNeo": "Apple SD Gothic Neo",
        "PingFangSC": "PingFang SC", "PingFangTC": "PingFang TC", "PingFangHK": "PingFang HK",
        "HiraginoSans": "Hiragino Sans", "HiraMinProN": "Hiragino Mincho ProN", "STHeitiSC": "Heiti SC",
        "SnellRoundhand": "Snell Roundhand", "BradleyHandITCTT": "Bradley Hand", "HoeflerText": "Hoefler Text",
    ]

    /// The longest PostScript name, as Adobe's note 5902 has it.
    private static let longestName = 63

    /// Returns `Helvetica Neue` for `HelveticaNeue`.
    private static func family(_ name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= longestName else { return nil }
        if let family = families[name] { return family }
        var family = ""
        var isAfterSmall = false
        for letter in name {
            if letter.isUppercase, isAfterSmall { family += " " }
            family.append(letter)
            isAfterSmall = letter.isLowercase
        }
        return family
    }
}
