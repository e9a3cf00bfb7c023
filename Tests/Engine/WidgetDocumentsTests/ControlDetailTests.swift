import JSONText
import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Details of controls: names, events of typing, looks of states.
@Suite struct ControlDetailTests {
    @Test func `A switch with a label is said once, and its label is drawn`() throws {
        let bench = try DocumentBench(#"[{"kind": "switch", "id": "news", "payload": {"label": "News"}}]"#)
        #expect(bench.lines == ["[ ] News"])
        let page = String(
            decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
        #expect(page.contains(">News<") && page.contains(#"aria-hidden="true""#))
        let frames = String(
            decoding: ViewFrames(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
        #expect(frames.contains(#""text":"News""#))
    }

    @Test func `What is repeated in a row lies before the room behind it, item after item`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "hstack", "items": {"in": {"$": "{1, 2, 3}"}, "as": "n"}, "children": [
              {"kind": "button", "payload": {"text": {"$": ["B", "$n"]}}}, {"kind": "switch", "payload": {"name": "s"}}]}]
            """#)
        let page = String(
            decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
        let order = page.matches(of: /B([123])<|role="(switch)"|id="[^"@]*" class="[^"]*" aria-hidden="true"/)
            .map { $0.1.map(String.init) ?? "switch" }
        #expect(order == ["1", "switch", "2", "switch", "3", "switch"], "\(page)")
        // The room, an empty box without items, is the last of the row.
        let last = try #require(page.ranges(of: "role=\"switch\"").last?.upperBound)
        let ids = page.matches(of: /<div id="a1\.(\d+)" class="[^"]*"><\/div>/)
        #expect(ids.count == 1 && ids.allSatisfy { $0.range.lowerBound > last }, "\(page)")
    }

    @Test func `A disabled prominent button has the look of one that cannot be tapped`() throws {
        func button(_ isEnabled: Bool) throws -> JSONValue {
            let bench = try DocumentBench(
                #"[{"kind": "button", "id": "go", "payload": {"text": "Go", "role": "prominent", "enabled": \#(isEnabled)}}]"#
            )
            let frames = try JSONValue(parsing: ViewFrames(bench.program, PrintOptions()).print(bench.view, NoAssets()))
            return try #require((frames["elements"]?.array ?? []).first { $0["identifier"]?.string == "go" })
        }
        let (enabled, disabled) = (try button(true), try button(false))
        for key in ["background", "foreground"] {
            #expect(enabled[key]?.string != nil && enabled[key]?.string != disabled[key]?.string, "\(key)")
        }
    }

    @Test func `The names of elements are names in expressions`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "components": {"echo": {"body": {"kind": "label", "payload": {"text": {"$": "field.text"}}}}},
             "root": [{"kind": "textfield", "id": "field"}, {"kind": "label", "id": "shown", "payload": {"text": "$field.text"}},
               {"kind": "echo"}, {"kind": "label", "payload": {"text": "$feild.text"}}]}
            """#)
        #expect(bench.program.diagnostics.map(\.message) == ["Nothing is called feild here"])
        #expect(try bench.type("Ann", into: "field") == nil)
        #expect(bench.lines.filter { $0 == "Ann" }.count == 2)
    }

    @Test func `Typing begins and ends once for each field, and the return key ends it`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"begun": "", "ended": "", "count": 0}, "root": [
              {"kind": "label", "payload": {"text": {"$": "{count, begun, ended}"}}},
              {"kind": "vstack", "items": {"in": ["a", "b"], "as": "name"}, "children": [
                {"kind": "textfield", "id": "field", "on": {
                  "begin": [{"do": "set", "state": "begun", "to": "$name"}, {"do": "set", "state": "count", "to": {"$": "count + 1"}}],
                  "end": {"do": "set", "state": "ended", "to": "$input"}}}]}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        var keys: [ViewKey] = []
        bench.view.visit { node in
            if node.identifier == "field" { keys.append(node.key) }
            return true
        }
        for (key, text) in [(keys[0], "x"), (keys[0], "xy"), (keys[1], "z")] {
            #expect(bench.send(.input(key, .string(text))) == nil)
        }
        #expect(bench.lines.first == "(2, b, xy)")
        #expect(bench.send(.submit(keys[1])) == nil)
        #expect(bench.lines.first == "(2, b, z)")
    }

    @Test func `A stack shows its empty slot while its items have nothing`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "hstack", "items": {"in": []}, "slots": {"empty": {"kind": "label", "payload": {"text": "Nothing yet"}}},
              "children": [{"kind": "label", "payload": {"text": "One"}}]}]
            """#)
        #expect(bench.messages.isEmpty && bench.lines == ["Nothing yet"], "\(bench.messages)")
    }

    @Test func `A selected button says so, and a text that shrinks gives way to the others`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "button", "id": "on", "payload": {"text": "On", "selected": true}},
             {"kind": "hstack", "style": {"width": 120}, "children": [
               {"kind": "label", "id": "long", "payload": {"text": "A very long text in one line", "lines": 1}, "style": {"shrink": true}},
               {"kind": "label", "id": "short", "payload": {"text": "Keeps its width", "lines": 1}}]}]
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.view.node(try bench.key("on"))?.isTrue(.selected) ?? false)
        let placed = ScreenLayout(bench.program, Viewport()).placed(bench.view)
        let widths = ["long", "short"].map { name in
            placed.boxes.first { $0.view.identifier == name }?.frame.width ?? 0
        }
        #expect(widths[0] < widths[1] && widths[1] > 90, "\(widths)")
    }
}
