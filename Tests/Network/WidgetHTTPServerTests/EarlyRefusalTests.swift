import HTTPWire
import Testing
import WidgetHTTPServer
import WidgetTestSupport

/// Clients that continue to send after they have been answered (RFC 9112 §9.6).
@Suite struct `An early refusal` {
    static let byteCount = 60 * 1_024 * 1_024

    static let refusals: [(line: String, status: Int)] = [
        ("PUT /small", 413), ("POST /nowhere", 404), ("PUT /livez", 405), ("POST /letters", 405),
    ]

    @Test(arguments: refusals)
    func `An early refusal arrives at a client that sends 60 MB before it reads`(_ refusal: (line: String, status: Int))
        throws
    {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("\(refusal.line) HTTP/1.1", "Content-Length: \(Self.byteCount)\r\n"))
        #expect(conversation.connection.push(Self.byteCount) == Self.byteCount)
        let answer = try conversation.next()
        #expect(answer.status == refusal.status)
        #expect(answer.closes)
        #expect(conversation.remainder() == ([], .end))
        conversation.connection.close()
        #expect(server.settles())
    }

    @Test func `An early refusal arrives at a client that sends 60 MB in chunks`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /small HTTP/1.1", "Transfer-Encoding: chunked\r\n"))
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x61, count: 65_536) + [13, 10]
        for _ in 0..<(Self.byteCount / 65_536) {
            guard conversation.connection.send(chunk) == chunk.count else { break }
        }
        #expect(try conversation.next().status == 413)
        #expect(conversation.remainder() == ([], .end))
    }

    @Test func `A delayed early refusal arrives at a client whose window was full meanwhile`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /late HTTP/1.1", "Content-Length: \(Self.byteCount)\r\n"))
        let responder = try #require(server.routes.held.take())
        let sent = conversation.connection.push(Self.byteCount, patience: 200)
        #expect(sent < Self.byteCount)
        responder.answer(.refused(.noRoute))
        #expect(conversation.connection.push(Self.byteCount - sent) == Self.byteCount - sent)
        #expect(try conversation.next().status == 404)
        #expect(conversation.remainder() == ([], .end))
    }

    @Test func `A refusal from a paused sink arrives at a client whose window was full meanwhile`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /paused HTTP/1.1", "Content-Length: \(Self.byteCount)\r\n"))
        let sink = try #require(server.routes.paused.take())
        let sent = conversation.connection.push(Self.byteCount, patience: 200)
        #expect(sent < Self.byteCount)
        sink.answer(.refused(.noRoute))
        #expect(conversation.connection.push(Self.byteCount - sent) == Self.byteCount - sent)
        #expect(try conversation.next().status == 404)
        #expect(sink.abandoned.take() != nil)
        #expect(conversation.remainder() == ([], .end))
    }

    @Test func `An early refusal does not make the server discard more than its limit`() throws {
        var limits = ServerLimits()
        limits.lingerBytes = 1 << 20
        let server = try TestServer(limits)
        let connection = try RawConnection(port: server.port)
        connection.send(request("PUT /small HTTP/1.1", "Content-Length: \(Self.byteCount)\r\n"))
        #expect(connection.push(Self.byteCount) < Self.byteCount / 2)
        #expect(server.settles())
    }

    @Test func `An early refusal does not make the server wait longer than its limit`() throws {
        let server = try TestServer(.impatient)
        let conversation = try server.connect()
        #expect(try conversation.ask("BAD\r\n\r\n").status == 400)
        // The client neither sends nor closes.
        server.pass(.milliseconds(500))
        #expect(server.server.connectionCount == 1)
        #expect(server.endsAll(within: .milliseconds(250)))
    }

    /// Runs one curl for several requests, each with 60 MB from a file of holes.
    ///
    /// - Returns: a line for each, as `format` says.
    private static func curl(_ format: String, _ requests: [String]) throws -> [Substring] {
        let file = "\(TemporaryPlace.path)/holes-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileWork.remove(file) }
        try FileWork.touch(file)
        try FileWork.cut(file, to: byteCount)
        let words = requests.map { "-s -m 60 -o /dev/null -w '\(format)\\n' -T '\(file)' \($0)" }
        return Shell.run("exec curl " + words.joined(separator: " --next ")).output.split(separator: "\n")
    }

    @Test(.enabled(if: Shell.has("curl"), "needs curl")) func `An early refusal is read by curl`() throws {
        let server = try TestServer()
        let requests = Self.refusals.map { refusal in
            let parts = refusal.line.split(separator: " ")
            return "-X \(parts[0]) -H Expect: http://127.0.0.1:\(server.port)\(parts[1])"
        }
        #expect(try Self.curl("%{http_code}", requests) == Self.refusals.map { "\($0.status)" })
    }

    @Test(.enabled(if: Shell.has("curl"), "needs curl"))
    func `An early refusal spares curl the sending of an announced body`() throws {
        let server = try TestServer()
        let answers = try Self.curl(
            "%{http_code} %{size_upload}",
            ["/small", "/hash"].map { "-H 'Expect: 100-continue' http://127.0.0.1:\(server.port)\($0)" })
        #expect(answers == ["413 0", "200 \(Self.byteCount)"])
    }

    static let program = """
        import http.client, sys
        for method, path in zip(sys.argv[2::2], sys.argv[3::2]):
            connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=60)
            connection.request(method, path, body=bytes(60 * 1024 * 1024))
            print(connection.getresponse().status)
        """

    @Test(.enabled(if: Shell.has("python3"), "needs python3"))
    func `An early refusal is read by Python's http.client`() throws {
        let server = try TestServer()
        let words = Self.refusals.flatMap { $0.line.split(separator: " ").map(String.init) }
        let output = try Tool.run("python3", ["-c", Self.program, "\(server.port)"] + words).output
        #expect(output.split(separator: "\n") == Self.refusals.map { "\($0.status)" })
    }
}
