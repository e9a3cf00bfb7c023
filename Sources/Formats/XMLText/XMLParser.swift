internal import WidgetBytes

/// Reads the elements of a document in one pass; the open ones wait in a list, not on the call stack.
struct XMLParser {
    let limits: XMLLimits
    private var scanner: XMLScanner
    private var nodes: [XMLDocument.Node] = []
    private var open: [Int] = []
    /// The text that was read last, kept for its room.
    private var text: [UInt8] = []

    init(limits: XMLLimits, rules: XMLRules) {
        self.limits = limits
        scanner = XMLScanner(rules: rules)
    }

    mutating func parse(_ bytes: Span<UInt8>) throws(XMLFault) -> [XMLDocument.Node] {
        guard bytes.count <= limits.byteCount else { throw XMLFault(.byteCount, of: limits, at: limits.byteCount) }
        try XMLScanner.checkCharacters(bytes)
        try scanner.declaration(bytes)
        _ = try scanner.prolog(bytes)
        guard scanner.position < bytes.count else { throw XMLFault(.emptyDocument, at: scanner.position) }
        try tag(bytes)
        while let current = open.last { try content(of: current, bytes) }
        try scanner.epilog(bytes)
        return nodes
    }

    /// Text up to the next tag, then that tag, comment or section.
    private mutating func content(of current: Int, _ bytes: Span<UInt8>) throws(XMLFault) {
        text.removeAll(keepingCapacity: true)
        repeat { try scanner.characters(into: &text, bytes) } while try scanner.section(into: &text, bytes)
        if !text.isEmpty { nodes[current].text += String(decoding: text, as: UTF8.self) }
        if scanner.skip("<!--", bytes) {
            try scanner.comment(bytes)
        } else {
            try tag(bytes)
        }
    }

    /// A start tag, one that is its own end, or the end of the innermost element.
    private mutating func tag(_ bytes: Span<UInt8>) throws(XMLFault) {
        if scanner.position + 1 < bytes.count, bytes[scanner.position + 1] == UInt8(ascii: "?") {
            throw XMLFault(.processingInstruction, at: scanner.position)
        }
        let tag = try scanner.tagStart(bytes)
        guard let first = tag.name.first, !XMLParser.isOnlyInside(bytes[first]) else {
            throw XMLFault(.invalidTag, at: tag.name.lowerBound)
        }
        let name = XMLScanner.text(bytes, tag.name)
        guard tag.isEnd else { return try element(name, tag, bytes) }
        guard let current = open.last else { throw XMLFault(.invalidTag, at: tag.name.lowerBound) }
        guard name == nodes[current].name else {
            throw XMLFault(.mismatchedEnd(expected: nodes[current].name, found: name), at: tag.offset)
        }
        scanner.skipWhitespace(bytes)
        guard scanner.skip(">", bytes) else { throw XMLFault(.invalidTag, at: tag.offset) }
        open.removeLast()
    }

    private mutating func element(
        _ name: String, _ tag: XMLScanner.TagStart, _ bytes: Span<UInt8>
    ) throws(XMLFault) {
        guard nodes.count < limits.elementCount else { throw XMLFault(.elementCount, of: limits, at: tag.offset) }
        guard open.count < limits.depth else { throw XMLFault(.depth, of: limits, at: tag.offset) }
        let number = nodes.count
        if let parent = open.last { nodes[parent].children.append(number) }
        var node = XMLDocument.Node(name: name, offset: tag.offset)
        var names: Set<String> = []
        while true {
            let before = scanner.position
            scanner.skipWhitespace(bytes)
            if scanner.skip("/>", bytes) { break }
            if scanner.skip(">", bytes) {
                open.append(number)
                break
            }
            guard scanner.position < bytes.count else { throw XMLFault(.truncated, at: bytes.count) }
            guard scanner.position > before else { throw XMLFault(.invalidTag, at: tag.offset) }
            let attribute = try attribute(bytes)
            guard names.insert(attribute.name).inserted else {
                throw XMLFault(.duplicateAttribute(attribute.name), at: attribute.offset)
            }
            guard node.attributes.count < limits.attributeCount else {
                throw XMLFault(.attributeCount, of: limits, at: attribute.offset)
            }
            node.attributes.append(attribute)
        }
        nodes.append(node)
    }

    private mutating func attribute(_ bytes: Span<UInt8>) throws(XMLFault) -> XMLAttribute {
        let start = scanner.position
        guard !XMLParser.isOnlyInside(bytes[start]) else { throw XMLFault(.invalidTag, at: start) }
        let name = scanner.name(bytes)
        guard !name.isEmpty else { throw XMLFault(.invalidTag, at: start) }
        guard try scanner.equals(bytes) else { throw XMLFault(.invalidTag, at: scanner.position) }
        guard scanner.position < bytes.count else { throw XMLFault(.truncated, at: bytes.count) }
        let quote = bytes[scanner.position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw XMLFault(.invalidTag, at: scanner.position)
        }
        scanner.position += 1
        return XMLAttribute(name: name, value: try value(until: quote, bytes), offset: start)
    }

    /// An attribute's value; white space that is written plainly counts as blanks (XML 1.0 §3.3.3).
    private mutating func value(until quote: UInt8, _ bytes: Span<UInt8>) throws(XMLFault) -> String {
        text.removeAll(keepingCapacity: true)
        while scanner.position < bytes.count {
            let byte = bytes[scanner.position]
            switch byte {
            case quote:
                scanner.position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "<"): throw XMLFault(.invalidTag, at: scanner.position)
            case UInt8(ascii: "&"): try scanner.reference(into: &text, bytes)
            case 0x09, 0x0A, 0x0D:
                if !scanner.skip("\r\n", bytes) { scanner.position += 1 }
                text.append(0x20)
            default:
                text.append(byte)
                scanner.position += 1
            }
        }
        throw XMLFault(.truncated, at: bytes.count)
    }

    /// Returns true if a name may have the byte, but not begin with it.
    private static func isOnlyInside(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
