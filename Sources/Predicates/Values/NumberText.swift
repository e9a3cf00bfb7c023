/// Numbers as they are written.
enum NumberText {
    /// Of what follows a `0`.
    static func radix(prefix: UInt8) -> Int? {
        switch prefix | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    /// A digit's value; 99 for what is none.
    static func digit(_ byte: UInt8) -> Int {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x37)
        case 0x61...0x66: Int(byte - 0x57)
        default: 99
        }
    }

    /// A whole number with its prefix, as large as decimals can hold.
    static func integer(_ bytes: ArraySlice<UInt8>) -> PredicateValue? {
        var digits = bytes
        var radix = 10
        if bytes.count > 2, bytes.first == 0x30, let prefix = self.radix(prefix: bytes[bytes.startIndex + 1]) {
            radix = prefix
            digits = bytes.dropFirst(2)
        }
        var value: UInt128 = 0
        for byte in digits {
            let digit = digit(byte)
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: UInt128(radix))
            let (sum, isLarger) = product.addingReportingOverflow(UInt128(digit))
            guard digit < radix, !isTooLarge, !isLarger, sum < DecimalNumber.bound else { return nil }
            value = sum
        }
        return Int64(exactly: value).map { .integer($0) } ?? .decimal(DecimalNumber(significand: value))
    }

    /// A number as people write it, with nothing before or behind it but blanks.
    static func number(_ text: String) -> PredicateValue? {
        var bytes = Array(text.utf8)[...]
        while let last = bytes.last, Tokenizer.isBlank(last) { bytes.removeLast() }
        while let first = bytes.first, Tokenizer.isBlank(first) { bytes.removeFirst() }
        let digits = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes
        guard let first = digits.first, 0x30...0x39 ~= first || first == UInt8(ascii: ".") else { return nil }
        if digits.allSatisfy({ 0x30...0x39 ~= $0 }), let value = integer(digits) {
            return bytes.first == UInt8(ascii: "-") ? value.negated : value
        }
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 || "eE+-.".utf8.contains($0) }) else { return nil }
        return Double(String(decoding: bytes, as: UTF8.self)).map { .double($0) }
    }
}

extension PredicateValue {
    /// `nil` for what is no number.
    var negated: PredicateValue? {
        switch self {
        case .integer(let value):
            value == .min
                ? .decimal(DecimalNumber(significand: UInt128(value.magnitude))) : .integer(-value)
        case .double(let value): .double(-value)
        case .boolean(let value): .integer(value ? -1 : 0)
        case .decimal(let value): value.negated.asValue
        default: nil
        }
    }
}
