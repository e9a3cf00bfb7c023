/// A value of a settings file with the line it begins on.
struct JSON5Node: Equatable, Sendable {
    indirect enum Value: Equatable, Sendable {
        case scalar(FoundValue)
        case array([JSON5Node])
        case object([JSON5Member])
    }

    var value: Value
    var line: Int

    /// As a setting would take it: the members of a list's objects do not matter to anyone.
    var found: FoundValue {
        switch value {
        case .scalar(let found): found
        case .array(let nodes): .array(nodes.map(\.found))
        case .object: .object
        }
    }
}

/// A member of an object, in the order of the file; keys may repeat.
struct JSON5Member: Equatable, Sendable {
    var key: String
    var line: Int
    var node: JSON5Node
}
