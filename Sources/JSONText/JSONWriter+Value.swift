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

    /// What is still to be written, last first.
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
