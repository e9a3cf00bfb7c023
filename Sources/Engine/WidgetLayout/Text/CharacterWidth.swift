/// The widths of scalars that no table has, by their blocks.
enum CharacterWidth {
    /// True for marks over or under others, joiners, and marks of direction.
    static func isZero(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F..<0xA0, 0xAD: true
        case ..<0x300: false
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x61C, 0x64B...0x65F, 0x670, 0x6D6...0x6DC:
            true
        case 0x0E31, 0x0E34...0x0E3A, 0x0E47...0x0E4E, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F: true
        case 0x202A...0x202E, 0x2060...0x206F, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF: true
        case 0x1F3FB...0x1F3FF, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// True for ideographs, syllables of Hangul, kana, full-width forms and pictures.
    static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF: true
        case 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: true
        case 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD: true
        default: false
        }
    }

    /// True for arrows, stars, hearts and other signs, which the fonts for them draw about as wide as high.
    static func isSign(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2190...0x21FF, 0x2300...0x23FF, 0x2460...0x24FF, 0x25A0...0x27BF, 0x2B00...0x2BFF: true
        default: false
        }
    }

    /// True for small triangles, which show that something opens and closes.
    static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x25B4...0x25B5, 0x25B8...0x25B9, 0x25BE...0x25BF, 0x25C2...0x25C3: true
        default: false
        }
    }

    /// True for scripts that are written without spaces, where a line may end behind each character.
    static func breaksAnywhere(_ scalar: UInt32) -> Bool {
        isWide(scalar) && !(0xAC00...0xD7A3 ~= scalar)
    }
}
