/// A reader's language and region, as `de_AT` or `zh-Hant-TW`.
package struct ReaderLanguage: Equatable, Sendable {
    private let parts: [String]
    /// In lower case; empty where none is known.
    private let language: String
    /// The script that the text names, or that its language is written in there; `nil` for the usual one.
    private let script: String?

    package init(_ locale: String) {
        parts = locale.split { $0 == "_" || $0 == "-" }.map(String.init)
        let written = parts.first?.lowercased() ?? ""
        let language = ReaderLanguage.renamed[written] ?? written
        self.language = language
        let later = parts.dropFirst().map { $0.lowercased() }
        if let named = later.first(where: { $0.utf8.count == 4 && $0.utf8.allSatisfy { 0x61...0x7A ~= $0 } }) {
            script = named.prefix(1).uppercased() + named.dropFirst()
        } else {
            let isTraditional = later.contains { ReaderLanguage.traditionalRegions.contains($0) }
            script = language == "zh" ? (isTraditional ? "Hant" : "Hans") : nil
        }
    }

    /// The names of what is written for this reader, the best one first: of `de_AT` they are `de-AT`, `de_AT` and `de`.
    package var names: [String] {
        guard let first = parts.first else { return [] }
        var names: [String] = []
        if parts.count > 1 { names += [parts.joined(separator: "-"), parts.joined(separator: "_")] }
        if parts.count > 2 { names.append("\(first)-\(parts[1])") }
        if let script { names.append("\(first)-\(script)") }
        names.append(first)
        if language != first { names.append(language) }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    package var isRightToLeft: Bool {
        guard let script else { return ReaderLanguage.rightToLeft.contains(language) }
        return ReaderLanguage.rightToLeftScripts.contains(script)
    }

    /// Names that languages had before.
    private static let renamed = ["iw": "he", "ji": "yi"]
    private static let traditionalRegions: Set<String> = ["tw", "hk", "mo"]
    private static let rightToLeft: Set<String> = [
        "ar", "arc", "ckb", "dv", "fa", "glk", "he", "ks", "lrc", "mzn", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
    ]
    private static let rightToLeftScripts: Set<String> = [
        "Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa",
    ]
}
