internal import WidgetBytes

/// A value of a property list in the old text form, which Xcode's project files have.
enum OpenStepValue: Equatable, Sendable {
    case text(String)
    case list([OpenStepValue])
    case members([String: OpenStepValue])

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var list: [OpenStepValue]? {
        if case .list(let list) = self { list } else { nil }
    }

    var members: [String: OpenStepValue]? {
        if case .members(let members) = self { members } else { nil }
    }

    subscript(_ key: String) -> OpenStepValue? { members?[key] }
}

/// Why a project file cannot be read, and where.
struct OpenStepError: Error, Equatable, CustomStringConvertible {
    var sentence: String
    var position: TextPosition

    var description: String { "\(position.line):\(position.column): \(sentence)" }
}

/// Reads property lists in the old text form: dictionaries in braces, lists in parentheses, words with or without
/// quotes, and comments. Open values wait in a list, not on the call stack.
struct OpenStepParser {
    struct Limits {
        var byteCount = 32 << 20
        var depth = 32
        var valueCount = 1_000_000
    }

    /// A list or dictionary whose end has not been read. It is changed in place, so that long ones are not copied.
    private struct Open {
        var isList: Bool
        var list: [OpenStepValue] = []
        var members: [String: OpenStepValue] = [:]
        /// Of a dictionary, the key whose value comes next.
        var key: String?
    }

    private let bytes: [UInt8]
    private let limits: Limits
    private var index = 0
    private var open: [Open] = []
    private var valueCount = 0

    static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(OpenStepError) -> OpenStepValue {
        var parser = OpenStepParser(bytes, limits)
        return try parser.parse()
    }

    private init(_ bytes: [UInt8], _ limits: Limits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    private func fault(_ sentence: String) -> OpenStepError {
        OpenStepError(sentence: sentence, position: TextPosition(of: index, in: bytes.span))
    }

    private mutating func parse() throws(OpenStepError) -> OpenStepValue {
        guard bytes.count <= limits.byteCount else { throw fault("the file exceeds \(limits.byteCount >> 20) MiB") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        while true {
            try skipBlanks()
            let complete: OpenStepValue?
            if let last = open.indices.last, open[last].key == nil, next(open[last].isList ? ")" : "}") {
                complete = close()
            } else if let last = open.indices.last, !open[last].isList, open[last].key == nil {
                open[last].key = try word()
                try skipBlanks()
                guard next("=") else { throw fault("expected = after a key") }
                continue
            } else {
                complete = try value()
            }
            // Each closed value belongs to the one around it.
            guard let value = complete else { continue }
            guard try add(value) else {
                try skipBlanks()
                guard index == bytes.count else { throw fault("something follows the property list") }
                return value
            }
        }
    }

    /// Reads a word, or opens a list or dictionary and returns `nil`.
    private mutating func value() throws(OpenStepError) -> OpenStepValue? {
        valueCount += 1
        guard valueCount <= limits.valueCount else { throw fault("the file has more than \(limits.valueCount) values") }
        if next("{") {
            open.append(Open(isList: false))
        } else if next("(") {
            open.append(Open(isList: true))
        } else {
            return .text(try word())
        }
        guard open.count <= limits.depth else { throw fault("values are nested deeper than \(limits.depth)") }
        return nil
    }

    private mutating func close() -> OpenStepValue? {
        open.popLast().map { $0.isList ? .list($0.list) : .members($0.members) }
    }

    /// Adds a value to the innermost open one, with the separator after it.
    ///
    /// - Returns: false if no value is open: this one is the whole.
    private mutating func add(_ value: OpenStepValue) throws(OpenStepError) -> Bool {
        guard let last = open.indices.last else { return false }
        if open[last].isList {
            open[last].list.append(value)
            try skipBlanks()
            guard next(",") || index < bytes.count && bytes[index] == UInt8(ascii: ")") else {
                throw fault("expected , or ) after a value")
            }
        } else {
            // Of two values for one key the last counts, as Xcode reads them.
            open[last].members[open[last].key ?? ""] = value
            open[last].key = nil
            try skipBlanks()
            guard next(";") else { throw fault("expected ; after a value") }
        }
        return true
    }

    private mutating func next(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private func isNext(_ text: StaticString) -> Bool { bytes[index...].starts(with: "\(text)".utf8) }

    /// Skips white space and comments of both forms.
    private mutating func skipBlanks() throws(OpenStepError) {
        while index < bytes.count {
            if bytes[index] <= 0x20 {
                index += 1
            } else if isNext("//") {
                while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
            } else if isNext("/*") {
                let start = index
                index += 2
                while !isNext("*/") {
                    guard index < bytes.count else {
                        index = start
                        throw fault("a comment has no end")
                    }
                    index += 1
                }
                index += 2
            } else {
                return
            }
        }
    }

    private mutating func word() throws(OpenStepError) -> String {
        guard index < bytes.count else { throw fault("the file ends too early") }
        if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") { return try quoted() }
        let start = index
        while index < bytes.count, OpenStepParser.needsNoQuotes(bytes[index]) { index += 1 }
        guard index > start else { throw fault("expected a word") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func needsNoQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "$"), UInt8(ascii: ":"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    private mutating func quoted() throws(OpenStepError) -> String {
        let (start, quote) = (index, bytes[index])
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\"), index < bytes.count else {
                text.append(byte)
                continue
            }
            let escaped = bytes[index]
            index += 1
            switch escaped {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "U") where hex(4) != nil:
                text += Array(String(Character(hex(4) ?? "\u{FFFD}")).utf8)
                index += 4
            default: text.append(escaped)
            }
        }
        index = start
        throw fault("a text has no closing quote")
    }

    /// The character of that many hexadecimal digits; `nil` if they are not there or name no character.
    private func hex(_ count: Int) -> Unicode.Scalar? {
        guard index + count <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[index..<index + count] {
            guard let digit = Hex.value(of: byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return Unicode.Scalar(value)
    }
}
