package import WidgetCore

/// The values of colours that a system names by their purpose, in light and dark.
package enum RoleColors {
    package struct Pair: Equatable, Sendable {
        package let light: RGBA
        package let dark: RGBA

        fileprivate init(_ light: UInt32, _ dark: UInt32) {
            self.light = RGBA(hex: light)
            self.dark = RGBA(hex: dark)
        }
    }

    /// Published values, but for the tint, links, placeholders and further texts, whose values here have enough contrast to
    /// be read on each ground of the system.
    package static func pair(of role: ColorRole) -> Pair {
        switch role {
        case .label: Pair(0x0000_00FF, 0xFFFF_FFFF)
        case .secondaryLabel: Pair(0x3C3C_43BD, 0xEBEB_F599)
        case .tertiaryLabel: Pair(0x3C3C_434D, 0xEBEB_F54D)
        case .quaternaryLabel: Pair(0x3C3C_432E, 0xEBEB_F529)
        case .placeholderText: Pair(0x6363_6AFF, 0xA0A0_A8FF)
        case .link, .tint: Pair(0x0066_D6FF, 0x0A84_FFFF)
        case .background: Pair(0xFFFF_FFFF, 0x0000_00FF)
        case .secondaryBackground: Pair(0xF2F2_F7FF, 0x1C1C_1EFF)
        case .tertiaryBackground: Pair(0xFFFF_FFFF, 0x2C2C_2EFF)
        case .groupedBackground: Pair(0xF2F2_F7FF, 0x0000_00FF)
        case .secondaryGroupedBackground: Pair(0xFFFF_FFFF, 0x1C1C_1EFF)
        case .tertiaryGroupedBackground: Pair(0xF2F2_F7FF, 0x2C2C_2EFF)
        case .fill: Pair(0x7878_8033, 0x7878_805C)
        case .secondaryFill: Pair(0x7878_8029, 0x7878_8052)
        case .tertiaryFill: Pair(0x7676_801F, 0x7676_803D)
        case .quaternaryFill: Pair(0x7474_8014, 0x7676_802E)
        case .separator: Pair(0x3C3C_434A, 0x5454_5899)
        case .opaqueSeparator: Pair(0xC6C6_C8FF, 0x3838_3AFF)
        case .lightText: Pair(0xFFFF_FF99, 0xFFFF_FF99)
        case .darkText: Pair(0x0000_00FF, 0x0000_00FF)
        case .bar: Pair(0xF9F9_F9F0, 0x1D1D_1DF0)
        case .blue, .brown, .cyan, .green, .indigo, .mint, .orange, .pink, .purple, .red, .teal, .yellow, .gray, .gray2,
            .gray3, .gray4, .gray5, .gray6:
            named(role)
        }
    }

    private static func named(_ role: ColorRole) -> Pair {
        switch role {
        case .blue: Pair(0x007A_FFFF, 0x0A84_FFFF)
        case .brown: Pair(0xA284_5EFF, 0xAC8E_68FF)
        case .cyan: Pair(0x32AD_E6FF, 0x64D2_FFFF)
        case .green: Pair(0x34C7_59FF, 0x30D1_58FF)
        case .indigo: Pair(0x5856_D6FF, 0x5E5C_E6FF)
        case .mint: Pair(0x00C7_BEFF, 0x66D4_CFFF)
        case .orange: Pair(0xFF95_00FF, 0xFF9F_0AFF)
        case .pink: Pair(0xFF2D_55FF, 0xFF37_5FFF)
        case .purple: Pair(0xAF52_DEFF, 0xBF5A_F2FF)
        case .red: Pair(0xFF3B_30FF, 0xFF45_3AFF)
        case .teal: Pair(0x30B0_C7FF, 0x40C8_E0FF)
        case .yellow: Pair(0xFFCC_00FF, 0xFFD6_0AFF)
        case .gray2: Pair(0xAEAE_B2FF, 0x6363_66FF)
        case .gray3: Pair(0xC7C7_CCFF, 0x4848_4AFF)
        case .gray4: Pair(0xD1D1_D6FF, 0x3A3A_3CFF)
        case .gray5: Pair(0xE5E5_EAFF, 0x2C2C_2EFF)
        case .gray6: Pair(0xF2F2_F7FF, 0x1C1C_1EFF)
        default: Pair(0x8E8E_93FF, 0x8E8E_93FF)
        }
    }
}

extension RGBA {
    fileprivate init(hex: UInt32) {
        self.init(
            red: UInt8(hex >> 24), green: UInt8(hex >> 16 & 0xFF), blue: UInt8(hex >> 8 & 0xFF),
            alpha: UInt8(hex & 0xFF))
    }

    /// As CSS writes it: `#0066d6`, and as short as it can be.
    package var css: String {
        let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        let isShort = parts.allSatisfy { $0 >> 4 == $0 & 15 }
        return parts.reduce(into: "#") { text, part in
            let digits = String(part, radix: 16)
            text += isShort ? String(digits.prefix(1)) : part < 16 ? "0\(digits)" : digits
        }
    }

    /// Relative luminance, as WCAG defines it.
    package var luminance: Double {
        0.2126 * RGBA.linear(red) + 0.7152 * RGBA.linear(green) + 0.0722 * RGBA.linear(blue)
    }

    /// Relative luminance from which a ground is light.
    private static let lightGround = 0.18

    /// True for a ground on which the system's colours are those of its dark scheme.
    package var isDark: Bool { luminance < RGBA.lightGround }

    /// A power of 2.4 without a library: x² times the fifth root of x², by Newton's method.
    private static func linear(_ byte: UInt8) -> Double {
        let part = Double(byte) / 255
        if part <= 0.04045 { return part / 12.92 }
        let base = (part + 0.055) / 1.055
        let square = base * base
        var root = 1.0
        for _ in 0..<24 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
        return square * root
    }
}
