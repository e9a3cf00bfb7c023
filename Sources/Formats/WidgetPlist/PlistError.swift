package import WidgetBytes

/// Why a property list, or a value in it, was refused, and where.
package struct PlistError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        // Either form.
        case truncated
        case limitReached(PlistLimits.Name, limit: Int)
        case duplicateKey(String)
        case integerOutOfRange
        case invalidDate

        // Binary: the frame.
        case unsupportedVersion
        case unusedBytesNotZero
        case offsetSize(UInt8)
        case referenceSize(UInt8)
        case noObjects
        case topObjectOutOfRange
        case offsetTableOutOfRange
        case offsetOutOfRange

        // Binary: an object.
        case objectOutOfRange
        case objectsOverlap
        case unsupportedMarker(UInt8)
        case invalidCount
        case referenceOutOfRange
        case cycle
        case keyNotString(PlistTypeName)
        case notASCII
        case loneSurrogate(UInt16)
        case uidOutOfRange

        // XML: the document.
        case unsupportedEncoding
        case invalidUTF8
        case invalidCharacter(UInt32)
        case xmlDeclaration
        case documentType
        case internalSubset
        case markupDeclaration
        case processingInstruction
        case invalidComment
        case unexpectedText
        case emptyDocument
        case trailingContent

        // XML: elements and text.
        case invalidTag
        case attribute
        case unknownElement(String)
        case unexpectedElement(String)
        case mismatchedEnd(expected: String, found: String)
        case secondRoot
        case missingKey
        case missingValue(key: String)
        case unknownEntity(String)
        case invalidCharacterReference
        case sectionEndInText
        case commentInText
        case invalidInteger
        case invalidReal
        case invalidData

        // Strings files.
        case unexpectedCharacter(UInt32, expected: StringsExpectation)
        /// A number that names no character: `U`, or the first octal digit.
        case unknownEscape(UInt32)
        case invalidUTF16

        // Decoding.
        case missingMember(String)
        case wrongType(expected: PlistTypeName, found: PlistTypeName)
        case numberNotRepresentable

        // Keyed archives.
        case danglingReference(UInt32)
        case unequalCounts(keys: Int, values: Int)
    }

    package enum StringsExpectation: String, Sendable {
        case key = "a key"
        case equalsOrSemicolon = "'=' or ';'"
        case value = "a value"
        case semicolon = "';'"
        case comment = "a comment"
    }

    package var reason: Reason
    /// Absent for values that were decoded, not read.
    package var offset: Int?
    /// The offset's line and column in a text; the binary form has no lines.
    package var position: TextPosition?
    package var path: ValuePath

    package init(
        _ reason: Reason, offset: Int? = nil, position: TextPosition? = nil, path: ValuePath = ValuePath()
    ) {
        self.reason = reason
        self.offset = offset
        self.position = position
        self.path = path
    }

    package var line: Int? { position?.line }

    package var column: Int? { position?.column }
}

extension PlistError: CustomStringConvertible {
    /// One line for a person: place, path, sentence.
    package var description: String {
        let place = position.map { "\($0)" } ?? offset.map { "offset \($0)" }
        let way = path.isRoot ? nil : "\(path)"
        switch (place, way) {
        case (let place?, let way?): return "\(place) (\(way)): \(reason)"
        case (let only?, nil), (nil, let only?): return "\(only): \(reason)"
        case (nil, nil): return "\(reason)"
        }
    }
}

extension PlistError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "the property list ends too early"
        case .limitReached(let name, let limit): limitSentence(name, limit)
        case .duplicateKey(let key): "the dictionary already has the key \(ShownText.name(key))"
        case .integerOutOfRange: "an integer does not fit 64 bits"
        case .invalidDate: "a date is not a moment in time"
        case .unsupportedVersion: "this version of the binary form is unknown"
        case .unusedBytesNotZero: "unused bytes of the trailer are not zero"
        case .offsetSize(let size): "offsets of \(size) bytes cannot describe this file"
        case .referenceSize(let size): "references of \(size) bytes cannot describe this file"
        case .noObjects: "the file declares no object"
        case .topObjectOutOfRange: "the top object does not exist"
        case .offsetTableOutOfRange: "the offset table does not lie between the objects and the trailer"
        case .offsetOutOfRange: "an object's offset does not lie among the objects"
        case .objectOutOfRange: "an object reaches into the offset table"
        case .objectsOverlap: "an object begins inside another"
        case .unsupportedMarker(let marker): "the object type 0x\(Hex.string([marker])) is not supported"
        case .invalidCount: "an object's count is not an integer"
        case .referenceOutOfRange: "a reference leads to no object"
        case .cycle: "an object contains itself"
        case .keyNotString(let type): "a dictionary's key is of type \(type.rawValue)"
        case .notASCII: "a string declared as ASCII is not"
        case .loneSurrogate(let unit): "0x\(String(unit, radix: 16)) is half of a surrogate pair"
        case .uidOutOfRange: "an archive reference does not fit 32 bits"
        default: textSentence
        }
    }

    private var textSentence: String {
        switch self {
        case .unsupportedEncoding: "the text is not declared or encoded as UTF-8"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .invalidUTF16: "these bytes are not UTF-16"
        case .invalidCharacter(let value): "the character U+\(String(value, radix: 16, uppercase: true)) is not allowed"
        case .xmlDeclaration: "the XML declaration is malformed"
        case .documentType: "the document type is not that of a property list"
        case .internalSubset: "the document type has an internal subset"
        case .markupDeclaration: "declarations are not allowed"
        case .processingInstruction: "processing instructions are not allowed"
        case .invalidComment: "a comment is malformed"
        case .unexpectedText: "there is text where an element must be"
        case .emptyDocument: "the document holds no value"
        case .trailingContent: "something follows the property list"
        case .invalidTag: "a tag is malformed"
        case .attribute: "this attribute is not allowed"
        case .unknownElement(let name): "the element \(ShownText.name(name)) is unknown"
        case .unexpectedElement(let name): "the element \(ShownText.name(name)) may not stand here"
        case .mismatchedEnd(let expected, let found):
            "expected the end of \(expected), found that of \(ShownText.name(found))"
        case .secondRoot: "a property list holds one value"
        case .missingKey: "a value in a dictionary has no key"
        case .missingValue(let key): "the key \(ShownText.name(key)) has no value"
        case .unknownEntity(let name): "the entity \(ShownText.name(name)) is unknown"
        case .invalidCharacterReference: "a character reference names no allowed character"
        case .sectionEndInText: "']]>' may not stand in text"
        case .commentInText: "a comment may not be inside the text of a value; move it between two elements"
        case .invalidInteger: "an integer is malformed"
        case .invalidReal: "a real number is malformed or beyond the largest double"
        case .invalidData: "data is not base64"
        case .unexpectedCharacter(let value, let expected):
            "expected \(expected.rawValue), found U+\(String(value, radix: 16, uppercase: true))"
        case .unknownEscape(0x55): "\\U is not followed by four hexadecimal digits"
        case .unknownEscape:
            "an octal number above \\177 is another character in each encoding; write the character itself"
        case .missingMember(let key): "the key \(ShownText.name(key)) is missing"
        case .wrongType(let expected, let found): "expected \(expected.rawValue), found \(found.rawValue)"
        case .danglingReference(let number): "the archive has no object \(number)"
        case .unequalCounts(let keys, let values): "the dictionary has \(keys) keys and \(values) values"
        case .numberNotRepresentable: "the number is not a whole number of the size expected"
        default: ""
        }
    }

    private func limitSentence(_ name: PlistLimits.Name, _ limit: Int) -> String {
        switch name {
        case .byteCount: "the property list exceeds \(limit) bytes"
        case .depth: "values are nested deeper than \(limit)"
        case .objectCount: "the property list declares more than \(limit) objects"
        case .visitCount: "the property list unfolds to more than \(limit) values"
        case .expandedByteCount: "the property list unfolds to more than \(limit) bytes of text and data"
        case .markCount: "more than \(limit) combining marks stand on one letter"
        }
    }
}
