extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        // Pairs still to be compared wait here, not on the call stack.
        var pending = [(left, right)]
        while let (first, second) = pending.popLast() {
            switch (first.kind, second.kind) {
            case (.null, .null): continue
            case (.boolean(let a), .boolean(let b)):
                guard a == b else { return false }
            case (.number(let a), .number(let b)):
                guard a == b else { return false }
            case (.string(let a), .string(let b)):
                guard a.utf8.elementsEqual(b.utf8) else { return false }
            case (.array(let a), .array(let b)):
                guard a.count == b.count else { return false }
                pending.append(contentsOf: zip(a, b))
            case (.object(let a), .object(let b)):
                guard a.count == b.count else { return false }
                for member in a.members {
                    guard let other = b[member.name] else { return false }
                    pending.append((member.value, other))
                }
            default: return false
            }
        }
        return true
    }
}
