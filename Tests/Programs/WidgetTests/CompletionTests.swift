import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: a shell proposes what may be typed next. Method: the printed script, in bash, which divides words at = and : itself.
@Suite struct `Completion in bash` {
    @Test(
        arguments: [
            (["tok"], "tok", ["token"]), (["token", "cr"], "token cr", ["create"]),
            (["render", "A.zip", "--as", "h"], "render A.zip --as h", ["html"]),
            (["new", "N", "--kind", "d"], "new N --kind d", ["detail", "document", "declarative"]),
            (
                ["publish", "--server", "https", ":", "//a", ":", "80", "--chan"],
                "publish --server https://a:80 --chan", ["--channel"]
            ),
            (["build", "Pack"], "build Pack", ["Package.swift"]),
        ])
    func `The script proposes the words that the program takes`(
        _ words: [String], _ line: String, _ wanted: [String]
    ) throws {
        let program = Program.built.url.path
        let script = """
            source <("$0" completion bash)
            COMP_LINE="$0 $1" COMP_WORDS=("$0" "${@:2}") COMP_CWORD=$(($# - 1))
            _widget
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try BuiltProgram(at: "/bin/bash").run(
            ["-c", script, program, line] + words, in: URL(filePath: Corpus.repositoryRoot))
        #expect(result.output.split(separator: "\n").map(String.init) == wanted, "\(result.error)")
        #expect(result.error.isEmpty)
    }
}
