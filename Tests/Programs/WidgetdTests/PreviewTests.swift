import Foundation
import Glibc
import Sockets
import TestSupport
import Testing

/// Goal: what was published runs on the registry's pages, and can do nothing else. Method: the built server and its cells.
@Suite(.ownThreads) struct `Previews of releases` {
    /// A registry with a widget of documents and one of storyboards.
    private static func registry(_ environment: [String: String] = [:], prelude: String = "true") throws
        -> RunningProgram
    {
        let seeds = try folder()
        defer { try? FileManager.default.removeItem(atPath: seeds) }
        for name in ["Planetarium", "Orchestra"] {
            try FileManager.default.copyItem(
                atPath: "\(Corpus.repositoryRoot)/Bundles/\(name)", toPath: "\(seeds)/\(name)")
        }
        return try RunningProgram(["--seed", seeds], environment: environment, prelude: prelude)
    }

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
            decoding: try Probe.exchange(Array(request.utf8), with: server.endpoint, seconds: 20), as: UTF8.self)
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
        let server = try Self.registry()
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
        #expect(try server.get("\(Self.place)/try?screen=Nowhere").hasPrefix("HTTP/1.1 404 "))
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

    @Test func `Withdrawing a release ends its pages`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let data = folder + "/data"
        let server = try RunningProgram(["--seed", "\(Corpus.repositoryRoot)/Bundles"], data: data)
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
            decoding: try Probe.exchange(Array(request.utf8), with: server.endpoint, seconds: 10), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 2"))
        #expect(eventually { (try? server.get(address).contains("the release of its widget was withdrawn")) == true })
        #expect(try server.get("\(Self.place)/try").hasPrefix("HTTP/1.1 410 "))
    }

    @Test func `Previews that are switched off leave a registry with everything else`() throws {
        let server = try Self.registry(["WIDGETD_PREVIEW_ENABLED": "false"])
        #expect(try server.get("\(Self.place)/try").hasPrefix("HTTP/1.1 404 "))
        #expect(try server.get("/v1/bundles").contains("com.example.Planetarium"))
        #expect(children(of: server).isEmpty)
    }

    @Test func `A process that may open few files runs no widget, and says so`() throws {
        let server = try Self.registry(prelude: "ulimit -n 128")
        #expect(server.logs("previews.off") && server.log.contains("512 are needed"))
        #expect(children(of: server).isEmpty)
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `The check of settings says what confines cells`() throws {
        let result = try Program.run(["check"])
        #expect(result.exitCode == 0 && result.output.contains("\npreviews: on\n"))
        #expect(result.output.contains("filter of calls: on"))
        let off = try Program.run(["check", "--json"], environment: ["WIDGETD_PREVIEW_ENABLED": "false"])
        #expect(off.output.contains("\"preview.confinement\"") && off.output.contains("seccomp=on"))
        let text = try Program.run(["check"], environment: ["WIDGETD_PREVIEW_ENABLED": "false"]).output
        #expect(text.contains("previews: switched off"))
    }

    @Test func `No cell outlives a server that was killed`() throws {
        let server = try Self.registry()
        _ = try post(server, "\(Self.place)/run")
        let cells = children(of: server)
        #expect(!cells.isEmpty)
        server.signal(SIGKILL)
        let end = ContinuousClock.now + .seconds(1)
        func alive() -> [String] {
            cells.filter { number in
                guard let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else {
                    return false
                }
                return !state.contains(") Z ")
            }
        }
        while !alive().isEmpty, ContinuousClock.now < end { usleep(10_000) }
        #expect(alive().isEmpty)
    }
}
