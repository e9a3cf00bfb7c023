/// Numbers as Tests/Oracles/unicode_tables.py packs them: digits of base 32, the lowest first, written with the
/// letters from `0` to `o`; a digit of 32 or more is followed by another. Anything else between numbers is skipped.
struct PackedNumbers {
    private let letters: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        letters = Array(text.utf8)
    }

    /// The next number, or nil at the end.
    mutating func next() -> Int? {
        var number = 0
        var shift = 0
        while position < letters.count {
            let letter = letters[position]
            position += 1
            guard (UInt8(ascii: "0")...UInt8(ascii: "o")).contains(letter) else { continue }
            let digit = Int(letter) - 48
            number |= (digit & 31) << shift
            shift += 5
            if digit < 32 || shift > 40 { return number }
        }
        return nil
    }

    /// The next number, which may be negative.
    mutating func nextSigned() -> Int? {
        next().map { $0 & 1 == 0 ? $0 / 2 : -($0 + 1) / 2 }
    }
}
