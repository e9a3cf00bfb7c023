/// What single characters do to a name.
enum ZipCharacter {
    /// The hazard of a character wherever in a name it stands.
    static func hazard(of scalar: Unicode.Scalar) -> ZipName.Hazard? {
        let value = scalar.value
        if value >= 0x20, value < 0x7F { return nil }
        if value == 0 { return .nul }
        let properties = scalar.properties
        if isBidirectionalControl(value) { return .bidirectionalControl(value) }
        if properties.isNoncharacterCodePoint { return .noncharacter(value) }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return .controlCharacter(value)
        case .format: return .invisibleCharacter(value)
        // Fillers, joiners and variation selectors: drawn as nothing, so two names can look alike.
        default: return properties.isDefaultIgnorableCodePoint ? .invisibleCharacter(value) : nil
        }
    }

    /// The explicit formatting characters of UAX #9.
    private static func isBidirectionalControl(_ value: UInt32) -> Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether compatibility normalisation (NFKC) of the character holds `/` or `\`.
    ///
    /// These seven are all there are: the signs ℀ ℁ ℅ ℆, the small backslash, and the full-width pair.
    static func becomesSeparator(_ value: UInt32) -> Bool {
        switch value {
        case 0x2100, 0x2101, 0x2105, 0x2106, 0xFE68, 0xFF0F, 0xFF3C: true
        default: false
        }
    }

    /// How many dots the character is under compatibility normalisation, when it is nothing else.
    ///
    /// One-, two- and three-dot leaders, the vertical forms of the latter two, the small and the full-width stop.
    static func dotCount(_ value: UInt32) -> Int? {
        switch value {
        case 0x2E, 0x2024, 0xFE52, 0xFF0E: 1
        case 0x2025, 0xFE30: 2
        case 0x2026, 0xFE19: 3
        default: nil
        }
    }
}
