import Dispatch
import Glibc
import HTTPWire
import Testing
import WidgetTestSupport

@testable import WidgetHTTPServer

/// Neither a slow consumer nor a slow client makes the server keep what they do not take.
@Suite struct `Back-pressure` {
    static let byteCount = 50 * 1_024 * 1_024
    /// The bytes that the system's buffers on both ends of a connection can hold.
    static let systemBuffers = 20 * 1_024 * 1_024

    @Test func `Back-pressure holds a client whose body a sink does not take`() throws {
        let server = try TestServer()
        let connection = try RawConnection(port: server.port)
        connection.send(request("PUT /paused HTTP/1.1", "Content-Length: \(Self.byteCount)\r\n"))
        let sink = try #require(server.routes.paused.take())
        let sent = connection.push(Self.byteCount, patience: 300)
        #expect(sent < Self.systemBuffers)
        #expect(sink.byteCount <= InputBuffer.capacity)
        // One resume, one stretch.
        _ = sink.received.take()
        sink.resume()
        _ = sink.received.take()
        #expect(sink.byteCount <= 2 * InputBuffer.capacity)
        connection.reset()
        #expect(sink.abandoned.take() != nil)
        #expect(server.settles())
    }

    @Test func `Back-pressure holds a client whose body is ahead of its queue, and then continues`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /gated HTTP/1.1", "Content-Length: \(Self.byteCount)\r\n"))
        let consumer = try #require(server.routes.consumers.take())
        let sent = conversation.connection.push(Self.byteCount, patience: 300)
        #expect(sent < Self.systemBuffers)
        #expect(consumer.byteCount == 0)
        consumer.open()
        #expect(conversation.connection.push(Self.byteCount - sent) == Self.byteCount - sent)
        #expect(try conversation.next().text == "\(Self.byteCount)")
    }

    @Test func `Back-pressure holds a client whose chunks are ahead of their queue, and then continues`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /gated HTTP/1.1", "Transfer-Encoding: chunked\r\n"))
        let consumer = try #require(server.routes.consumers.take())
        let chunk = Array("400\r\n".utf8) + [UInt8](repeating: 0x61, count: 1_024) + [13, 10]
        let block = Array(repeatElement(chunk, count: 128).joined())
        let blockCount = Self.byteCount / 128 / 1_024
        var sentBlocks = 0
        while sentBlocks < blockCount {
            let count = conversation.connection.send(block, patience: 300)
            if count < block.count {
                consumer.open()
                conversation.connection.send(Array(block[count...]))
            }
            sentBlocks += 1
        }
        conversation.connection.send("0\r\n\r\n")
        #expect(try conversation.next().text == "\(blockCount * 128 * 1_024)")
    }

    @Test func `Back-pressure counts the cost of a piece besides its bytes`() {
        let consumer = GatedConsumer()
        let body = QueuedBody(queue: DispatchQueue(label: "test.pieces"), consumer: consumer)
        let byte: [UInt8] = [0x61]
        var pieceCount = 1
        while body.write(byte.span), pieceCount < QueuedBody.window { pieceCount += 1 }
        #expect(pieceCount <= QueuedBody.window / QueuedBody.pieceCost)
        consumer.open()
    }

    static let contents = [("/huge", TestRoutes.hugeByteCount), ("/large", TestRoutes.largeByteCount)]

    @Test(arguments: contents)
    func `Back-pressure gives a client with a small window time`(_ path: String, _ byteCount: Int) throws {
        let server = try TestServer()
        let connection = try RawConnection(port: server.port, receiveBuffer: 65_536)
        connection.send(get(path, "Connection: close\r\n"))
        var received = 0
        while case .bytes(let bytes) = connection.receive(upTo: 262_144) { received += bytes.count }
        #expect(received > byteCount)
        #expect(received < byteCount + 1_000)
    }

    @Test func `Back-pressure shows a stream's source that its client does not read`() throws {
        let server = try TestServer()
        let conversation = try server.connect(receiveBuffer: 4_096)
        conversation.connection.send(get("/stream"))
        let source = try #require(server.routes.streams.take())
        let stream = try #require(source.begun.take())
        let piece = [UInt8](repeating: 0x61, count: 65_536)
        var pieces = 0
        // A source that stops at a megabyte stops soon, because the system takes only so much.
        while stream.pendingByteCount < 1 << 20, pieces < 2_000 {
            stream.write(piece)
            pieces += 1
        }
        #expect(pieces < 2_000)
        stream.end()
        let answer = try conversation.next()
        #expect(answer.body.count == pieces * piece.count)
        #expect(server.reaches { _ in stream.pendingByteCount == 0 })
    }

    /// In a separate process, because all tests of one share its memory.
    @Test func `Back-pressure bounds the memory of the process`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let warmUp = try server.connect()
            warmUp.connection.send(request("PUT /hash HTTP/1.1", "Content-Length: 1000000\r\n"))
            _ = warmUp.connection.push(1_000_000)
            _ = try warmUp.next()
            let before = residentBytes()
            let uploads = try (0..<3).map { _ in
                let connection = try RawConnection(port: server.port)
                connection.send(request("PUT /paused HTTP/1.1", "Content-Length: 52428800\r\n"))
                _ = connection.push(52_428_800, patience: 300)
                return connection
            }
            let downloads = try (0..<3).map { index in
                let connection = try RawConnection(port: server.port, receiveBuffer: 4_096)
                connection.send(get(index == 0 ? "/large" : "/huge"))
                return connection
            }
            guard server.isWell() else { exitWithFailure() }
            let growth = residentBytes() - before
            // The address sanitizer keeps what was freed for a while, to catch its use.
            let bound = unsafe getenv("LSAN_OPTIONS") == nil ? 6 << 20 : 100 << 20
            guard growth < bound else { exitWithFailure("grew by \(growth) bytes") }
            withExtendedLifetime((uploads, downloads)) {}
        }
    }
}
