import Foundation
import RegistryContract
import Testing
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: of any server that claims the contract, each rule that hosts rely on is judged, and no other is blamed.
/// Method: a registry of two routes with one fault at a time, and servers that answer at random.
@Suite struct `A probe that only reads` {
    typealias Reply = `A probe`.Reply

    /// A fault of a server, and the rule that it breaks.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: String
        let change: @Sendable (TransferRequest, inout Reply) -> Void
        /// Changes the release that the registry has.
        var script: @Sendable (inout ScriptedRegistry.Script) -> Void = { _ in }

        init(
            _ name: String, _ expected: String, change: @escaping @Sendable (TransferRequest, inout Reply) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.change = change
        }

        init(_ name: String, _ expected: String, script: @escaping @Sendable (inout ScriptedRegistry.Script) -> Void) {
            self.init(name, expected) { _, _ in }
            self.script = script
        }

        /// Changes the second document that is asked for without a condition.
        private static func second(_ old: String, _ new: String) -> @Sendable (TransferRequest, inout Reply) -> Void {
            let count = Guarded(0)
            return { request, reply in
                guard isDocument(request), reply.status == 200, request.url.query?.contains("doctor-") != true,
                    !has(request, "If-None-Match"),
                    count.withLock({
                        $0 += 1; return $0
                    }) == 2
                else { return }
                reply.body = Array(String(decoding: reply.body, as: UTF8.self).replacing(old, with: new).utf8)
            }
        }

        /// A connection that ends without an answer.
        private static let lost = Reply(0, [], "")

        private static func away(_ place: String) -> Reply { Reply(302, [("Location", place)], "") }

        private static func isDocument(_ request: TransferRequest) -> Bool {
            request.url.path.hasPrefix("/v1/widgets/") && !request.url.path.hasSuffix("/bundle")
        }

        private static func isArchive(_ request: TransferRequest) -> Bool { request.url.path.hasPrefix("/v1/blobs/") }

        private static func has(_ request: TransferRequest, _ name: String, _ value: String? = nil) -> Bool {
            request.fields.contains { $0.name == name && (value == nil || $0.value == value) }
        }

        private static func edit(_ old: String, _ new: String) -> @Sendable (TransferRequest, inout Reply) -> Void {
            { request, reply in
                guard isDocument(request), reply.status == 200 else { return }
                reply.body = Array(
                    String(decoding: reply.body, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
            }
        }

        static let all = [
            Fault("no such widget", "error resolve") { if isDocument($0) { $1 = Reply(404, [], "{}") } },
            Fault("a page of HTML", "error document") {
                if isDocument($0), $1.status == 200 { $1.body = Array("<html>".utf8) }
            },
            Fault("a document that was cut", "error document") {
                if isDocument($0), $1.status == 200 { $1.body.removeLast(40) }
            },
            Fault("a digest of 65 digits", "error document", change: edit("\"content\":\"", "\"content\":\"0")),
            Fault("a negative size", "error document", change: edit("\"size\":", "\"size\":-")),
            Fault("buckets out of order", "error document", change: edit("[0,10000]", "[10000,0]")),
            Fault("another widget", "error subject", change: edit("com.example.Sample-1", "com.example.Sample-2")),
            Fault("another channel", "error subject", change: edit("\"stable\"", "\"beta\"")),
            Fault(
                "a foreign bundle", "error subject", change: edit("\"com.example.Sample\"", "\"com.example.Simple\"")),
            Fault("a part of the hosts", "note shares", change: edit("[0,10000]", "[0,2500]")),
            Fault("no tags of documents", "warning again") { if isDocument($0) { $1.set("ETag", nil) } },
            Fault("conditions that are ignored", "warning again") { request, reply in
                if isDocument(request), reply.status == 304 { reply.status = 200 }
            },
            Fault("a sequence that falls", "error again", change: second("\"sequence\":2", "\"sequence\":1")),
            Fault(
                "two documents of one sequence", "error again",
                change: second("\"salt\":\"salt\"", "\"salt\":\"other\"")),
            Fault("a way to https", "warning redirects") {
                if isDocument($0) { $1.place = "https://registry.test\($0.url.path)" }
            },
            Fault("a way to another machine", "error redirects") {
                if isDocument($0) { $1 = away("http://127.0.0.1:9931/stolen") }
            },
            Fault("a way to another machine, the second time", "error redirects") {
                if isDocument($0), has($0, "If-None-Match") { $1 = away("https://other.test/stolen") }
            },
            Fault("an archive on this machine", "warning archive") {
                if isArchive($0) { $1 = away("http://127.0.0.1:9931/stolen") }
            },
            Fault("parts on this machine", "warning ranges") {
                if isArchive($0), $1.status == 206 { $1 = away("https://127.0.0.1:9931/stolen") }
            },
            Fault("a second document that does not come", "error again") {
                if isDocument($0), has($0, "If-None-Match") { $1 = lost }
            },
            Fault("no answer about another channel", "error channels") {
                if $0.url.query?.contains("doctor-") == true { $1 = lost }
            },
            Fault("no answer about another widget", "error absence") {
                if $0.url.path.contains("doctor.no-such") { $1 = lost }
            },
            Fault("an archive that does not come", "error archive") { if isArchive($0) { $1 = lost } },
            Fault("a part that does not come", "error ranges") { if isArchive($0), $1.status == 206 { $1 = lost } },
            Fault("no answer to another condition", "error conditions") {
                if isArchive($0), has($0, "If-Range", "\"sha256-doctor\"") { $1 = lost }
            },
            Fault("an archive that does not come in one request", "error direct") {
                if $0.url.path.hasSuffix("/bundle") { $1 = lost }
            },
            Fault(
                "a program in the bundle", "error bundle",
                script: { script in
                    script.raw =
                        ZipForge([.init(Array("Sample.bundle/Info.plist".utf8), Array("\u{7F}ELF".utf8))]).build().bytes
                }),
            Fault("documents for a year", "error names") {
                if isDocument($0) { $1.set("Cache-Control", "public, max-age=31536000") }
            },
            Fault("channels that are ignored", "error channels") {
                if $0.url.query?.contains("doctor-") == true { $1.status = 200 }
            },
            Fault("everything is there", "error absence") {
                if $0.url.path.contains("doctor.no-such") { $1.status = 200 }
            },
            Fault(
                "an archive elsewhere", "error address",
                change: edit("\"url\":\"/v1", "\"url\":\"https://other.test/v1")),
            Fault("an archive that is gone", "error archive") { if isArchive($0) { $1 = Reply(404, [], "") } },
            Fault("an archive with another byte", "error archive") {
                if isArchive($0), $1.status == 200 { $1.body[50] ^= 1 }
            },
            Fault("an archive that was cut", "error archive") {
                if isArchive($0), $1.status == 200 { $1.body.removeLast() }
            },
            Fault("a tag of time and size", "error tags") { if isArchive($0) { $1.set("ETag", "\"65f-1000\"") } },
            Fault("a weak tag", "error tags") { request, reply in
                guard isArchive(request), let tag = reply.fields.first(where: { $0.name == "ETag" })?.value else {
                    return
                }
                reply.set("ETag", "W/" + tag)
            },
            Fault("archives that are compressed again", "error encoding") {
                if isArchive($0) { $1.set("Content-Encoding", "gzip") }
            },
            Fault("no parts", "warning ranges") {
                if isArchive($0), $1.status == 206 { ($1.status, $1.body) = (200, whole) }
            },
            Fault("parts one byte off", "error ranges") {
                if isArchive($0), $1.status == 206 { $1.body = $1.body.dropFirst() + [0] }
            },
            Fault("a part that is said to be another", "error ranges") {
                if isArchive($0), $1.status == 206 { $1.set("Content-Range", "bytes 0-99/\(whole.count)") }
            },
            Fault("parts of any archive", "error conditions") {
                if isArchive($0), has($0, "If-Range", "\"sha256-doctor\"") {
                    ($1.status, $1.body) = (206, Array(whole[1..<9]))
                }
            },
            Fault("archives for a minute", "warning keeping") {
                if isArchive($0) { $1.set("Cache-Control", "max-age=60") }
            },
            Fault(
                "places of another packing", "error files",
                change: { request, reply in
                    guard isDocument(request), reply.status == 200 else { return }
                    let text = String(decoding: reply.body, as: UTF8.self)
                    guard let match = text.matches(of: /"offset":(\d+)/).last, let offset = Int(match.1) else { return }
                    reply.body = Array(text.replacing("\"offset\":\(offset),", with: "\"offset\":\(offset + 1),").utf8)
                }),
            Fault("no archive in one request", "note direct") {
                if $0.url.path.hasSuffix("/bundle") { $1 = Reply(404, [], "") }
            },
            Fault("another archive in one request", "error direct") {
                if $0.url.path.hasSuffix("/bundle") { $1 = Reply(200, [], "PK") }
            },
        ]
    }

    /// The archive that is there.
    private static let whole = (try? Offer.first.get().archive) ?? []

    private static func findings(
        widgets: [String] = ["com.example.Sample-1"], at address: String = "https://registry.test",
        clock: SkippingClock = SkippingClock(date: .seconds(1_767_225_600)),
        _ change: @escaping @Sendable (TransferRequest, inout Reply) -> Void = { _, _ in },
        script: (inout ScriptedRegistry.Script) -> Void = { _ in }, begins: @Sendable (String) -> Void = { _ in }
    ) async throws -> [ProbeFinding] {
        let registry = ScriptedRegistry()
        registry.offer(try Offer.first.get())
        registry.change(script)
        let transport = ReadOnlyRegistry(registry: registry, change: change)
        let probe = RegistryProbe(
            try RegistryAddress(address), token: nil,
            client: TransferClient(transport: transport, in: .skipping(clock)))
        let names = try widgets.map { try WidgetIdentifier($0) }
        return await ContractProbe(probe, of: names, on: nil).run { name, _, _ in begins(name) }
    }

    private static func complaints(_ findings: [ProbeFinding]) -> [String] {
        findings.filter { $0.verdict != .fine && $0.check != "feed" }.map { "\($0.verdict.rawValue) \($0.check)" }
    }

    @Test func `A registry of two routes keeps every rule`() async throws {
        let findings = try await Self.findings()
        #expect(Self.complaints(findings).isEmpty, "\(findings.filter { $0.verdict != .fine })")
        // Each rule that can hold was tried, and a missing feed does not count as a fault.
        #expect(
            Set(findings.map(\.check)) == Set(ContractProbe.Rule.allCases.map(\.rawValue) + ["encryption", "feed"]))
        #expect(findings.last?.verdict == .note)
    }

    @Test(arguments: Fault.all)
    func `A fault is named by the rule that it breaks`(_ fault: Fault) async throws {
        let isPlain = fault.expected.hasSuffix("redirects")
        let findings = try await Self.findings(
            at: isPlain ? "http://registry.test" : "https://registry.test", fault.change, script: fault.script
        ).filter { $0.check != "encryption" }
        #expect(Self.complaints(findings) == [fault.expected], "\(findings)")
        let finding = try #require(findings.first { $0.verdict != .fine })
        #expect(finding.verdict == .note || finding.hint?.isEmpty == false, "it has no remedy")
        #expect(finding.verdict == .note || finding.detail.contains("com.example.Sample-1"))
    }

    @Test func `Each rule has a fault that breaks it`() {
        let broken = Set(Fault.all.map { String($0.expected.split(separator: " ")[1]) })
        #expect(Set(ContractProbe.Rule.allCases.map(\.rawValue)).subtracting(broken).isEmpty)
    }

    @Test func `The commands' document has a row for each rule`() throws {
        let text = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/commands.md", encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined()
        for rule in ContractProbe.Rule.allCases { #expect(rows.contains("`\(rule.rawValue)`"), "\(rule.rawValue)") }
    }

    /// Answers of a feed to the question for its newest change.
    @Test(arguments: [
        (404, "{}", "note", "without a feed"), (400, "{}", "note", "does not know since=latest"),
        (200, "{\"items\":[],\"next\":\"41\"}", "ok", "newest change is 41"),
        (200, "{\"items\":[],\"next\":\"0\"}", "ok", "newest change is 0"),
        (200, "{\"items\":[],\"next\":\"+00000000000000000005\"}", "error", "no page"),
        (200, "{\"items\":[],\"next\":\"05\"}", "error", "no page"),
        (200, "{\"items\":[],\"next\":\"-5\"}", "error", "no page"),
        (200, "{\"items\":[]}", "error", "no page"), (200, "<html>", "error", "no page"),
        (500, "{}", "error", "500"), (200, "{\"items\":[{}],\"next\":\"41\"}", "error", "1 changes"),
    ])
    func `A feed begins behind its newest change`(status: Int, body: String, verdict: String, words: String)
        async throws
    {
        let findings = try await Self.findings { request, reply in
            guard request.url.path == "/v1/changes" else { return }
            let isStream = request.fields.contains { $0.value == "text/event-stream" }
            reply =
                isStream && status == 200
                ? Reply(200, [("Content-Type", "text/event-stream")], ": hello\n\n") : Reply(status, [], body)
        }
        let finding = try #require(findings.first { $0.check == "feed" })
        #expect(finding.verdict.rawValue == verdict && finding.detail.contains(words), "\(finding)")
        #expect(findings.contains { $0.check == "events" } == (verdict != "note" || status == 400))
    }

    @Test(arguments: ["document", "archive", "/bundle", "list", "feed"])
    func `A redirect to another machine is not followed`(_ kind: String) async throws {
        let asked = Guarded<[String]>([])
        let findings = try await Self.findings(widgets: kind == "list" ? [] : ["com.example.Sample-1"]) {
            request, reply in
            asked.withLock { $0.append(request.url.host) }
            let path = request.url.path
            let isMeant =
                switch kind {
                case "document": path.hasPrefix("/v1/widgets/") && !path.hasSuffix("/bundle")
                case "archive": path.hasPrefix("/v1/blobs/")
                case "list": path == "/v1/bundles"
                case "feed": path == "/v1/changes"
                default: path.hasSuffix("/bundle")
                }
            if isMeant { reply = Reply(302, [("Location", "https://127.0.0.1:9931/stolen")], "") }
        }
        #expect(Set(asked.withLock { $0 }) == ["registry.test"])
        #expect(findings.contains { $0.verdict != .fine && $0.detail.contains("127.0.0.1:9931/stolen") }, "\(findings)")
    }

    @Test func `Slow archives end the trial after five minutes, with what is known until then`() async throws {
        let clock = SkippingClock(date: .seconds(1_767_225_600))
        let limits = Guarded<[TransferLimits]>([])
        let begun = Guarded<[String]>([])
        let findings = try await Self.findings(
            widgets: (1...9).map { "com.example.Sample-\($0)" }, clock: clock
        ) { request, _ in
            guard request.url.path.hasPrefix("/v1/blobs/"), request.fields.isEmpty else { return }
            limits.withLock { $0.append(request.limits) }
            clock.advance(by: .seconds(100))
        } begins: { name in
            begun.withLock { $0.append(name) }
        }
        // Three archives take the five minutes.
        #expect(begun.withLock { $0 } == (1...3).map { "com.example.Sample-\($0)" })
        let time = try #require(findings.first { $0.check == "time" })
        #expect(time.verdict == .warning && time.detail.contains("2 of 9"), "\(time)")
        #expect(Self.complaints(findings) == ["warning time"], "\(findings)")
        let known = limits.withLock { $0 }
        #expect(known.allSatisfy { $0.leastRate == .archives })
        #expect(known.map(\.total) == [.seconds(120), .seconds(120), .seconds(100)])
    }

    @Test func `Four archives of a widget are tried, of any number that it names`() async throws {
        let asked = Guarded<Set<String>>([])
        _ = try await Self.findings { request, _ in
            if request.url.path.hasPrefix("/v1/blobs/") { asked.withLock { _ = $0.insert(request.url.path) } }
        } script: { script in
            script.document = { text in
                guard let match = text.firstMatch(of: /"candidates":\[(\{.*\})\]/), let offer = try? Offer.first.get(),
                    let digest = Digest.sha256(offer.archive)?.hex
                else { return text }
                let parts = (0..<10).map { number in
                    String(match.1).replacing(digest, with: String(digest.dropLast()) + String(number))
                        .replacing("[0,10000]", with: "[\(number * 1000),\(number * 1000 + 1000)]")
                }
                return text.replacing(match.1, with: parts.joined(separator: ","))
            }
        }
        #expect(asked.withLock { $0.count } == 4)
    }

    @Test(arguments: ["ETag", "Cache-Control"]) func `Long texts of a server are cut`(_ field: String) async throws {
        let long = String(repeating: "x\u{301}", count: 30_000)
        let findings = try await Self.findings { request, reply in
            reply.set(field, "\"\(long)\"")
            if request.url.path == "/v1/changes" { reply = Reply(500, [], long) }
        }
        let longest = findings.flatMap { [$0.detail, $0.hint ?? ""] }.map(\.unicodeScalars.count).max() ?? 0
        #expect(findings.contains { $0.detail.contains("x\u{301}") && $0.detail.contains("…") })
        #expect(longest < 500, "\(longest)")
        let problem = try await Self.findings { request, reply in
            let text = "{\"type\":\"/problems/x\",\"title\":\"x\",\"status\":404,\"detail\":\"\(long)\"}"
            if request.url.path.hasPrefix("/v1/widgets/") {
                reply = Reply(404, [("Content-Type", "application/problem+json")], text)
            }
        }
        #expect(problem.allSatisfy { $0.detail.unicodeScalars.count < 500 })
    }

    /// The beginnings of streams from the newest change.
    @Test(arguments: [
        (["retry: 3000\nid: 41\n\n"], "ok", "as they happen"),
        ([": hello\r\n", "id: 41\r\n\r\n"], "ok", "as they happen"),
        (["id: 41\n", "data: {}\n\n"], "error", "does not name its place"),
        ([": hello\n\n"], "error", "does not name its place"),
        (["data: {}\n\nid: 41\n\n"], "error", "does not name its place"),
        ([String(repeating: " ", count: 5_000)], "warning", "nothing comes of it"),
        ([String(repeating: " ", count: 70_000)], "error", "does not end"),
        (["hello\n\n"], "warning", "nothing comes of it"),
        (["\n\n\n\n"], "warning", "nothing comes of it"), ([], "warning", "nothing comes of it"),
    ])
    func `A stream from the newest change names its place`(pieces: [String], verdict: String, words: String)
        async throws
    {
        let findings = try await Self.findings { request, reply in
            guard request.url.path == "/v1/changes" else { return }
            let isStream = request.fields.contains { $0.value == "text/event-stream" }
            reply =
                isStream
                ? Reply(200, [("Content-Type", "text/event-stream")], pieces.joined())
                : Reply(200, [], "{\"items\":[],\"next\":\"41\"}")
        }
        let finding = try #require(findings.first { $0.check == "events" })
        #expect(finding.verdict.rawValue == verdict && finding.detail.contains(words), "\(finding)")
    }

    @Test func `A registry without a list wants a widget to be named`() async throws {
        let findings = try await Self.findings(widgets: [])
        #expect(Self.complaints(findings) == ["error widgets"])
        #expect(findings.last?.hint?.contains("--widget") == true)
    }

    @Test(arguments: [[], ["com.example.Sample-1"]])
    func `A place where no server answers breaks no rule about redirects`(widgets: [String]) async throws {
        let client = TransferClient(
            transport: ProbedTransport { _ in nil }, in: .skipping(SkippingClock(date: .seconds(1_767_225_600))))
        let probe = RegistryProbe(try RegistryAddress("https://registry.test"), token: nil, client: client)
        let findings = await ContractProbe(probe, of: try widgets.map { try WidgetIdentifier($0) }, on: nil).run()
        #expect(
            Self.complaints(findings).first == (widgets.isEmpty ? "error reachable" : "error resolve"), "\(findings)")
        #expect(!findings.contains { $0.check == "redirects" })
    }

    @Test func `A server that answers at random is judged, for any seed`() async throws {
        var refused = 0
        for seed in 1...300 {
            let generator = Guarded(SeededGenerator(seed: UInt64(seed)))
            let findings = try await Self.findings { request, reply in
                generator.withLock { generator in
                    let statuses = [200, 206, 204, 304, 404, 416, 500, reply.status]
                    reply.status = statuses.randomElement(using: &generator) ?? 200
                    for _ in 0..<Int.random(in: 0...4, using: &generator) where !reply.body.isEmpty {
                        let place = Int.random(in: 0..<reply.body.count, using: &generator)
                        switch Int.random(in: 0...3, using: &generator) {
                        case 0: reply.body[place] = UInt8.random(in: 0...255, using: &generator)
                        case 1: reply.body.removeLast(reply.body.count - place)
                        case 2: reply.body += [UInt8](repeating: 0x39, count: 64)
                        default: reply.set(["ETag", "Content-Range", "Cache-Control"][place % 3], "\"\(place)\"")
                        }
                    }
                }
            }
            if findings.contains(where: { $0.verdict == .error }) { refused += 1 }
        }
        // Now and then all that is needed comes as it should.
        #expect(refused >= 290, "\(refused) of 300")
    }
}

/// A scripted registry as one of files: what it does not have is 404, and its answers have the fields of a web server.
private struct ReadOnlyRegistry: Transport {
    let registry: ScriptedRegistry
    let change: @Sendable (TransferRequest, inout `A probe`.Reply) -> Void

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        var reply = try await answer(request)
        change(request, &reply)
        if reply.status == 0 { throw TransferError(.connectionLost, request.url) }
        let bytes = request.method == .head ? [] : reply.body
        return TransferAnswer(
            TransferHead(
                status: reply.status, fields: reply.fields.map { TransferField($0.name, $0.value) },
                url: reply.place.flatMap { try? TransferURL($0) } ?? request.url),
            body: ResponseBody(Pieces(bytes, ending: nil)))
    }

    private func answer(_ request: TransferRequest) async throws(TransferError) -> `A probe`.Reply {
        let path = request.url.path
        let isNamed = path.hasPrefix("/v1/widgets/") || path.hasPrefix("/v1/blobs/")
        guard isNamed, !path.contains("no-such"), request.url.query?.contains("doctor-") != true else {
            return `A probe`.Reply(404, [], "{}")
        }
        var asked = request
        if path.hasSuffix("/bundle") {
            // The same bytes under a name.
            let document = try await collected(registry.exchange(documentRequest(request)))
            let text = String(decoding: document.body, as: UTF8.self)
            guard let match = text.firstMatch(of: /"url":"([^"]+)"/),
                let url = try? request.url.resolving(String(match.1))
            else {
                return `A probe`.Reply(404, [], "{}")
            }
            asked.url = url
        }
        var reply = try await collected(registry.exchange(asked))
        let isArchive = asked.url.path.hasPrefix("/v1/blobs/")
        reply.set("Cache-Control", isArchive ? "public, max-age=31536000, immutable" : "public, max-age=30")
        return reply
    }

    private func documentRequest(_ request: TransferRequest) -> TransferRequest {
        var asked = request
        if let url = try? request.url.resolving(String(request.url.path.dropLast("/bundle".utf8.count))) {
            asked.url = url
        }
        return asked
    }

    private func collected(_ answer: TransferAnswer) async throws(TransferError) -> `A probe`.Reply {
        `A probe`.Reply(
            answer.head.status, answer.head.fields.map { ($0.name, $0.value) }, bytes: try await answer.body.collect())
    }
}
