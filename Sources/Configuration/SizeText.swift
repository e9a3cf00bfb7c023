/// Byte counts as people write them: `4096`, `8KiB`, `64 MiB`. Units of 1,000 are not known: they invite mistakes.
package enum SizeText {
    private static let units: [(name: String, shift: Int)] = [
        ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0),
    ]

    package static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var unit = text[digits.endIndex...]
        if unit.first == " " { unit = unit.dropFirst() }
        guard let number = FoundValue.digits(digits) else { return nil }
        if digits.endIndex == text.endIndex { return Int(exactly: number) }
        guard let shift = units.first(where: { $0.name == unit })?.shift else { return nil }
        let (size, didOverflow) = number.multipliedReportingOverflow(by: 1 << Int64(shift))
        return didOverflow ? nil : Int(exactly: size)
    }

    /// In the largest unit that leaves no rest.
    static func text(_ size: Int) -> String {
        for unit in units where unit.shift > 0 && size != 0 && size & ((1 << unit.shift) - 1) == 0 {
            return "\(size >> unit.shift)\(unit.name)"
        }
        return String(size)
    }
}
