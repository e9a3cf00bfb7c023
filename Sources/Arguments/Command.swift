/// A program, or something it can be told to do, declared as a value.
///
/// A command with subcommands only groups them; what runs is always a command without any.
/// Options of a command are understood by all below it.
///
/// ```swift
/// let program = Command(
///     "widgetd", "registry server for widget bundles", version: "0.1.0", example: "widgetd serve",
///     subcommands: [
///         Command("serve", "run the server", example: "widgetd serve --data ./data", options: [
///             Option("data", value: "DIR", help: "where everything is kept"),
///         ])
///     ])
/// switch try program.parse(arguments) {
/// case .run(let invocation): …
/// case .help(let text): …
/// case .version(let text): …
/// }
/// ```
package struct Command: Sendable {
    package var name: String
    /// One line, shown in the list of commands and on top of the help.
    package var summary: String
    /// The version of a program; `nil` for what is not the root.
    package var version: String?
    /// One command line that works.
    package var example: String
    package var options: [Option]
    package var positionals: [Positional]
    package var subcommands: [Command]

    package init(
        _ name: String, _ summary: String, version: String? = nil, example: String, options: [Option] = [],
        positionals: [Positional] = [], subcommands: [Command] = []
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.example = example
        self.options = options
        self.positionals = positionals
        self.subcommands = subcommands
    }
}
