/// A decimal number of up to 38 digits: sign, digits and a power of ten. Zeros at the end are not kept.
package struct DecimalNumber: Equatable, Sendable {
    package let isNegative: Bool
    package let significand: UInt128
    package let exponent: Int

    /// The first number with 39 digits.
    static let bound = powers[38]

    static let powers: [UInt128] = (0...38).map { exponent in (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// The largest power of ten; its negative is the smallest.
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

    /// The shortest decimal that reads as this number; `nil` for infinities, NaN and numbers out of range.
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
                (-DecimalNumber.powerLimit...DecimalNumber.powerLimit).contains(power)
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

extension DecimalNumber {
    // Each is `nil` when the result is beyond the range of decimals.

    func plus(_ other: DecimalNumber) -> DecimalNumber? {
        if significand == 0 { return other }
        if other.significand == 0 { return self }
        let (first, second, exponent) = DecimalNumber.aligned(self, other)
        if isNegative == other.isNegative {
            return DecimalNumber.rounded(isNegative, high: 0, low: first + second, exponent)
        }
        return first >= second
            ? DecimalNumber.rounded(isNegative, high: 0, low: first - second, exponent)
            : DecimalNumber.rounded(other.isNegative, high: 0, low: second - first, exponent)
    }

    func minus(_ other: DecimalNumber) -> DecimalNumber? { plus(other.negated) }

    func times(_ other: DecimalNumber) -> DecimalNumber? {
        let product = significand.multipliedFullWidth(by: other.significand)
        return DecimalNumber.rounded(
            isNegative != other.isNegative, high: product.high, low: product.low, exponent + other.exponent)
    }

    /// - Parameter other: not zero.
    func divided(by other: DecimalNumber) -> DecimalNumber? {
        guard other.significand != 0 else { return nil }
        for power in (0...38).reversed() {
            let scaled = significand.multipliedFullWidth(by: DecimalNumber.powers[power])
            guard scaled.high < other.significand else { continue }
            let (quotient, remainder) = other.significand.dividingFullWidth(scaled)
            let isUp = remainder >= other.significand - remainder
            guard quotient < DecimalNumber.bound else { continue }
            return DecimalNumber.rounded(
                isNegative != other.isNegative, high: 0, low: quotient + (isUp ? 1 : 0),
                exponent - other.exponent - power)
        }
        return nil
    }

    /// Towards zero.
    var truncated: DecimalNumber {
        guard exponent < 0 else { return self }
        guard exponent > -39 else { return DecimalNumber(significand: 0) }
        return DecimalNumber(isNegative: isNegative, significand: significand / DecimalNumber.powers[-exponent])
    }

    static func < (first: DecimalNumber, second: DecimalNumber) -> Bool {
        if first.isNegative != second.isNegative { return first.isNegative }
        let isSmaller = isSmaller(first, second)
        return first.isNegative ? !isSmaller && first != second : isSmaller
    }

    /// The order of the magnitudes. Trailing zeros are removed, so the count of digits decides most cases.
    private static func isSmaller(_ first: DecimalNumber, _ second: DecimalNumber) -> Bool {
        if first.significand == 0 || second.significand == 0 {
            return second.significand != 0 && first.significand == 0
        }
        let lengths = (first.digitCount + first.exponent, second.digitCount + second.exponent)
        if lengths.0 != lengths.1 { return lengths.0 < lengths.1 }
        let scale = (38 - first.digitCount, 38 - second.digitCount)
        return first.significand * powers[scale.0] < second.significand * powers[scale.1]
    }

    private var digitCount: Int { DecimalNumber.powers.firstIndex { significand < $0 } ?? 38 }

    /// Both over the same power of ten. The smaller loses the digits that do not fit.
    private static func aligned(
        _ first: DecimalNumber, _ second: DecimalNumber
    ) -> (first: UInt128, second: UInt128, exponent: Int) {
        guard first.exponent >= second.exponent else {
            let (other, one, exponent) = aligned(second, first)
            return (one, other, exponent)
        }
        let room = min(38 - first.digitCount, first.exponent - second.exponent)
        let exponent = first.exponent - room
        let lost = exponent - second.exponent
        return (
            first.significand * powers[room], lost > 38 ? 0 : divided(second.significand, by: powers[lost]), exponent
        )
    }

    private static func divided(_ value: UInt128, by power: UInt128) -> UInt128 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: power)
        return quotient + (power > 1 && remainder >= power / 2 ? 1 : 0)
    }

    /// The nearest number of 38 digits.
    private static func rounded(_ isNegative: Bool, high: UInt128, low: UInt128, _ exponent: Int) -> DecimalNumber? {
        var result: DecimalNumber?
        if high == 0, low < bound {
            result = DecimalNumber(isNegative: isNegative, significand: low, exponent: exponent)
        } else {
            for power in 1...38 where high < powers[power] {
                let (quotient, remainder) = powers[power].dividingFullWidth((high, low))
                guard quotient < bound else { continue }
                let up: UInt128 = remainder >= powers[power] / 2 ? 1 : 0
                result = DecimalNumber(isNegative: isNegative, significand: quotient + up, exponent: exponent + power)
                break
            }
        }
        guard let result, result.isInRange else { return nil }
        return result
    }
}
