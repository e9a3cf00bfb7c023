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
            var text = shown(view.text(.text), size: SystemMeasures.labelFont)
            text.most = appearance?.lines ?? 1
            text.lineBreak = appearance?.lineBreak ?? .truncateTail
            return text
        case .button:
            guard barItems.contains(view.key) else {
                return shown(view.shownText(look), size: SystemMeasures.buttonFont)
            }
            return shown(
                view.shownText(look), size: SystemMeasures.barFont, weight: view.isTrue(.isProminent) ? 600 : 400)
        case .barTitle:
            guard view.key == largeTitle else {
                return shown(view.text(.text), size: SystemMeasures.barFont, weight: 600)
            }
            var title = shown(view.text(.text), size: SystemMeasures.largeTitleFont, weight: 700)
            title.font.size = min(title.font.size, SystemMeasures.largestTitleFont)
            return title
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

    /// The width of the longest word of a text; 0 for one that breaks at each character.
    mutating func longestWord(of text: ShownText) -> Double {
        guard text.lineBreak != .characterWrap else { return 0 }
        var longest = 0.0
        for word in text.text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
            if word.unicodeScalars.contains(where: { CharacterWidth.breaksAnywhere($0.value) }) { continue }
            for part in TextWrap.parts(of: word) {
                longest = max(longest, size(of: ShownText(text: String(part), font: text.font)).width)
            }
        }
        return longest
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
        case .textField: return fieldSize(view, look, frame, width: width)
        case .searchField: return PartialSize(width: nil, height: SystemMeasures.searchBar)
        case .toggle:
            return PartialSize(width: SystemMeasures.toggle.width, height: SystemMeasures.toggle.height)
        case .stepper:
            return PartialSize(width: SystemMeasures.stepper.width, height: SystemMeasures.stepper.height)
        case .slider: return PartialSize(width: nil, height: archived(look, frame, SystemMeasures.slider))
        case .progress: return PartialSize(width: nil, height: archived(look, frame, SystemMeasures.progress))
        case .segments: return segmentsSize(view, look, frame)
        case .picker, .datePicker:
            let line = ResolvedFont(FontRequest(size: SystemMeasures.dateFont), at: viewport.textSize).height(
                ofLines: 1)
            return PartialSize(
                width: SystemMeasures.picker.width,
                height: max(FieldMeasures.picker(look, frame), view.kind == .datePicker ? ceiled(line) + 2 : 0))
        case .pageControl:
            let count = min(max(view.number(.pageCount) ?? 0, 0), 1_000)
            return PartialSize(width: count * SystemMeasures.pageDot, height: SystemMeasures.pageControl)
        case .activity:
            let side = look?.appearance.isLarge ?? false ? SystemMeasures.largeActivity : SystemMeasures.activity
            return PartialSize(width: side, height: side)
        case .textArea:
            guard IntrinsicSize.exists(view.kind, .vertical, look), var text = text(of: view, look) else {
                return PartialSize(width: nil, height: nil)
            }
            // An empty one has the height of a line.
            if text.text.isEmpty { text.text = " " }
            let insets = SystemMeasures.textAreaInsets
            let size = size(of: text, width: max(width - 2 * insets.x, 0))
            return PartialSize(width: nil, height: size.height + 2 * insets.y)
        case .box, .web, .list, .grid, .row, .sectionHeader, .sectionFooter, .bar, .tabs, .tab, .form, .screen,
            .constraint, .unknown:
            return PartialSize(width: nil, height: nil)
        }
    }

    private func picture(_ name: String) -> PartialSize? {
        pictures[name].map { PartialSize(width: $0.width, height: $0.height) }
    }

    /// Controls have the heights that they had when they were drawn.
    private func archived(_ look: Look?, _ frame: Frame?, _ usual: Double) -> Double {
        FieldMeasures.archived(look, frame) ?? usual
    }

    private mutating func buttonSize(_ view: ViewNode, _ look: Look?) -> PartialSize {
        let appearance = look?.appearance
        var (width, height) = (0.0, 0.0)
        let title = text(of: view, look)
        if let title, !title.text.isEmpty {
            let size = size(of: title)
            (width, height) = (size.width, size.height)
        }
        let symbol = SystemSymbol.shown(by: view, look)
        if let symbol, symbol != .back {
            (width, height) = (SystemSymbol.side, SystemSymbol.side)
        } else if let image = picture(view.text(.image)) {
            width += image.width ?? 0
            height = max(height, image.height ?? 0)
        } else if let image = appearance?.backgroundImage.flatMap({ picture($0) }) {
            width = max(width, image.width ?? 0)
            height = max(height, image.height ?? 0)
        }
        if let insets = appearance?.contentInsets, insets != .zero {
            width += insets.leading + insets.trailing
            height += insets.top + insets.bottom
        } else if look?.button?.configuration?.groundShare != nil {
            width += 2 * SystemMeasures.groundPadding.x
            height += 2 * SystemMeasures.groundPadding.y
        } else if let title, !title.text.isEmpty {
            height += 2 * SystemMeasures.buttonPadding
            width = max(width, SystemMeasures.leastButton)
        }
        return PartialSize(width: max(width, 0), height: max(height, 0))
    }

    private mutating func fieldSize(
        _ view: ViewNode, _ look: Look?, _ frame: Frame?, width: Double
    ) -> PartialSize {
        let padding = FieldMeasures.border(of: look) == .none ? 0 : 2 * SystemMeasures.fieldPadding
        let text = text(of: view, look)
        let line = ceiled(text?.font.height(ofLines: 1) ?? 0) + FieldMeasures.room(look)
        return PartialSize(
            width: (text.map { size(of: $0).width } ?? 0) + padding,
            height: max(FieldMeasures.height(look, frame), line) + messageHeight(view, look, width: width))
    }

    /// The room below what is typed for the reason why it is invalid.
    mutating func messageHeight(_ field: ViewNode, _ look: Look?, width: Double) -> Double {
        let message = field.isTrue(.invalid) ? field.text(.fault) : ""
        guard !message.isEmpty else { return 0 }
        let border = FieldMeasures.border(of: look) == .none ? 0 : 2 * (SystemMeasures.fieldPadding + 1)
        var text = ShownText(
            text: message, font: ResolvedFont(FontRequest(size: FieldMeasures.messageFont), at: viewport.textSize))
        (text.most, text.lineBreak) = (0, .wordWrap)
        return size(of: text, width: max(width - border, 0)).height + FieldMeasures.belowMessage
    }

    private mutating func segmentsSize(_ view: ViewNode, _ look: Look?, _ frame: Frame?) -> PartialSize {
        var font = ResolvedFont(
            look?.appearance.font ?? FontRequest(size: SystemMeasures.segmentFont), at: viewport.textSize)
        if look?.appearance.font == nil { font.size = min(font.size, SystemMeasures.largestSegmentFont) }
        let titles = view.texts(.titles)
        var strong = font
        strong.weight = SystemMeasures.chosenWeight
        let chosen = view[.value]?.number.flatMap { Int(exactly: $0) }
        var widest = 0.0
        for (place, title) in titles.prefix(ContentSizes.segmentCount).enumerated() {
            widest = max(widest, size(of: ShownText(text: title, font: place == chosen ? strong : font)).width)
        }
        return PartialSize(
            width: Double(titles.count) * (widest + 2 * SystemMeasures.segmentPadding),
            height: archived(look, frame, SystemMeasures.segments))
    }

    /// Segments that are measured.
    private static let segmentCount = 100
}
