internal import Plist

/// Decimal numbers in archives: up to eight 16-bit digits, an exponent of ten, a sign.
enum DecimalArchive {
    static let classNames = ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]

    /// The number as text; `nil` when the object is no decimal number.
    static func text(_ object: KeyedObject) -> String? {
        guard let digits = object["NS.mantissa"]?.data, digits.count == 16,
            let exponent = object["NS.exponent"]?.integer, (-128...127).contains(exponent)
        else { return nil }
        let length = object["NS.length"]?.integer ?? 8
        let isNegative = object["NS.negative"]?.boolean ?? false
        guard (0...8).contains(length) else { return nil }
        if length == 0 { return isNegative ? "NaN" : "0" }
        let isBigEndian = object["NS.mantissa.bo"]?.integer == 2
        var mantissa: UInt128 = 0
        for position in (0..<Int(length)).reversed() {
            let (first, second) = (UInt128(digits[position * 2]), UInt128(digits[position * 2 + 1]))
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return (isNegative ? "-" : "") + text(mantissa, exponent: Int(exponent))
    }

    private static func text(_ mantissa: UInt128, exponent: Int) -> String {
        var digits = String(mantissa)
        if exponent >= 0 { return mantissa == 0 ? "0" : digits + String(repeating: "0", count: exponent) }
        if digits.count <= -exponent { digits = String(repeating: "0", count: -exponent - digits.count + 1) + digits }
        return "\(digits.dropLast(-exponent)).\(digits.suffix(-exponent))"
    }

    /// The fields of an archived number; `nil` when the text is no decimal number that fits.
    static func fields(_ text: String) -> [(String, PlistValue)]? {
        var digits = text[...]
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        let whole = (parts.first ?? "") + fraction
        guard !whole.isEmpty, whole.utf8.allSatisfy({ (0x30...0x39).contains($0) }), fraction.count <= 128,
            var mantissa = UInt128(whole)
        else { return nil }
        var bytes: [UInt8] = []
        var length: Int64 = 0
        for position in 0..<Int64(8) {
            let digit = UInt16(truncatingIfNeeded: mantissa)
            bytes += [UInt8(truncatingIfNeeded: digit), UInt8(truncatingIfNeeded: digit >> 8)]
            if digit != 0 { length = position + 1 }
            mantissa >>= 16
        }
        return [
            ("NS.mantissa", .data(bytes)), ("NS.exponent", .integer(Int64(-fraction.count))),
            ("NS.length", .integer(length)), ("NS.negative", .boolean(isNegative && length > 0)),
            ("NS.compact", .boolean(true)), ("NS.mantissa.bo", .integer(1)),
        ]
    }
}
