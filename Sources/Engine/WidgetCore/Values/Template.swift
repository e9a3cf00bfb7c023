package import WidgetPredicates

/// A text with places that are filled in: `$key.path` reads from a root, and in a format `%@` is the root itself.
package struct Template: Sendable {
    enum Part: Sendable {
        case text(String)
        case path(TemplatePath)
        /// A printf conversion of the root: its letter, and how many digits follow the point.
        case conversion(Character, precision: Int?)
    }

    package enum Style: Sendable {
        /// `$a.b` reads along a key path.
        case keyPaths
        /// The same, and `%@` is the root: what `format` is written in.
        case format
        /// `$a` reads one key: paths of requests, where a dot is just a dot.
        case keys
    }

    let parts: [Part]
    package let source: String

    package init(_ text: String, _ style: Style) {
        var paths = TemplatePath.Table()
        self.init(text, style, &paths)
    }

    /// - Parameter paths: what other templates of the same document read.
    init(_ text: String, _ style: Style, _ paths: inout TemplatePath.Table) {
        source = text
        parts = TemplateReader(text, style).parts(&paths)
    }

    package var hasTokens: Bool {
        parts.contains { part in
            if case .path = part { true } else { false }
        }
    }

    /// The key paths of its places, as they are written.
    package var keyPaths: [String] {
        parts.compactMap { part in
            if case .path(let path) = part { path.text } else { nil }
        }
    }

    package func text(root: Value, environment: PredicateEnvironment) -> String {
        var text = ""
        let limit = environment.meter?.textByteCount ?? .max
        for part in parts {
            let added =
                switch part {
                case .text(let literal): literal
                case .path(let path): path.value(in: root, environment).shown
                case .conversion(let letter, let precision): Template.converted(root, letter, precision)
                }
            environment.meter?.spend(Meter.place + added.utf8.count / 16)
            // The limit holds for each text, because texts made of texts could grow without end.
            if environment.meter?.left == 0 { break }
            guard added.utf8.count <= limit - text.utf8.count else {
                environment.meter?.noteLongText()
                break
            }
            text += added
        }
        // Each piece is within the limit of marks. Joined they can exceed it, and comparing the text would take long.
        if parts.count > 1, MarkRun.isTooLong(in: text) {
            environment.meter?.noteLongText()
            return ""
        }
        return text
    }

    /// The value itself where the text is one token and nothing else, so that numbers stay numbers.
    package func value(root: Value, environment: PredicateEnvironment) -> Value {
        if parts.count == 1, case .path(let path) = parts[0] { return path.value(in: root, environment) }
        return .string(text(root: root, environment: environment))
    }

    private static func converted(_ root: Value, _ letter: Character, _ precision: Int?) -> String {
        guard letter != "@", letter != "s", let number = root.number else { return root.shown }
        guard "fFg".contains(letter) else {
            return number.isFinite && abs(number) < 9e18 ? String(Int64(number)) : root.shown
        }
        return letter == "g" ? Value.text(number) : NumberFormat.fixed(number, digits: precision ?? 6)
    }
}

/// Numbers with a fixed number of digits.
package enum NumberFormat {
    package static func fixed(_ number: Double, digits: Int) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return Value.text(number) }
        var scale = 1.0
        for _ in 0..<min(max(digits, 0), 15) { scale *= 10 }
        let scaled = (abs(number) * scale).rounded()
        guard scaled < 9e18 else { return Value.text(number) }
        var text = String(Int64(scaled))
        let sign = number < 0 && scaled != 0 ? "-" : ""
        guard digits > 0 else { return sign + text }
        if text.utf8.count <= digits { text = String(repeating: "0", count: digits + 1 - text.utf8.count) + text }
        return "\(sign)\(text.dropLast(digits)).\(text.suffix(digits))"
    }
}

/// The key path of one place of a template. Equal places share it, because a document can have very many.
final class TemplatePath: Sendable {
    let text: String
    private let expression: CompiledKeyPath?
    /// The keys of a text that is not a key path, read one after the other. Mostly they find no value.
    private let keys: [String]

    private init(_ text: String) {
        self.text = text
        expression = CompiledKeyPath(text)
        keys = expression == nil ? text.split(separator: ".").map(String.init) : []
    }

    func value(in root: Value, _ environment: PredicateEnvironment) -> Value {
        guard let expression else { return root.member(at: keys) }
        do throws(PredicateError) {
            return try expression.value(for: root, environment: environment)
        } catch {
            // A key that does not exist reads as nothing here, as the language of templates has no errors.
            return .null
        }
    }

    /// True if a root has a value for it, or one that is nothing.
    func isGiven(in root: Value) -> Bool {
        if root.isNull { return false }
        var found = root
        for key in text.split(separator: ".").map(String.init) {
            switch found {
            // A member of nothing is nothing, and a member of a list is one of its items.
            case .null, .array, .set: return true
            case .dictionary(let dictionary):
                guard let next = dictionary[key] else { return false }
                found = next
            case .object(let object):
                guard let next = object.value(forKey: key) else { return false }
                found = next
            default: return false
            }
        }
        return true
    }

    /// Paths by how they are written.
    struct Table {
        private var known: [String: TemplatePath] = [:]

        subscript(text: String) -> TemplatePath {
            mutating get {
                if let path = known[text] { return path }
                let path = TemplatePath(text)
                known[text] = path
                return path
            }
        }
    }
}

/// Parses a template byte by byte, because a template can be large and reading it by characters is slow.
struct TemplateReader {
    private let bytes: [UInt8]
    private let style: Template.Style
    private let text: String

    init(_ text: String, _ style: Template.Style) {
        self.text = text
        self.style = style
        bytes = Array(text.utf8)
    }

    func parts(_ paths: inout TemplatePath.Table) -> [Template.Part] {
        var parts: [Template.Part] = []
        // The start of the literal text, and the current position.
        var start = 0
        var place = 0
        func flush() { if start < place { parts.append(.text(string(start..<place))) } }
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "$"), let token = token(from: place + 1) {
                flush()
                parts.append(.path(paths[string(token)]))
                place = token.upperBound
                start = place
            } else if style == .format, bytes[place] == UInt8(ascii: "%"), let (part, end) = conversion(from: place) {
                flush()
                parts.append(part)
                place = end
                start = place
            } else {
                place += 1
            }
        }
        flush()
        return parts
    }

    private func string(_ range: Range<Int>) -> String {
        range.count == bytes.count ? text : String(decoding: bytes[range], as: UTF8.self)
    }

    /// The key path of a token, without the full stops that end the sentence after it.
    private func token(from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, isInToken(bytes[end]) { end += 1 }
        if bytes[start..<end].contains(where: { $0 >= 0x80 }) { end = start + lettersCount(start..<end) }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return end > start && bytes[start] != UInt8(ascii: ".") ? start..<end : nil
    }

    private func isInToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        case UInt8(ascii: "."): style != .keys
        default: false
        }
    }

    /// The number of bytes that belong to letters, for text beyond ASCII.
    private func lettersCount(_ range: Range<Int>) -> Int {
        string(range).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.utf8.count
    }

    private func conversion(from start: Int) -> (Template.Part, end: Int)? {
        var place = start + 1
        if place < bytes.count, bytes[place] == UInt8(ascii: "%") { return (.text("%"), place + 1) }
        while place < bytes.count, isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") { place += 1 }
        let flags = bytes[(start + 1)..<place]
        while place < bytes.count, bytes[place] == UInt8(ascii: "l") || bytes[place] == UInt8(ascii: "h") { place += 1 }
        guard place < bytes.count else { return nil }
        let letter = Character(Unicode.Scalar(bytes[place]))
        guard "@dDiufFgs".contains(letter) else { return nil }
        let precision = flags.firstIndex(of: UInt8(ascii: ".")).flatMap { point in
            Int(String(decoding: flags[(point + 1)...], as: UTF8.self))
        }
        return (.conversion(letter, precision: precision.map { min(max($0, 0), 15) }), place + 1)
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}

/// A value in which every text is a template: the parameters of a request, or a scripted answer.
///
/// Filled-in values stay values: a quote in one can never end a text.
package struct StructuredTemplate: Sendable {
    /// As deep as the document was that it came from.
    fileprivate indirect enum Part: Sendable {
        /// Nothing in it is filled.
        case fixed(Value)
        case text(Template)
        case array([Part])
        case dictionary([(String, Part)])
    }

    private let value: Value
    private let part: Part

    package init(_ value: Value) {
        self.value = value
        var paths = TemplatePath.Table()
        part = StructuredTemplate.part(value, &paths) ?? .fixed(value)
    }

    /// `nil` if it has no places, as most scripted answers.
    private static func part(_ value: Value, _ paths: inout TemplatePath.Table) -> Part? {
        switch value {
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
            let template = Template(text, .keyPaths, &paths)
            return template.hasTokens ? .text(template) : nil
        case .array(let elements):
            return parts(elements, &paths).map { .array($0) }
        case .dictionary(let dictionary):
            return parts(dictionary.values, &paths).map { .dictionary(Array(zip(dictionary.keys, $0))) }
        default: return nil
        }
    }

    private static func parts(_ values: [Value], _ paths: inout TemplatePath.Table) -> [Part]? {
        var parts: [Part] = []
        for (place, value) in values.enumerated() {
            let part = part(value, &paths)
            if part != nil, parts.isEmpty { parts = values[..<place].map { .fixed($0) } }
            if part != nil || !parts.isEmpty { parts.append(part ?? .fixed(value)) }
        }
        return parts.isEmpty ? nil : parts
    }

    /// Its texts with places.
    var templates: [Template] {
        var found: [Template] = []
        var pending = [part]
        while let part = pending.popLast() {
            switch part {
            case .fixed: continue
            case .text(let template): found.append(template)
            case .array(let parts): pending += parts.reversed()
            case .dictionary(let parts): pending += parts.reversed().map { $0.1 }
            }
        }
        return found
    }

    /// The value with its places filled from a root; without a root the places stay as they are written.
    ///
    /// - Parameter keepsValues: true if a text that is one place becomes the value itself, such as a number or a list.
    package func filled(from root: Value?, environment: PredicateEnvironment, keepsValues: Bool = false) -> Value {
        guard let root else { return value }
        return StructuredTemplate.fill(part, root, environment, keepsValues)
    }

    private static func fill(
        _ part: Part, _ root: Value, _ environment: PredicateEnvironment, _ keepsValues: Bool
    ) -> Value {
        environment.meter?.spend(Meter.field)
        if environment.meter?.left == 0 { return .null }
        switch part {
        case .fixed(let value): return value
        case .text(let template):
            if keepsValues { return template.value(root: root, environment: environment) }
            return .string(template.text(root: root, environment: environment))
        case .array(let parts): return .array(parts.map { fill($0, root, environment, keepsValues) })
        case .dictionary(let parts):
            return .dictionary(PredicateDictionary(parts.map { ($0, fill($1, root, environment, keepsValues)) }))
        }
    }
}
