/// A decimal number of up to 38 digits: sign, digits and a power of ten.
package struct DecimalNumber: Sendable {
    package let isNegative: Bool
    package let significand: UInt128
    package let exponent: Int

    package init(isNegative: Bool = false, significand: UInt128, exponent: Int = 0) {
        self.isNegative = isNegative
        self.significand = significand
        self.exponent = exponent
    }
}
