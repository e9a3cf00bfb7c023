import Testing
import WidgetCore
import WidgetSurroundings

@testable import WidgetLive

/// Batches of events, from browsers and from programs that mean harm.
@Suite struct ActTests {
    @Test func `Events of a batch happen in their order`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        let (add, name) = (await viewing.key("add"), await viewing.key("name"))
        #expect(
            await viewing.act(1, #"["tap","\#(add)"]"#, #"["input","\#(name)","A"]"#, #"["tap","\#(add)"]"#) == .taken)
        #expect(await viewing.text("shown") == "count 2 name A")
        #expect(sink.writes.count == 1)
        await bench.desk.stop()
    }

    @Test func `A batch that comes many times at once happens once`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        let outcomes = await withTaskGroup { group in
            // Waiting pages count too, and leave room for acts.
            for place in 0..<100 {
                group.addTask {
                    if place % 10 == 0 { _ = await viewing.page() }
                    return await viewing.tap(1, "add")
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 100 && outcomes.contains(.taken))
        #expect(outcomes.allSatisfy { [.taken, .refused(.tooFast(retryAfter: 1))].contains($0) })
        #expect(await viewing.text("shown") == "count 1 name ")
        await bench.settle(viewing)
        #expect(sink.writes.last?.number == (await viewing.page()?.number))
        await bench.desk.stop()
    }

    @Test func `A flood of events is refused until a second has brought room`() async throws {
        let bench = try LiveBench()
        let (viewing, _) = try await bench.shown()
        let tap = #"["tap","\#(await viewing.key("add"))"]"#
        let many = Array(repeating: tap, count: 30).joined(separator: ",")
        #expect(await viewing.act(1, many) == .taken)
        #expect(await viewing.act(2, many) == .taken)
        guard case .refused(.tooFast(let wait)) = await viewing.act(3, many) else {
            Issue.record("the flood was taken")
            return
        }
        #expect(abs(wait - 1) < 0.01)
        #expect(await viewing.text("shown") == "count 60 name ")
        bench.clock.advance(by: .seconds(wait + 0.001))
        #expect(await viewing.act(3, many) == .taken, "the serial was not used")
        #expect(await viewing.text("shown") == "count 90 name ")
        await bench.desk.stop()
    }

    @Test func `A batch of more events than fit at once is taken, and the next one waits`() async throws {
        let bench = try LiveBench()
        let (viewing, _) = try await bench.shown()
        let tap = #"["tap","\#(await viewing.key("add"))"]"#
        #expect(await viewing.act(1, Array(repeating: tap, count: 120).joined(separator: ",")) == .taken)
        guard case .refused(.tooFast(let wait)) = await viewing.act(2, tap) else {
            Issue.record("the event was taken")
            return
        }
        #expect(wait > 2)
        await bench.desk.stop()
    }

    private static let malformed = [
        "", "[", "null", "1", "{}", "[]", "[1]", "[1,[],2]", #"["1",[]]"#, "[0,[]]", "[-1,[]]", "[1.5,[]]",
        "[9007199254740993,[]]", "[1,{}]", "[1,[1]]", "[1,[[]]]", #"[1,[["tap"]]]"#, #"[1,[["tap",1]]]"#,
        #"[1,[["tap","x"]]]"#, #"[1,[["tap","KEY",1]]]"#, #"[1,[["TAP","KEY"]]]"#, #"[1,[["eval","KEY"]]]"#,
        #"[1,[["input","KEY"]]]"#, #"[1,[["input","KEY",null]]]"#, #"[1,[["input","KEY",["a"]]]]"#,
        #"[1,[["input","KEY",{"a":1}]]]"#, #"[1,[["input","KEY",1e999]]]"#, #"[1,[["scroll","KEY",1]]]"#,
        #"[1,[["more","KEY",-1]]]"#, #"[1,[["more","KEY",1e300]]]"#, #"[1,[["more","KEY","1"]]]"#,
        #"[1,[["enter"]]]"#, #"[1,[["tap","1.99999999999999999999"]]]"#, #"[1,[["tap","1.+1"]]]"#,
        #"[1,[["tap","KEY"],["tap"]]]"#, #"[1,[["tap","\uD800"]]]"#,
    ]

    @Test(arguments: malformed)
    func `A batch of another form changes nothing`(text: String) async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        let key = await viewing.key("add")
        guard case .refused(.malformed) = await viewing.act(Array(text.replacing("KEY", with: key).utf8)) else {
            Issue.record("taken: \(text)")
            return
        }
        #expect(await viewing.lastSerial == 0 && sink.writes.isEmpty)
        #expect(await viewing.text("shown") == "count 0 name ")
        await bench.desk.stop()
    }

    @Test func `Batches that are deep, long or not UTF-8 are refused`() async throws {
        let bench = try LiveBench()
        let (viewing, _) = try await bench.shown()
        let texts = [
            String(repeating: "[", count: 60_000),
            "[1," + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "]",
            "[1,[" + Array(repeating: #"["tap","1.1"]"#, count: 2_000).joined(separator: ",") + "]]",
            "[1,[[\"input\",\"1.1\",\"\(String(repeating: "x", count: 1 << 20))\"]]]",
        ]
        for bytes in texts.map({ Array($0.utf8) }) + [[0x5B, 0xFF, 0x5D], [UInt8](repeating: 0, count: 100)] {
            guard case .refused(.malformed) = await viewing.act(bytes) else {
                Issue.record("taken: \(bytes.prefix(40))")
                continue
            }
        }
        await bench.desk.stop()
    }

    @Test(arguments: [
        "9.1", "1.0@1r5", "1.0@99v0", "1.-3", "1.-1", "1.9999", "-5.1", "1.3@-1r-7.-9", "9223372036854775807.1",
    ])
    func `Keys that are not on the screen change nothing`(key: String) async throws {
        let bench = try LiveBench()
        let (viewing, _) = try await bench.shown()
        var serial = 0
        for event in [
            #"["tap","KEY"]"#, #"["input","KEY","x"]"#, #"["input","KEY",true]"#, #"["submit","KEY"]"#,
            #"["select","KEY"]"#, #"["delete","KEY"]"#, #"["refresh","KEY"]"#, #"["scroll","KEY"]"#,
            #"["more","KEY",100]"#,
        ] {
            serial += 1
            #expect(await viewing.act(serial, event.replacing("KEY", with: key)) == .taken)
        }
        #expect(await viewing.text("shown") == "count 0 name ")
        #expect(await viewing.windows.isEmpty)
        await bench.desk.stop()
    }

    @Test func `A value of another kind does not reach a control`() async throws {
        let bench = try LiveBench()
        let (viewing, _) = try await bench.shown()
        let wants = await viewing.key("wants")
        #expect(await viewing.act(1, #"["input","\#(wants)","yes"]"#, #"["input","\#(wants)",7]"#) == .taken)
        #expect(await viewing.view.node(try #require(ViewKey(wants)))?.isTrue(.value) == false)
        #expect(await viewing.act(2, #"["input","\#(wants)",true]"#) == .taken)
        #expect(await viewing.view.node(try #require(ViewKey(wants)))?.isTrue(.value) == true)
        await bench.desk.stop()
    }

    @Test func `A key of a row names the row, and is gone with it`() async throws {
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"chosen": "none", "people": [{"id": 7, "name": "Ann"}, {"id": 9, "name": "Bo"}]},
             "root": [{"kind": "label", "id": "shown", "payload": {"text": "$chosen"}},
              {"kind": "table", "id": "people", "items": {"in": "$people", "as": "person", "key": "$person.id"},
               "on": {"select": {"do": "set", "state": "chosen", "to": "$person.name"}},
               "children": [{"kind": "cell", "payload": {"title": "$person.name"}}]},
              {"kind": "button", "id": "drop", "payload": {"text": "Drop"},
               "on": {"tap": {"do": "remove", "state": "people", "key": "id", "is": 7}}}]}
            """#)
        let (viewing, _) = try await bench.shown()
        var rows: [ViewKey] = []
        await viewing.view.visit { node in
            if node.kind == .row { rows.append(node.key) }
            return true
        }
        #expect(rows.count == 2)
        #expect(await viewing.act(1, #"["tap","\#(rows[1])"]"#) == .taken)
        #expect(await viewing.text("shown") == "Bo")
        #expect(await viewing.tap(2, "drop") == .taken)
        #expect(await viewing.act(3, #"["tap","\#(rows[0])"]"#) == .taken)
        #expect(await viewing.text("shown") == "Bo", "a row that is gone is not another one")
        await bench.desk.stop()
    }

    @Test func `More rows widen the list on the page alone`() async throws {
        let items = (0..<300).map { "{\"n\": \($0)}" }.joined(separator: ",")
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"items": [\#(items)]},
             "root": [{"kind": "table", "id": "list", "items": {"in": "$items", "as": "item", "key": "$item.n"},
               "children": [{"kind": "cell", "payload": {"title": "$item.n"}}]}]}
            """#)
        let (viewing, _) = try await bench.shown()
        let list = await viewing.key("list")
        let key = try #require(ViewKey(list))
        for (serial, asked, wanted) in [(1, 200, 200), (2, 200, 200), (3, 900, 300), (4, 300, 300), (5, 5_000, 300)] {
            #expect(await viewing.act(serial, #"["more","\#(list)",\#(asked)]"#) == .taken)
            #expect(await viewing.windows[key] == wanted)
        }
        await bench.desk.stop()
    }

    @Test func `An answer to an alert is an event of its button`() async throws {
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"said": "none"},
             "root": [{"kind": "label", "id": "shown", "payload": {"text": "$said"}},
              {"kind": "button", "id": "ask", "payload": {"text": "Ask"}, "on": {"tap": {"do": "alert", "title": "Sure?", "actions": [
                {"title": "No", "style": "cancel"}, {"title": "Yes", "actions": {"do": "set", "state": "said", "to": "yes"}}]}}}]}
            """#)
        let (viewing, _) = try await bench.shown()
        #expect(await viewing.tap(1, "ask") == .taken)
        let button = try #require(await viewing.view.alerts.last?.buttons.last?.key)
        #expect(await viewing.act(2, #"["tap","\#(button)"]"#) == .taken)
        #expect(await viewing.text("shown") == "yes")
        await bench.desk.stop()
    }
}
