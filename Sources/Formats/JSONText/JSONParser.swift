internal import WidgetBytes

/// A reason and an offset, before a line, a column and a path are worked out for them.
struct JSONFault: Error {
    var reason: JSONError.Reason
    var offset: Int

    init(_ reason: JSONError.Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// Reads one document into a row of nodes. Containers wait on a list, not on the call stack, and no value
/// is allocated for itself, so that memory follows from the document's size.
struct JSONParser {
    let limits: JSONLimits
    let root: JSONRoot

    var position = 0
    private(set) var nodes: [JSONNode] = []
    private var containers: [Container] = []
    private var names = JSONNameCheck()
    private var valueCount = 0
    private var isInsideValue = false

    private struct Container {
        var isObject: Bool
        var offset: Int
        var node: Int
        var firstName: Int
    }

    init(limits: JSONLimits, root: JSONRoot) {
        self.limits = limits
        self.root = root
    }

    mutating func parse(_ bytes: Span<UInt8>) throws(JSONFault) {
        try begin(bytes)
        while true {
            isInsideValue = true
            valueCount &+= 1
            guard valueCount <= limits.valueCount else {
                throw JSONFault(.limitReached(.valueCount, limit: limits.valueCount), at: position)
            }
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""): try string(bytes)
            case UInt8(ascii: "-"), 0x30...0x39: try number(bytes)
            case UInt8(ascii: "{"):
                if try openObject(bytes) { continue }
            case UInt8(ascii: "["):
                if try openArray(bytes) { continue }
            case UInt8(ascii: "t"): try literal("true", .true, bytes)
            case UInt8(ascii: "f"): try literal("false", .false, bytes)
            case UInt8(ascii: "n"): try literal("null", .null, bytes)
            default:
                throw JSONFault(.unexpectedByte(byte, expected: .value), at: position)
            }
            isInsideValue = false
            if try !goOn(bytes) { break }
        }
        guard position == bytes.count else { throw JSONFault(.trailingContent, at: position) }
    }

    mutating func append(_ kind: JSONNode.Kind, from start: Int) {
        nodes.append(JSONNode(kind, at: start, position &- start))
    }

    private mutating func begin(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard bytes.count <= limits.byteCount else {
            throw JSONFault(.limitReached(.byteCount, limit: limits.byteCount), at: limits.byteCount)
        }
        // RFC 8259 §8.1: a mark must not be written; a reader may ignore it, or, as here, not.
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONFault(.byteOrderMark, at: 0)
        }
        if JSONParser.isUTF16(bytes) { throw JSONFault(.utf16, at: 0) }
        skipWhitespace(bytes)
        guard position < bytes.count else { throw JSONFault(.emptyDocument, at: position) }
        if root == .container, bytes[position] != UInt8(ascii: "{"), bytes[position] != UInt8(ascii: "[") {
            throw JSONFault(.rootNotContainer, at: position)
        }
        // The bytes cannot give more; unused room is never touched.
        nodes.reserveCapacity(min(bytes.count / 2 + 1, limits.valueCount.multiplied(by: 2) ?? .max))
    }

    /// True for a mark of UTF-16, or for a first character of ASCII in two bytes.
    private static func isUTF16(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 2 else { return false }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, 0x09...0x7E), (0x09...0x7E, 0): return true
        default: return false
        }
    }

    /// After a value: closes the containers that end here. Returns true if another value follows.
    private mutating func goOn(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        while true {
            skipWhitespace(bytes)
            guard let container = containers.last else { return false }
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            let byte = bytes[position]
            let end = UInt8(ascii: container.isObject ? "}" : "]")
            if byte == UInt8(ascii: ",") {
                let comma = position
                position &+= 1
                skipWhitespace(bytes)
                if position < bytes.count, bytes[position] == end { throw JSONFault(.trailingComma, at: comma) }
                if container.isObject { try name(bytes, expected: .memberName) }
                return true
            }
            guard byte == end else {
                let expected: JSONError.Expectation = container.isObject ? .commaOrObjectEnd : .commaOrArrayEnd
                throw JSONFault(.unexpectedByte(byte, expected: expected), at: position)
            }
            try close(container, bytes)
        }
    }

    @inline(__always)
    mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }

    private mutating func literal(
        _ text: StaticString, _ kind: JSONNode.Kind, _ bytes: Span<UInt8>
    ) throws(JSONFault) {
        let start = position
        for expected in text.description.utf8 {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard bytes[position] == expected else { throw JSONFault(.invalidLiteral, at: start) }
            position &+= 1
        }
        append(kind, from: start)
    }
}

// MARK: - Containers

extension JSONParser {
    /// Answers whether a first member's value follows.
    private mutating func openObject(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        try open(isObject: true)
        isInsideValue = false
        skipWhitespace(bytes)
        if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return try closeEmpty(bytes) }
        try name(bytes, expected: .memberNameOrEnd)
        return true
    }

    /// Answers whether a first element follows.
    private mutating func openArray(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        try open(isObject: false)
        skipWhitespace(bytes)
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return try closeEmpty(bytes) }
        return true
    }

    private mutating func open(isObject: Bool) throws(JSONFault) {
        guard containers.count < limits.depth else {
            throw JSONFault(.limitReached(.depth, limit: limits.depth), at: position)
        }
        containers.append(
            Container(isObject: isObject, offset: position, node: nodes.count, firstName: names.count))
        // Its end is known when it is closed.
        nodes.append(JSONNode(isObject ? .object : .array, at: position, 0))
        position &+= 1
    }

    private mutating func closeEmpty(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        if let container = containers.last { try close(container, bytes) }
        return false
    }

    private mutating func close(_ container: Container, _ bytes: Span<UInt8>) throws(JSONFault) {
        position &+= 1
        if container.isObject {
            if let repeated = names.repetition(from: container.firstName, nodes, bytes) {
                let node = nodes[repeated.node]
                let name = JSONStringText.string(of: node, in: bytes)
                let isSame = JSONStringText.areEqual(node, nodes[repeated.earlier], in: bytes)
                throw JSONFault(isSame ? .duplicateName(name) : .equivalentName(name), at: node.offset)
            }
            names.drop(from: container.firstName)
        }
        nodes[container.node] = JSONNode(container.isObject ? .object : .array, at: container.offset, nodes.count)
        containers.removeLast()
    }

    /// A member's name, its colon, and the way to its value.
    private mutating func name(_ bytes: Span<UInt8>, expected: JSONError.Expectation) throws(JSONFault) {
        guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: "\"") else {
            throw JSONFault(.unexpectedByte(bytes[position], expected: expected), at: position)
        }
        try string(bytes)
        names.append(nodes.count &- 1, nodes, bytes)
        isInsideValue = true
        skipWhitespace(bytes)
        guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: ":") else {
            throw JSONFault(.unexpectedByte(bytes[position], expected: .colon), at: position)
        }
        position &+= 1
        skipWhitespace(bytes)
    }

    /// The path of the value that was being read.
    func path(in bytes: Span<UInt8>) -> ValuePath {
        var path = ValuePath()
        for (depth, container) in containers.enumerated() {
            let isLast = depth == containers.count - 1
            if isLast, !isInsideValue { break }
            let end = isLast ? nodes.count : containers[depth + 1].node
            var childCount = 0
            var lastName: Int?
            var index = container.node + 1
            while index < end {
                if childCount.isMultiple(of: 2) { lastName = index }
                childCount += 1
                index = nodes[index].next(index)
            }
            if !container.isObject {
                path.steps.append(.index(childCount))
            } else if let lastName {
                path.steps.append(.key(JSONStringText.string(of: nodes[lastName], in: bytes)))
            }
        }
        return path
    }
}

extension JSONParser {
    /// A number of exactly the form RFC 8259 §6 allows; its text stays in the document.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        let whole = position
        try digits(bytes)
        if bytes[whole] == UInt8(ascii: "0"), position > whole &+ 1 { throw JSONFault(.leadingZero, at: whole) }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            try digits(bytes)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position &+= 1
            }
            try digits(bytes)
        }
        guard position &- start <= limits.numberByteCount else {
            throw JSONFault(.limitReached(.numberByteCount, limit: limits.numberByteCount), at: start)
        }
        append(.number, from: start)
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position &+= 1 }
        guard position > start else {
            throw JSONFault(position < bytes.count ? .missingDigit : .truncated, at: position)
        }
    }
}

extension JSONParser {
    /// Checks a string from its opening quote; its text is read on demand.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        var hasEscapes = false
        var marks = CombiningMarks()
        position &+= 1
        while true {
            let plain = position
            position = bytes.endOfPlainText(from: position)
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            if position > plain { marks.end() }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                return append(hasEscapes ? .escapedString : .string, from: start)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                let escape = try JSONEscape(at: position, in: bytes)
                try take(escape.scalar, &marks)
                position = escape.end
            case 0..<0x20: throw JSONFault(.controlCharacter(byte), at: position)
            default:
                switch UTF8Sequence(at: position, in: bytes) {
                case .scalar(let scalar, let byteCount):
                    try take(scalar, &marks)
                    position &+= byteCount
                case .truncated: throw JSONFault(.truncated, at: bytes.count)
                case .invalid: throw JSONFault(.invalidUTF8, at: position)
                }
            }
        }
    }

    private func take(_ scalar: UInt32, _ marks: inout CombiningMarks) throws(JSONFault) {
        guard marks.take(scalar) > limits.markCount else { return }
        throw JSONFault(.limitReached(.markCount, limit: limits.markCount), at: position)
    }
}

/// One escape of a string: its scalar and its end.
struct JSONEscape {
    let scalar: UInt32
    let end: Int

    /// - Parameter start: of the backslash.
    init(at start: Int, in bytes: Span<UInt8>) throws(JSONFault) {
        guard start &+ 1 < bytes.count else { throw JSONFault(.truncated, at: bytes.count) }
        let byte = bytes[start &+ 1]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = UInt32(byte)
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "t"): scalar = 0x09
        case UInt8(ascii: "u"):
            (scalar, end) = try JSONEscape.unicode(bytes, from: start)
            return
        default: throw JSONFault(.unknownEscape(byte), at: start)
        }
        end = start &+ 2
    }

    /// `\u` and four hexadecimal digits, twice for a scalar above U+FFFF (RFC 8259 §7). Half a pair is refused.
    private static func unicode(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> (UInt32, Int) {
        let first = try unit(bytes, from: start, digits: start &+ 2)
        guard first & 0xF800 == 0xD800 else { return (UInt32(first), start &+ 6) }
        guard first < 0xDC00 else { throw JSONFault(.loneSurrogate(first), at: start) }
        var position = start &+ 6
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard bytes[position] == expected else { throw JSONFault(.loneSurrogate(first), at: start) }
            position &+= 1
        }
        let low = try unit(bytes, from: start &+ 6, digits: position)
        guard low & 0xFC00 == 0xDC00 else { throw JSONFault(.loneSurrogate(first), at: start) }
        return (0x10000 &+ (UInt32(first & 0x3FF) << 10 | UInt32(low & 0x3FF)), position &+ 4)
    }

    private static func unit(_ bytes: Span<UInt8>, from start: Int, digits: Int) throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for position in digits..<digits &+ 4 {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard let digit = Hex.value(of: bytes[position]) else {
                throw JSONFault(.invalidUnicodeEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

/// Scans eight bytes at a time, which keeps long strings cheap.
extension Span where Element == UInt8 {
    /// The first position from `start` whose byte is a quote, a backslash, a control character or not ASCII,
    /// or the span's end.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let suspects = suspectsInText(word(at: position))
            // A borrow can set bits above the lowest one, so only that one counts, and it is exact.
            if suspects != 0 { return position &+ suspects.trailingZeroBitCount / 8 }
            position &+= 8
        }
        while position < count, isPlainText(self[position]) { position &+= 1 }
        return position
    }
}

@inline(__always)
private func suspectsInText(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ ones &* 0x22
    let backslash = word ^ ones &* 0x5C
    let found =
        (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word
    return found & 0x8080_8080_8080_8080
}

@inline(__always)
private func isPlainText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}
