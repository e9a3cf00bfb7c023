import Arguments
import Files
import JSONText
import Zip

/// Why an archive was refused, as words.
enum ZipSentence {
    /// The reason's name and what it carries: `trailingData(byteCount: 3)`.
    static func reason(_ error: ZipError) -> String {
        if case .file(let failure) = error.reason { return "\(failure)" }
        return withoutTypes("\(error.reason)")
    }

    /// The reason's name alone, for programs.
    static func code(_ error: ZipError) -> String {
        String("\(error.reason)".prefix { $0 != "(" })
    }

    static func of(_ error: ZipError) -> String {
        var sentence = reason(error)
        if let entry = error.entry { sentence += ", entry \(QuotedText.of(entry))" }
        if let offset = error.offset { sentence += ", offset \(offset)" }
        return sentence
    }

    static func verdict(_ error: ZipError) -> String {
        var text = "reject\nreason  \(QuotedText.plain(reason(error)))\n"
        if let entry = error.entry { text += "entry   \(QuotedText.plain(entry))\n" }
        if let offset = error.offset { text += "offset  \(offset)\n" }
        return text
    }

    static func json(_ error: ZipError) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("verdict", "reject")
            writer.member("reason", code(error))
            writer.member("detail", reason(error))
            if let entry = error.entry { writer.member("entry", entry) }
            if let offset = error.offset { writer.member("offset", offset) }
        }
        return writer.finish()
    }

    /// Outside of quotations, `Module.Type.case` becomes `case`.
    private static func withoutTypes(_ text: String) -> String {
        var result = ""
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character.isLetter || character.isNumber || character == "." {
                word.append(character)
            } else {
                result += lastComponent(word) + String(character)
                word = ""
            }
        }
        return result + lastComponent(word)
    }

    private static func lastComponent(_ word: String) -> String {
        word.split(separator: ".").last.map(String.init) ?? word
    }
}
