import Arguments

/// A value as a source gave it, before anyone has asked what it should be.
indirect enum FoundValue: Equatable, Sendable {
    /// From a flag or a variable, where everything is text.
    case text(String)
    /// From a file, where kinds are visible.
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case null
    case array([FoundValue])
    case object

    /// Text of either origin.
    var characters: String? {
        switch self {
        case .text(let text), .string(let text): text
        default: nil
        }
    }

    /// A whole number, also when it is written `1e3` in a file or as digits in a variable.
    var wholeNumber: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .text(let text): FoundValue.digits(text)
        default: nil
        }
    }

    /// A number made of ASCII digits only: no sign, no space.
    static func digits(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// How a message shows it.
    var shown: String {
        switch self {
        case .text(let text), .string(let text): QuotedText.of(text)
        case .integer(let number): String(number)
        case .number(let number): number.description
        case .boolean(let answer): String(answer)
        case .null: "null"
        case .array: "a list"
        case .object: "a group of settings"
        }
    }
}
