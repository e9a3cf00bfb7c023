/// A way through keys, as it is written with dots.
package struct KeyPath: Equatable, Sendable {
    package enum Component: Equatable, Sendable {
        case key(String)
        /// `@sum` and its like; what follows is read from each element.
        case operation(CollectionOperator)
    }

    package var components: [Component]

    package init(_ components: [Component]) {
        self.components = components
    }

    /// A path as `%K` gives it. `nil` for an empty part or an operator that does not exist.
    init?(text: String) {
        components = []
        for bytes in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard let first = bytes.first else { return nil }
            let part = String(Substring(bytes))
            if first == UInt8(ascii: "@") {
                guard let operation = CollectionOperator(rawValue: part) else { return nil }
                components.append(.operation(operation))
            } else {
                components.append(.key(part))
            }
        }
    }

    package var text: String {
        components.map { component in
            switch component {
            case .key(let key): key
            case .operation(let operation): operation.rawValue
            }
        }.joined(separator: ".")
    }
}

/// What a key path can do with a collection.
package enum CollectionOperator: String, CaseIterable, Sendable {
    case count = "@count"
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case unionOfSets = "@unionOfSets"
    case distinctUnionOfSets = "@distinctUnionOfSets"
    case allKeys = "@allKeys"
    case allValues = "@allValues"
    case first = "@firstObject"
    case last = "@lastObject"
}
