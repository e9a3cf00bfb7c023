internal import WidgetCore
internal import WidgetNib

/// Reads texts whose parts have looks. Elements may share one, so each is read once.
struct AttributedTextReader {
    struct Text {
        var runs: [TextRun] = []
        /// That of the first paragraph.
        var alignment: TextAlignment?
    }

    private let limits: FormatLimits
    private var known: [NibPlace: Text] = [:]

    init(_ limits: FormatLimits) {
        self.limits = limits
    }

    mutating func text(_ element: NibElement, _ colors: inout ColorReader, _ fonts: inout FontReader) -> Text {
        let place = NibPlace(element)
        if let text = known[place] { return text }
        let text = read(element, &colors, &fonts)
        known[place] = text
        return text
    }

    private func read(_ element: NibElement, _ colors: inout ColorReader, _ fonts: inout FontReader) -> Text {
        guard let whole = element.string("NSString"), !whole.isEmpty, let attributes = element.element("NSAttributes")
        else { return Text() }
        guard attributes.isList, let bytes = element.data("NSAttributeInfo") else {
            let dictionary = attributes.isList ? attributes.listed(upTo: 1).first : attributes
            let (only, alignment) = run(whole, dictionary, &colors, &fonts)
            return Text(runs: [only], alignment: alignment)
        }
        let dictionaries = attributes.listed(upTo: limits.runCount)
        var text = Text()
        let units = Array(whole.utf16)
        var start = 0
        for (length, number) in Self.pairs(bytes, upTo: limits.runCount) where start < units.count {
            let end = start + min(length, units.count - start)
            let dictionary = dictionaries.indices.contains(number) ? dictionaries[number] : nil
            let part = String(decoding: units[start..<end], as: UTF16.self)
            let (next, alignment) = run(part, dictionary, &colors, &fonts)
            if start == 0 { text.alignment = alignment }
            text.runs.append(next)
            start = end
        }
        // The rest has the look of the last run that counts.
        if start < units.count {
            let rest = String(decoding: units[start...], as: UTF16.self)
            if text.runs.isEmpty { text.runs = [TextRun(rest)] } else { text.runs[text.runs.count - 1].text += rest }
        }
        return text
    }

    /// Returns pairs of a length and a number, each in groups of seven bits, the lowest first.
    private static func pairs(_ bytes: ArraySlice<UInt8>, upTo count: Int) -> [(Int, Int)] {
        var numbers: [Int] = []
        var (number, shift) = (0, 0)
        for byte in bytes where numbers.count < 2 * count {
            // Longer numbers are those of no text.
            guard shift < 35 else { break }
            number |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 {
                numbers.append(number)
                (number, shift) = (0, 0)
            }
        }
        return stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
    }

    private func run(
        _ text: String, _ attributes: NibElement?, _ colors: inout ColorReader, _ fonts: inout FontReader
    ) -> (TextRun, TextAlignment?) {
        var run = TextRun(text)
        var alignment: TextAlignment?
        for (key, value) in attributes?.ownPairs(upTo: limits.partCount) ?? [] {
            switch key.text {
            case "NSFont": run.font = fonts.font(value)
            case "NSColor", "NSForegroundColor": run.foreground = colors.paint(value)
            case "NSBackgroundColor": run.background = colors.paint(value)
            case "NSLink": run.link = (value.text ?? value.string("NS.relative")).flatMap { address($0) }
            case "NSUnderline": run.isUnderlined = (value.number ?? 0) != 0
            case "NSStrikethrough": run.isStruckThrough = (value.number ?? 0) != 0
            case "NSParagraphStyle": alignment = value.integer("NSAlignment").flatMap { Self.alignments[$0] }
            default: break
            }
        }
        return (run, alignment)
    }

    /// The longest address that a run leads to, in bytes.
    private static let addressLength = 2_048

    private func address(_ text: String) -> String? {
        text.isEmpty || text.utf8.count > Self.addressLength ? nil : text
    }

    /// Archives of paragraphs have the right and the centre the other way round than elements have them.
    private static let alignments: [Int: TextAlignment] = [
        0: .left, 1: .right, 2: .center, 3: .justified, 4: .natural,
    ]
}
