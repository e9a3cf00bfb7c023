import JSONText
import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Themes and styles of documents: names for looks, for a bundle, a document or an element with what is in it.
@Suite struct ThemeTests {
    /// The element of that name, as hosts with a toolkit get it.
    private static func frame(_ name: String, _ bench: DocumentBench) throws -> JSONValue {
        let frames = try JSONValue(parsing: ViewFrames(bench.program, PrintOptions()).print(bench.view, NoAssets()))
        return try #require((frames["elements"]?.array ?? []).first { $0["identifier"]?.string == name })
    }

    private static func look(_ name: String, _ bench: DocumentBench) throws -> Look {
        let scene = try #require(bench.program.scenes[bench.program.initial])
        return try #require(scene.nodes.first { $0.identifier == name }?.look)
    }

    private static let theme = #"""
        {"colors": {"accent": "#aa0000", "link": "#00aa00", "text": {"light": "#101010", "dark": "#f0f0f0"}, "card": "accent"},
         "fonts": {"body": {"size": 19}, "price": {"style": "title2", "bold": true}}, "numbers": {"gap": 12},
         "styles": {"card": {"background": "secondaryBackground", "padding": "gap", "cornerRadius": "gap"}}}
        """#

    @Test func `The theme of a bundle gives texts, links and active parts their looks`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "label", "id": "text", "payload": {"text": "Text"}},
             {"kind": "label", "id": "price", "payload": {"text": "9"}, "style": {"font": "price", "color": "secondaryText"}},
             {"kind": "button", "id": "more", "payload": {"text": "More"}},
             {"kind": "button", "id": "buy", "payload": {"text": "Buy", "role": "prominent"}},
             {"kind": "hstack", "id": "row", "payload": {"spacing": "gap"}, "style": "card"}]
            """#, theme: Self.theme)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try Self.frame("text", bench)["foreground"]?.string == "#101010")
        #expect(try Self.frame("text", bench)["font"]?["size"]?.double == 19)
        #expect(try Self.look("price", bench).appearance.font == FontRequest(size: 22, weight: 700, style: .title2))
        #expect(try Self.look("price", bench).appearance.foreground == ColorWords.quiet)
        #expect(try Self.frame("more", bench)["foreground"]?.string == "#0a0")
        #expect(try Self.frame("buy", bench)["background"]?.string == "#a00")
        #expect(try Self.look("row", bench).stack?.spacing == 12)
        #expect(try Self.look("row", bench).geometry.margins?.top == 12)
        #expect(try Self.look("row", bench).appearance.cornerRadius == 12)
    }

    @Test func `A theme of an element is for all that is in it, and several compose`() throws {
        // In the system that is compared with, a theme of a composite does not reach its parts, and the second one of an
        // element replaces the first.
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "theme": {"colors": {"text": "#111111", "card": "#222222"}},
             "components": {"part": {"parameters": {}, "body": {"kind": "label", "id": "inner", "payload": {"text": "Inner"},
               "style": {"background": "card"}, "theme": {"fonts": {"body": {"size": 30}}}}}},
             "root": [
              {"kind": "vstack", "theme": {"colors": {"text": "#333333"}}, "children": [
                {"kind": "vstack", "theme": {"fonts": {"body": {"size": 25}}}, "children": [
                  {"kind": "label", "id": "middle", "payload": {"text": "Middle"}}, {"kind": "part"}]}]},
              {"kind": "label", "id": "outer", "payload": {"text": "Outer"}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        for (name, color, size) in [("outer", "#111", 17.0), ("middle", "#333", 25), ("inner", "#333", 30)] {
            let frame = try Self.frame(name, bench)
            #expect(frame["foreground"]?.string == color && frame["font"]?["size"]?.double == size, "\(name): \(frame)")
        }
        #expect(try Self.frame("inner", bench)["background"]?.string == "#222")
    }

    @Test func `Documents that are hosted follow the theme around them, and screens that are shown do not`() throws {
        var bench = try DocumentBench(
            #"""
            [{"kind": "host", "payload": {"document": "part"}, "theme": {"colors": {"text": "#333333"}}},
             {"kind": "button", "id": "go", "payload": {"text": "Go"}, "theme": {"colors": {"text": "#333333"}},
              "on": {"tap": {"do": "push", "scene": "part"}}}]
            """#,
            documents: ["part": #"[{"kind": "label", "id": "inner", "payload": {"text": "Inner"}}]"#],
            theme: ##"{"colors": {"text": "#444444"}}"##)
        #expect(try Self.frame("inner", bench)["foreground"]?.string == "#333")
        #expect(try bench.tap("go") == nil)
        #expect(try Self.frame("inner", bench)["foreground"]?.string == "#444")
    }

    @Test func `Styles have names, and later ones count`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "styles": {"card": {"background": "#111111", "cornerRadius": 4, "padding": 3}, "big": {"cornerRadius": 9}},
             "root": [
              {"kind": "box", "id": "one", "style": ["card", {"background": "#222222"}]},
              {"kind": "box", "id": "two", "style": ["card", "big"]}, {"kind": "box", "id": "three", "style": ["big", "card"]},
              {"kind": "box", "id": "four", "style": ["crad", {"background": "#222222"}]}]}
            """#)
        #expect(bench.messages.count == 1 && bench.messages[0].contains("warning: No style is called crad"))
        #expect(bench.messages[0].hasSuffix("did you mean card?"), "\(bench.messages)")
        for (name, radius, color) in [
            ("one", 4.0, "#222"), ("two", 9, "#111"), ("three", 4, "#111"), ("four", 0, "#222"),
        ] {
            #expect(try Self.look(name, bench).appearance.cornerRadius == radius, "\(name)")
            #expect(try Self.frame(name, bench)["background"]?.string == color, "\(name)")
        }
    }

    @Test func `Faults of a theme cost no more than themselves`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "theme": {"colors": {"a": "nope", "b": {"light": "#ffffff"}, "good": "#111111"}, "fonts": {"f": {"size": -1}},
               "numbers": {"n": "x"}, "colours": {}}, "styles": {"s": {"background": "goood", "padding": 3, "paddin": 2}, "t": 4},
             "root": [{"kind": "box", "id": "box", "style": ["s", {"background": "good"}]},
               {"kind": "label", "id": "label", "payload": {"text": "x"}, "style": {"color": "goo"}, "theme": 3}]}
            """#)
        let expected = [
            "Themes have no colours", "a is not one of the colours", "b is not one of the colours",
            "f is not one of the fonts", "n is not one of the numbers", "A style has no paddin",
            #"background of a style is "goood"; expected color [bad-payload]; did you mean good?"#,
            "t is not one of the styles", "A theme is number", #"color of a style is "goo""#,
        ]
        #expect(bench.messages.count == expected.count, "\(bench.messages)")
        for (message, part) in zip(bench.messages, expected) { #expect(message.contains(part), "\(message)") }
        #expect(try Self.frame("box", bench)["background"]?.string == "#111")
        let broken = try DocumentBench(#"[{"kind": "label", "payload": {"text": "x"}}]"#, theme: "{")
        #expect(broken.lines == ["x"] && broken.messages.count == 1 && broken.messages[0].hasPrefix("theme.json"))
        let long = (0..<600).map { "\"c\($0)\": \"#000000\"" }.joined(separator: ",")
        let many = try DocumentBench(
            #"[{"kind": "label", "payload": {"text": "x"}}]"#, theme: "{\"colors\": {\(long)}}")
        #expect(many.lines == ["x"])
        #expect(many.messages.contains { $0.contains("more than 500 colours") }, "\(many.messages)")
    }

    @Test func `Borders, corners, shadows and clipping do not change each other`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "box", "id": "all", "style": {"cornerRadius": 8, "corners": ["topLeft", "topRight"], "borderWidth": 2, "shadow": 4, "clips": false}},
             {"kind": "box", "id": "shadow", "style": {"shadow": 4, "cornerRadius": 8}},
             {"kind": "box", "id": "border", "style": {"borderColor": "red", "cornerRadius": 8}},
             {"kind": "label", "payload": {"text": "x"}, "style": {"position": "topLeft"}},
             {"kind": "box", "id": "wrong", "style": {"corners": ["top"]}}]
            """#)
        #expect(
            bench.codes == ["bad-value", "bad-payload"] && bench.messages[0].contains("A position has no effect here"),
            "\(bench.messages)")
        let all = try Self.look("all", bench).appearance
        #expect(all.cornerRadius == 8 && all.borderWidth == 2 && all.shadow?.radius == 4 && all.clips == false)
        let page = PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets())
        #expect(!page.isEmpty)
        #expect(try Self.frame("all", bench)["corners"]?.array?.compactMap(\.string) == ["topLeft", "topRight"])
        let shadow = try Self.look("shadow", bench).appearance
        #expect(shadow.shadow?.radius == 4 && shadow.cornerRadius == 8 && shadow.clips == true)
        let border = try Self.look("border", bench).appearance
        #expect(border.cornerRadius == 8 && border.borderWidth == 1)
    }
}
