/// A decimal number of up to 38 digits: sign, digits and a power of ten. Zeros at the end are not kept.
package struct DecimalNumber: Equatable, Sendable {
    package let isNegative: Bool
    package let significand: UInt128
    package let exponent: Int

    /// The first number with 39 digits.
    static let bound = powers[38]

    static let powers: [UInt128] = (0...38).map { exponent in (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// How far the power of ten may reach on either side.
    private static let largestExponent = 127

    /// - Parameter significand: below ``bound``.
    package init(isNegative: Bool = false, significand: UInt128, exponent: Int = 0) {
        var (digits, power) = (significand, exponent)
        while digits != 0, digits.isMultiple(of: 10) {
            digits /= 10
            power += 1
        }
        self.isNegative = isNegative && digits != 0
        self.significand = digits
        self.exponent = digits == 0 ? 0 : power
    }

    package init(_ value: Int64) {
        self.init(isNegative: value < 0, significand: UInt128(value.magnitude))
    }

    /// The shortest decimal that reads as this number; `nil` when it is none, or too large.
    package init?(_ value: Double) {
        self.init(value.description)
    }

    /// The power of ten that a text may name is below this; the range is far narrower.
    private static let powerLimit = 1_000

    /// Digits with at most one point, and perhaps a sign and a power of ten; `nil` for anything else.
    package init?(_ text: String) {
        var digits: UInt128 = 0
        var (exponent, written) = (0, 0)
        var (isNegative, hasPoint, hasDigit) = (false, false, false)
        var bytes = Array(text.utf8)[...]
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            bytes.removeFirst()
        }
        while let byte = bytes.first, byte | 0x20 != UInt8(ascii: "e") {
            bytes.removeFirst()
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard 0x30...0x39 ~= byte else { return nil }
            hasDigit = true
            if digits < DecimalNumber.powers[37] {
                digits = digits * 10 + UInt128(byte - 0x30)
                exponent -= hasPoint ? 1 : 0
            } else {
                exponent += hasPoint ? 0 : 1
            }
        }
        if !bytes.isEmpty {
            guard let power = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)),
                abs(power) < DecimalNumber.powerLimit
            else {
                return nil
            }
            written = power
        }
        self.init(isNegative: isNegative, significand: digits, exponent: exponent + written)
        guard hasDigit, isInRange else { return nil }
    }

    var isInRange: Bool { abs(exponent) <= DecimalNumber.largestExponent }

    var negated: DecimalNumber {
        DecimalNumber(isNegative: !isNegative, significand: significand, exponent: exponent)
    }

    /// An integer when it is one; else itself.
    var asValue: PredicateValue { integer.map { .integer($0) } ?? .decimal(self) }

    /// `nil` unless it is whole and fits.
    package var integer: Int64? {
        guard exponent >= 0, exponent < 19 else { return significand == 0 ? 0 : nil }
        let (product, isTooLarge) = significand.multipliedReportingOverflow(by: DecimalNumber.powers[exponent])
        guard !isTooLarge, product <= 1 << 63 else { return nil }
        return isNegative ? Int64(exactly: -Int128(product)) : Int64(exactly: product)
    }

    package var double: Double { Double(description) ?? .nan }
}

extension DecimalNumber: CustomStringConvertible {
    /// All its digits, without a power of ten unless there are very many zeros.
    package var description: String {
        let sign = isNegative ? "-" : ""
        let digits = String(significand)
        guard exponent < 0 else {
            return exponent > 40
                ? "\(sign)\(digits)e\(exponent)" : sign + digits + String(repeating: "0", count: exponent)
        }
        let fraction = -exponent
        guard fraction < digits.utf8.count else {
            return fraction > 60
                ? "\(sign)\(digits)e\(exponent)"
                : "\(sign)0.\(String(repeating: "0", count: fraction - digits.utf8.count))\(digits)"
        }
        return "\(sign)\(digits.dropLast(fraction)).\(digits.suffix(fraction))"
    }
}
