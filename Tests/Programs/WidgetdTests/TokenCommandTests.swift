import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// `widgetd token`, with a server running, without one, and without a registry.
@Suite struct `widgetd token` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path

    private func token(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(["token"] + arguments + ["--data", folder])
    }

    /// A registry that was started once, and stopped.
    private func registry() throws {
        let server = try RunningProgram(data: folder)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    @Test func `Tokens are made, listed and revoked while no server runs`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try registry()
        let made = try token(
            "create", "ci", "--scope", "publish", "--scope", "read", "--prefix", "com.acme", "--expires", "90d")
        #expect(made.exitCode == 0, "\(made.error)")
        #expect(made.output.wholeMatch(of: /wdg_[A-Za-z0-9]{20,}\n/) != nil, "\(made.output)")
        let listed = try token("list")
        #expect(listed.output.contains(/(?m)^NUMBER +NAME +SCOPES +PREFIX +CHANNELS +EXPIRES +LAST USED$/))
        #expect(
            listed.output.contains(/(?m)^2 +ci +read,publish +com\.acme +all +20[0-9T:Z-]+ +never$/), "\(listed.output)"
        )
        #expect(!listed.output.contains(made.output.trimmingCharacters(in: .newlines)))
        #expect(try token("create", "ci", "--scope", "read").exitCode == 1)
        #expect(try token("revoke", "ci").output == "ci is revoked\n")
        let rest = try token("list")
        #expect(rest.exitCode == 0 && rest.output.contains(/(?m)^1 +[a-z-]+ +/), "\(rest)")
        #expect(!rest.output.contains("com.acme"))
        let again = try token("revoke", "ci")
        #expect(again.exitCode == 1)
        #expect(again.error.hasPrefix("error: "))
    }

    @Test func `A token is rotated with and without a server, and the list says how long its earlier secret works`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(data: folder)
        let first = try token("create", "ci", "--scope", "admin").output.filter { !$0.isNewline }
        let status = { (secret: String) in
            try server.get("/v1/tokens", "Authorization: Bearer \(secret)\r\n").prefix(12)
        }
        let second = try token("rotate", "ci", "--keep", "24h")
        #expect(second.exitCode == 0 && second.output.wholeMatch(of: /wdg_[A-Za-z0-9]{20,}\n/) != nil, "\(second)")
        #expect(try status(first) == "HTTP/1.1 200")
        #expect(try status(second.output.filter { !$0.isNewline }) == "HTTP/1.1 200")
        #expect(try token("list").output.contains(/(?m)^ci: the secret before its rotation works until 20[0-9T:Z-]+$/))
        let third = try token("rotate", "ci", "--json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(third.output.utf8)) as? [String: Any])
        #expect(document["number"] as? Int == 2 && document["earlierSecretEnds"] == nil)
        #expect(try status(first) == "HTTP/1.1 401" && status(#require(document["token"] as? String)) == "HTTP/1.1 200")
        #expect(try !token("list").output.contains("its rotation"))
        // The secret of the first start ends with its file.
        #expect(FileManager.default.fileExists(atPath: "\(folder)/admin-token"))
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        #expect(try token("rotate", "admin").exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/admin-token"))
        #expect(try token("rotate", "none").exitCode == 1)
        let misuse = try token("rotate", "ci", "--keep", "31d")
        #expect(misuse.exitCode == 2 && misuse.error.contains("--keep has to be a span such as"), "\(misuse)")
    }

    @Test func `Tokens are limited to channels, and the list says which keep earlier rights`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try registry()
        #expect(
            try token("create", "ci", "--scope", "publish", "--channel", "nightly", "--channel", "beta").exitCode == 0)
        let misuse = try token("create", "x", "--scope", "publish", "--channel", "be ta")
        #expect(misuse.exitCode == 2 && misuse.error.contains("is not a channel's name"), "\(misuse.error)")
        let listed = try token("list").output
        #expect(listed.contains(/(?m)^2 +ci +publish +all +beta,nightly +never +never$/), "\(listed)")
        #expect(!listed.contains("*"))
        // A catalog of the version before, whose tokens could do more.
        let downgrade = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1]).executescript(\"\"\"UPDATE token SET keeps_earlier_rights = 1 WHERE name = 'ci'\"\"\")
            """
        try #require(
            try Tool.run("python3", ["-c", downgrade, "\(folder)/catalog.sqlite"]).status == 0)
        let marked = try token("list").output
        #expect(marked.contains(/(?m)^2 +ci +publish\* +all +beta,nightly/), "\(marked)")
        #expect(marked.hasSuffix("* made by an earlier version: publish moves every channel, withdraw restores\n"))
    }

    @Test func `A running server carries out token commands, and knows tokens at once`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(data: folder)
        let made = try token("create", "root", "--scope", "admin", "--json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any])
        let secret = try #require(document["token"] as? String)
        #expect(document["name"] as? String == "root")
        let status = { try server.get("/v1/tokens", "Authorization: Bearer \(secret)\r\n").prefix(12) }
        #expect(try status() == "HTTP/1.1 200")
        #expect(try token("revoke", "root").exitCode == 0)
        #expect(try status() == "HTTP/1.1 401")
    }

    @Test func `widgetd token makes no registry in an empty directory`() throws {
        for command in [["list"], ["create", "ci", "--scope", "read"], ["rotate", "ci"], ["revoke", "ci"]] {
            let result = try Program.run(["token"] + command + ["--data", folder])
            #expect(result.exitCode == 1)
            #expect(
                result.error
                    == "error: there is no registry in \(folder)\nhint: name its data directory with --data DIR, or start the server there once\n"
            )
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    /// Misuse is misuse whether or not there is a registry, and whether or not it is served.
    @Test(arguments: [
        ["x", "--scope", "foo"], ["x", "--scope", "read,publish"], ["x", "--scope", "read", "--expires", "soon"],
        ["x", "--scope", "read", "--expires", "0d"], ["x", "--scope", "read", "--expires", "2027-01-31"],
        ["x", "--scope", "read", "--expires", "2001-01-31T00:00:00Z"], ["wi th", "--scope", "read"],
        ["admin", "--scope", "read"], ["x", "--scope", "read", "--prefix", "com.ac-"],
    ])
    func `A token that could never exist is misuse`(_ arguments: [String]) throws {
        let result = try Program.run(["token", "create"] + arguments + ["--data", folder])
        #expect(result.exitCode == 2 && result.error.hasPrefix("error: "), "\(result)")
        #expect(result.error.contains("hint: give each with a flag of its own") == arguments.contains("read,publish"))
    }

    @Test func `A new token needs a scope`() throws {
        let result = try token("create", "ci")
        #expect(result.exitCode == 2)
        #expect(result.error.hasPrefix("error: a token needs a scope\nhint: add --scope publish"))
    }
}

/// The line to paste that a start prints, also after the catalog was rebuilt.
@Suite struct `The line that publishes` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path

    private func line(_ server: RunningProgram) -> String {
        String(server.greeting.split(separator: "\n").last { $0.contains("publish:") || $0.contains("curl -T") } ?? "")
    }

    @Test func `The line that publishes names the token's file, and no dead token after a rebuilt catalog`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let seed = Corpus.repositoryRoot + "/Bundles"
        let first = try RunningProgram(["--seed", seed], data: folder)
        #expect(line(first).contains("Bearer $(cat \(folder)/admin-token)\""), "\(first.greeting)")
        #expect(first.logs("server.listening") && !first.log.contains("tokens.none"))
        first.signal(SIGTERM)
        #expect(first.wait() == 0)
        #expect(try Program.run(["reindex", "--data", folder]).exitCode == 0)
        let second = try RunningProgram(data: folder)
        #expect(!second.greeting.contains("admin-token") && !second.greeting.contains("curl -T"), "\(second.greeting)")
        #expect(line(second).contains("widgetd token create NAME --scope admin"))
        #expect(second.logs("tokens.none"))
        #expect(try token("create", "root", "--scope", "admin").exitCode == 0)
        second.signal(SIGTERM)
        #expect(second.wait() == 0)
        let third = try RunningProgram(data: folder)
        #expect(third.logs("server.listening"))
        #expect(third.greeting.contains("Bearer $TOKEN") && !third.log.contains("tokens.none"), "\(third.greeting)")
    }

    private func token(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(["token"] + arguments + ["--data", folder])
    }

    @Test func `The line that publishes names the file or the variable of the owner's configured token`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token \(UUID().uuidString)").path
        try String(repeating: "t", count: 40).write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let byFile = try RunningProgram(environment: ["WIDGETD_ADMIN_TOKEN_FILE": file])
        #expect(line(byFile).contains("Bearer $(cat '\(file)')\""), "\(byFile.greeting)")
        let byVariable = try RunningProgram(environment: ["WIDGETD_ADMIN_TOKEN": String(repeating: "t", count: 40)])
        #expect(line(byVariable).contains("Bearer $WIDGETD_ADMIN_TOKEN\""), "\(byVariable.greeting)")
    }
}

@Suite struct `The owner's first token` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path

    /// The output of the first two starts, through the pipe or terminal that `wrap` makes.
    @Test(.enabled("needs script(1)", { FileManager.default.isExecutableFile(atPath: "/usr/bin/script") }))
    func `The owner's first token is shown on a terminal, once`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try onTerminal()
        let secret = try String(contentsOfFile: folder + "/admin-token", encoding: .utf8).trimmingCharacters(
            in: .newlines)
        #expect(first.contains("your token:  \(secret)"))
        let second = try onTerminal()
        #expect(second.contains("serving on") && second.contains("Bearer $("), "\(second)")
        #expect(secret.wholeMatch(of: /wdg_[A-Za-z0-9]{20,}/) != nil && !second.contains(secret))
    }

    @Test func `The owner's first token is not written to output that may be a log`() throws {
        let server = try RunningProgram(data: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let secret = try String(contentsOfFile: folder + "/admin-token", encoding: .utf8).trimmingCharacters(
            in: .newlines)
        try #require(secret.wholeMatch(of: /wdg_[A-Za-z0-9]{20,}/) != nil, "\(secret)")
        // What is there is complete, and names the file in the token's place.
        #expect(server.greeting.contains("serving on"))
        #expect(server.greeting.contains("Bearer $(cat \(folder)/admin-token)\""), "\(server.greeting)")
        #expect(try server.get("/v1/tokens", "Authorization: Bearer \(secret)\r\n").hasPrefix("HTTP/1.1 200"))
        #expect(eventually { !server.log.isEmpty })
        #expect(!server.greeting.contains(secret))
        #expect(!server.log.contains(secret))
    }

    private func onTerminal() throws -> String {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/usr/bin/script")
        let command = "exec \(Program.url.path) serve --listen 127.0.0.1:0 --data \(folder)"
        process.arguments = ["--quiet", "--return", "--command", command, "/dev/null"]
        process.environment = TestedServer.withoutCells.merging([
            "WIDGETD_LIMITS_DISK_RESERVE": "0", "TERM": "xterm", "PATH": "/usr/bin:/bin",
        ]) { $1 }
        let output = Pipe()
        process.standardOutput = .pipe(output)
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        var text = ""
        while !text.contains("publish:") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += String(decoding: more, as: UTF8.self)
        }
        process.terminate()
        process.waitUntilExit()
        return text
    }
}
