/// Numbers as they are written.
enum NumberText {
    /// The radix that the letter after a `0` gives.
    static func radix(prefix: UInt8) -> Int? {
        switch prefix | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    /// The value of a digit; 99 for any other byte.
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

    /// A number as people write it, with only blanks around it.
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
    /// `nil` unless the value is a number.
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

extension PredicateValue {
    /// The value as another type; `nil` if that is impossible. `.null` stays `.null`.
    func cast(to type: CastType) -> PredicateValue? {
        if isNull { return .null }
        switch type {
        case .string: return text.map { .string($0) }
        case .number:
            switch self {
            case .boolean, .integer, .double, .decimal: return self
            case .string(let text): return NumberText.number(text)
            case .date(let seconds): return .double(seconds)
            default: return nil
            }
        case .decimal:
            switch self {
            case .string(let text): return DecimalNumber(text).map { .decimal($0) }
            case .date(let seconds): return DecimalNumber(seconds).map { .decimal($0) }
            default: return decimal.map { .decimal($0) }
            }
        case .date:
            switch self {
            case .date: return self
            case .string(let text):
                if let seconds = DateText.seconds(text) { return .date(seconds) }
                return NumberText.number(text).flatMap { $0.double }.map { .date($0) }
            default: return double.map { .date($0) }
            }
        }
    }

    /// The value's description; `nil` for collections and objects, which have no short one.
    package var text: String? {
        switch self {
        case .boolean(let value): value ? "1" : "0"
        case .integer(let value): String(value)
        case .double(let value): PredicateValue.text(value)
        case .decimal(let value): value.description
        case .string(let text): text
        case .date(let seconds): DateText.description(seconds)
        case .null, .data, .array, .set, .dictionary, .object: nil
        }
    }

    /// Without the `.0` of a whole number.
    package static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
