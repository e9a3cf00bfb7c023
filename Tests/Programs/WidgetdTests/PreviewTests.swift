import ConformanceSupport
import Foundation
import Glibc
import Sockets
import TestSupport
import Testing

/// Goal: what was published runs on the registry's pages, and can do nothing else. Method: the server and its
/// cells, in this process but where processes are the subject.
@Suite(.ownThreads) struct `Previews of releases` {
    /// A registry with a widget of documents and one of storyboards.
    private static func registry(
        _ environment: [String: String] = [:], in place: TestedServer.Place = .here, prelude: String? = nil,
        executable: String? = nil
    ) throws -> RunningProgram {
        let seeds = try folder()
        defer { try? FileManager.default.removeItem(atPath: seeds) }
        for name in ["Planetarium", "Orchestra"] {
            try FileManager.default.copyItem(
                atPath: "\(Corpus.repositoryRoot)/Bundles/\(name)", toPath: "\(seeds)/\(name)")
        }
        return try RunningProgram(
            ["--seed", seeds], environment: enabled.merging(environment) { $1 }, in: place, prelude: prelude,
            executable: executable)
    }

    private static let enabled = ["WIDGETD_PREVIEW_ENABLED": "true"]

    private static func folder() throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "previews-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    private static let place = "/w/com.example.Planetarium/1.0~1"

    private func post(_ server: RunningProgram, _ path: String, _ body: String = "", origin: String? = "http://x")
        throws -> String
    {
        let field = origin.map { "Origin: \($0)\r\n" } ?? ""
        let request =
            "POST \(path) HTTP/1.1\r\nHost: x\r\n\(field)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        return String(
            decoding: try Probe.exchange(Array(request.utf8), with: server.endpoint, seconds: 0), as: UTF8.self)
    }

    private func children(of server: RunningProgram) -> [String] {
        let path = "/proc/\(server.process.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return threads.flatMap { thread in
            ((try? String(contentsOfFile: "\(path)/\(thread)/children", encoding: .utf8)) ?? "").split(separator: " ")
                .map(String.init)
        }
    }

    @Test func `The first screen runs nothing, Run begins a widget, and an act changes its page alone`() throws {
        let server = try Self.registry(executable: Program.url.path)
        let still = try server.get("\(Self.place)/try")
        #expect(
            still.hasPrefix("HTTP/1.1 200 ") && still.contains("inert") && still.contains("Cache-Control: no-cache"))
        #expect(
            still.contains("action=\"\(Self.place)/run\"")
                && still.contains("Content-Security-Policy: default-src 'none'"))
        for match in still.matches(of: /(?:href|src)="(\/[^"]+)"/) {
            #expect(try server.get(String(match.1)).hasPrefix("HTTP/1.1 200 "), "\(match.1)")
        }
        let answer = try post(server, "\(Self.place)/run")
        let address = try #require(answer.firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)?.1).description
        #expect(answer.hasPrefix("HTTP/1.1 303 "))
        let page = try server.get(address)
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("data-begin=\"\(Self.place)/run\""))
        for match in page.matches(of: /(?:href|src)="(\/[^"]+)"/) {
            #expect(try server.get(String(match.1)).hasPrefix("HTTP/1.1 200 "), "\(match.1)")
        }
        let other = try #require(
            try post(server, "\(Self.place)/run").firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)?.1)
        #expect(String(other) != address)
        #expect(try post(server, "\(address)/end").hasPrefix("HTTP/1.1 204 "))
        #expect(try server.get(address).hasPrefix("HTTP/1.1 410 "))
        #expect(try server.get(address).contains("action=\"\(Self.place)/run\""))
        #expect(try server.get(String(other)).hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `The address of a first screen chooses its reader, and leads to the same one`() throws {
        let server = try Self.registry()
        let page = try server.get("\(Self.place)/try?scheme=dark&dir=rtl&text=XXL&locale=de_AT&width=320&nothing=1")
        #expect(page.contains("dir=\"rtl\"") && page.contains("lang=\"de-AT\"") && page.contains("content=\"dark\""))
        #expect(
            page.contains(
                "action=\"\(Self.place)/run?width=320&amp;scheme=dark&amp;dir=rtl&amp;text=XXL&amp;locale=de_AT\""))
        let answer = try post(server, "\(Self.place)/run?dir=rtl")
        let address = try #require(answer.firstMatch(of: /Location: (\S+)/)?.1)
        #expect(try server.get(String(address)).contains("dir=\"rtl\""))
        let arabic = try server.get("\(Self.place)/try?locale=ar")
        #expect(arabic.contains("dir=\"rtl\"") && arabic.contains("<button>تشغيل</button>"))
        #expect(try server.get("\(Self.place)/try?locale=ar&dir=ltr").contains("dir=\"ltr\""))
        #expect(try server.get("\(Self.place)/try?screen=Nowhere").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func `The inspector says what a widget is made of, and why each value is what it is`() throws {
        let server = try Self.registry()
        let text = try server.get("\(Self.place)/try?inspect")
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("Cache-Control: no-store"))
        #expect(!text.contains("<script") && text.contains("of a widget that was started and not touched"))
        // A value that was computed, with its expression; the place of an element on the screen; a rule; a budget; the log.
        #expect(text.contains("<td>from ") && text.contains(" from the left, "))
        #expect(try server.get("/w/com.example.Orchestra/1.0~1/try?inspect").contains("menu.top = root 0.top"))
        #expect(text.contains("Open screens</th><td class=\"number\">1</td>"))
        #expect(text.contains("id=\"log\"") && text.contains("<span class=\"chip\">"))
        #expect(try server.get("\(Self.place)/try?inspect&screen=Nowhere").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func `The inspector shows a widget that runs to who knows the address of its page`() throws {
        let server = try Self.registry()
        let answer = try post(server, "\(Self.place)/run")
        let address = try #require(answer.firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)?.1).description
        let text = try server.get("\(Self.place)/try?inspect&viewing=\(address)")
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("of a widget that runs"))
        #expect(text.contains("value=\"\(address)\""))
        // The page of another release, and a page that never was, are the same.
        for place in ["/w/com.example.Orchestra/1.0~1", Self.place] {
            let name = place == Self.place ? String(repeating: "0", count: 32) : address
            let other = try server.get("\(place)/try?inspect&viewing=\(name)")
            #expect(other.hasPrefix("HTTP/1.1 404 ") && other.contains("No widget of this release runs"), "\(place)")
        }
        #expect(try server.get(address).hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `A widget alone in a window has links to its inspector and its release, and one in a frame has none`()
        throws
    {
        let server = try Self.registry()
        let still = try server.get("\(Self.place)/try?dir=rtl")
        #expect(still.contains("<a href=\"\(Self.place)/try?dir=rtl&amp;inspect\""))
        #expect(still.contains("data-to=\"\(Self.place)/try?dir=rtl&amp;inspect&amp;viewing=\""))
        #expect(still.contains("<a href=\"\(Self.place)\">About this release</a>"))
        let answer = try post(server, "\(Self.place)/run?dir=rtl")
        let address = try #require(answer.firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)?.1).description
        let inspect = "\(Self.place)/try?dir=rtl&amp;inspect&amp;viewing=\(address)"
        #expect(try server.get(address).contains("<a href=\"\(inspect)\""))
        let inspector = try server.get(inspect.replacing("&amp;", with: "&"))
        #expect(inspector.hasPrefix("HTTP/1.1 200 "))
        #expect(inspector.contains("href=\"\(address)\" class=\"button quiet\">Back to the widget</a>"))

        let framed = try server.get("\(Self.place)/try?frame=1")
        #expect(framed.hasPrefix("HTTP/1.1 200 ") && !framed.contains("class=\"ways\""))
        #expect(framed.contains("action=\"\(Self.place)/run?frame=1\""))
        let other = try #require(
            try post(server, "\(Self.place)/run?frame=1").firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)?.1)
        #expect(try !server.get(String(other)).contains("class=\"ways\""))
    }

    @Test func `A page of another site begins nothing, and a release that is not there has no page`() throws {
        let server = try Self.registry()
        #expect(try post(server, "\(Self.place)/run", origin: "http://evil.example").hasPrefix("HTTP/1.1 403 "))
        #expect(try post(server, "\(Self.place)/run", origin: nil).hasPrefix("HTTP/1.1 403 "))
        for path in ["/w/com.example.Planetarium/9.9~9", "/w/com.example.Nowhere/1.0~1"] {
            #expect(try server.get("\(path)/try").hasPrefix("HTTP/1.1 404 "), "\(path)")
            #expect(try post(server, "\(path)/run").hasPrefix("HTTP/1.1 404 "), "\(path)")
        }
    }

    @Test func `A registry that is closed to readers shows them no widget`() throws {
        let server = try Self.registry(["WIDGETD_ACCESS_READ": "token"])
        #expect(try server.get("\(Self.place)/try").hasPrefix("HTTP/1.1 401 "))
        #expect(try post(server, "\(Self.place)/run").hasPrefix("HTTP/1.1 401 "))
    }

    @Test(arguments: [true, false])
    func `A release whose document cannot be read says why and where on its pages`(isReviewed: Bool) throws {
        let seeds = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: seeds) }
        let bundle = "\(seeds)/Broken.bundle"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        let info = try String(contentsOfFile: "\(Corpus.repositoryRoot)/Bundles/Forge/Info.plist", encoding: .utf8)
        try info.replacing("com.example.Forge", with: "com.example.Broken").write(
            toFile: "\(bundle)/Info.plist", atomically: true, encoding: .utf8)
        try "{\n  \"schema\": 2,\n  \"root\": []\n}".write(
            toFile: "\(bundle)/Main.widgets.json", atomically: true, encoding: .utf8)
        let server = try RunningProgram(
            ["--seed", seeds],
            environment: Self.enabled.merging(["WIDGETD_POLICY_REVIEWS_SCREENS": "\(isReviewed)"]) { $1 })
        let place = "/w/com.example.Broken/1.0~1"
        if !isReviewed {
            // Its cell finds out, when someone wants to see it.
            #expect(try !server.get(place).contains("This release does not run."))
            let answer = try server.get("\(place)/try")
            #expect(answer.hasPrefix("HTTP/1.1 422 ") && answer.contains("Main.widgets.json:2:13"))
        }
        for path in ["/w/com.example.Broken", place] {
            let text = try server.get(path)
            #expect(text.contains("This release does not run.") && text.contains("schema is 2"), "\(path)")
            #expect(text.contains("<code>Main.widgets.json:2:13</code>") && !text.contains("<iframe"), "\(path)")
        }
    }

    @Test func `Withdrawing a release ends its pages`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let data = folder + "/data"
        let server = try RunningProgram(
            ["--seed", "\(Corpus.repositoryRoot)/Bundles"], data: data, environment: Self.enabled)
        let address = try #require(
            try post(server, "\(Self.place)/run").firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)?.1
        ).description
        #expect(try server.get(address).hasPrefix("HTTP/1.1 200 "))
        let token = try String(contentsOfFile: "\(data)/admin-token", encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let request =
            "DELETE /v1/bundles/com.example.Planetarium/releases/1.0~1?reason=bad HTTP/1.1\r\nHost: x\r\n"
            + "Authorization: Bearer \(token)\r\nConnection: close\r\n\r\n"
        let answer = String(
            decoding: try Probe.exchange(Array(request.utf8), with: server.endpoint, seconds: 0), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 2"))
        #expect(eventually { (try? server.get(address).contains("the release of its widget was withdrawn")) == true })
        #expect(try server.get("\(Self.place)/try").hasPrefix("HTTP/1.1 410 "))
    }

    @Test func `Previews that are switched off leave a registry with everything else`() throws {
        let server = try Self.registry(["WIDGETD_PREVIEW_ENABLED": "false"], in: .process)
        #expect(try server.get("\(Self.place)/try").hasPrefix("HTTP/1.1 404 "))
        #expect(try server.get("/v1/bundles").contains("com.example.Planetarium"))
        #expect(eventually { children(of: server).isEmpty })
    }

    @Test func `A process that may open few files runs no widget, and says so`() throws {
        let server = try Self.registry(prelude: "ulimit -n 128")
        #expect(server.logs("previews.off") && server.log.contains("512 are needed"))
        #expect(eventually { children(of: server).isEmpty })
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `The check of settings says what confines cells`() throws {
        let result = try Program.built.run(["check"])
        #expect(result.exitCode == 0 && result.output.contains("\npreviews: on\n"))
        #expect(result.output.contains("filter of calls: on"))
        let off = try Program.run(["check", "--json"], environment: ["WIDGETD_PREVIEW_ENABLED": "false"])
        #expect(off.output.contains("\"preview.confinement\"") && off.output.contains("seccomp=on"))
        let text = try Program.run(["check"], environment: ["WIDGETD_PREVIEW_ENABLED": "false"]).output
        #expect(text.contains("previews: switched off") && text.contains("\nreviews: in confined processes\n"))
        #expect(result.output.contains("at once: 4 reviews, 16 widgets, 2 pictures, 2 spares"))
        #expect(result.output.contains("together: 24 processes") && text.contains("together: 4 processes"))
        #expect(off.output.contains("\"cells.processes\":{\"value\":4"))
    }

    @Test func `No cell outlives a server that was killed`() throws {
        let server = try Self.registry(in: .process)
        _ = try post(server, "\(Self.place)/run")
        let cells = try children(of: server).compactMap { Int($0) }.map { try WatchedProcess($0) }
        #expect(!cells.isEmpty)
        server.signal(SIGKILL)
        #expect(cells.allSatisfy { $0.ends() })
    }
}
