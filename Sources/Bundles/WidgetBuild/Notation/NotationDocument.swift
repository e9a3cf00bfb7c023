internal import WidgetBytes

/// The limits of a file in the notation of screens. A file that exceeds one is refused by its name.
package struct NotationLimits: Sendable {
    package var byteCount = 1 << 20
    package var lineCount = 20_000
    /// Bytes of one line.
    package var lineByteCount = 4_096
    /// Lines around a line, itself included.
    package var depth = 16
    /// Lines that are views, screens or items.
    package var viewCount = 4_000
    /// Properties of all lines.
    package var propertyCount = 20_000

    package init() {}
}

/// The value of a property.
enum NotationValue: Equatable, Sendable {
    case flag
    case number(Double)
    case text(String)
    /// A colour as it is written, without its mark: a word, `#RRGGBB` or `#RRGGBBAA`.
    case color(NotationColor)
    /// A word of the property's list.
    case choice(String)
    case texts([String])
    case size(Double, Double)
    case setting(String, NotationSetting)
}

enum NotationColor: Equatable, Sendable {
    /// A colour of the system, by its name without `Color` at the end.
    case system(String)
    /// Red, green, blue and alpha.
    case components([UInt8])
    /// A colour of an asset catalogue.
    case catalog(String)
}

/// The value of a runtime attribute.
enum NotationSetting: Equatable, Sendable {
    case text(String)
    case number(Double)
    case truth(Bool)
    case color(NotationColor)
}

/// The end of a line: where a touch leads.
enum NotationTarget: Equatable, Sendable {
    /// A screen by its name, the way there, and a name for the segue.
    case screen(String, kind: String, name: String?)
    case back
    case dismiss

    /// The words for ways to a screen, with their spelling in a storyboard; the first is not written.
    static let kinds: KeyValuePairs<String, String> = [
        "show": "show", "present": "presentation", "detail": "showDetail", "replace": "replace",
        "popover": "popoverPresentation",
    ]

    static let backSelector = "backAction:"
    static let dismissSelector = "dismissAction:"
}

/// One line: a screen, a view or an item, with the lines inside it.
struct NotationNode: Sendable {
    var kind: NotationKind
    var name: String?
    var text: String?
    var properties: [(name: String, value: NotationValue)] = []
    var target: NotationTarget?
    var position = TextPosition(line: 1, column: 1)
    /// The place of the target, for an error about its screen.
    var targetPosition = TextPosition(line: 1, column: 1)
    /// Numbers of the lines inside it.
    var children: [Int] = []

    subscript(_ property: String) -> NotationValue? { properties.first { $0.name == property }?.value }

    func has(_ flag: String) -> Bool { self[flag] != nil }

    func number(_ property: String) -> Double? {
        if case .number(let number)? = self[property] { number } else { nil }
    }

    func text(_ property: String) -> String? {
        switch self[property] {
        case .text(let text)?, .choice(let text)?: text
        default: nil
        }
    }

    func color(_ property: String) -> NotationColor? {
        if case .color(let color)? = self[property] { color } else { nil }
    }
}

/// The screens of a file in the notation.
struct NotationDocument: Sendable {
    /// All lines; those inside a line have higher numbers.
    var nodes: [NotationNode] = []
    /// The lines at the left margin.
    var tops: [Int] = []

    mutating func add(_ node: NotationNode, in parent: Int?) -> Int {
        let number = nodes.count
        nodes.append(node)
        if let parent { nodes[parent].children.append(number) } else { tops.append(number) }
        return number
    }

    /// The line that the widget begins with.
    var initial: Int? { tops.first { nodes[$0].has("initial") } ?? tops.first }

    func screen(_ name: String) -> Int? { tops.first { nodes[$0].kind == .screen && nodes[$0].name == name } }

    /// The screen or the tabs of a name. A tab leads to screens alone.
    func destination(_ name: String, from kind: NotationKind) -> Int? {
        kind == .tab ? screen(name) : tops.first { nodes[$0].name == name }
    }
}

// MARK: - Writing

extension NotationDocument: CustomStringConvertible {
    static let indentation = 4

    /// The document in its normal form: without comments, properties in the order of their table.
    var description: String {
        var text = ""
        var pending = tops.reversed().map { (number: $0, depth: 0) }
        while let (number, depth) = pending.popLast() {
            if depth == 0, !text.isEmpty { text += "\n" }
            text += String(repeating: " ", count: depth * NotationDocument.indentation) + line(nodes[number]) + "\n"
            pending += nodes[number].children.reversed().map { ($0, depth + 1) }
        }
        return text
    }

    private func line(_ node: NotationNode) -> String {
        var words = [node.kind.rawValue]
        if let name = node.name, NotationLine.isName(name) { words.append(name) }
        if let text = node.text { words.append(NotationLine.quoted(text)) }
        if let name = node.name, !NotationLine.isName(name) { words += ["named", NotationLine.name(name)] }
        for property in NotationProperty.all {
            for (name, value) in node.properties where name == property.name && name != "named" {
                words.append(name)
                words += NotationDocument.words(value, property.form)
            }
        }
        switch node.target {
        case .screen(let name, let kind, let segue)?:
            let isWord = NotationLine.isPlainWord(name) && !["back", "dismiss"].contains(name)
            words += ["->", isWord ? name : NotationLine.quoted(name)]
            if kind != NotationTarget.kinds.first?.key { words.append(kind) }
            if let segue { words += ["as", NotationLine.name(segue)] }
        case .back?: words += ["->", "back"]
        case .dismiss?: words += ["->", "dismiss"]
        case nil: break
        }
        return words.joined(separator: " ")
    }

    private static func words(_ value: NotationValue, _ form: NotationProperty.Form) -> [String] {
        switch value {
        case .flag: []
        case .number(let number): [StoryboardNumber.text(number)]
        case .text(let text):
            if case .name = form { [NotationLine.name(text)] } else { [NotationLine.quoted(text)] }
        case .color(let color): [word(color)]
        case .choice(let word): [word]
        case .texts(let texts): texts.map { NotationLine.quoted($0) }
        case .size(let width, let height): [StoryboardNumber.text(width), StoryboardNumber.text(height)]
        case .setting(let key, .text(let text)): [key, NotationLine.quoted(text)]
        case .setting(let key, .number(let number)): [key, StoryboardNumber.text(number)]
        case .setting(let key, .truth(let truth)): [key, truth ? "yes" : "no"]
        case .setting(let key, .color(let color)): [key, word(color)]
        }
    }

    private static func word(_ color: NotationColor) -> String {
        switch color {
        case .system(let name): name
        case .catalog(let name): NotationLine.quoted(name)
        case .components(let bytes):
            "#"
                + (bytes.last == 255 ? bytes.dropLast() : bytes[...]).map {
                    String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true)
                }.joined()
        }
    }
}

/// Numbers as storyboards have them: whole ones without decimals.
enum StoryboardNumber {
    static func text(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return "\(whole)" }
        return "\(number)"
    }
}
