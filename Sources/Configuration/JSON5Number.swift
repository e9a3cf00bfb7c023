/// Numbers of JSON5: decimal with point and exponent, hexadecimal, `Infinity`, `NaN`, with or without a sign.
enum JSON5Number {
    static func parse(_ text: String) -> FoundValue? {
        let isNegative = text.hasPrefix("-")
        let magnitude = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if magnitude == "Infinity" { return .number(isNegative ? -.infinity : .infinity) }
        if magnitude == "NaN" { return .number(.nan) }
        if magnitude.hasPrefix("0x") || magnitude.hasPrefix("0X") {
            let digits = magnitude.dropFirst(2)
            guard digits.allSatisfy(\.isHexDigit), let number = Int64(digits, radix: 16) else { return nil }
            return .integer(isNegative ? -number : number)
        }
        guard isDecimal(magnitude) else { return nil }
        if let number = FoundValue.digits(magnitude) { return .integer(isNegative ? -number : number) }
        return Double(String(magnitude)).map { .number(isNegative ? -$0 : $0) }
    }

    /// Digits with at most one point and an exponent; no leading zero before another digit.
    private static func isDecimal(_ text: Substring) -> Bool {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        if parts.count == 2 {
            let exponent = parts[1].hasPrefix("+") || parts[1].hasPrefix("-") ? parts[1].dropFirst() : parts[1]
            guard isDigits(exponent), !exponent.isEmpty else { return false }
        }
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = mantissa.first, mantissa.allSatisfy(isDigits), mantissa.contains(where: { !$0.isEmpty })
        else {
            return false
        }
        return whole.count < 2 || !whole.hasPrefix("0")
    }

    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
