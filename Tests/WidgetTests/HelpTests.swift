import Foundation
import TestSupport
import Testing

@Suite struct `widget` {
    @Test func `prints its version`() throws {
        let result = try Program.run(["--version"])
        #expect(result.output.wholeMatch(of: /widget \d+\.\d+\.\d+\n/) != nil)
        #expect(result.exitCode == 0)
    }

    @Test(arguments: [
        ["--help"], ["pack", "--help"], ["inspect", "-h"], ["structure", "--help"], ["predicate", "--help"],
        ["publish", "--help"], ["list", "--help"], ["show", "--help"], ["report", "--help"], ["diff", "--help"],
        ["promote", "--help"], ["rollback", "--help"], ["channel", "--help"],
        ["channel", "delete", "--help"], ["withdraw", "--help"], ["restore", "--help"],
        ["token", "--help"], ["token", "create", "--help"], ["token", "list", "--help"], ["token", "revoke", "--help"],
        ["new", "--help"], ["run", "--help"], ["render", "--help"], ["build", "--help"],
        ["doctor", "--help"], ["fetch", "--help"], ["watch", "--help"],
    ])
    func `prints help that fits a screen and has an example`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 40)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(result.output.contains("example:\n  widget "))
        #expect(result.exitCode == 0)
    }

    @Test(arguments: [
        [], ["pak", "x"], ["pack"], ["inspect", "a", "b"], ["structure", "x", "--jsn"], ["new", "9"], ["build"],
    ])
    func `answers misuse with an error, a hint and exit code 2`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        #expect(result.error.wholeMatch(of: /error: [^\n]+\n(hint: [^\n]+\n)+/) != nil)
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 2)
    }

    @Test(arguments: ["pack", "inspect", "structure"])
    func `says which file is missing`(_ command: String) throws {
        let result = try Program.run([command, "/nonexistent.zip"])
        #expect(result.error.contains("could not open /nonexistent.zip: No such file or directory"))
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 1)
    }

    @Test func `fails when what it prints cannot be written`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(try Program.run(["--version"], output: full).exitCode == 1)
    }
}
