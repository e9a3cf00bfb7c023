package import Predicates

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
            // What is made of texts that are made of texts would grow without end.
            if environment.meter?.left == 0 { break }
            guard added.utf8.count <= limit - text.utf8.count else {
                environment.meter?.noteLongText()
                break
            }
            text += added
        }
        // Pieces that are read are short of marks; joined they need not be, and whatever compares them would take long.
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
