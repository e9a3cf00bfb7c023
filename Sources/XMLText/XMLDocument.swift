package import Bytes

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
    /// document type, no entity but the five of XML itself, and no processing instruction.
    package init(parsing bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(XMLError) {
        var parser = XMLParser(limits: limits)
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
    /// Where its name begins.
    package var offset: Int
}

/// One element of a document.
package struct XMLElement: Sendable {
    package let document: XMLDocument
    /// Its number, by which the element can be told from all others of its document.
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

    /// Where its start tag begins.
    package var offset: Int { node.offset }

    package var position: TextPosition { document.position(of: node.offset) }

    /// Where one of its attributes begins.
    package func position(of attribute: XMLAttribute) -> TextPosition { document.position(of: attribute.offset) }
}
