/// A number exactly as the document wrote it.
///
/// RFC 8259 §6 leaves range and precision to the reader; this one gives no digit away.
package struct JSONNumber: Sendable {
    /// The number's text, of the form RFC 8259 §6 allows.
    package let text: String

    init(validated text: String) {
        self.text = text
    }

    package init(_ value: Int64) {
        text = String(value)
    }

    /// `nil` for the values JSON cannot write.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// The value when it is written as a whole number (no fraction, no exponent) and fits.
    package var integer: Int64? { Int64(text) }

    /// The value when it is a whole number that fits, however it is written; with a fraction or an exponent, only up to the
    /// largest that doubles count to.
    package var whole: Int64? {
        if let integer { return integer }
        guard let double, double.magnitude <= 0x1p53, let value = Int64(exactly: double), self == JSONNumber(value)
        else {
            return nil
        }
        return value
    }

    /// The nearest double; `nil` when the number is beyond the largest.
    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: Equatable {
    /// Equal when both denote the same number, compared exactly: `1.0`, `1` and `10e-1` are equal,
    /// 9007199254740993 and 9007199254740992 are not.
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text == right.text { return true }
        guard let first = Decimal(left.text), let second = Decimal(right.text) else { return false }
        return first == second
    }

    /// Digits without zeros at either end, and the power of ten of the last digit.
    private struct Decimal: Equatable {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0

        /// `nil` when the exponent is beyond counting; such numbers equal only their own spelling.
        init?(_ text: String) {
            var fractionCount = 0
            var isFraction = false
            var exponentText: Substring?
            for (index, byte) in zip(text.utf8.indices, text.utf8) {
                switch byte {
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"): exponentText = text[text.utf8.index(after: index)...]
                default:
                    digits.append(byte)
                    if isFraction { fractionCount += 1 }
                }
                if exponentText != nil { break }
            }
            digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
            guard !digits.isEmpty else {
                isNegative = false
                return
            }
            if let exponentText {
                guard let value = Int32(exponentText) else { return nil }
                exponent = Int(value)
            }
            exponent -= fractionCount
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
        }
    }
}
