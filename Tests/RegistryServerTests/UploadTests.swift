import Bytes
import JSONText
import RegistryServer
import TestSupport
import Testing
import WidgetBundles

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

    @Test func `leaves nothing behind when its client goes away`() throws {
        let conversation = try begin(length(Self.archive.count), Array(Self.archive.dropLast(10)))
        #expect(eventually { service.stagedNames == 1 })
        conversation.connection.close()
        #expect(eventually { service.stagedNames == 0 })
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `may have a note of 500 characters, and no longer one`() throws {
        let longest = String(repeating: "%C3%A9", count: 500)
        #expect(try service.send("POST", "/v1/bundles?dryRun=true&note=\(longest)", Self.archive).status == 200)
        let refused = try service.send("POST", "/v1/bundles?note=\(longest)x", Self.archive)
        #expect(refused.status == 400 && refused.problemCode == "malformed-request")
        #expect(refused.text.contains("The parameter note has to be one line of 500 characters at most"))
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `is not published when its token is revoked on the way`() throws {
        let made = try service.send("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#)
        let token: String = try JSONDocument(parsing: made.body).cursor.require("token")
        let conversation = try begin(length(Self.archive.count), Array(Self.archive.dropLast(10)), token: token)
        #expect(try service.send("DELETE", "/v1/tokens/ci").status == 204)
        conversation.connection.send(Array(Self.archive.suffix(10)))
        #expect(try conversation.next().status == 401)
        #expect(service.stagedNames == 0)
        #expect(try service.get("/v1/bundles/com.example.Sample").status == 404)
    }

    @Test func `makes room as soon as its token is revoked`() throws {
        service.knobs.withLock { $0.publishing.concurrentUploads = 1 }
        let made = try service.send("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#)
        let token: String = try JSONDocument(parsing: made.body).cursor.require("token")
        let conversation = try begin(length(1 << 20), Array(Self.archive.prefix(10)), token: token)
        #expect(eventually { service.stagedNames == 1 })
        #expect(try service.send("POST", "/v1/bundles", Self.archive).status == 503)
        #expect(try service.send("DELETE", "/v1/tokens/ci").status == 204)
        conversation.connection.send([0])
        #expect(try conversation.next().status == 401)
        #expect(eventually { (try? service.send("POST", "/v1/bundles", Self.archive).status) == 201 })
    }

    @Test func `waits for its turn when as many as are allowed are under way`() throws {
        service.knobs.withLock { $0.publishing.concurrentUploads = 2 }
        let first = try begin(length(Self.archive.count), Array(Self.archive.prefix(10)))
        let second = try begin(length(Self.archive.count), Array(Self.archive.prefix(10)))
        #expect(eventually { service.stagedNames == 2 })
        let refused = try service.send("POST", "/v1/bundles", Self.archive)
        #expect(refused.status == 503)
        #expect(refused.problemCode == "too-many-uploads")
        #expect(refused.value("Retry-After") != nil)
        first.connection.close()
        #expect(eventually { service.stagedNames == 1 })
        #expect(try service.send("POST", "/v1/bundles", Self.archive).status == 201)
        second.connection.send(Array(Self.archive.dropFirst(10)))
        #expect(try second.next().status == 200)
    }

    @Test func `is refused before its body while the disk has no room to spare`() throws {
        service.knobs.withLock { $0.publishing.diskReserve = .max }
        let answer = try begin("Expect: 100-continue\r\n" + length(Self.archive.count), []).next()
        #expect(answer.status == 507)
        #expect(answer.problemCode == "insufficient-storage")
        #expect(try service.get("/v1/bundles").status == 200)
    }

    @Test func `ends at the limit although it never said how long it is`() throws {
        service.knobs.withLock { $0.publishing.bundles.limits.archiveByteCount = 100 }
        let conversation = try begin("Transfer-Encoding: chunked\r\n", [])
        let chunk = Array("40\r\n".utf8) + Array(Self.archive.prefix(64)) + [13, 10]
        conversation.connection.send(chunk + chunk)
        let answer = try conversation.next()
        #expect(answer.status == 413)
        #expect(answer.problemCode == "too-large")
        #expect(eventually { service.stagedNames == 0 })
    }

    @Test func `that is no archive is refused before it has arrived`() throws {
        let conversation = try begin(length(1 << 20), Array("<html>".utf8))
        let answer = try conversation.next()
        #expect(answer.status == 400)
        #expect(answer.problemCode == "not-a-zip")
    }

    @Test func `may come as a form, whose digest is of the form and not of the file`() throws {
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

    @Test func `notes when its token was used`() throws {
        let made = try service.send("POST", "/v1/tokens", #"{"name": "ci", "scopes": ["publish"]}"#)
        let token: String = try JSONDocument(parsing: made.body).cursor.require("token")
        #expect(try !service.send("GET", "/v1/tokens").text.contains("lastUsed"))
        #expect(try service.send("POST", "/v1/bundles", Self.archive, token: token).status == 201)
        #expect(eventually { (try? service.send("GET", "/v1/tokens").text.contains("lastUsed")) ?? false })
    }

    /// Whether something comes true within a few seconds.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<400 {
            if condition() { return true }
            Service.pause()
        }
        return condition()
    }
}
