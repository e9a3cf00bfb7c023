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
    /// Above and below the title of a button.
    private static let buttonInset = 6.0
    private static let usualFontSize = 17.0

    /// The distances of the line under a text from the top and from the bottom of its element.
    static func baseline(of kind: NodeKind, _ look: Look?, _ frame: Frame?) -> (ascent: Affine, descent: Affine) {
        let font = look?.appearance.font
        let size = Affine.bounded(font?.size ?? (kind == .button ? SystemMeasures.buttonFont : usualFontSize))
        func distance(_ inset: Double, _ share: Double, _ line: Affine.TextTerm? = nil) -> Affine {
            var distance = Affine(inset + share * size)
            distance.texts =
                [Affine.TextTerm(text: .font(font?.style), factor: share * size)] + (line.map { [$0] } ?? [])
            return distance
        }
        switch kind {
        case .label: return (distance(0, ascent), distance(0, descent))
        case .button: return (distance(buttonInset, ascent), distance(buttonInset, descent))
        case .textField:
            // Its line is in the middle of it, and it is higher once the line needs more room.
            let (half, middle) = (FieldMeasures.height(look, frame) / 2, ResolvedFont.lineHeight / 2)
            let line = Affine.TextTerm(
                text: .line(points: middle * size, font?.style, within: half - FieldMeasures.room(look) / 2), factor: 1)
            return (distance(half, ascent - middle, line), distance(half, descent - middle, line))
        default: return (Affine(Affine.bounded(frame?.height ?? 0)), .zero)
        }
    }
}
