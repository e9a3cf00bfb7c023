/// The standard library's functions that bring pairs together cast them, which Embedded Swift cannot; these do not.
extension Dictionary {
    package init<S: Sequence>(
        _ pairs: __owned S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (Key, Value) {
        self.init()
        for (key, value) in pairs { try put(value, for: key, combine) }
    }

    package mutating func merge<S: Sequence>(
        _ pairs: __owned S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (Key, Value) {
        for (key, value) in pairs { try put(value, for: key, combine) }
    }

    package mutating func merge(
        _ other: __owned [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        for (key, value) in other { try put(value, for: key, combine) }
    }

    package __consuming func merging<S: Sequence>(
        _ pairs: __owned S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows -> [Key: Value] where S.Element == (Key, Value) {
        var result = self
        for (key, value) in pairs { try result.put(value, for: key, combine) }
        return result
    }

    package __consuming func merging(
        _ other: __owned [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows -> [Key: Value] {
        var result = self
        for (key, value) in other { try result.put(value, for: key, combine) }
        return result
    }

    private mutating func put(_ value: Value, for key: Key, _ combine: (Value, Value) throws -> Value) rethrows {
        if let known = self[key] { self[key] = try combine(known, value) } else { self[key] = value }
    }
}
