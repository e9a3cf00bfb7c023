internal import WidgetCore

/// Colours, as documents write them.
enum ColorWords {
    /// The names of colours that follow light and dark surroundings.
    static let roles = ColorRole.allCases.map { $0.rawValue } + [quietName]
    /// The name of `quiet` in documents.
    private static let quietName = "quiet"

    /// A grey for further texts, which is legible on every ground of the system.
    static let quiet = Paint.pair(
        light: RGBA(red: UInt8(0x5C), green: 0x5C, blue: 0x60), dark: RGBA(red: UInt8(0xB4), green: 0xB4, blue: 0xBA))

    /// A red for texts that warn, which is legible on every ground of the system.
    static let warning = Paint.pair(
        light: RGBA(red: UInt8(0xC0), green: 0x1C, blue: 0x12), dark: RGBA(red: UInt8(0xFF), green: 0x6B, blue: 0x60))

    /// `#rrggbb`, `#rrggbbaa` or the name of a role; `nil` for anything else.
    static func paint(_ text: String) -> Paint? {
        if let role = ColorRole(rawValue: text) { return .role(role) }
        if text == quietName { return quiet }
        let digits = Array(text.utf8)
        guard digits.first == UInt8(ascii: "#"), digits.count == 7 || digits.count == 9 else { return nil }
        var parts: [UInt8] = []
        for place in stride(from: 1, to: digits.count, by: 2) {
            guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
            parts.append(high << 4 | low)
        }
        return .value(RGBA(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 255))
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The names of sides, and of pairs of them.
enum SideWords {
    static let all = ["top", "left", "bottom", "right", "horizontal", "vertical"]
}
