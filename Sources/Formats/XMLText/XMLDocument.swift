package import WidgetBytes

/// The elements of a document, numbered in the order of their start tags; the root is number 0.
package struct XMLDocument: Sendable {
    struct Node: Sendable {
        var name: String
        var attributes: [XMLAttribute] = []
        var children: [Int] = []
        var text = ""
        var offset: Int
    }

    let nodes: [Node]
    private let lines: LineTable

    /// Reads a document of UTF-8 text: elements, attributes, text, comments and CDATA sections. There is no
    /// document type but the one in `rules`, no entity but XML's five, and no processing instruction.
    package init(
        parsing bytes: [UInt8], limits: XMLLimits = XMLLimits(), rules: XMLRules = XMLRules()
    ) throws(XMLError) {
        var parser = XMLParser(limits: limits, rules: rules)
        do {
            nodes = try parser.parse(bytes.span)
        } catch {
            // Of a declaration, the whole is at fault.
            let isDeclaration = error.reason == .xmlDeclaration || error.reason == .unsupportedEncoding
            let offset = isDeclaration ? error.start : error.offset
            throw XMLError(error.reason, offset: offset, position: TextPosition(of: offset, in: bytes.span))
        }
        lines = LineTable(bytes)
    }

    package var root: XMLElement { XMLElement(document: self, number: 0) }

    package var elementCount: Int { nodes.count }

    func position(of offset: Int) -> TextPosition { lines.position(of: offset) }
}

package struct XMLAttribute: Equatable, Sendable {
    package var name: String
    package var value: String
    /// The offset at which its name begins.
    package var offset: Int
}

/// One element of a document.
package struct XMLElement: Sendable {
    package let document: XMLDocument
    /// A number that identifies the element in its document.
    package let number: Int

    private var node: XMLDocument.Node { document.nodes[number] }

    package var name: String { node.name }

    package var attributes: [XMLAttribute] { node.attributes }

    package subscript(_ attribute: String) -> String? {
        node.attributes.first { $0.name == attribute }?.value
    }

    /// The elements directly in it, in order.
    package var children: [XMLElement] { node.children.map { XMLElement(document: document, number: $0) } }

    package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

    package func child(named name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The text directly in it, entities replaced, with all its white space.
    package var text: String { node.text }

    /// The offset at which its start tag begins.
    package var offset: Int { node.offset }

    package var position: TextPosition { document.position(of: node.offset) }

    /// The position at which one of its attributes begins.
    package func position(of attribute: XMLAttribute) -> TextPosition { document.position(of: attribute.offset) }
}

/// The limits of a document. Each has a name, and a document that exceeds it is refused for that limit.
package struct XMLLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole document.
        case byteCount
        /// Elements around an element, itself included.
        case depth
        case elementCount
        /// Attributes of one element.
        case attributeCount
    }

    package var byteCount: Int
    package var depth: Int
    package var elementCount: Int
    package var attributeCount: Int

    package init(
        byteCount: Int = 8 << 20, depth: Int = 256, elementCount: Int = 200_000, attributeCount: Int = 128
    ) {
        (self.byteCount, self.depth) = (byteCount, depth)
        (self.elementCount, self.attributeCount) = (elementCount, attributeCount)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .depth: depth
        case .elementCount: elementCount
        case .attributeCount: attributeCount
        }
    }
}

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
        case .unexpectedText: "there is text outside the root element"
        case .emptyDocument: "the document has no element"
        case .trailingContent: "something follows the root element"
        case .invalidTag: "a tag is malformed"
        case .duplicateAttribute(let name): "the attribute \(ShownText.name(name)) is given twice"
        case .attribute: "this attribute is not allowed"
        case .mismatchedEnd(let expected, let found):
            "expected the end of \(ShownText.name(expected)), found that of \(ShownText.name(found))"
        case .unknownEntity(let name): "the entity \(ShownText.name(name)) is unknown"
        case .invalidCharacterReference: "a character reference names no allowed character"
        case .sectionEndInText: "']]>' may not stand in text"
        }
    }
}
