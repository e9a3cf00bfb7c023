/// `%@`, `%K`, `%2$ld`: which argument, and what it must be.
struct Placeholder {
    static let conversions = Set("@KdDiIuUxXoOfFeEgGaAcCsS".utf8)

    /// Counted from one, where the text says which.
    var position: Int?
    var conversion: UInt8

    init(_ bytes: ArraySlice<UInt8>) {
        conversion = bytes.last ?? UInt8(ascii: "@")
        guard let dollar = bytes.firstIndex(of: UInt8(ascii: "$")) else { return }
        position = Int(String(decoding: bytes[bytes.startIndex + 1..<dollar], as: UTF8.self)) ?? 0
    }

    var isKeyPath: Bool { conversion == UInt8(ascii: "K") }

    var needed: String {
        switch conversion {
        case UInt8(ascii: "K"): "a key path"
        case UInt8(ascii: "@"): "a value"
        case _ where isReal: "a number"
        case UInt8(ascii: "s"), UInt8(ascii: "S"): "a text"
        case UInt8(ascii: "c"), UInt8(ascii: "C"): "a character"
        default: "a whole number"
        }
    }

    private var isReal: Bool { "fFeEgGaA".utf8.contains(conversion) }

    /// The constant that an argument gives; `nil` when it is of the wrong type.
    func constant(_ argument: PredicateValue) -> PredicateValue? {
        switch conversion {
        case UInt8(ascii: "@"): return argument
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            guard case .string = argument else { return nil }
            return argument
        case UInt8(ascii: "c"), UInt8(ascii: "C"):
            if case .string(let text) = argument { return text.unicodeScalars.count == 1 ? argument : nil }
            return whole(argument)
        case _ where isReal: return argument.double.map { .double($0) }
        default: return whole(argument)
        }
    }

    private func whole(_ argument: PredicateValue) -> PredicateValue? {
        switch argument {
        case .integer: argument
        case .boolean(let value): .integer(value ? 1 : 0)
        case .double(let value): Int64(exactly: value).map { .integer($0) }
        default: nil
        }
    }
}
