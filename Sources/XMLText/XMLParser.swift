internal import Bytes

/// Reads the elements of a document in one pass; the open ones wait in a list, not on the call stack.
struct XMLParser {
    let bytes: [UInt8]
    let limits: XMLLimits
    var position = 0
    private var nodes: [XMLDocument.Node] = []
    private var open: [Int] = []

    init(_ bytes: [UInt8], limits: XMLLimits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    mutating func parse() throws(XMLFault) -> [XMLDocument.Node] {
        guard bytes.count <= limits.byteCount else { throw XMLFault(.byteCount, of: limits, at: limits.byteCount) }
        try checkCharacters()
        if skip("\u{FEFF}") {}
        try declaration()
        try misc()
        guard position < bytes.count else { throw XMLFault(.emptyDocument, at: position) }
        guard bytes[position] == UInt8(ascii: "<") else { throw XMLFault(.unexpectedText, at: position) }
        try tag()
        while let current = open.last { try content(of: current) }
        try misc()
        guard position == bytes.count else { throw XMLFault(.trailingContent, at: position) }
        return nodes
    }

    /// Text up to the next tag, then that tag, comment or section.
    private mutating func content(of current: Int) throws(XMLFault) {
        let text = try characters()
        nodes[current].text += text
        if skip("<!--") {
            try comment()
        } else if skip("<![CDATA[") {
            nodes[current].text += try section()
        } else if skip("</") {
            try endTag(of: current)
        } else {
            try tag()
        }
    }

    private mutating func endTag(of current: Int) throws(XMLFault) {
        let start = position - 2
        let name = try name()
        guard name == nodes[current].name else {
            throw XMLFault(.mismatchedEnd(expected: nodes[current].name, found: name), at: start)
        }
        skipWhitespace()
        guard skip(">") else { throw XMLFault(.invalidTag, at: start) }
        open.removeLast()
    }

    /// A start tag, or one that is its own end.
    private mutating func tag() throws(XMLFault) {
        let start = position
        position += 1
        guard position < bytes.count else { throw XMLFault(.truncated, at: bytes.count) }
        if bytes[position] == UInt8(ascii: "!") { throw XMLFault(.markupDeclaration, at: start) }
        if bytes[position] == UInt8(ascii: "?") { throw XMLFault(.processingInstruction, at: start) }
        guard nodes.count < limits.elementCount else { throw XMLFault(.elementCount, of: limits, at: start) }
        guard open.count < limits.depth else { throw XMLFault(.depth, of: limits, at: start) }
        let number = nodes.count
        var node = XMLDocument.Node(name: try name(), offset: start)
        var names: Set<String> = []
        while true {
            let before = position
            skipWhitespace()
            if skip("/>") { break }
            if skip(">") {
                open.append(number)
                break
            }
            guard position < bytes.count else { throw XMLFault(.truncated, at: bytes.count) }
            guard position > before else { throw XMLFault(.invalidTag, at: start) }
            let attribute = try attribute()
            guard names.insert(attribute.name).inserted else {
                throw XMLFault(.duplicateAttribute(attribute.name), at: attribute.offset)
            }
            guard node.attributes.count < limits.attributeCount else {
                throw XMLFault(.attributeCount, of: limits, at: attribute.offset)
            }
            node.attributes.append(attribute)
        }
        // The element itself may already be open; the one around it is the last of the others.
        if let parent = open.last(where: { $0 != number }) { nodes[parent].children.append(number) }
        nodes.append(node)
    }

    private mutating func attribute() throws(XMLFault) -> XMLAttribute {
        let start = position
        let name = try name()
        skipWhitespace()
        guard skip("=") else { throw XMLFault(.invalidTag, at: position) }
        skipWhitespace()
        guard position < bytes.count else { throw XMLFault(.truncated, at: bytes.count) }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw XMLFault(.invalidTag, at: position)
        }
        position += 1
        return XMLAttribute(name: name, value: try attributeValue(until: quote), offset: start)
    }

    /// A name of XML 1.0, with every character above ASCII let through.
    private mutating func name() throws(XMLFault) -> String {
        let start = position
        while position < bytes.count, XMLParser.isName(bytes[position], isFirst: position == start) { position += 1 }
        guard position > start else {
            throw XMLFault(position < bytes.count ? .invalidTag : .truncated, at: position)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }
}
