/// A path of keys, written with dots.
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

/// The operators of a key path on a collection.
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

/// A compiled key path, for the places of templates.
package struct CompiledKeyPath: Sendable {
    private let path: KeyPath
    private static let span = SourceSpan(from: 0, to: 0)

    /// `nil` if the text is not a key path.
    package init?(_ text: String) {
        guard let path = KeyPath(text: text) else { return nil }
        self.path = path
    }

    package func value(
        for subject: PredicateValue, environment: PredicateEnvironment = PredicateEnvironment()
    ) throws(PredicateError) -> PredicateValue {
        var run = Run([], environment, PredicateLimits())
        let fuel = run.fuel
        defer { run.settle(fuel) }
        return try KeyReader.value(along: path.components[...], from: subject, &run, CompiledKeyPath.span)
    }
}
