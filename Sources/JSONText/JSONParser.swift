internal import Bytes

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
        skipWhitespace(bytes)
        guard position < bytes.count else { throw JSONFault(.emptyDocument, at: position) }
        if root == .container, bytes[position] != UInt8(ascii: "{"), bytes[position] != UInt8(ascii: "[") {
            throw JSONFault(.rootNotContainer, at: position)
        }
        // No more can come of these bytes; what is not used is never touched.
        nodes.reserveCapacity(min(bytes.count / 2 + 1, limits.valueCount.multiplied(by: 2) ?? .max))
    }

    /// After a value: closes what ends here. Answers whether another value follows.
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
                throw JSONFault(
                    .duplicateName(JSONStringText.string(of: nodes[repeated], in: bytes)), at: nodes[repeated].offset)
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

    /// The way to what was being read.
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
