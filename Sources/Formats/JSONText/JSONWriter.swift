internal import WidgetBytes

/// Writes JSON in the order of the calls, always well-formed: the writer adds commas, colons and escapes, so callers
/// never paste text into a document.
package struct JSONWriter {
    private(set) package var bytes: [UInt8] = []
    private var needsComma = false

    package init(reservingBytes capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes `{ … }` around the members that `members` writes.
    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try container(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), members)
    }

    /// Writes `[ … ]` around the elements that `elements` writes.
    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        try container(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), elements)
    }

    /// Writes a member's name; the next value is its value.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        JSONEscaping.append(text.utf8.span, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func number(_ value: some BinaryInteger) {
        raw(String(value))
    }

    /// A finite number in the shortest form that reads back as the same value; JSON has no words for
    /// the others, so they are written as `null`.
    package mutating func number(_ value: Double) {
        raw(value.isFinite ? value.description : "null")
    }

    package mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func null() {
        raw("null")
    }

    /// A value that was written before, by a writer like this one.
    package mutating func finished(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value.last == UInt8(ascii: "\n") ? value.dropLast() : value[...])
    }

    /// The document, ended with a newline as every document of ours is.
    package consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func container(
        open: UInt8, close: UInt8, _ content: (inout JSONWriter) throws -> Void
    ) rethrows {
        start(open)
        try content(&self)
        end(close)
    }

    mutating func start(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

extension JSONWriter {
    package mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: some BinaryInteger) {
        key(name)
        number(value)
    }

    package mutating func member(_ name: String, _ value: Double) {
        key(name)
        number(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }
}

extension JSONWriter {
    /// A value that was read, in its order and with its numbers as they were written; only white space
    /// and the spelling of escapes are ours.
    package mutating func value(_ value: JSONValue) {
        var pending: [Step] = [.value(value)]
        while let step = pending.popLast() {
            switch step {
            case .name(let name): key(name)
            case .end(let byte): end(byte)
            case .value(let value): begin(value, &pending)
            }
        }
    }

    package mutating func member(_ name: String, _ value: JSONValue) {
        key(name)
        self.value(value)
    }

    /// The steps still to be written, last first.
    private enum Step {
        case value(JSONValue)
        case name(String)
        case end(UInt8)
    }

    private mutating func begin(_ value: JSONValue, _ pending: inout [Step]) {
        switch value.kind {
        case .null: null()
        case .boolean(let flag): boolean(flag)
        case .number(let number): raw(number.text)
        case .string(let text): string(text)
        case .array(let elements):
            start(UInt8(ascii: "["))
            pending.append(.end(UInt8(ascii: "]")))
            pending.append(contentsOf: elements.reversed().map { .value($0) })
        case .object(let object):
            start(UInt8(ascii: "{"))
            pending.append(.end(UInt8(ascii: "}")))
            for member in object.members.reversed() {
                pending.append(.value(member.value))
                pending.append(.name(member.name))
            }
        }
    }
}
