package import WidgetBytes

/// Why a document was refused, and where.
package struct JSONError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case emptyDocument
        case byteOrderMark
        case utf16
        case rootNotContainer
        case truncated
        case unexpectedByte(UInt8, expected: Expectation)
        case trailingComma
        case trailingContent
        case invalidLiteral
        case leadingZero
        case missingDigit
        case controlCharacter(UInt8)
        case unknownEscape(UInt8)
        case invalidUnicodeEscape
        case loneSurrogate(UInt16)
        case invalidUTF8
        case duplicateName(String)
        /// A name that is canonically equivalent to an earlier one, in other code points.
        case equivalentName(String)
        case limitReached(JSONLimits.Name, limit: Int)
        case missingMember(String)
        case wrongType(expected: JSONTypeName, found: JSONTypeName)
        /// A number that is not whole, or too large for the type asked for.
        case numberNotRepresentable(String)
        /// A value of the right type that is still not what its reader needs, in the reader's words.
        case unsuitable(expected: String)
    }

    package enum Expectation: String, Sendable {
        case value = "a value"
        case memberName = "a member name in quotes"
        case memberNameOrEnd = "a member name in quotes or '}'"
        case colon = "':'"
        case commaOrObjectEnd = "',' or '}'"
        case commaOrArrayEnd = "',' or ']'"
    }

    package var reason: Reason
    package var offset: Int
    package var position: TextPosition
    /// The value being read; the container when the fault lies between its values.
    package var path: ValuePath

    package init(_ reason: Reason, offset: Int, position: TextPosition, path: ValuePath = ValuePath()) {
        self.reason = reason
        self.offset = offset
        self.position = position
        self.path = path
    }

    package var line: Int { position.line }

    package var column: Int { position.column }
}

extension JSONError: CustomStringConvertible {
    /// One line for a person: place, path, sentence.
    package var description: String {
        "\(position)\(path.isRoot ? "" : " (\(path))"): \(reason)"
    }
}

extension JSONError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .emptyDocument: "the document is empty"
        case .byteOrderMark: "the document begins with a byte order mark"
        case .utf16: "the document is in UTF-16; save it as UTF-8"
        case .rootNotContainer: "the document's root is neither an object nor an array"
        case .truncated: "the document ends too early"
        case .unexpectedByte(let byte, let expected): "expected \(expected.rawValue), found \(shown(byte))"
        case .trailingComma: "there is a comma before the end of its object or array; remove it"
        case .trailingContent: "something follows the document's value"
        case .invalidLiteral: "expected true, false or null"
        case .leadingZero: "a number begins with a needless zero"
        case .missingDigit: "a digit is missing in a number"
        case .controlCharacter(let byte): "a string holds \(shown(byte)) unescaped"
        case .unknownEscape(let byte): "a string escapes \(shown(byte)), which has no meaning"
        case .invalidUnicodeEscape: "\\u is not followed by four hexadecimal digits"
        case .loneSurrogate(let unit): "\\u\(String(unit, radix: 16)) is half of a surrogate pair"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .duplicateName(let name): "the object already has a member \(ValuePath([.key(name)]))"
        case .equivalentName(let name):
            "the object already has the member \(ValuePath([.key(name)])), spelled with other code points of Unicode"
        case .limitReached(.byteCount, let limit): "the document exceeds \(limit) bytes"
        case .limitReached(.depth, let limit): "values are nested deeper than \(limit)"
        case .limitReached(.valueCount, let limit): "the document holds more than \(limit) values"
        case .limitReached(.numberByteCount, let limit): "a number is longer than \(limit) bytes"
        case .limitReached(.markCount, let limit): "more than \(limit) combining marks stand on one letter"
        case .missingMember(let name): "the member \(ValuePath([.key(name)])) is missing"
        case .wrongType(let expected, let found): "expected \(expected.rawValue), found \(found.rawValue)"
        case .unsuitable(let expected): "expected \(expected)"
        case .numberNotRepresentable(let text):
            "\(ShownText.plain(text, limit: 40)) is not a whole number of the size expected"
        }
    }

    private func shown(_ byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        default: "byte 0x\(Hex.string([byte]))"
        }
    }
}
