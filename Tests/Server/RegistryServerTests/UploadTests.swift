import Dispatch
import HTTPWire
import JSONText
import RegistryServer
import Testing
import WidgetBundles
import WidgetBytes
import WidgetHTTPServer
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

@Suite("An upload") struct UploadTests {
    private let service: Service
    static let archive = ZipForge([
        .init(
            "Sample.bundle/Info.plist",
            "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.example.Sample</string>"
                + "<key>CFBundleShortVersionString</key><string>1.0</string>"
                + "<key>CFBundleVersion</key><string>1</string></dict></plist>"),
        .init("Sample.bundle/a.json", "{}"),
    ]).build().bytes

    init() throws { service = try Service() }

    /// Sends the head and the first bytes of a body; the rest follows from the caller.
    private func begin(_ fields: String, _ bytes: [UInt8], token: String = Service.admin) throws -> Conversation {
        let conversation = Conversation(try service.connect())
        let head = "POST /v1/bundles HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token)\r\n\(fields)\r\n"
        conversation.connection.send(Array(head.utf8) + bytes)
        return conversation
    }

    private func length(_ count: Int) -> String { "Content-Length: \(count)\r\n" }

    @Test func `An upload leaves nothing behind when its client goes away`() throws {
        let conversation = try begin(length(Self.archive.count), Array(Self.archive.dropLast(10)))
        #expect(service.stages(1))
        conversation.connection.close()
        #expect(service.stages(0))
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `An upload may have a note of 500 characters, and no longer one`() throws {
        let longest = String(repeating: "%C3%A9", count: 500)
        #expect(try service.send("POST", "/v1/bundles?dryRun=true&note=\(longest)", Self.archive).status == 200)
        let refused = try service.send("POST", "/v1/bundles?note=\(longest)x", Self.archive)
        #expect(refused.status == 400 && refused.problemCode == "malformed-request")
        #expect(refused.text.contains("The parameter note has to be one line of 500 characters at most"))
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `An upload whose token is revoked on the way is not published`() throws {
        let made = try service.send("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#)
        let token: String = try JSONDocument(parsing: made.body).cursor.require("token")
        let conversation = try begin(length(Self.archive.count), Array(Self.archive.dropLast(10)), token: token)
        #expect(try service.send("DELETE", "/v1/tokens/ci").status == 204)
        conversation.connection.send(Array(Self.archive.suffix(10)))
        #expect(try conversation.next().status == 401)
        #expect(service.stagedNames == 0)
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `An upload makes room as soon as its token is revoked`() throws {
        service.knobs.withLock { $0.publishing.concurrentUploads = 1 }
        let made = try service.send("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#)
        let token: String = try JSONDocument(parsing: made.body).cursor.require("token")
        let conversation = try begin(length(1 << 20), Array(Self.archive.prefix(10)), token: token)
        #expect(service.stages(1))
        #expect(try service.send("POST", "/v1/bundles", Self.archive).status == 503)
        #expect(try service.send("DELETE", "/v1/tokens/ci").status == 204)
        conversation.connection.send([0])
        #expect(try conversation.next().status == 401)
        #expect(eventually { (try? service.send("POST", "/v1/bundles", Self.archive).status) == 201 })
    }

    @Test func `An upload is refused while the limit of uploads is reached`() throws {
        service.knobs.withLock { $0.publishing.concurrentUploads = 2 }
        let first = try begin(length(Self.archive.count), Array(Self.archive.prefix(10)))
        let second = try begin(length(Self.archive.count), Array(Self.archive.prefix(10)))
        #expect(service.stages(2))
        let refused = try service.send("POST", "/v1/bundles", Self.archive)
        #expect(refused.status == 503)
        #expect(refused.problemCode == "too-many-uploads")
        #expect(refused.value("Retry-After") != nil)
        first.connection.close()
        #expect(service.stages(1))
        #expect(try service.send("POST", "/v1/bundles", Self.archive).status == 201)
        second.connection.send(Array(Self.archive.dropFirst(10)))
        #expect(try second.next().status == 200)
    }

    @Test func `An upload is refused before its body while the disk has no room to spare`() throws {
        service.knobs.withLock { $0.publishing.diskReserve = .max }
        let answer = try begin("Expect: 100-continue\r\n" + length(Self.archive.count), []).next()
        #expect(answer.status == 507)
        #expect(answer.problemCode == "insufficient-storage")
        #expect(try service.get("/v1/bundles").status == 200)
    }

    @Test func `An upload of unannounced length ends at the limit`() throws {
        service.knobs.withLock { $0.publishing.bundles.limits.archiveByteCount = 100 }
        let conversation = try begin("Transfer-Encoding: chunked\r\n", [])
        let chunk = Array("40\r\n".utf8) + Array(Self.archive.prefix(64)) + [13, 10]
        conversation.connection.send(chunk + chunk)
        let answer = try conversation.next()
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(service.stages(0))
    }

    @Test func `An upload that is not an archive is refused before it has arrived`() throws {
        let conversation = try begin(length(1 << 20), Array("<html>".utf8))
        let answer = try conversation.next()
        #expect(answer.status == 400)
        #expect(answer.problemCode == "not-a-zip")
    }

    @Test func `An upload may be a form, whose digest is of the form and not of the file`() throws {
        let form =
            Array("--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.zip\"\r\n\r\n".utf8) + Self.archive
            + Array("\r\n--B--\r\n".utf8)
        let type = "Content-Type: multipart/form-data; boundary=B\r\n"
        let file = try #require(Digest.sha256(Self.archive))
        let whole = try #require(Digest.sha256(form))
        let wrong = try service.send("POST", "/v1/bundles", form, type + "Content-Digest: sha-256=:\(file.base64):\r\n")
        #expect(wrong.status == 400)
        #expect(wrong.problemCode == "digest-mismatch")
        let right = try service.send(
            "POST", "/v1/bundles", form, type + "Content-Digest: sha-256=:\(whole.base64):\r\n")
        #expect(right.status == 201)
        let source: String =
            try JSONDocument(parsing: right.body).cursor.member("report")?.member("source")?
            .require("sha256") ?? ""
        #expect(source == file.hex)
    }

    @Test func `An upload notes when its token was used`() throws {
        let made = try service.send("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#)
        let token: String = try JSONDocument(parsing: made.body).cursor.require("token")
        #expect(try !service.send("GET", "/v1/tokens").text.contains("lastUsed"))
        #expect(try service.send("POST", "/v1/bundles", Self.archive, token: token).status == 201)
        #expect(service.threads.settle())
        #expect(try service.send("GET", "/v1/tokens").text.contains("lastUsed"))
    }
}

@Suite struct `The gate of uploads` {
    private let clock = ManualClock()
    private let gate: UploadGate
    private let some = UploadShare(prefix: "", token: "a")

    init() { gate = UploadGate(in: World(clock: clock)) }

    private func code(_ body: () throws(Problem) -> UploadPlace) -> String? {
        do throws(Problem) {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `The gate admits no more than the disk has room for, counting what others will write`() throws {
        var first: UploadPlace? = try gate.enter(some, limit: 10, byteCount: 60, room: 100)
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 60, room: 100) }
                == "insufficient-storage"
        )
        // What was written shows in what the disk has left, and is promised no longer.
        first?.wrote(30)
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 41, room: 70) }
                == "insufficient-storage")
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 40, room: 70) } == nil)
        first?.wrote(1_000)
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 70, room: 70) } == nil)
        first = nil
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 100, room: 100) } == nil)
    }

    @Test func `The gate gives a branch's oldest of many places to another when all are taken`() throws {
        func enter(_ name: String) throws(Problem) -> UploadPlace {
            try gate.enter(UploadShare(prefix: "", token: name), limit: 4, byteCount: 0, room: 100)
        }
        let held = try (0..<4).map { _ in try enter("slow") }
        // A fast upload would be done by then.
        keepUp(held, for: UploadGate.grace - .seconds(1))
        #expect(code { () throws(Problem) in try enter("other") } == "too-many-uploads")
        keepUp(held, for: .seconds(1))
        // The same token has its share.
        #expect(code { () throws(Problem) in try enter("slow") } == "too-many-uploads")
        let first = try enter("other")
        #expect(throws: Problem.self) { try held[0].confirm() }
        let second = try enter("other")
        #expect(throws: Problem.self) { try held[1].confirm() }
        // Two each is fair.
        #expect(code { () throws(Problem) in try enter("other") } == "too-many-uploads")
        for place in [held[2], held[3], first, second] { try place.confirm() }
        let third = try enter("third")
        try third.confirm()
        #expect([held[2], held[3], first, second].count { (try? $0.confirm()) != nil } == 3)
    }

    /// Brings what the least rate asks for, second by second.
    private func keepUp(_ places: [UploadPlace], for time: Duration) {
        let end = clock.now + time
        while clock.now < end {
            for place in places { place.wrote(UploadGate.leastRate) }
            clock.advance(by: .seconds(1))
        }
    }

    @Test func `A7: the tokens that one administrator makes count as one`() throws {
        func enter(_ prefix: String, _ token: String) throws(Problem) -> UploadPlace {
            try gate.enter(UploadShare(prefix: prefix, token: token), limit: 16, byteCount: 0, room: 100)
        }
        // The administrator of com.alpha can make tokens for it and for all below it.
        var held: [UploadPlace] = []
        for number in 0..<64 {
            let prefix = number % 2 == 0 ? "com.alpha" : "com.alpha.p\(number)"
            if let place = try? enter(prefix, "t\(number)") { held.append(place) }
        }
        #expect(held.count == 14)
        // Neighbours find a place at once, however far they are.
        let beside = try enter("com.beta", "ci")
        let far = try enter("org.other", "ci")
        for place in held + [beside, far] { try place.confirm() }
    }

    @Test func `A7: an upload below the least rate ends as soon as another wants its place, and says so`() throws {
        func enter(_ prefix: String) throws(Problem) -> UploadPlace {
            try gate.enter(UploadShare(prefix: prefix, token: "ci"), limit: 4, byteCount: 0, room: 100)
        }
        let held = try (0..<4).map { _ in try enter("com.alpha") }
        for second in 0..<8 {
            if second > 0 { clock.advance(by: .seconds(1)) }
            // A burst at the beginning does not excuse dripping later.
            held[1].wrote(second == 0 ? 1 << 20 : 1_300)
            for number in [0, 2, 3] { held[number].wrote(UploadGate.leastRate) }
            if second == 4 { #expect(code { () throws(Problem) in try enter("com.beta") } == "too-many-uploads") }
        }
        // Its own token's uploads do not drive it away.
        #expect(code { () throws(Problem) in try enter("com.alpha") } == "too-many-uploads")
        let newcomer = try enter("com.beta")
        try newcomer.confirm()
        for number in [0, 2, 3] { try held[number].confirm() }
        do throws(Problem) {
            try held[1].confirm()
            Issue.record("the upload continues")
        } catch {
            #expect(error.code == "too-many-uploads" && error.status == .serviceUnavailable)
            #expect(error.detail.contains("less than 16 KiB a second"), "\(error.detail)")
        }
    }

    @Test func `A7: an upload that has arrived keeps its place for as long as the server needs`() throws {
        let (gate, some, other) = (gate, some, UploadShare(prefix: "", token: "other"))
        let held = try (0..<2).map { _ in try gate.enter(some, limit: 2, byteCount: 0, room: 100) }
        for place in held { place.complete() }
        clock.advance(by: UploadGate.grace)
        #expect(
            code { () throws(Problem) in try gate.enter(other, limit: 2, byteCount: 0, room: 100) }
                == "too-many-uploads")
    }

    @Test func `A7: a token named like a prefix is not taken for it`() throws {
        let gate = gate
        let names = [UploadShare(prefix: "", token: "com"), UploadShare(prefix: "com", token: "x")]
        let held = try names.map { try gate.enter($0, limit: 2, byteCount: 0, room: 100) }
        clock.advance(by: UploadGate.grace + .seconds(1))
        // One each: neither has more than a third would have.
        #expect(
            code { () throws(Problem) in
                try gate.enter(UploadShare(prefix: "", token: "x"), limit: 2, byteCount: 0, room: 100)
            } == nil)
        #expect(held.count { (try? $0.confirm()) != nil } == 1)
    }

    @Test func `The gate has no room at the reserve of the disk`() {
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 0, room: -1) }
                == "insufficient-storage")
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 10, byteCount: 0, room: 100 - .max) }
                == "insufficient-storage")
    }

    @Test func `The gate admits exactly the limit of uploads that come at the same moment`() {
        let places = Guarded<[UploadPlace]>([])
        let (gate, some) = (gate, some)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            if let place = try? gate.enter(some, limit: 7, byteCount: 1, room: 1_000) {
                places.withLock { $0.append(place) }
            }
        }
        #expect(places.withLock { $0.count } == 7)
        #expect(
            code { () throws(Problem) in try gate.enter(some, limit: 7, byteCount: 1, room: 1_000) }
                == "too-many-uploads")
        places.withLock { _ = $0.removeLast() }
        #expect(code { () throws(Problem) in try gate.enter(some, limit: 7, byteCount: 1, room: 1_000) } == nil)
    }
}
