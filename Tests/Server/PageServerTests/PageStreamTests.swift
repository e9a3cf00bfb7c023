import Testing
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Goal: a page hears of every change, and a server holds no more than it must. Method: streams over real sockets.
@Suite(.ownThreads) struct `Streams of pages` {
    @Test func `A stream begins with an echo, brings changes, and resumes with the difference`() async throws {
        let bench = try PageBench()
        let address = try bench.open()
        _ = try bench.get(address)
        let tap = #"["tap","\#(try await bench.key("add", address))"]"#
        let stream = try EventReader(bench, "\(address)/events?after=1a1")
        #expect(stream.waits(for: "text/event-stream"))
        #expect(try bench.act(address, 7, tap).status == 204)
        #expect(stream.waits(for: #"["e",7]"#))
        #expect(stream.data.first?.contains("count 1") == true && stream.text.contains("id: 1a2\n"))
        #expect(stream.text.contains("Cache-Control: no-store"))
        stream.close()

        // The field beats the query, and what is known is not sent again.
        #expect(try bench.act(address, 8, tap).status == 204)
        let next = try EventReader(bench, "\(address)/events?after=0", "Last-Event-ID: 1a2\r\n")
        #expect(next.waits(for: #"["e",8]"#))
        #expect(next.data.first?.contains("count 2") == true && next.data.first?.contains(#"["w""#) == false)
        next.close()
        let whole = try EventReader(bench, "\(address)/events?after=0")
        #expect(whole.waits(for: #"["e",8]"#) && whole.data.first?.contains(#"["w""#) == true)
        whole.close()
    }

    @Test func `The first event has an echo also before the first act`() throws {
        let bench = try PageBench()
        let stream = try EventReader(bench, "\(try bench.open())/events?after=0")
        #expect(stream.waits(for: #"["e",0]"#))
        stream.close()
    }

    @Test func `A stream is asked for what waits on it while its client leaves`() {
        let stream = PageStream(nil, after: nil)
        together(16) { number in
            if number.isMultiple(of: 2) { stream.stop() } else { #expect(stream.pendingByteCount == 0) }
        }
    }

    @Test func `The stream of a viewing that is not there says so and ends`() throws {
        let bench = try PageBench()
        let address = try bench.open()
        let open = try EventReader(bench, "\(address)/events?after=0")
        #expect(open.waits(for: "data: {"))
        #expect(try bench.post("\(address)/end").status == 204)
        for stream in [open, try EventReader(bench, "/live/x/events"), try EventReader(bench, "\(address)/events")] {
            #expect(stream.waits(for: "event: o\n"))
            stream.close()
        }
    }

    @Test func `Of a hundred streams of a viewing one is left`() throws {
        let bench = try PageBench()
        let address = try bench.open()
        var streams: [EventReader] = []
        for _ in 0..<100 {
            let stream = try EventReader(bench, "\(address)/events?after=0")
            #expect(stream.waits(for: "text/event-stream"))
            streams.append(stream)
        }
        // The others have come to their last chunk, which has no bytes.
        for serial in [3, 4] {
            #expect(try bench.act(address, serial).status == 204)
            for stream in streams { #expect(stream.waits(for: #"["e",\#(serial)]"#, "\r\n0\r\n\r\n")) }
        }
        // Each had its turn before the last act.
        #expect(streams.count { $0.text.contains(#"["e",4]"#) } == 1)
        for stream in streams { stream.close() }
    }
}
