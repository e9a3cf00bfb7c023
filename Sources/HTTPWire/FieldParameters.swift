/// A field value such as `form-data; name="bundle"; filename="a.zip"`: one word, then parameters (RFC 9110 §5.6.6).
package struct FieldParameters: Equatable, Sendable {
    /// In lower case.
    package let word: String
    /// Names in lower case, in the order they were written.
    package let parameters: [(name: String, value: String)]

    /// `nil` when a quotation mark is not closed or a parameter has no name or no equals sign.
    package init?(_ text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        word = scanner.word()
        var parameters: [(name: String, value: String)] = []
        while scanner.skip(UInt8(ascii: ";")) {
            // An empty parameter is none (RFC 9110 §5.6.6).
            if scanner.isAtEnd || scanner.isAt(UInt8(ascii: ";")) { continue }
            let name = scanner.word()
            guard !name.isEmpty, scanner.skip(UInt8(ascii: "=")), let value = scanner.value() else { return nil }
            parameters.append((name, value))
        }
        guard scanner.isAtEnd else { return nil }
        self.parameters = parameters
    }

    package subscript(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    package static func == (first: FieldParameters, second: FieldParameters) -> Bool {
        first.word == second.word && first.parameters.elementsEqual(second.parameters, by: ==)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
            skipSpace()
        }

        var isAtEnd: Bool { position == bytes.count }

        func isAt(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard isAt(byte) else { return false }
            position += 1
            skipSpace()
            return true
        }

        mutating func word() -> String {
            let start = position
            while position < bytes.count, !";=\" \t".utf8.contains(bytes[position]) { position += 1 }
            defer { skipSpace() }
            return String(decoding: bytes[start..<position].map(ByteClass.lowercased), as: UTF8.self)
        }

        mutating func value() -> String? {
            guard isAt(UInt8(ascii: "\"")) else {
                let start = position
                while position < bytes.count, bytes[position] != UInt8(ascii: ";") { position += 1 }
                var end = position
                while end > start, ByteClass.isSpace(bytes[end - 1]) { end -= 1 }
                return String(decoding: bytes[start..<end], as: UTF8.self)
            }
            position += 1
            var text: [UInt8] = []
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
                text.append(bytes[position])
                position += 1
            }
            guard skip(UInt8(ascii: "\"")) else { return nil }
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func skipSpace() {
            while position < bytes.count, ByteClass.isSpace(bytes[position]) { position += 1 }
        }
    }
}
