package import Bytes

/// Why a document was refused, and where.
package struct XMLError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case limitReached(XMLLimits.Name, limit: Int)
        case unsupportedEncoding
        case invalidUTF8
        case invalidCharacter(UInt32)
        case truncated
        case xmlDeclaration
        case documentType
        case internalSubset
        case markupDeclaration
        case processingInstruction
        case invalidComment
        case unexpectedText
        case emptyDocument
        case trailingContent
        case invalidTag
        case duplicateAttribute(String)
        case attribute
        case mismatchedEnd(expected: String, found: String)
        case unknownEntity(String)
        case invalidCharacterReference
        case sectionEndInText
    }

    package var reason: Reason
    package var offset: Int
    package var position: TextPosition

    package init(_ reason: Reason, offset: Int, position: TextPosition) {
        (self.reason, self.offset, self.position) = (reason, offset, position)
    }
}

extension XMLError: CustomStringConvertible {
    package var description: String { "\(position): \(reason)" }
}

extension XMLError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .limitReached(.byteCount, let limit): "the document exceeds \(limit) bytes"
        case .limitReached(.depth, let limit): "elements are nested deeper than \(limit)"
        case .limitReached(.elementCount, let limit): "the document has more than \(limit) elements"
        case .limitReached(.attributeCount, let limit): "an element has more than \(limit) attributes"
        case .unsupportedEncoding: "the text is not declared or encoded as UTF-8"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .invalidCharacter(let value): "the character U+\(String(value, radix: 16, uppercase: true)) is not allowed"
        case .truncated: "the document ends too early"
        case .xmlDeclaration: "the XML declaration is malformed"
        case .documentType: "a document type is not allowed"
        case .internalSubset: "the document type has declarations"
        case .markupDeclaration: "declarations are not allowed"
        case .processingInstruction: "processing instructions are not allowed"
        case .invalidComment: "a comment is malformed"
        case .unexpectedText: "text stands outside the root element"
        case .emptyDocument: "the document has no element"
        case .trailingContent: "something follows the root element"
        case .invalidTag: "a tag is malformed"
        case .duplicateAttribute(let name): "the attribute \(ShownText.name(name)) stands there twice"
        case .attribute: "this attribute is not allowed"
        case .mismatchedEnd(let expected, let found):
            "expected the end of \(ShownText.name(expected)), found that of \(ShownText.name(found))"
        case .unknownEntity(let name): "the entity \(ShownText.name(name)) is unknown"
        case .invalidCharacterReference: "a character reference names no allowed character"
        case .sectionEndInText: "']]>' may not stand in text"
        }
    }
}
