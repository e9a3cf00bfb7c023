import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetLive

/// The changes that the stream of a page gets.
@Suite struct StreamTests {
    @Test func `Of large views, fewer moments are kept`() async throws {
        for (byteCount, letter) in [(32 << 20, "s"), (1, "w")] {
            var limits = LiveLimits()
            limits.historyByteCount = byteCount
            let bench = try LiveBench(LiveBench.document, limits)
            let (viewing, sink) = try await bench.shown()
            let first = try #require(await viewing.page()).number
            for serial in 1...4 {
                _ = await viewing.tap(serial, "add")
                await bench.settle(viewing)
            }
            #expect(sink.writes.allSatisfy { !$0.letters.contains("w") })
            let late = KeptSink()
            bench.clock.advance(by: .seconds(1))
            await viewing.follow(after: first, late)
            #expect(late.writes.first?.letters.contains(letter) == true)
            await bench.desk.stop()
        }
    }

    @Test func `Of typed values that are too long to remember, the whole page is sent`() async throws {
        var limits = LiveLimits()
        limits.typedByteCount = 10
        let bench = try LiveBench(LiveBench.document, limits)
        let (viewing, sink) = try await bench.shown()
        _ = await viewing.type(1, "short", into: "name")
        await bench.settle(viewing)
        #expect(sink.writes.last?.letters.contains("w") == false)
        _ = await viewing.type(2, "longer than that", into: "name")
        await bench.settle(viewing)
        #expect(sink.writes.last?.letters.contains("w") == true)
        await bench.desk.stop()
    }

    @Test func `A page that is up to date is sent nothing`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        await bench.settle(viewing)
        #expect(sink.writes.isEmpty)
        await bench.desk.stop()
    }

    @Test func `An act is answered by a change and the echo of its serial`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.tap(7, "add") == .taken)
        let write = try #require(sink.writes.first)
        #expect(sink.writes.count == 1 && write.number == 2)
        #expect(write.letters.first == "e" && write.operations.first?.array?.last?.integer == 7)
        #expect("\(write)".contains("count 1"))
        #expect(await viewing.page()?.number == 2)
        await bench.desk.stop()
    }

    @Test func `An act that changes nothing is answered by the echo alone`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.act(3, #"["tap","\#(await viewing.key("shown"))"]"#) == .taken)
        #expect(sink.writes.map(\.letters) == [["e"]])
        #expect(sink.writes[0].number == 1)
        await bench.desk.stop()
    }

    @Test func `A repeated serial is taken and changes nothing`() async throws {
        let bench = try LiveBench()
        let (viewing, _) = try await bench.shown()
        #expect(await viewing.tap(5, "add") == .taken)
        #expect(await viewing.tap(5, "add") == .taken)
        #expect(await viewing.tap(4, "add") == .taken)
        #expect(await viewing.text("shown") == "count 1 name ")
        await bench.desk.stop()
    }

    @Test func `A change by the widget itself wakes the stream`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        var arrivals = sink.arrivals.makeAsyncIterator()
        let key = try #require(ViewKey(await viewing.key("add")))
        await bench.source.widgets[0].send(.tap(key))
        await arrivals.next()
        #expect("\(sink.writes)".contains("count 1"))
        await bench.desk.stop()
    }

    @Test func `Changes come at most twenty times a second, and the last one is complete`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        for serial in 1...10 { #expect(await viewing.tap(serial, "add") == .taken) }
        #expect(sink.writes.count == 1)
        bench.clock.advance(by: .seconds(0.051))
        await viewing.drained()
        #expect(sink.writes.count == 2)
        #expect("\(sink.writes[1])".contains("count 10"))
        #expect(sink.writes[1].operations.first?.array?.last?.integer == 10)
        await bench.desk.stop()
    }

    @Test func `A slow reader gets one difference at the end`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        sink.pendingByteCount = 40 << 10
        for serial in 1...50 {
            bench.clock.advance(by: .seconds(0.2))
            #expect(await viewing.tap(serial, "add") == .taken)
        }
        #expect(sink.writes.isEmpty)
        #expect(await viewing.history.moments.count == 1)
        sink.pendingByteCount = 0
        await bench.settle(viewing)
        #expect(sink.writes.count == 1 && "\(sink.writes[0])".contains("count 50"))
        await bench.desk.stop()
    }

    @Test func `A newer stream ends the older one`() async throws {
        let bench = try LiveBench()
        let (viewing, first) = try await bench.shown()
        let second = KeptSink()
        await viewing.follow(after: 1, second)
        #expect(first.ends == [false] && second.ends.isEmpty)
        await viewing.unfollow(first)
        #expect(await viewing.tap(1, "add") == .taken)
        #expect(first.writes.isEmpty && second.writes.count == 1)
        await bench.desk.stop()
    }

    @Test func `A stream that comes back gets the difference since its view, or the whole page`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        for serial in 1...20 {
            bench.clock.advance(by: .seconds(0.1))
            #expect(await viewing.tap(serial, "add") == .taken)
        }
        #expect(sink.writes.map(\.number) == Array(2...21))
        #expect(await viewing.history.moments.count == 16)
        // A whole page brings the sheet of its program, then the looks of its elements.
        for (number, letters) in [(21, ["e"]), (0, ["e", "c", "c", "w", "n"]), (5, ["e", "c", "c", "w", "n"])] {
            bench.clock.advance(by: .seconds(0.1))
            let next = KeptSink()
            await viewing.follow(after: number, next)
            #expect(next.writes.map(\.letters.count) == [letters.count], "\(number) \(next.writes)")
            #expect(next.writes.first?.letters == letters, "\(number)")
        }
        bench.clock.advance(by: .seconds(0.1))
        let known = KeptSink()
        await viewing.follow(after: 18, known)
        let write = try #require(known.writes.first)
        #expect(known.writes.count == 1 && !write.letters.contains("n") && "\(write)".contains("count 20"))
        await bench.desk.stop()
    }

    @Test func `A value that the widget has changed is sent after what was typed`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.type(1, "abc", into: "loud") == .taken)
        #expect("\(sink.writes)".contains("ABC"))
        bench.clock.advance(by: .seconds(0.1))
        // The view stays as it is, and the browser has another text.
        #expect(await viewing.type(2, "Abc", into: "loud") == .taken)
        let write = try #require(sink.writes.last)
        #expect(write.number == 3 && "\(write)".contains("ABC") && write.letters.first == "e")
        // A browser that has not got it is sent it again, and one that has it is not.
        for (number, isSent) in [(2, true), (3, false)] {
            bench.clock.advance(by: .seconds(0.1))
            let next = KeptSink()
            await viewing.follow(after: number, next)
            #expect("\(next.writes)".contains("ABC") == isSent, "\(number) \(next.writes)")
        }
        await bench.desk.stop()
    }

    @Test func `A person who types has the focus already, and may be elsewhere by now`() async throws {
        let more =
            #"{"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "focus", "id": "where"}}}, "#
            + #"{"kind": "textfield", "id": "where"}, "#
        let bench = try LiveBench(
            LiveBench.document.replacing(#"{"kind": "switch""#, with: #"\#(more){"kind": "switch""#))
        let (viewing, sink) = try await bench.shown()
        bench.clock.advance(by: .seconds(0.01))
        #expect(await viewing.type(1, "abc", into: "loud") == .taken)
        #expect(await viewing.tap(2, "add") == .taken)
        bench.clock.advance(by: .seconds(0.1))
        await viewing.drained()
        #expect("\(sink.writes)".contains("ABC"))
        #expect(!sink.writes.contains { $0.letters.contains("f") }, "\(sink.writes)")
        // What the widget wants is another matter.
        bench.clock.advance(by: .seconds(0.1))
        #expect(await viewing.tap(3, "go") == .taken)
        #expect(sink.writes.last?.letters.contains("f") == true, "\(sink.writes.map(\.letters))")
        await bench.desk.stop()
    }

    @Test func `Another program keeps what was typed`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.type(1, "Ann", into: "name") == .taken)
        bench.clock.advance(by: .seconds(0.1))
        let changed = LiveBench.document.replacing("count ", with: "number ").replacing(
            #"{"kind": "button""#, with: #"{"kind": "button", "style": {"padding": 31}"#)
        try bench.source.replace(by: changed)
        await bench.desk.renew(bench.source)
        let write = try #require(sink.writes.last)
        #expect(write.letters.contains("w") && "\(write)".contains("number 0 name Ann"))
        #expect("\(write.all("c"))".contains("31px"), "the sheet of the new program")
        #expect("\(write.all("n"))".contains("revision"))
        await bench.desk.stop()
    }

    @Test func `A field that a form refuses takes the focus from its button, each time`() async throws {
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"on": false}, "root": {"kind": "form", "on": {"submit": {"do": "alert", "title": "Sent"}}, "children": [
              {"kind": "button", "id": "other", "payload": {"text": {"$": ["On ", "$on"]}}, "on": {"tap": {"do": "toggle", "state": "on"}}},
              {"kind": "textfield", "id": "mail", "payload": {"name": "mail", "pattern": ".+@.+", "message": "An address has an @"}},
              {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}]}}
            """#)
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.type(1, "x", into: "mail") == .taken)
        for serial in 2...3 {
            await bench.settle(viewing)
            let count = sink.writes.count
            #expect(await viewing.tap(serial, "send") == .taken)
            await bench.settle(viewing)
            #expect(sink.writes.dropFirst(count).flatMap { $0.all("f") }.count == 1, "\(sink.writes)")
        }
        // While a person types or presses something else, nothing takes the focus away.
        let count = sink.writes.count
        #expect(await viewing.type(4, "y", into: "mail") == .taken)
        await bench.settle(viewing)
        #expect(await viewing.tap(5, "other") == .taken)
        await bench.settle(viewing)
        #expect(sink.writes.count > count + 1)
        #expect(sink.writes.dropFirst(count).allSatisfy { $0.all("f").isEmpty })
        await bench.desk.stop()
    }

    @Test func `A save that is broken is shown over the last good screen`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.tap(1, "add") == .taken)
        bench.clock.advance(by: .seconds(0.1))
        await bench.desk.warn(bench.source, "Main.widgets.json:3: a comma is missing")
        await viewing.drained()
        let write = try #require(sink.writes.last)
        #expect(write.letters == ["n"] && "\(write)".contains("a comma is missing"))
        // A browser whose stream was cut before that learns it when it comes back.
        bench.clock.advance(by: .seconds(0.1))
        let next = KeptSink()
        await viewing.follow(after: sink.writes[0].number, next)
        #expect("\(next.writes)".contains("a comma is missing"))
        let page = try #require(await viewing.page())
        #expect(page.status.warning == "Main.widgets.json:3: a comma is missing" && page.status.attempt == 2)
        #expect(String(decoding: page.html, as: UTF8.self).contains("count 1"))
        await bench.desk.renew(bench.source)
        await bench.settle(viewing)
        #expect(await viewing.page()?.status.warning == nil)
        await bench.desk.stop()
    }

    @Test func `An address that the widget wants to open is a sentence until the next act`() async throws {
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"at": "https://a.example/b", "count": 0},
             "root": [{"kind": "label", "id": "shown", "payload": {"text": "$count"}},
              {"kind": "button", "id": "open", "payload": {"text": "Open"}, "on": {"tap": {"do": "open", "url": "$at"}}},
              {"kind": "textfield", "id": "at", "payload": {"value": "$at"}}]}
            """#)
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.tap(1, "open") == .taken)
        let write = try #require(sink.writes.last)
        #expect(write.letters.suffix(2) == ["n", "i"] && "\(write.all("n"))".contains("wants to open"))
        #expect("\(write.all("i"))".contains("https://a.example/b"))
        #expect(await viewing.page()?.status.address == "https://a.example/b")
        bench.clock.advance(by: .seconds(0.1))
        #expect(await viewing.type(2, "javascript:alert(1)", into: "at") == .taken)
        #expect(await viewing.page()?.status.address == nil)
        #expect(await viewing.tap(3, "open") == .taken)
        #expect(await viewing.page()?.status.address == nil)
        await bench.desk.stop()
    }

    @Test func `A secret is not sent, but that its field was emptied is`() async throws {
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"code": ""},
             "root": [{"kind": "textfield", "id": "code", "payload": {"value": "$code", "secure": true},
              "on": {"change": {"do": "set", "state": "code", "to": ""}}}]}
            """#)
        let (viewing, sink) = try await bench.shown()
        #expect(await viewing.type(1, "opensesame", into: "code") == .taken)
        let write = try #require(sink.writes.first)
        #expect(write.letters.contains("s") && "\(write)".contains("null"))
        #expect(!"\(write)".contains("opensesame"))
        #expect(
            await viewing.page().map { String(decoding: $0.html, as: UTF8.self).contains("opensesame") } == false)
        await bench.desk.stop()
    }

    @Test func `A browser with more typed values than are remembered gets the whole page`() async throws {
        var limits = LiveLimits()
        limits.typedCount = 1
        let bench = try LiveBench(LiveBench.document, limits)
        let (viewing, sink) = try await bench.shown()
        let (name, loud) = (await viewing.key("name"), await viewing.key("loud"))
        #expect(await viewing.act(1, #"["input","\#(name)","a"]"#, #"["input","\#(loud)","b"]"#) == .taken)
        #expect(sink.writes.first?.letters.contains("w") == true)
        bench.clock.advance(by: .seconds(0.1))
        #expect(await viewing.type(2, "c", into: "name") == .taken)
        #expect(sink.writes.last?.letters.contains("w") == false)
        await bench.desk.stop()
    }

    /// Random acts with cuts at random places: what was written last is the page of now.
    @Test(arguments: 1...8)
    func `Random acts and cuts end at the present page`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let bench = try LiveBench()
        let viewing = try await bench.open()
        var number = try #require(await viewing.page()).number
        var sink = KeptSink()
        await viewing.follow(after: number, sink)
        for serial in 1...60 {
            bench.clock.advance(by: .seconds(Double.random(in: 0...0.2, using: &random)))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: _ = await viewing.tap(serial, "add")
            case 1: _ = await viewing.type(serial, "n\(serial)", into: "name")
            case 2: _ = await viewing.type(serial, "l\(serial)", into: "loud")
            case 3: _ = await viewing.act(serial, #"["input","\#(await viewing.key("wants"))",\#(serial % 2 == 0)]"#)
            case 4: number = try #require(await viewing.page()).number
            default:
                // Some of what was written is lost on the way.
                let seen = sink.writes.map(\.number).randomElement(using: &random) ?? number
                sink = KeptSink()
                await viewing.follow(after: seen, sink)
            }
        }
        await bench.settle(viewing)
        let base = try #require(await viewing.stream?.base)
        #expect(await viewing.view.difference(from: base.page.view).isEmpty)
        #expect(await viewing.page()?.number == base.number, "seed \(seed)")
        await bench.desk.stop()
    }
}

extension String {
    func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
