import Arguments

/// A small program with every kind of argument.
let sample = Command(
    "widget", "publish widget bundles and look at them", version: "1.2.3", example: "widget list",
    options: [
        Option("server", value: "URL", help: "the registry to talk to"),
        Option("json", help: "print facts as JSON"),
    ],
    subcommands: [
        Command(
            "pack", "write the canonical archive of a folder", example: "widget pack Demo.bundle -o Demo.zip",
            options: [
                Option("output", letter: "o", value: "OUT.zip", help: "where to write it"),
                Option(
                    "exclude", value: "PATTERN", isRepeatable: true,
                    help:
                        "leave out what matches; may be given more than once, and each pattern applies to every folder"),
            ],
            positionals: [Positional("DIR", help: "the folder"), Positional("NAME", .optional, help: "another name")]),
        Command(
            "list", "list bundles", example: "widget list com.acme",
            positionals: [Positional("PREFIX", .any, help: "only these")]),
        Command(
            "host", "show widgets", example: "widget host a.b",
            positionals: [Positional("WIDGET-ID", .several, help: "what to show")]),
        Command(
            "token", "manage tokens", example: "widget token list",
            subcommands: [
                Command(
                    "create", "make a token", example: "widget token create ci",
                    positionals: [Positional("NAME", help: "its name")]),
                Command("list", "list tokens", example: "widget token list"),
            ]),
    ])

func invocation(_ arguments: String...) throws -> Invocation? {
    guard case .run(let invocation) = try sample.parse(arguments) else { return nil }
    return invocation
}

func refusal(_ arguments: [String]) -> ArgumentsError? {
    do throws(ArgumentsError) {
        _ = try sample.parse(arguments)
        return nil
    } catch {
        return error
    }
}
