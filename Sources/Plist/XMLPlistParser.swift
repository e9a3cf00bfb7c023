internal import Bytes

/// Reads the XML form, and of XML only what property lists use: no document type but Apple's line, no
/// entities but the five, no processing instructions, UTF-8 alone.
///
/// A byte order mark is accepted: it says what is required anyway. Open containers wait on a list, not
/// on the call stack.
struct XMLPlistParser {
    let limits: PlistLimits

    var position = 0
    private var open: [Container] = []
    private var root: PlistValue?
    private var objectCount = 0
    private var isInsideValue = false

    private struct Container {
        var isDictionary: Bool
        var keys: [String] = []
        var keyOffsets: [Int] = []
        var values: [PlistValue] = []
        /// Whether the last key still waits for its value.
        var needsValue: Bool { keys.count > values.count }
    }

    init(limits: PlistLimits) {
        self.limits = limits
    }

    mutating func parse(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        guard bytes.count <= limits.byteCount else { throw PlistFault(.byteCount, of: limits, at: limits.byteCount) }
        try checkCharacters(bytes)
        let isEmpty = try prolog(bytes)
        while !isEmpty {
            isInsideValue = false
            try skipMisc(bytes)
            let tag = try tag(bytes)
            if tag.kind == .end {
                if open.isEmpty, tag.element == .plist { break }
                try end(tag)
            } else {
                try begin(tag, bytes)
            }
        }
        guard let root else { throw PlistFault(.emptyDocument, at: position) }
        try epilog(bytes)
        return root
    }

    private mutating func begin(_ tag: XMLTag, _ bytes: Span<UInt8>) throws(PlistFault) {
        objectCount += 1
        guard objectCount <= limits.objectCount else { throw PlistFault(.objectCount, of: limits, at: tag.offset) }
        if tag.element == .key { return try key(tag, bytes) }
        try requirePlace(for: tag)
        isInsideValue = true
        switch tag.element {
        case .dict, .array:
            guard open.count < limits.depth else { throw PlistFault(.depth, of: limits, at: tag.offset) }
            open.append(Container(isDictionary: tag.element == .dict))
            if tag.kind == .empty { try end(tag) }
        case .plist, .key:
            throw PlistFault(.unexpectedElement(tag.element.rawValue), at: tag.offset)
        default:
            add(try scalar(tag, bytes))
        }
    }

    /// Whether a value may stand here at all.
    private func requirePlace(for tag: XMLTag) throws(PlistFault) {
        guard let container = open.last else {
            guard root == nil else { throw PlistFault(.secondRoot, at: tag.offset) }
            return
        }
        if container.isDictionary, !container.needsValue { throw PlistFault(.missingKey, at: tag.offset) }
    }

    private mutating func key(_ tag: XMLTag, _ bytes: Span<UInt8>) throws(PlistFault) {
        // Nothing here may hold the container: a second owner would make every append copy its lists.
        let innermost = open.count - 1
        guard innermost >= 0, open[innermost].isDictionary else {
            throw PlistFault(.unexpectedElement("key"), at: tag.offset)
        }
        if open[innermost].needsValue, let key = open[innermost].keys.last {
            throw PlistFault(.missingValue(key: key), at: tag.offset)
        }
        let text = try string(tag, bytes)
        open[innermost].keys.append(text)
        open[innermost].keyOffsets.append(tag.offset)
    }

    private mutating func end(_ tag: XMLTag) throws(PlistFault) {
        guard let container = open.last else {
            throw PlistFault(.mismatchedEnd(expected: "plist", found: tag.element.rawValue), at: tag.offset)
        }
        let expected: XMLElement = container.isDictionary ? .dict : .array
        guard tag.element == expected else {
            throw PlistFault(
                .mismatchedEnd(expected: expected.rawValue, found: tag.element.rawValue), at: tag.offset)
        }
        if container.needsValue, let key = container.keys.last {
            throw PlistFault(.missingValue(key: key), at: tag.offset)
        }
        if container.isDictionary {
            let dictionary: PlistDictionary
            do {
                dictionary = try PlistDictionary(keys: container.keys, values: container.values)
            } catch {
                let offset = container.keyOffsets[error.position]
                throw PlistFault(.duplicateKey(container.keys[error.position]), at: offset)
            }
            open.removeLast()
            add(.dictionary(dictionary))
        } else {
            open.removeLast()
            add(.array(container.values))
        }
    }

    private mutating func add(_ value: PlistValue) {
        if open.isEmpty {
            root = value
        } else {
            open[open.count - 1].values.append(value)
        }
    }

    /// The way to what was being read.
    var path: ValuePath {
        var path = ValuePath()
        for (depth, container) in open.enumerated() {
            let isLast = depth == open.count - 1
            if container.isDictionary {
                if container.needsValue, let key = container.keys.last { path.steps.append(.key(key)) }
            } else if !isLast || isInsideValue {
                path.steps.append(.index(container.values.count))
            }
        }
        return path
    }
}

// MARK: - Bytes

extension XMLPlistParser {
    /// Refuses, before anything else looks at the text, what is not UTF-8 or not a character of XML 1.0
    /// (§2.2).
    func checkCharacters(_ bytes: Span<UInt8>, allowsControls: Bool = false) throws(PlistFault) {
        if bytes.count >= 2 {
            switch (bytes[0], bytes[1]) {
            case (0xFE, 0xFF), (0xFF, 0xFE), (0x00, 0x3C), (0x3C, 0x00), (0x00, 0x00):
                throw PlistFault(.unsupportedEncoding, at: 0)
            default: break
            }
        }
        var index = 0
        while index < bytes.count {
            // Most of any text.
            if (0x20..<0x7F).contains(bytes[index]) {
                index += 1
                continue
            }
            switch UTF8Sequence(at: index, in: bytes) {
            case .scalar(let value, let byteCount):
                guard XMLPlistParser.isCharacter(value) || allowsControls && (1..<0x20).contains(value) else {
                    throw PlistFault(.invalidCharacter(value), at: index)
                }
                index += byteCount
            case .truncated, .invalid: throw PlistFault(.invalidUTF8, at: index)
            }
        }
    }

    static func isCharacter(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count, XMLPlistParser.isWhitespace(bytes[position]) { position += 1 }
    }

    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether this text stands here; when it does, it is passed.
    mutating func skip(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let expected = text.description.utf8
        guard bytes.count - position >= expected.count else { return false }
        for (index, byte) in expected.enumerated() where bytes[position + index] != byte { return false }
        position += expected.count
        return true
    }
}
