/// What a command line asks for.
package enum Request: Equatable, Sendable {
    case run(Invocation)
    /// The help of the command it was asked of.
    case help(String)
    case version(String)
}

/// A command with its options and arguments.
package struct Invocation: Equatable, Sendable {
    /// The names of the commands, without the program's: `["token", "create"]`.
    package var command: [String] = []
    package var arguments: [String] = []
    private var options: [String: [String]] = [:]

    package init() {}

    /// The value of an option, the last if it was repeated; `nil` if it was not given.
    package func value(_ option: String) -> String? {
        options[option]?.last
    }

    /// The values of an option in the order given.
    package func values(_ option: String) -> [String] {
        options[option] ?? []
    }

    /// Whether an option was given.
    package func has(_ option: String) -> Bool {
        options[option] != nil
    }

    /// Adds an option; a flag has no value.
    package mutating func add(_ option: String, _ value: String?) {
        options[option, default: []] += value.map { [$0] } ?? []
    }
}
