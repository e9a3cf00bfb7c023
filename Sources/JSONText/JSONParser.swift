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

/// Reads one document. Containers wait on a list, not on the call stack, and finished values lie on
/// one common stack until their container ends, so that every array is allocated once, at its size.
struct JSONParser {
    let limits: JSONLimits
    let root: JSONRoot

    var position = 0
    var scratch: [UInt8] = []

    private var containers: [Container] = []
    private var values: [JSONValue] = []
    private var names: [Name] = []
    private var fingerprints: [UInt32] = []
    private var valueCount = 0
    private var isInsideValue = false

    private struct Container {
        var isObject: Bool
        var offset: Int
        var firstValue: Int
        var firstName: Int
    }

    struct Name {
        var text: String
        var span: JSONSpan
    }

    init(limits: JSONLimits, root: JSONRoot) {
        self.limits = limits
        self.root = root
    }

    mutating func parse(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        try begin(bytes)
        while true {
            isInsideValue = true
            valueCount &+= 1
            guard valueCount <= limits.valueCount else {
                throw JSONFault(.limitReached(.valueCount, limit: limits.valueCount), at: position)
            }
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            let start = position
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try string(bytes)
                values.append(JSONValue(.string(text), span: JSONSpan(from: start, to: position)))
            case UInt8(ascii: "-"), 0x30...0x39:
                let number = try number(bytes)
                values.append(JSONValue(.number(number), span: JSONSpan(from: start, to: position)))
            case UInt8(ascii: "{"):
                if try openObject(bytes) { continue }
            case UInt8(ascii: "["):
                if try openArray(bytes) { continue }
            case UInt8(ascii: "t"): try literal("true", .boolean(true), bytes)
            case UInt8(ascii: "f"): try literal("false", .boolean(false), bytes)
            case UInt8(ascii: "n"): try literal("null", .null, bytes)
            default:
                throw JSONFault(.unexpectedByte(byte, expected: .value), at: position)
            }
            isInsideValue = false
            if try !goOn(bytes) { break }
        }
        guard position == bytes.count else { throw JSONFault(.trailingContent, at: position) }
        return values.removeLast()
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
            position &+= 1
            try close(container)
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
        _ text: StaticString, _ kind: JSONValue.Kind, _ bytes: Span<UInt8>
    ) throws(JSONFault) {
        let start = position
        for expected in text.description.utf8 {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard bytes[position] == expected else { throw JSONFault(.invalidLiteral, at: start) }
            position &+= 1
        }
        values.append(JSONValue(kind, span: JSONSpan(from: start, to: position)))
    }
}

// MARK: - Containers

extension JSONParser {
    /// Answers whether a first member's value follows.
    private mutating func openObject(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        try open(isObject: true)
        isInsideValue = false
        skipWhitespace(bytes)
        if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return try closeEmpty() }
        try name(bytes, expected: .memberNameOrEnd)
        return true
    }

    /// Answers whether a first element follows.
    private mutating func openArray(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        try open(isObject: false)
        skipWhitespace(bytes)
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return try closeEmpty() }
        return true
    }

    private mutating func open(isObject: Bool) throws(JSONFault) {
        guard containers.count < limits.depth else {
            throw JSONFault(.limitReached(.depth, limit: limits.depth), at: position)
        }
        containers.append(
            Container(isObject: isObject, offset: position, firstValue: values.count, firstName: names.count))
        position &+= 1
    }

    private mutating func closeEmpty() throws(JSONFault) -> Bool {
        position &+= 1
        if let container = containers.last { try close(container) }
        return false
    }

    private mutating func close(_ container: Container) throws(JSONFault) {
        let span = JSONSpan(from: container.offset, to: position)
        let kind: JSONValue.Kind
        if container.isObject {
            kind = .object(try object(container))
        } else {
            kind = .array(Array(values[container.firstValue...]))
        }
        values.removeSubrange(container.firstValue...)
        values.append(JSONValue(kind, span: span))
        containers.removeLast()
    }

    private mutating func object(_ container: Container) throws(JSONFault) -> JSONObject {
        let count = names.count &- container.firstName
        var members: [JSONObject.Member] = []
        members.reserveCapacity(count)
        for index in 0..<count {
            let name = names[container.firstName &+ index]
            members.append(
                JSONObject.Member(name.text, values[container.firstValue &+ index], nameSpan: name.span))
        }
        switch JSONNameIndex.make(members, fingerprints: fingerprints[container.firstName...]) {
        case .duplicate(let index):
            throw JSONFault(.duplicateName(members[index].name), at: members[index].nameSpan.offset)
        case .unique(let index):
            names.removeSubrange(container.firstName...)
            fingerprints.removeSubrange(container.firstName...)
            return JSONObject(members, index: index)
        }
    }

    /// A member's name, its colon, and the way to its value.
    private mutating func name(_ bytes: Span<UInt8>, expected: JSONError.Expectation) throws(JSONFault) {
        guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
        guard bytes[position] == UInt8(ascii: "\"") else {
            throw JSONFault(.unexpectedByte(bytes[position], expected: expected), at: position)
        }
        let start = position
        let text = try string(bytes)
        names.append(Name(text: text, span: JSONSpan(from: start, to: position)))
        fingerprints.append(JSONNameIndex.fingerprint(of: text))
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
    var path: ValuePath {
        var path = ValuePath()
        for (depth, container) in containers.enumerated() {
            let isLast = depth == containers.count - 1
            if isLast, !isInsideValue { break }
            let nextName = isLast ? names.count : containers[depth + 1].firstName
            let nextValue = isLast ? values.count : containers[depth + 1].firstValue
            if !container.isObject {
                path.steps.append(.index(nextValue - container.firstValue))
            } else if nextName > container.firstName {
                path.steps.append(.key(names[nextName - 1].text))
            }
        }
        return path
    }
}
