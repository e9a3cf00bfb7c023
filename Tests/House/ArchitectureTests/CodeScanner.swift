/// Separates code from comments and quoted text. Lines stay as many as they were.
///
/// It knows Swift's comments within comments, texts of one and of several lines, raw texts, the code that is interpolated
/// into a text, regular expressions, and names in backticks, which stay as they are.
struct CodeScanner {
    private enum Place {
        /// - openCount: the parentheses to be closed before the one that ends an interpolation.
        case code(openCount: Int)
        /// - hashCount: the number signs around a raw text.
        case text(hashCount: Int, isLong: Bool)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var code: [UInt8] = []
    /// The place, after those around it. The first is the file's own code.
    private var places = [Place.code(openCount: 0)]

    static func code(of text: String) -> String {
        var scanner = CodeScanner(bytes: Array(text.utf8))
        scanner.scan()
        return String(decoding: scanner.code, as: UTF8.self)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        code.reserveCapacity(bytes.count)
    }

    /// True for each byte that can change the place in code, or in a text: the others are many, and pass quickly.
    private static let matters = (code: table("/#\"`()"), text: table("\\\"\n"))

    private static func table(_ characters: String) -> [Bool] {
        (UInt8.min...UInt8.max).map { characters.utf8.contains($0) }
    }

    private mutating func scan() {
        while position < bytes.count, let place = places.last {
            let byte = Int(bytes[position])
            switch place {
            case .code where !Self.matters.code[byte]:
                code.append(bytes[position])
                position += 1
            case .text where !Self.matters.text[byte]: position += 1
            case .code(let openCount): scanCode(openCount)
            case .text(let hashCount, let isLong): scanText(hashCount, isLong)
            }
        }
    }

    // MARK: Code

    private mutating func scanCode(_ openCount: Int) {
        let hashCount = count(of: "#")
        if hasNext("//") {
            skip(to: bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
        } else if hasNext("/*") {
            skipComment()
        } else if hasNext("`") {
            let end = bytes[(position + 1)...].firstIndex { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }
            copy(through: end ?? bytes.count - 1)
        } else if hasNext("\"", after: hashCount) {
            openText(hashCount)
        } else if hasNext("/", after: hashCount), let end = endOfExpression(hashCount) {
            skip(to: end)
        } else if hashCount > 0 {
            copy(through: position + hashCount - 1)
        } else {
            let byte = bytes[position]
            if byte == UInt8(ascii: ")"), openCount == 0, places.count > 1 {
                places.removeLast()
                return skip(to: position + 1)
            }
            if byte == UInt8(ascii: "(") { places[places.count - 1] = .code(openCount: openCount + 1) }
            if byte == UInt8(ascii: ")") { places[places.count - 1] = .code(openCount: openCount - 1) }
            copy(through: position)
        }
    }

    private mutating func skipComment() {
        var depth = 0
        var end = position
        repeat {
            let byte = bytes[end]
            if byte != UInt8(ascii: "/"), byte != UInt8(ascii: "*") {
                end += 1
            } else if matches("/*", end) {
                depth += 1
                end += 2
            } else if matches("*/", end) {
                depth -= 1
                end += 2
            } else {
                end += 1
            }
        } while depth > 0 && end < bytes.count
        skip(to: end)
    }

    private mutating func openText(_ hashCount: Int) {
        let quotes = position + hashCount
        // A raw text of one line can begin with quotes; one of several lines has nothing after them.
        let isBlank = bytes[min(quotes + 3, bytes.count)...].prefix { $0 != UInt8(ascii: "\n") }.allSatisfy {
            $0 == 0x20
        }
        let isLong = matches("\"\"\"", quotes) && (hashCount == 0 || isBlank)
        places.append(.text(hashCount: hashCount, isLong: isLong))
        skip(to: quotes + (isLong ? 3 : 1))
    }

    /// The end of a regular expression that begins here; `nil` for a division or another operator.
    private func endOfExpression(_ hashCount: Int) -> Int? {
        let start = position + hashCount + 1
        guard hashCount == 0 else {
            let closing = "/" + String(repeating: "#", count: hashCount)
            let end = (start..<bytes.count).first { matches(closing, $0) }
            return end.map { $0 + closing.utf8.count }
        }
        guard let first = bytes[start...].first, !" \t\n)=/*".utf8.contains(first), isBeginning else { return nil }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            if bytes[end] == UInt8(ascii: "/") { return end + 1 }
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// True where a value begins, so that a slash divides nothing.
    private var isBeginning: Bool {
        guard let last = code.last(where: { $0 != 0x20 && $0 != UInt8(ascii: "\n") }) else { return true }
        if "(,=:[{;!&|?".utf8.contains(last) { return true }
        let line = String(decoding: code.suffix(8), as: UTF8.self)
        return ["return ", "case ", " in ", "try "].contains { line.hasSuffix($0) }
    }

    // MARK: Text

    private mutating func scanText(_ hashCount: Int, _ isLong: Bool) {
        let hashes = String(repeating: "#", count: hashCount)
        let closing = (isLong ? "\"\"\"" : "\"") + hashes
        let escape = "\\" + hashes
        if hasNext(closing) {
            places.removeLast()
            skip(to: position + closing.utf8.count)
        } else if hasNext("\(escape)(") {
            places.append(.code(openCount: 0))
            skip(to: position + escape.utf8.count + 1)
        } else if hasNext(escape) {
            // A line break after it is kept, as all are.
            let end = position + escape.utf8.count
            position = matches("\n", end) ? end : end + 1
        } else if hasNext("\n") {
            // One of a single line that is not closed ends with it, so that a mistake here spoils one line.
            if !isLong { places.removeLast() }
            copy(through: position)
        } else {
            position += 1
        }
    }

    // MARK: Bytes

    private func matches(_ text: String, _ start: Int) -> Bool {
        start <= bytes.count && bytes[start...].starts(with: text.utf8)
    }

    private func hasNext(_ text: String, after count: Int = 0) -> Bool { matches(text, position + count) }

    private func count(of sign: Unicode.Scalar) -> Int {
        bytes[position...].prefix { $0 == UInt8(ascii: sign) }.count
    }

    private mutating func copy(through end: Int) {
        code += bytes[position...end]
        position = end + 1
    }

    /// Leaves bytes out. A comment or a text separates words, as a space does; lines end where they did.
    private mutating func skip(to end: Int) {
        code.append(0x20)
        code += bytes[position..<end].filter { $0 == UInt8(ascii: "\n") }
        position = end
    }
}
