internal import WidgetCore

/// The kinds of elements whose content or drawing has a size, along each axis, and the line of their text.
enum IntrinsicSize {
    static func exists(_ kind: NodeKind, _ axis: Axis, _ look: Look?) -> Bool {
        switch kind {
        case .label, .native, .button, .image, .toggle, .stepper, .segments, .picker, .datePicker, .pageControl,
            .activity,
            .barTitle:
            true
        case .textField: true
        case .searchField, .slider, .progress: axis == .vertical
        // A text that does not scroll is as high as its lines.
        case .textArea: axis == .vertical && look?.scrolling?.isEnabled == false
        case .box, .web, .list, .grid, .row, .sectionHeader, .sectionFooter, .bar, .tabs, .tab, .form, .screen,
            .constraint, .unknown:
            false
        }
    }

    /// True for elements that are as wide as their text.
    static func hasText(_ kind: NodeKind) -> Bool { kind == .label || kind == .button || kind == .textField }

    /// The share of a font's size above the line of text, and below it.
    static let ascent = ResolvedFont.ascender
    static let descent = ResolvedFont.lineHeight - ResolvedFont.ascender
    /// Above and below the title of a button, and the text of a field.
    private static let buttonInset = 6.0
    private static let fieldInset = 7.0
    private static let usualFontSize = 17.0

    /// The distances of the line under a text from the top and from the bottom of its element.
    static func baseline(of kind: NodeKind, _ look: Look?, _ frame: Frame?) -> (ascent: Affine, descent: Affine) {
        let size = Affine.bounded(look?.appearance.font?.size ?? usualFontSize)
        let inset: Double
        // A field is as high with large text as with small, as long as its line has room.
        let grows = kind != .textField
        switch kind {
        case .label: inset = 0
        case .button: inset = buttonInset
        case .textField: inset = fieldInset
        default: return (Affine(Affine.bounded(frame?.height ?? 0)), .zero)
        }
        var (above, below) = (Affine(inset + ascent * size), Affine(inset + descent * size))
        if grows { (above.text, below.text) = (ascent * size, descent * size) }
        return (above, below)
    }
}
