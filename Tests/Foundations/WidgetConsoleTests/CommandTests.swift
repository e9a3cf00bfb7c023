import Testing
import WidgetConsole

@Suite struct `A command line` {
    @Test func `A command line names a command and its arguments`() throws {
        let request = try #require(try invocation("pack", "Demo.bundle", "Other"))
        #expect(request.command == ["pack"])
        #expect(request.arguments == ["Demo.bundle", "Other"])
        #expect(try invocation("token", "create", "ci")?.command == ["token", "create"])
        #expect(try invocation("token", "create", "ci")?.arguments == ["ci"])
    }

    @Test(arguments: [
        ["pack", "--output", "a.zip", "d"], ["pack", "--output=a.zip", "d"], ["pack", "d", "-o", "a.zip"],
        ["pack", "-oa.zip", "d"], ["pack", "d", "--output=a.zip", "--json"],
    ])
    func `A command line gives an option its value in every spelling`(_ arguments: [String]) throws {
        guard case .run(let request) = try sample.parse(arguments) else { Issue.record("nothing to run"); return }
        #expect(request.value("output") == "a.zip")
        #expect(request.arguments == ["d"])
    }

    @Test func `A command line keeps what follows the first equals sign`() throws {
        #expect(try invocation("list", "--server=http://h/?a=b")?.value("server") == "http://h/?a=b")
        #expect(try invocation("list", "--server=")?.value("server") == "")
    }

    @Test func `A command line takes the options of a group before and after its commands`() throws {
        for request in [
            try invocation("--json", "--server", "u", "token", "list"),
            try invocation("token", "list", "--json", "--server", "u"),
        ] {
            #expect(request?.has("json") == true)
            #expect(request?.value("server") == "u")
        }
        #expect(try invocation("list")?.has("json") == false)
        #expect(try invocation("list")?.value("server") == nil)
    }

    @Test func `A command line collects an option that may be repeated`() throws {
        #expect(try invocation("pack", "d", "--exclude", "a", "--exclude=b")?.values("exclude") == ["a", "b"])
    }

    @Test func `A command line takes everything after two hyphens as arguments`() throws {
        #expect(try invocation("list", "--json", "--", "--json", "-x", "--")?.arguments == ["--json", "-x", "--"])
    }

    @Test func `A command line takes one hyphen and negative numbers as they are`() throws {
        #expect(try invocation("list", "-")?.arguments == ["-"])
        #expect(try invocation("list", "--server", "-5")?.value("server") == "-5")
        #expect(try invocation("list", "--server", "-")?.value("server") == "-")
    }

    @Test func `A command line accepts no, one or many arguments where that is allowed`() throws {
        #expect(try invocation("list")?.arguments == [])
        #expect(try invocation("list", "a", "b", "c")?.arguments == ["a", "b", "c"])
        #expect(try invocation("host", "a", "b")?.arguments == ["a", "b"])
    }

    @Test(
        arguments: [
            (["pack", "d", "--ouput", "x"], .unknownOption("--ouput", nearest: "--output"), "widget pack"),
            (["pack", "d", "--output-file=x"], .unknownOption("--output-file", nearest: nil), "widget pack"),
            (["--lisst"], .unknownOption("--lisst", nearest: nil), "widget"),
            (["list", "-x"], .unknownOption("-x", nearest: nil), "widget list"),
            (["list", "-json"], .unknownOption("-json", nearest: "--json"), "widget list"),
            (["list", "--version"], .unknownOption("--version", nearest: nil), "widget list"),
            (["list", "--output", "x"], .unknownOption("--output", nearest: nil), "widget list"),
            (["lits"], .unknownCommand("lits", nearest: "list"), "widget"),
            (["token", "creat"], .unknownCommand("creat", nearest: "create"), "widget token"),
            (["frobnicate"], .unknownCommand("frobnicate", nearest: nil), "widget"),
            ([""], .unknownCommand("", nearest: nil), "widget"),
            (
                [], .missingCommand(known: ["pack", "list", "host", "token", "completion", "manual", "version"]),
                "widget"
            ),
            (["token"], .missingCommand(known: ["create", "list"]), "widget token"),
            (["pack", "d", "--output"], .missingValue(option: "--output", valueName: "OUT.zip"), "widget pack"),
            (["pack", "d", "-o"], .missingValue(option: "-o", valueName: "OUT.zip"), "widget pack"),
            (
                ["pack", "--output", "--json", "d"], .missingValue(option: "--output", valueName: "OUT.zip"),
                "widget pack"
            ),
            (["list", "--json=yes"], .unexpectedValue(option: "--json"), "widget list"),
            (["list", "--help=x"], .unexpectedValue(option: "--help"), "widget list"),
            (["list", "--json", "--json"], .repeatedOption("--json"), "widget list"),
            (["--server", "a", "list", "--server=b"], .repeatedOption("--server"), "widget list"),
            (["pack"], .missingArgument("DIR"), "widget pack"),
            (["host"], .missingArgument("WIDGET-ID"), "widget host"),
            (["pack", "a", "b", "c"], .unexpectedArgument("c"), "widget pack"),
            (["token", "list", "x"], .unexpectedArgument("x"), "widget token list"),
        ] as [([String], ArgumentsError.Reason, String)])
    func `A command line is refused for one stated reason`(
        _ arguments: [String], _ reason: ArgumentsError.Reason, _ command: String
    ) {
        #expect(refusal(arguments) == ArgumentsError(reason: reason, command: command))
    }

    @Test func `A command line is refused with an error line and hint lines`() throws {
        let error = try #require(refusal(["pack", "d", "--ouput", "x"]))
        #expect(
            Complaint.text(error.message, hints: error.hints) == """
                error: unknown option "--ouput"
                hint: did you mean `--output`?
                hint: `widget pack --help` shows how it is used

                """)
    }

    @Test(arguments: ["\u{1B}[31m", "a\nerror: b", "\u{202E}x", "\u{0}"])
    func `A command line is echoed without characters that a terminal obeys`(_ argument: String) throws {
        let message = try #require(refusal([argument])).message
        #expect(
            !message.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
            })
    }

    @Test func `A command line is echoed in part when it is long`() throws {
        let message = try #require(refusal([String(repeating: "x", count: 100_000)])).message
        #expect(message.count < 200)
    }
}

@Suite struct `Help` {
    @Test(arguments: [["--help"], ["-h"], ["--json", "--help"], ["--help", "nonsense"]])
    func `Help of a program lists its commands`(_ arguments: [String]) throws {
        #expect(
            try sample.parse(arguments)
                == .help(
                    """
                    widget: publish widget bundles and look at them

                    usage: widget [options] COMMAND

                    commands:
                      pack        write the canonical archive of a folder
                      list        list bundles
                      host        show widgets
                      token       manage tokens
                      completion  print the script by which a shell completes words
                      manual      print the manual page, as man reads it
                      version     print the version

                    options:
                      --server URL  the registry to talk to
                      --json        print facts as JSON
                      -h, --help    print this text
                      --version     print the version

                    example:
                      widget list

                    """))
    }

    @Test(arguments: [["pack", "--help"], ["pack", "d", "e", "-h"]])
    func `Help of a command lists its arguments and options and fits the screen`(_ arguments: [String]) throws {
        guard case .help(let text) = try sample.parse(arguments) else { Issue.record("no help"); return }
        #expect(
            text == """
                widget pack: write the canonical archive of a folder

                usage: widget pack [options] DIR [NAME]

                arguments:
                  DIR   the folder
                  NAME  another name

                options:
                  -o, --output OUT.zip  where to write it
                  --exclude PATTERN     leave out what matches; may be given more than once, and
                                        each pattern applies to every folder
                  -h, --help            print this text
                  --server URL          the registry to talk to
                  --json                print facts as JSON

                example:
                  widget pack Demo.bundle -o Demo.zip

                """)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `The argument --help after two hyphens is not a request for help`() throws {
        #expect(try invocation("list", "--", "--help")?.arguments == ["--help"])
    }

    @Test func `The option --version prints the version`() throws {
        #expect(try sample.parse(["--version"]) == .version("widget 1.2.3"))
    }
}

@Suite struct `A program about itself` {
    private func printed(_ arguments: String...) throws -> String {
        guard case .help(let text) = try sample.parse(arguments) else { throw PrintedNothing() }
        return text
    }

    private struct PrintedNothing: Error {}

    @Test func `The version is a line, or a JSON document with the member version`() throws {
        #expect(try printed("version") == "widget 1.2.3\n")
        #expect(try printed("version", "--json") == #"{"program": "widget", "version": "1.2.3"}"# + "\n")
    }

    @Test func `A program without a version may call its commands so`() throws {
        var plain = sample
        plain.version = nil
        plain.subcommands.append(Command("version", "its own", example: "widget version"))
        guard case .run(let request) = try plain.parse(["version"]) else { throw PrintedNothing() }
        #expect(request.command == ["version"])
        #expect(throws: ArgumentsError.self) { try plain.parse(["manual"]) }
    }

    @Test func `The manual has every command, argument and option with its meaning`() throws {
        let text = try printed("manual")
        #expect(text.hasPrefix(".TH \"WIDGET\" 1 \"\" \"widget 1.2.3\"\n"))
        for words in [
            ".SS \"widget pack DIR [NAME]\"", ".B \\-o, \\-\\-output OUT.zip\nwhere to write it\n", "List bundles.",
            ".SS \"widget token create NAME\"", "widget pack Demo.bundle \\-o Demo.zip", ".B \\-\\-server URL",
            ".SH DESCRIPTION\nPublish widget bundles and look at them.\n", ".B 2\n", ".SS \"widget completion fish\"",
            ".B \\-\\-colour WORD\nof its line\n.RS\n.TP\n.B red\nlike a rose\n.TP\n.B green\nlike grass\n.RE\n",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        #expect(!text.contains(".SH ENVIRONMENT") && !text.contains(".SH FILES") && !text.contains(".B 4\n"))
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix(".") }
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test func `The manual has a program's description, variables and files, and the codes that it ends with`() throws {
        var program = sample
        program.manual = ManualFacts(
            description: ["One.", "Two."], variables: [("WIDGET_X", "text, json or \\n")],
            files: [(".widget", "'quoted' words")], exitCodes: [.clean, .notShown])
        guard case .help(let text) = try program.parse(["manual"]) else { throw PrintedNothing() }
        #expect(text.contains(".SH DESCRIPTION\nOne.\n.PP\nTwo.\n.SH COMMANDS\n"))
        #expect(
            text.contains(
                """
                .SH EXIT STATUS
                .TP
                .B 0
                it did what was asked
                .TP
                .B 4
                a release was stored, and its channel still shows another one
                .SH ENVIRONMENT
                .TP
                .B WIDGET_X
                text, json or \\en
                .SH FILES
                .TP
                .B \\&.widget
                \\&'quoted' words
                .SH EXAMPLES

                """))
    }

    @Test func `Help describes the words that an option takes, where they have a meaning`() throws {
        #expect(
            try printed("token", "create", "--help").contains(
                "\n--colour:\n  red    like a rose\n  green  like grass\n\nexample:"))
    }

    @Test(
        arguments: [
            ("", ["pack", "list", "host", "token", "completion", "manual", "version"]), ("to", ["token"]),
            ("token ", ["create", "list"]), ("token cr", ["create"]), ("--json token l", ["list"]),
            ("--server token l", ["list"]), ("pack --", ["--output", "--exclude", "--server", "--json", "--help"]),
            ("pack -o x --o", []), ("pack --exclude a --exc", ["--exclude"]), ("pack --output ", [":files"]),
            ("pack ", [":files"]), ("pack d ", []), ("pack d n ", []), ("pack -- --", [":files"]), ("host a b", []),
            ("token create --colour ", ["red", "green"]), ("token create --colour g", ["green"]),
            ("--v", ["--version"]), ("host ", ["clock", "tide"]), ("host clock ", ["tide"]), ("host other t", ["tide"]),
            ("list --v", []), ("pack --output=", []),
            ("nonsense ", ["pack", "list", "host", "token", "completion", "manual", "version"]),
        ])
    func `The words that may be typed next are printed`(_ line: String, _ words: [String]) throws {
        let typed = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard case .help(let text) = try sample.parse(["completion", "words", "--"] + typed) else {
            throw PrintedNothing()
        }
        #expect(text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) } == words)
    }

    @Test func `A word that may be typed next has its meaning, or else that of its argument, behind a tab`() throws {
        #expect(try printed("completion", "words", "--", "host", "") == "clock\twhat to show\ntide\tof the sea\n")
        #expect(
            try printed("completion", "words", "--", "token", "create", "--colour", "")
                == "red\tlike a rose\ngreen\tlike grass\n")
    }

    @Test func `Each word that is printed for shells is taken by the program`() throws {
        var lines: [[String]] = [[]]
        var count = 0
        while let line = lines.popLast() {
            guard case .help(let text) = try sample.parse(["completion", "words", "--"] + line + [""]) else {
                throw PrintedNothing()
            }
            guard case .help(let options) = try sample.parse(["completion", "words", "--"] + line + ["-"]) else {
                return
            }
            for row in (text + options).split(separator: "\n") where row != ":files" {
                let word = String(row.prefix { $0 != "\t" })
                count += 1
                switch refusal(line + [word])?.reason {
                case .unknownCommand, .unknownOption, .unexpectedArgument: Issue.record("\(line) \(word)")
                default: if !word.hasPrefix("-") { lines.append(line + [word]) }
                }
            }
        }
        #expect(count > 50)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `A shell's script asks the program`(_ shell: String) throws {
        #expect(try printed("completion", shell).contains("completion words -- "))
        #expect(throws: ArgumentsError.self) { try sample.parse(["completion", "csh"]) }
    }
}

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
            positionals: [
                Positional(
                    "WIDGET-ID", .several, choices: ["clock", Choice("tide", "of the sea")], help: "what to show")
            ]),
        Command(
            "token", "manage tokens", example: "widget token list",
            subcommands: [
                Command(
                    "create", "make a token", example: "widget token create ci",
                    options: [
                        Option(
                            "colour", value: "WORD",
                            choices: [Choice("red", "like a rose"), Choice("green", "like grass")],
                            help: "of its line")
                    ],
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
