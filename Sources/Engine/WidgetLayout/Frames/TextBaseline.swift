internal import WidgetCore

/// The lines of texts, which rules and stacks tie to each other.
extension SystemSolver {
    /// The distance of a baseline from the middle of a box, whose text is in the middle.
    func baseline(_ box: LayoutSystem.Box, _ attribute: LayoutRule.Attribute) -> Double? {
        guard [.firstBaseline, .lastBaseline].contains(attribute) else { return nil }
        return SystemSolver.baseline(of: box, isFirst: attribute == .firstBaseline)
    }

    /// Controls have room around the one line of their text.
    static func baseline(of box: LayoutSystem.Box, isFirst: Bool) -> Double? {
        box.text.map { text in
            let isControl = [.button, .textField, .searchField].contains(box.kind)
            return baseline(of: text.font, height: isControl ? 0 : box.size.height ?? 0, isFirst: isFirst)
        }
    }

    /// - Parameter height: of all lines of the text.
    static func baseline(of font: ResolvedFont, height: Double, isFirst: Bool) -> Double {
        let ascent = font.size * ResolvedFont.ascender
        let descent = font.size * (ResolvedFont.lineHeight - ResolvedFont.ascender)
        let own = max(height, font.height(ofLines: 1))
        return isFirst ? ascent - own / 2 : own / 2 - descent
    }
}
