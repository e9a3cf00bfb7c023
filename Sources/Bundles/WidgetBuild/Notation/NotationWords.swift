internal import WidgetBytes

/// The words of one line, from the kind on, read into its name, text, properties and target.
struct NotationWords {
    struct Fault {
        var sentence: String
        var column: Int
        var hints: [String] = []
    }

    private let tokens: [(token: NotationLine.Token, offset: Int)]
    private let kind: NotationKind
    private let number: Int
    private let columns: (Int) -> Int
    private var next = 1
    private(set) var faults: [Fault] = []

    init(_ line: NotationLine, kind: NotationKind, number: Int, columns: @escaping (Int) -> Int) {
        (tokens, self.kind, self.number, self.columns) = (line.tokens, kind, number, columns)
    }

    mutating func read() -> NotationNode {
        var node = NotationNode(kind: kind, position: place(0))
        if case .word(let word)? = token, NotationProperty.named(word) == nil {
            readName(word, &node)
        }
        if case .text(let text)? = token {
            if !kind.hasText {
                note("a `\(kind.rawValue)` has no text", hints: [textHint])
            } else {
                node.text = text
            }
            next += 1
        }
        while let current = token {
            switch current {
            case .word(let word): readProperty(word, &node)
            case .arrow: readTarget(&node)
            case .text:
                note("the text belongs to no property", hints: ["the text of a line comes before its properties"])
                next += 1
            }
        }
        return node
    }

    private var token: NotationLine.Token? { next < tokens.count ? tokens[next].token : nil }

    private func place(_ index: Int) -> TextPosition {
        TextPosition(line: number, column: columns(tokens[index].offset))
    }

    /// Records a fault at the next word, or behind the last one.
    private mutating func note(_ sentence: String, hints: [String] = [], at index: Int? = nil) {
        faults.append(
            Fault(sentence: sentence, column: place(min(index ?? next, tokens.count - 1)).column, hints: hints))
    }

    private var textHint: String {
        switch kind {
        case .image: "`picture NAME` names a picture of the bundle"
        case .search: "`placeholder \"Search\"` is shown while nothing is typed"
        case .segmented: "`segments \"One\" \"Two\"` are its words"
        default: "put a `label` beside it"
        }
    }

    private mutating func readName(_ word: String, _ node: inout NotationNode) {
        if NotationLine.isPlainWord(word) {
            node.name = word
        } else {
            note(
                "\(ShownText.quoted(word)) cannot be a name",
                hints: ["a name has letters, digits, `_`, `-` and dots; `named \"…\"` takes any"])
        }
        next += 1
    }

    // MARK: Properties

    private mutating func readProperty(_ word: String, _ node: inout NotationNode) {
        guard let property = NotationProperty.named(word) else {
            let own = NotationProperty.all.filter { $0.kinds.contains(kind) }.map(\.name)
            let nearest =
                NearestName.of(word, in: own) ?? NearestName.of(word, in: NotationProperty.byName.keys.sorted())
            note(
                "\(ShownText.quoted(word)) is not a property",
                hints: [
                    nearest.map { "did you mean `\($0)`?" }
                        ?? "a `\(kind.rawValue)` has: \(own.joined(separator: ", "))"
                ])
            next += 1
            // Its values belong to it.
            while case .text? = token { next += 1 }
            return
        }
        let start = next
        if !property.kinds.contains(kind) {
            let owners = property.owners.joined(separator: ", ")
            note("a `\(kind.rawValue)` has no `\(word)`", hints: ["it is for: \(owners)"])
        } else if word != "set", node.has(word) {
            note("`\(word)` is given twice")
        }
        next += 1
        guard let value = readValue(property) else { return }
        if word == "named" {
            if node.name != nil { note("the line has a name already", at: start) }
            if case .text(let name) = value { node.name = name }
            return
        }
        if case .setting(let key, _) = value,
            node.properties.contains(where: { if case .setting(key, _) = $0.value { true } else { false } })
        {
            note("`set \(key)` is given twice", at: start)
        }
        if property.kinds.contains(kind), word == "set" || !node.has(word) { node.properties.append((word, value)) }
    }

    /// Returns `nil` after recording the fault of a value.
    private mutating func readValue(_ property: NotationProperty) -> NotationValue? {
        switch property.form {
        case .flag: return .flag
        case .number: return readNumber(property.name).map { .number($0) }
        case .length: return readLength(property.name).map { .number($0) }
        case .whole:
            guard let number = readNumber(property.name) else { return nil }
            guard number >= 0, Int32(exactly: number) != nil else {
                note("`\(property.name)` needs a whole number", at: next - 1)
                return nil
            }
            return .number(number)
        case .text:
            guard case .text(let text)? = token else { return missing(property.name, "a text", "\"Text\"") }
            next += 1
            return .text(text)
        case .name:
            switch token {
            case .text(let text)? where !text.isEmpty:
                next += 1
                return .text(text)
            case .word(let word)? where NotationLine.isPlainWord(word):
                next += 1
                return .text(word)
            default: return missing(property.name, "a name", "title")
            }
        case .color: return readColor(property.name).map { .color($0) }
        case .choice(let words):
            guard case .word(let word)? = token, words.contains(where: { $0.key == word }) else {
                let all = words.map(\.key)
                var hint = "it can be: \(all.joined(separator: ", "))"
                if case .word(let word)? = token, let nearest = NearestName.of(word, in: all) {
                    hint = "did you mean `\(nearest)`?"
                }
                note("`\(property.name)` needs one of its words", hints: [hint])
                if case .word(let word)? = token, NotationProperty.named(word) == nil { next += 1 }
                return nil
            }
            next += 1
            return .choice(word)
        case .texts:
            var texts: [String] = []
            while case .text(let text)? = token {
                texts.append(text)
                next += 1
            }
            return texts.isEmpty ? missing(property.name, "texts", "\"One\" \"Two\"") : .texts(texts)
        case .size:
            guard let width = readLength(property.name), let height = readLength(property.name) else { return nil }
            return .size(width, height)
        case .setting: return readSetting()
        }
    }

    private mutating func missing(_ name: String, _ form: String, _ example: String) -> NotationValue? {
        note("`\(name)` needs \(form)", hints: ["such as `\(name) \(example)`"])
        if case .word(let word)? = token, NotationProperty.named(word) == nil { next += 1 }
        return nil
    }

    /// The greatest number of points, and of anything else that is counted.
    private static let greatest = 1e9

    private mutating func readNumber(_ name: String) -> Double? {
        guard case .word(let word)? = token, let number = NotationWords.number(word) else {
            _ = missing(name, "a number", "8")
            return nil
        }
        next += 1
        return number
    }

    private mutating func readLength(_ name: String) -> Double? {
        guard let number = readNumber(name) else { return nil }
        guard number >= 0 else {
            note("`\(name)` cannot be negative", at: next - 1)
            return nil
        }
        return number
    }

    /// Digits with a point and a minus at most, rounded to four decimals: no exponents, no names of numbers.
    private static func number(_ word: String) -> Double? {
        guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }),
            let number = Double(word), abs(number) <= greatest
        else { return nil }
        return (number * 10_000).rounded() / 10_000
    }

    private mutating func readColor(_ name: String) -> NotationColor? {
        if case .text(let text)? = token, !text.isEmpty {
            next += 1
            return .catalog(text)
        }
        guard case .word(let word)? = token, let color = NotationWords.color(word) else {
            var hint = "a colour is #RRGGBB, a name of the system such as gray, or \"Name\" in an asset catalogue"
            if case .word(let word)? = token,
                let nearest = NearestName.of(
                    word, in: NibCompiler.systemColorNames.sorted().map { String($0.dropLast(5)) })
            {
                hint = "did you mean `\(nearest)`?"
            }
            note("`\(name)` needs a colour", hints: [hint])
            if case .word(let word)? = token, NotationProperty.named(word) == nil { next += 1 }
            return nil
        }
        next += 1
        return color
    }

    static func color(_ word: String) -> NotationColor? {
        guard word.hasPrefix("#") else {
            return NibCompiler.systemColorNames.contains("\(word)Color") ? .system(word) : nil
        }
        let digits = word.utf8.dropFirst().compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == word.utf8.count - 1, [6, 8].contains(digits.count) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            let value: Int = digits[place] * 16 + digits[place + 1]
            bytes.append(UInt8(value))
        }
        if bytes.count == 3 { bytes.append(255) }
        return .components(bytes)
    }

    /// Runtime attributes that lines have in other words.
    private static let ownKeys = [
        "wx.identifier": "the name of a line is its identifier", "wx_fieldName": "`field` is the name in a form",
        "wx_keeps": "`keeps end` keeps the end of a table in sight",
    ]

    private mutating func readSetting() -> NotationValue? {
        guard case .word(let key)? = token, NotationLine.isPlainWord(key) else {
            return missing("set", "a key and a value", "cornerRadius 8")
        }
        if let word = NotationWords.ownKeys[key] { note("`set \(key)` is not needed", hints: [word]) }
        next += 1
        switch token {
        case .text(let text)?:
            next += 1
            return .setting(key, .text(text))
        case .word("yes")?, .word("no")?:
            let isYes = token == .word("yes")
            next += 1
            return .setting(key, .truth(isYes))
        case .word(let word)?:
            if let number = NotationWords.number(word) {
                next += 1
                return .setting(key, .number(number))
            }
            if let color = NotationWords.color(word) {
                next += 1
                return .setting(key, .color(color))
            }
        case .arrow?, nil: break
        }
        note(
            "`set \(key)` needs a value", hints: ["a text in quotation marks, a number, a colour, yes or no"])
        if case .word(let word)? = token, NotationProperty.named(word) == nil { next += 1 }
        return nil
    }

    // MARK: Targets

    private mutating func readTarget(_ node: inout NotationNode) {
        let start = next
        next += 1
        if node.target != nil {
            note("the line leads to two places", at: start)
        } else if !kind.canLead {
            note(
                "a `\(kind.rawValue)` cannot lead to a screen",
                hints: ["`cell`, `button`, `left`, `right` and `tab` can"],
                at: start)
        }
        let name: String
        switch token {
        case .word(let word)?: name = word
        case .text(let text)? where !text.isEmpty: name = text
        default:
            return note("`->` needs the name of a screen", hints: ["such as `-> Details`, `-> back` or `-> dismiss`"])
        }
        node.targetPosition = place(next)
        let isWord = token == .word(name)
        next += 1
        if isWord, name == "back" || name == "dismiss" {
            node.target = name == "back" ? .back : .dismiss
            return
        }
        var kind = "show"
        if case .word(let word)? = token, let known = NotationTarget.kinds.first(where: { $0.key == word }) {
            kind = known.key
            next += 1
        }
        var segue: String?
        if token == .word("as") {
            next += 1
            switch token {
            case .word(let word)? where NotationLine.isPlainWord(word): segue = word
            case .text(let text)? where !text.isEmpty: segue = text
            default: return note("`as` needs the segue's name")
            }
            next += 1
        }
        node.target = .screen(name, kind: kind, name: segue)
    }
}
