import Arguments
import Testing

@Suite struct `Help` {
    @Test(arguments: [["--help"], ["-h"], ["--json", "--help"], ["--help", "nonsense"]])
    func `of a program lists its commands`(_ arguments: [String]) throws {
        #expect(
            try sample.parse(arguments)
                == .help(
                    """
                    widget: publish widget bundles and look at them

                    usage: widget [options] COMMAND

                    commands:
                      pack   write the canonical archive of a folder
                      list   list bundles
                      host   show widgets
                      token  manage tokens

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
    func `of a command lists its arguments and options and fits the screen`(_ arguments: [String]) throws {
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

    @Test func `is not asked for by an argument that only looks like it`() throws {
        #expect(try invocation("list", "--", "--help")?.arguments == ["--help"])
    }

    @Test func `has a version beside it`() throws {
        #expect(try sample.parse(["--version"]) == .version("widget 1.2.3"))
    }
}
