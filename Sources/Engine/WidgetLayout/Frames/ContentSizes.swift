internal import WidgetCore

/// The sizes that the content of elements asks for: texts, pictures, and the system's controls.
struct ContentSizes {
    /// A text as an element shows it.
    struct ShownText: Hashable {
        var text: String
        var font: ResolvedFont
        /// The most lines; 0 for as many as it needs.
        var most = 1
        var lineBreak = LineBreak.truncateTail
    }

    struct TextSize {
        var width: Double
        var height: Double
        var lineCount: Int
        var isCut: Bool
    }

    private struct Key: Hashable {
        var text: ShownText
        var width: Double
    }

    let viewport: Viewport
    private let measure: any TextMeasure
    private let pictures: [String: Size]
    private var known: [Key: TextSize] = [:]
    private var bytesLeft: Int
    /// Buttons of bars have another font than other buttons.
    var barItems: Set<ViewKey> = []
    /// The title of a bar that has a row for it alone.
    var largeTitle: ViewKey?

    init(_ viewport: Viewport, _ measure: any TextMeasure, pictures: [String: Size], byteCount: Int) {
        self.viewport = viewport
        self.measure = measure
        self.pictures = pictures
        bytesLeft = byteCount
    }

    /// True if texts were left unmeasured.
    var isExhausted: Bool { bytesLeft < 0 }

    func ceiled(_ length: Double) -> Double {
        let scale = Double(max(viewport.scale, 1))
        return (length * scale - 1e-6).rounded(.up) / scale
    }

    // MARK: - Texts

    /// The text of an element; `nil` for kinds that show none.
    func text(of view: ViewNode, _ look: Look?) -> ShownText? {
        let appearance = look?.appearance
        func shown(_ text: String, size: Double, weight: Int = 400) -> ShownText {
            let usual = FontRequest(size: size, weight: weight)
            return ShownText(text: text, font: ResolvedFont(appearance?.font ?? usual, at: viewport.textSize))
        }
        switch view.kind {
        case .label, .native:
            var text = shown(view.text(.text), size: 17)
            text.most = appearance?.lines ?? 1
            text.lineBreak = appearance?.lineBreak ?? .truncateTail
            return text
        case .button:
            guard barItems.contains(view.key) else {
                return shown(view.text(.text), size: SystemMeasures.buttonFont)
            }
            return shown(
                view.text(.text), size: SystemMeasures.barFont, weight: view.isTrue(.isProminent) ? 600 : 400)
        case .barTitle:
            guard view.key == largeTitle else {
                return shown(view.text(.text), size: SystemMeasures.barFont, weight: 600)
            }
            return shown(view.text(.text), size: SystemMeasures.largeTitleFont, weight: 700)
        case .tab: return shown(view.text(.text), size: SystemMeasures.tabFont)
        case .textField, .searchField:
            let own = view.text(.text)
            let isSecret = view.isTrue(.isSecure)
            let text = own.isEmpty ? view.text(.placeholder) : isSecret ? own.map { _ in "•" }.joined() : own
            return shown(text, size: 17)
        case .textArea:
            var text = shown(view.text(.text), size: 14)
            (text.most, text.lineBreak) = (0, .wordWrap)
            return text
        case .sectionHeader, .sectionFooter:
            let own = view.text(.text)
            return own.isEmpty ? nil : shown(own, size: SystemMeasures.groupedSectionFont)
        default: return nil
        }
    }

    /// The size of a text, rounded up to pixels.
    mutating func size(of text: ShownText, width: Double = .infinity) -> TextSize {
        let key = Key(text: text, width: text.most == 1 ? .infinity : width)
        if let size = known[key] { return size }
        let height = text.font.height(ofLines: 1)
        guard bytesLeft >= 0 else { return TextSize(width: 0, height: ceiled(height), lineCount: 1, isCut: true) }
        bytesLeft -= text.text.utf8.count
        let (lines, isCut) = TextWrap.lines(
            of: text.text, in: text.font, width: key.width, most: text.most, lineBreak: text.lineBreak,
            measure: measure)
        let size = TextSize(
            width: ceiled(lines.reduce(0) { max($0, $1.width) }),
            height: ceiled(text.font.height(ofLines: text.text.isEmpty ? 0 : lines.count)), lineCount: lines.count,
            isCut: isCut)
        known[key] = size
        return size
    }

    // MARK: - Elements

    /// The intrinsic size of an element; `nil` along an axis on which it has none.
    ///
    /// - Parameters:
    ///   - width: the width that it has been given; infinite before.
    ///   - frame: the frame that its author drew, which has the heights of controls of its time.
    mutating func size(of view: ViewNode, _ look: Look?, width: Double, frame: Frame?) -> PartialSize {
        let own = look?.geometry.intrinsicSize
        let content = contentSize(of: view, look, width: width, frame: frame)
        return PartialSize(width: own?.width ?? content.width, height: own?.height ?? content.height)
    }

    private mutating func contentSize(
        of view: ViewNode, _ look: Look?, width: Double, frame: Frame?
    ) -> PartialSize {
        switch view.kind {
        case .label, .native, .barTitle:
            guard let text = text(of: view, look) else { return PartialSize(width: nil, height: nil) }
            let size = size(of: text, width: width)
            return PartialSize(width: size.width, height: size.height)
        case .button: return buttonSize(view, look)
        case .image: return picture(view.text(.image)) ?? PartialSize(width: nil, height: nil)
        case .textField: return fieldSize(view, look, frame)
        case .searchField: return PartialSize(width: nil, height: SystemMeasures.searchBar)
        case .toggle:
            return PartialSize(width: SystemMeasures.toggle.width, height: SystemMeasures.toggle.height)
        case .stepper:
            return PartialSize(width: SystemMeasures.stepper.width, height: SystemMeasures.stepper.height)
        case .slider: return PartialSize(width: nil, height: archived(frame, SystemMeasures.slider))
        case .progress: return PartialSize(width: nil, height: archived(frame, SystemMeasures.progress))
        case .segments: return segmentsSize(view, look, frame)
        case .picker, .datePicker:
            return PartialSize(
                width: SystemMeasures.picker.width, height: archived(frame, SystemMeasures.picker.height))
        case .pageControl:
            let count = min(max(view.number(.pageCount) ?? 0, 0), 1_000)
            return PartialSize(width: count * SystemMeasures.pageDot, height: SystemMeasures.pageControl)
        case .activity:
            let side = look?.appearance.isLarge ?? false ? SystemMeasures.largeActivity : SystemMeasures.activity
            return PartialSize(width: side, height: side)
        case .box, .textArea, .web, .list, .grid, .row, .sectionHeader, .sectionFooter, .bar, .tabs, .tab, .form,
            .screen, .constraint, .unknown:
            return PartialSize(width: nil, height: nil)
        }
    }

    private func picture(_ name: String) -> PartialSize? {
        pictures[name].map { PartialSize(width: $0.width, height: $0.height) }
    }

    /// Fields and pickers have the heights that they had when they were drawn.
    private func archived(_ frame: Frame?, _ usual: Double) -> Double {
        guard let height = frame?.height, height > 0 else { return usual }
        return height
    }

    private mutating func buttonSize(_ view: ViewNode, _ look: Look?) -> PartialSize {
        let appearance = look?.appearance
        var (width, height) = (0.0, 0.0)
        let title = text(of: view, look)
        if let title, !title.text.isEmpty {
            let size = size(of: title)
            (width, height) = (size.width, size.height)
        }
        if let image = picture(view.text(.image)) {
            width += image.width ?? 0
            height = max(height, image.height ?? 0)
        } else if let image = appearance?.backgroundImage.flatMap({ picture($0) }) {
            width = max(width, image.width ?? 0)
            height = max(height, image.height ?? 0)
        }
        if let insets = appearance?.contentInsets, insets != .zero {
            width += insets.leading + insets.trailing
            height += insets.top + insets.bottom
        } else if let title, !title.text.isEmpty {
            height += 2 * SystemMeasures.buttonPadding
            width = max(width, SystemMeasures.leastButton)
        }
        return PartialSize(width: max(width, 0), height: max(height, 0))
    }

    private mutating func fieldSize(_ view: ViewNode, _ look: Look?, _ frame: Frame?) -> PartialSize {
        let border = look?.appearance.fieldBorder ?? FieldBorder.none
        let padding = border == .none ? 0 : 2 * SystemMeasures.fieldPadding
        let text = text(of: view, look).map { size(of: $0) }
        let usual = border == .rounded ? SystemMeasures.roundedField : ceiled(text?.height ?? 0)
        return PartialSize(width: (text?.width ?? 0) + padding, height: archived(frame, usual))
    }

    private mutating func segmentsSize(_ view: ViewNode, _ look: Look?, _ frame: Frame?) -> PartialSize {
        let font = ResolvedFont(
            look?.appearance.font ?? FontRequest(size: SystemMeasures.segmentFont), at: viewport.textSize)
        let titles = view.texts(.titles)
        var widest = 0.0
        for title in titles.prefix(ContentSizes.segmentCount) {
            widest = max(widest, size(of: ShownText(text: title, font: font)).width)
        }
        return PartialSize(
            width: Double(titles.count) * (widest + 2 * SystemMeasures.segmentPadding),
            height: archived(frame, SystemMeasures.segments))
    }

    /// Segments that are measured.
    private static let segmentCount = 100
}
