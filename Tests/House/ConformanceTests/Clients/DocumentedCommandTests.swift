import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: the commands that the documents show work as they are shown. Method: each is taken from the document and run by
/// bash against a real server, in a folder with the archives that it names.
@Suite struct `The commands in the documents` {
    private static let identifier = "com.acme.Clock"

    private let registry: Registry
    private let folder: String

    /// A registry in which the bundle of the examples shows 1.0~1 on `stable` and on `trial`, and the archives beside it.
    init() throws {
        registry = try Registry()
        folder = "\(registry.home.folder.path)/desk"
        try FileWork.makeFolder(folder)
        try FileWork.link("\(folder)/data", to: registry.home.data.path)
        _ = try registry.home.file("desk/Clock.zip", Self.clock("1.1", "7").archive)
        _ = try registry.home.file("desk/MyWidget.zip", BundleForge("com.acme.MyWidget").archive)
        _ = try registry.home.file("token", Array(Registry.adminToken.utf8))
        try registry.publish(Self.clock("1.0", "1"))
        try registry.publish(Self.clock("1.0", "1"), "channel=trial")
    }

    private static func clock(_ version: String, _ build: String) -> BundleForge {
        BundleForge(identifier, version, build, text: "\(version)~\(build)").with { $0.name = "Clock" }
    }

    private static func text(_ document: String) throws -> String {
        try String(contentsOfFile: "\(Corpus.repositoryRoot)/\(document)", encoding: .utf8)
    }

    /// The commands of the shell blocks with a line that begins with `curl`, one string each, continuation lines included.
    private static func commands(in document: String) throws -> [String] {
        var commands: [String] = []
        var block: [String]?
        for line in try text(document).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let found = block, found.contains(where: { $0.hasPrefix("curl ") }) { commands += found }
                block = line == "```sh" ? [] : nil
            } else if let last = block?.last, line.hasPrefix(" ") {
                block?.removeLast()
                block?.append("\(last)\n\(line)")
            } else if !line.isEmpty {
                block?.append(String(line))
            }
        }
        return commands
    }

    /// A script that runs commands in one shell, and prints for each request the status on a line after the answer.
    private func script(_ commands: [String]) -> String {
        let program = BuiltProgram("widgetd").url.deletingLastPathComponent().path
        let lines = commands.map { command in
            let local = command.replacing("http://127.0.0.1:8080", with: registry.url)
                .replacing("$(cat data/admin-token)", with: Registry.adminToken)
            return local.hasPrefix("widgetd token create ci ") ? "CI_TOKEN=$(\(local)\n)" : local
        }
        return """
            cd '\(folder)' || exit 1
            export PATH='\(program)':$PATH WIDGETD_ADMIN_TOKEN='\(Registry.adminToken)'
            curl() { command curl -sS -m 60 -w '\\nstatus %{http_code}\\n' "$@"; }
            set -e
            \(lines.joined(separator: "\n"))
            """
    }

    private func run(_ commands: [String]) throws -> (output: String, statuses: [String]) {
        let path = try registry.home.file("desk/commands.sh", Array(script(commands).utf8))
        let (output, status) = Shell.run("exec bash '\(path)' 2>&1")
        #expect(status == 0, "\(output)")
        return (output, output.matches(of: /(?m)^status (\d+)$/).map { String($0.1) })
    }

    @Test(.enabled(if: Shell.has("bash"), "needs bash"))
    func `Every command with curl in docs/publishing.md works against a real server, in its order`() throws {
        let commands = try Self.commands(in: "docs/publishing.md")
        try #require(commands.count { $0.hasPrefix("curl ") } >= 7, "\(commands)")
        let (output, statuses) = try run(commands)
        // -T, -F as a dry run, the CI job, a channel set, one made, a rollback as a dry run and in earnest, a release
        // withdrawn, a channel deleted.
        #expect(statuses == ["201", "200", "201", "200", "200", "200", "200", "200", "204"], "\(output)")
        #expect(try registry.channel(Self.identifier, "stable").text("release") == "1.0~1")
        #expect(try registry.channel(Self.identifier, "trial").status == 404)
        #expect(try registry.release(Self.identifier, "1.1~7").problemCode == "withdrawn")
        #expect(try registry.resolve("com.acme.MyWidget").status == 200)
        #expect(try registry.ask("GET", "/v1/tokens", token: Registry.adminToken).text.contains("\"name\":\"desk\""))
    }

    @Test(arguments: ["docs/hosting.md"])
    func `The downloadUrl of the original framework is answered with the archive of the folder it names`(
        _ document: String
    ) throws {
        let addresses = try Self.text(document).matches(of: #/https://widgets\.example(/v1/widgets/[^\s`?]+\.zip)/#)
            .map { String($0.1) }
        try #require(!addresses.isEmpty)
        for path in addresses {
            // The framework asks for it as any client does, and unpacks it.
            let target = "\(folder)/fetched.zip"
            let got = try registry.get(path)
            #expect(got.status == 200 && got.value("Content-Type") == "application/zip", "\(path): \(got.status)")
            try Data(got.body).write(to: URL(filePath: target))
            let listing = Shell.run("exec unzip -Z1 '\(target)'")
            let name = try #require(path.split(separator: "/").last?.dropLast(".zip".count))
            #expect(listing.output.contains("\(name).bundle/Info.plist"), "\(path): \(listing.output)")
        }
    }

    @Test func `The other addresses beside the downloadUrl in docs/hosting.md do what it says`() throws {
        let guide = try Self.text("docs/hosting.md")
        let widget = "/v1/widgets/\(Self.identifier)-1"
        try #require(guide.contains("`Clock.bundle.zip` is answered as well"))
        #expect(try registry.get("\(widget)/Clock.bundle.zip").status == 200)
        let query = try #require(guide.firstMatch(of: #/`…/Clock\.zip(\?[^`]+)`/#)).1
        #expect(try registry.get("\(widget)/Clock.zip\(query)").problemCode == "no-such-channel")
        try registry.publish(Self.clock("1.1", "8"), "channel=beta")
        #expect(try registry.get("\(widget)/Clock.zip\(query)").status == 200)
        try #require(guide.contains("A name that is not the folder's is 404,\n  and the answer says which is"))
        let wrong = try registry.get("\(widget)/Watch.zip")
        #expect(wrong.status == 404 && wrong.text.contains("Clock.zip"), "\(wrong.text)")
        let command = try #require(guide.firstMatch(of: #/`curl …(/v1/widgets/\S+)` has it as `name`/#)).1
        let answer = try registry.get(String(command)).text
        #expect(answer.contains("\"name\":\"Clock\""), "\(answer)")
    }
}
