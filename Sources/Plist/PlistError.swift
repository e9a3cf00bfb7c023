package import Bytes

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
        case invalidInteger
        case invalidReal
        case invalidData

        // Strings files.
        case unexpectedCharacter(UInt32, expected: StringsExpectation)
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
    /// Where the offset lies in a text; the binary form has no lines.
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
