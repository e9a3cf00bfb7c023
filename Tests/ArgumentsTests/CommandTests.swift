import Arguments
import Testing

@Suite struct `A command line` {
    @Test func `names a command and its arguments`() throws {
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
    func `gives an option its value in every spelling`(_ arguments: [String]) throws {
        guard case .run(let request) = try sample.parse(arguments) else { Issue.record("nothing to run"); return }
        #expect(request.value("output") == "a.zip")
        #expect(request.arguments == ["d"])
    }

    @Test func `keeps what follows the first equals sign`() throws {
        #expect(try invocation("list", "--server=http://h/?a=b")?.value("server") == "http://h/?a=b")
        #expect(try invocation("list", "--server=")?.value("server") == "")
    }

    @Test func `takes the options of a group before and after its commands`() throws {
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

    @Test func `collects an option that may be repeated`() throws {
        #expect(try invocation("pack", "d", "--exclude", "a", "--exclude=b")?.values("exclude") == ["a", "b"])
    }

    @Test func `takes everything after two hyphens as arguments`() throws {
        #expect(try invocation("list", "--json", "--", "--json", "-x", "--")?.arguments == ["--json", "-x", "--"])
    }

    @Test func `takes one hyphen and negative numbers as they are`() throws {
        #expect(try invocation("list", "-")?.arguments == ["-"])
        #expect(try invocation("list", "--server", "-5")?.value("server") == "-5")
        #expect(try invocation("list", "--server", "-")?.value("server") == "-")
    }

    @Test func `accepts none, one or many where that is allowed`() throws {
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
            ([], .missingCommand(known: ["pack", "list", "host", "token"]), "widget"),
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
    func `is refused for one stated reason`(_ arguments: [String], _ reason: ArgumentsError.Reason, _ command: String) {
        #expect(refusal(arguments) == ArgumentsError(reason: reason, command: command))
    }

    @Test func `is refused with an error line and hint lines`() throws {
        let error = try #require(refusal(["pack", "d", "--ouput", "x"]))
        #expect(
            Complaint.text(error.message, hints: error.hints) == """
                error: unknown option "--ouput"
                hint: did you mean `--output`?
                hint: `widget pack --help` shows how it is used

                """)
    }

    @Test(arguments: ["\u{1B}[31m", "a\nerror: b", "\u{202E}x", "\u{0}"])
    func `is never echoed so that a terminal obeys it`(_ argument: String) throws {
        let message = try #require(refusal([argument])).message
        #expect(
            !message.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
            })
    }

    @Test func `is echoed in part when it is long`() throws {
        let message = try #require(refusal([String(repeating: "x", count: 100_000)])).message
        #expect(message.count < 200)
    }
}
