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

    /// Of the sizes without the signs. Zeros at the end are gone, so the count of digits tells most of it.
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

    /// Both over the same power of ten; the smaller loses digits where there is no room for them.
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
