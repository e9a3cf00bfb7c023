internal import WidgetBytes

/// Reads the XML form to a value. Open containers wait on a list, not on the call stack.
struct XMLPlistParser {
    private let limits: PlistLimits
    private var lexer = XMLPlistLexer()
    private var open: [Container] = []
    private var root: PlistValue?
    private var objectCount = 0
    private var isInsideValue = false
    private let repetition: Repetition
    private var repeatedKeys: [(key: String, agrees: Bool, offset: Int)] = []

    /// The treatment of a key that is in its dictionary already.
    enum Repetition {
        case refused
        /// `decisive` are keys of the outermost dictionary that must not have two values.
        case lastWins(decisive: Set<String>)
    }

    private struct Container {
        var isDictionary: Bool
        var keys: [String] = []
        var keyOffsets: [Int] = []
        var values: [PlistValue] = []
        /// True while the last key has no value.
        var needsValue: Bool { keys.count > values.count }
    }

    init(limits: PlistLimits, repetition: Repetition) {
        self.limits = limits
        self.repetition = repetition
    }

    /// The document's value, or the reason to refuse it and the place.
    mutating func value(of bytes: Span<UInt8>) throws(PlistError) -> PlistValue {
        do {
            return try parse(bytes)
        } catch {
            throw PlistError(
                error.reason, offset: error.offset, position: TextPosition(of: error.offset, in: bytes), path: path)
        }
    }

    /// The repeated keys of the document that was read, with their places.
    func notes(in bytes: Span<UInt8>) -> [PlistNote] {
        guard !repeatedKeys.isEmpty else { return [] }
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        let lines = LineTable(copy)
        return repeatedKeys.map { key, agrees, offset in
            PlistNote(.repeatedKey(key, agrees: agrees), at: lines.position(of: offset))
        }
    }

    private mutating func parse(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        guard bytes.count <= limits.byteCount else { throw PlistFault(.byteCount, of: limits, at: limits.byteCount) }
        try XMLPlistLexer.checkCharacters(bytes)
        let isEmpty = try lexer.prolog(bytes)
        while !isEmpty {
            isInsideValue = false
            try lexer.skipMisc(bytes)
            let tag = try lexer.tag(bytes)
            if tag.kind == .end {
                if open.isEmpty, tag.element == .plist { break }
                try end(tag)
            } else {
                try begin(tag, bytes)
            }
        }
        guard let root else { throw PlistFault(.emptyDocument, at: lexer.position) }
        try lexer.epilog(bytes)
        return root
    }

    private mutating func begin(_ tag: PlistTag, _ bytes: Span<UInt8>) throws(PlistFault) {
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
            add(try lexer.scalar(tag, bytes))
        }
    }

    /// Refuses a value where there may not be one.
    private func requirePlace(for tag: PlistTag) throws(PlistFault) {
        guard let container = open.last else {
            guard root == nil else { throw PlistFault(.secondRoot, at: tag.offset) }
            return
        }
        if container.isDictionary, !container.needsValue { throw PlistFault(.missingKey, at: tag.offset) }
    }

    private mutating func key(_ tag: PlistTag, _ bytes: Span<UInt8>) throws(PlistFault) {
        // Nothing here may hold the container: a second owner would make every append copy its lists.
        let innermost = open.count - 1
        guard innermost >= 0, open[innermost].isDictionary else {
            throw PlistFault(.unexpectedElement("key"), at: tag.offset)
        }
        if open[innermost].needsValue, let key = open[innermost].keys.last {
            throw PlistFault(.missingValue(key: key), at: tag.offset)
        }
        let text = try lexer.string(tag, bytes)
        open[innermost].keys.append(text)
        open[innermost].keyOffsets.append(tag.offset)
    }

    private mutating func end(_ tag: PlistTag) throws(PlistFault) {
        guard let container = open.last else {
            throw PlistFault(.mismatchedEnd(expected: "plist", found: tag.element.rawValue), at: tag.offset)
        }
        let expected: PlistElement = container.isDictionary ? .dict : .array
        guard tag.element == expected else {
            throw PlistFault(
                .mismatchedEnd(expected: expected.rawValue, found: tag.element.rawValue), at: tag.offset)
        }
        if container.needsValue, let key = container.keys.last {
            throw PlistFault(.missingValue(key: key), at: tag.offset)
        }
        if container.isDictionary {
            let dictionary = try dictionary(container)
            open.removeLast()
            add(.dictionary(dictionary))
        } else {
            open.removeLast()
            add(.array(container.values))
        }
    }

    private mutating func dictionary(_ container: Container) throws(PlistFault) -> PlistDictionary {
        var repetitions: [PlistDictionary.Repetition] = []
        let dictionary = PlistDictionary(lastOf: container.keys, values: container.values, &repetitions)
        for repeated in repetitions {
            let key = container.keys[repeated.position]
            let offset = container.keyOffsets[repeated.position]
            switch repetition {
            case .lastWins(let decisive) where open.count > 1 || repeated.agrees || !decisive.contains(key):
                if repeatedKeys.count < PlistNote.mostKept { repeatedKeys.append((key, repeated.agrees, offset)) }
            case .refused, .lastWins: throw PlistFault(.duplicateKey(key), at: offset)
            }
        }
        return dictionary
    }

    private mutating func add(_ value: PlistValue) {
        if open.isEmpty {
            root = value
        } else {
            open[open.count - 1].values.append(value)
        }
    }

    /// The path of the value that was being read.
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
