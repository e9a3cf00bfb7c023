internal import WidgetBytes

/// The values of build settings, and the texts in which they are variables: `$(NAME)`, `${NAME}`, `$(NAME:MODIFIER)`.
struct BuildSettings: Equatable, Sendable {
    struct Limits {
        /// Variables inside values of variables.
        var depth = 16
        /// Variables replaced in one text.
        var variableCount = 256
        /// Bytes of one text, before and after its variables are replaced.
        var byteCount = BuildSettings.longestText
        /// Bytes of one variable with its modifiers.
        var nameByteCount = 512
    }

    /// The most bytes of a setting's value.
    static let longestText = 16 << 10

    private(set) var values: [String: String] = [:]
    /// Settings that have a value beyond the limit, and so have none here.
    private(set) var tooLong: Set<String> = []
    private let limits = Limits()

    init(_ values: [String: String] = [:]) {
        var byteCount = Int.max
        layer(values, upTo: &byteCount)
    }

    static func == (left: BuildSettings, right: BuildSettings) -> Bool { left.values == right.values }

    subscript(_ name: String) -> String? { values[name] }

    /// Adds values of a layer above. `$(inherited)` in one is the value below it.
    ///
    /// - Parameter byteCount: the bytes of names and values that may still be added. Below zero, the rest is left out.
    mutating func layer(_ above: [String: String], upTo byteCount: inout Int) {
        for (name, value) in above {
            byteCount -= BuildSettings.entryByteCount + name.utf8.count
            guard byteCount >= 0 else { return }
            guard let text = inheriting(value, tooLong.contains(name) ? nil : values[name] ?? "") else {
                tooLong.insert(name)
                values[name] = nil
                continue
            }
            byteCount -= text.utf8.count
            tooLong.remove(name)
            values[name] = text
        }
    }

    /// Adds the values of other settings, and their faults.
    mutating func layer(_ above: BuildSettings) {
        var byteCount = Int.max
        layer(above.values, upTo: &byteCount)
        tooLong.formUnion(above.tooLong)
        for name in above.tooLong { values[name] = nil }
    }

    /// The bytes that one setting counts at least.
    private static let entryByteCount = 64

    /// Replaces `$(inherited)`; returns `nil` if the text is too long before or after that.
    ///
    /// - Parameter below: the inherited value; `nil` for one that is too long.
    private func inheriting(_ value: String, _ below: String?) -> String? {
        var text = value
        for inherited in ["$(inherited)", "${inherited}"] {
            guard text.utf8.count <= limits.byteCount else { return nil }
            let parts = text.split(separator: inherited, omittingEmptySubsequences: false)
            guard parts.count > 1 else { continue }
            guard let below else { return nil }
            // The length is known before anything is joined.
            let kept = parts.reduce(0) { $0 + $1.utf8.count }
            guard kept + (parts.count - 1) * below.utf8.count <= limits.byteCount else { return nil }
            text = parts.joined(separator: below)
        }
        return text.utf8.count <= limits.byteCount ? text : nil
    }

    /// A text whose variables are replaced.
    struct Expansion: Equatable {
        var text = ""
        /// Variables without a value, which leave nothing.
        var unknown: [String] = []
        /// Modifiers that have no meaning here, and change nothing.
        var unknownModifiers: [String] = []
        /// Variables whose value is beyond the limit.
        var tooLong: [String] = []
        /// Variables that were replaced, in the text itself.
        var used: [String] = []
        /// True if a limit was reached; the text ends there.
        var isCut = false
        /// The bytes that were read and written for it.
        var work = 0
        fileprivate var count = 0
    }

    /// Replaces the variables of a text. One that is too long is returned as it is.
    func expanded(_ text: String) -> Expansion {
        var expansion = Expansion()
        guard text.utf8.count <= limits.byteCount else {
            expansion.text = text
            return expansion
        }
        expansion.text = String(decoding: expand(Array(text.utf8), depth: 0, &expansion), as: UTF8.self)
        return expansion
    }

    /// Replaces the variables of a text, and those of their values; the depth is bounded.
    private func expand(_ text: [UInt8], depth: Int, _ expansion: inout Expansion) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        defer { expansion.work += text.count + result.count }
        while index < text.count {
            guard text[index] == UInt8(ascii: "$"), let end = end(of: text, from: index, &expansion) else {
                result.append(text[index])
                index += 1
                continue
            }
            expansion.count += 1
            guard depth < limits.depth, expansion.count <= limits.variableCount, result.count <= limits.byteCount else {
                expansion.isCut = true
                return result
            }
            let inner = expand(Array(text[index + 2..<end]), depth: depth + 1, &expansion)
            result += value(of: inner, depth: depth, &expansion)
            index = end + 1
        }
        if result.count > limits.byteCount {
            expansion.isCut = true
            result.removeSubrange(limits.byteCount...)
        }
        return result
    }

    /// Returns the offset of the bracket that closes the variable; `nil` if it is not one.
    private func end(of text: [UInt8], from start: Int, _ expansion: inout Expansion) -> Int? {
        guard start + 1 < text.count else { return nil }
        let brackets = [UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}")]
        guard let closing = brackets[text[start + 1]] else { return nil }
        var depth = 0
        for index in (start + 1)..<min(text.count, start + limits.nameByteCount) {
            expansion.work += 1
            if text[index] == text[start + 1] { depth += 1 }
            if text[index] == closing { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private func value(of variable: [UInt8], depth: Int, _ expansion: inout Expansion) -> [UInt8] {
        let parts = variable.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let name = parts.first ?? ""
        var value: [UInt8] = []
        if let known = values[name] {
            if depth == 0 { expansion.used.append(name) }
            value = expand(Array(known.utf8), depth: depth + 1, &expansion)
        } else if tooLong.contains(name) {
            expansion.tooLong.append(name)
        } else if !parts.dropFirst().contains(where: { $0.hasPrefix("default=") }) {
            expansion.unknown.append("$(\(name))")
        }
        for modifier in parts.dropFirst() {
            expansion.work += value.count
            guard let changed = BuildSettings.apply(modifier, to: value) else {
                expansion.unknownModifiers.append(modifier)
                continue
            }
            value = changed
        }
        return value
    }

    /// Returns `nil` for a modifier without meaning here.
    private static func apply(_ modifier: String, to value: [UInt8]) -> [UInt8]? {
        func replacing(by other: Unicode.Scalar, unless isKept: (UInt8) -> Bool) -> [UInt8] {
            // A character of several bytes is replaced once.
            value.filter { $0 & 0xC0 != 0x80 }.map { isKept($0) ? $0 : UInt8(ascii: other) }
        }
        func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        switch modifier {
        case "rfc1034identifier": return replacing(by: "-") { isWord($0) || $0 == UInt8(ascii: ".") }
        case "c99extidentifier", "identifier":
            let text = replacing(by: "_", unless: isWord)
            let beginsWithDigit = text.first.map { (0x30...0x39).contains($0) } ?? false
            return beginsWithDigit ? [UInt8(ascii: "_")] + text.dropFirst() : text
        case "lower": return value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        case "upper": return value.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }
        case "quote", "standardizepath": return value
        case let text where text.hasPrefix("default="):
            return value.isEmpty ? Array(text.utf8.dropFirst("default=".utf8.count)) : value
        default: return nil
        }
    }

    /// Reads a file of settings, `NAME = VALUE` in lines, with comments and other files.
    ///
    /// Values for certain devices or configurations, `NAME[sdk=…]`, are left out.
    ///
    /// - Returns: the settings, and the files to read before them.
    static func parse(_ file: [UInt8]) -> (values: [String: String], included: [String]) {
        var values: [String: String] = [:]
        var included: [String] = []
        for line in file.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let comment = line.indices.first { line[$0...].starts(with: "//".utf8) } ?? line.endIndex
            let words = text(line[..<comment])
            if words.hasPrefix("#") {
                let quoted = words.split(separator: "\"", omittingEmptySubsequences: false)
                if words.hasPrefix("#include"), quoted.count >= 2 { included.append(String(quoted[1])) }
                continue
            }
            guard let equals = line[..<comment].firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = text(line[..<equals])
            guard !name.isEmpty, !name.contains("["), !name.contains(" ") else { continue }
            values[name] = text(line[line.index(after: equals)..<comment])
        }
        return (values, included)
    }

    /// Returns the text without the white space around it.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
