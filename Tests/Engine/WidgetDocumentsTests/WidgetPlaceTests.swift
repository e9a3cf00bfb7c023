import Testing
import WidgetContract
import WidgetCore
import WidgetLayout
import WidgetRender

@testable import WidgetDocuments

/// Goal: a widget and its host agree on margins, visibility and abilities. Method: documents in a place that the test
/// chooses, printed in every form.
@Suite struct WidgetPlaceTests {
    private static let proposed = Insets(top: 0, leading: 47, bottom: 39, trailing: 0)

    private static func bench(_ members: String, root: String = #"{"kind": "label", "payload": {"text": "Here"}}"#)
        throws -> DocumentBench
    {
        try DocumentBench(#"{"schema": 1, \#(members), "root": \#(root)}"#)
    }

    private static func printed(_ form: PrintedForm, _ bench: DocumentBench) -> String {
        String(
            decoding: form.print(bench.view, of: bench.program, PrintOptions(), NoAssets()), as: UTF8.self)
    }

    // MARK: - Margins

    @Test func `C8: A scene answers the margins that the host proposes, and none is negative`() throws {
        var bench = try Self.bench(
            #""insets": {"left": {"$": "proposed.left - 30"}, "bottom": {"$": "proposed.bottom - 50"}}"#)
        #expect(bench.program.diagnostics.isEmpty, "\(bench.messages)")
        bench.show(in: Display(insets: Self.proposed))
        #expect(bench.view.insets == Insets(top: 0, leading: 17, bottom: 0, trailing: 0))
        bench.show(in: Display(insets: Insets(top: 5, leading: 130, bottom: 39, trailing: 1)))
        #expect(bench.view.insets == Insets(top: 5, leading: 100, bottom: 0, trailing: 1))
    }

    @Test func `C8: A widget that declares no margins gets those that the host proposes`() throws {
        var bench = try Self.bench(#""title": "Plain""#)
        #expect(bench.view.insets == .zero)
        bench.show(in: Display(insets: Self.proposed))
        #expect(bench.view.insets == Self.proposed)
    }

    @Test func `C8: Margins follow the state, and one that fails is reported and the proposed one`() throws {
        var bench = try Self.bench(
            #""state": {"wide": 4}, "insets": {"top": "$wide", "left": {"$": "1 / 0"}, "right": {"$": "'a'"}}, "on": {"load": {"do": "set", "state": "wide", "to": 9}}"#
        )
        bench.show(in: Display(insets: Self.proposed))
        #expect(bench.view.insets == Insets(top: 9, leading: 47, bottom: 39, trailing: 0))
        let faults = bench.view.diagnostics.filter { $0.message.contains("insets.left") }
        #expect(faults.count == 1 && faults[0].place?.file == "Main.widgets.json", "\(bench.view.diagnostics)")
    }

    @Test func `C8: Text, JSON, frames and pages have the margins`() throws {
        var bench = try Self.bench(#""insets": {"left": 40, "top": 20}"#)
        let plain = try Self.bench(#""title": "Plain", "bar": false"#)
        bench.show(in: Display(insets: .zero))
        let text = String(decoding: ViewText(width: 80).text(bench.view).utf8, as: UTF8.self)
        #expect(text == "\n     Here\n", "\(text)")
        let insets = #""insets":{"bottom":0,"left":40,"right":0,"top":20}"#
        func compact(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        #expect(compact(Self.printed(.json, bench)).contains(insets))
        #expect(!Self.printed(.json, plain).contains("insets"))
        #expect(compact(Self.printed(.frames, bench)).contains(insets))
        // Elements lie within the margins.
        let (moved, usual) = (Self.frame(of: bench), Self.frame(of: plain))
        #expect(moved.x == usual.x + 40 && moved.y == usual.y, "\(moved) \(usual)")
        let page = PagePrinter(bench.program, PrintOptions()).page(bench.view, NoAssets())
        #expect(
            page.rules.values.contains {
                $0.contains("border:solid transparent;border-width:20px 0px 0px 40px")
                    || $0.contains("border-width:20px 0 0 40px")
            },
            "\(page.rules)")
        #expect(
            PagePrinter(plain.program, PrintOptions()).page(plain.view, NoAssets()).rules.values
                .allSatisfy { !$0.contains("border-width") })
    }

    /// The frame of the label that says "Here".
    private static func frame(of bench: DocumentBench) -> Frame {
        let placed = ScreenLayout(bench.program, Viewport()).placed(bench.view)
        return placed.boxes.first { $0.view.text(.text) == "Here" }?.frame ?? Frame(x: -1, y: -1, width: 0, height: 0)
    }

    // MARK: - Visibility

    @Test func `C10: A widget with nothing to show is hidden, in every form`() throws {
        var bench = try Self.bench(
            #""state": {"count": 0}, "visible": {"$": "count > 0"}"#,
            root:
                #"{"kind": "button", "payload": {"text": "Here"}, "on": {"tap": {"do": "set", "state": "count", "to": 1}}}"#
        )
        #expect(bench.program.diagnostics.isEmpty && !bench.view.isVisible, "\(bench.messages)")
        #expect(bench.text == "[ The widget has nothing to show. ]")
        #expect(
            Self.printed(.json, bench).contains(#""visible": false"#)
                || Self.printed(.json, bench).contains(#""visible":false"#))
        #expect(Self.printed(.frames, bench).contains("visible"))
        let page = Self.printed(.html, bench)
        #expect(page.contains("The widget has nothing to show.") && !page.contains("Here"))
        let hidden = bench.view.digest
        #expect(try bench.tap("Here") == nil)
        #expect(bench.view.isVisible && bench.text.contains("Here") && bench.view.digest != hidden)
        #expect(!Self.printed(.json, bench).contains("visible"))
        #expect(Self.printed(.html, bench).contains("Here"))
    }

    @Test func `C10: A widget whose visibility cannot be computed is shown, and says so`() throws {
        let bench = try Self.bench(#""visible": {"$": "1 / 0"}"#)
        #expect(bench.view.isVisible && bench.text.contains("Here"))
        #expect(bench.view.diagnostics.contains { $0.message.contains("visible") }, "\(bench.view.diagnostics)")
    }

    // MARK: - Input

    private static let fields = #"""
        [{"kind": "textfield", "id": "name", "payload": {"value": "$name"}},
         {"kind": "switch", "id": "news", "payload": {"value": "$news"}}]
        """#

    @Test func `C12: Fields are read-only in a host without input`() throws {
        var bench = try Self.bench(#""state": {"name": "Ann", "news": true}"#, root: Self.fields)
        #expect(bench.text.contains("[ Ann ]"))
        bench.show(in: Display(), [.links, .media])
        #expect(bench.text.contains("Ann, readonly") && bench.text.contains("disabled"), "\(bench.text)")
        let refusal = "the host lets people change nothing in widgets"
        #expect(try bench.type("Bo", into: "name") == refusal && bench.tap("name") == refusal)
        #expect(try bench.tap("news") == refusal)
        bench.show(in: Display())
        #expect(try bench.type("Bo", into: "name") == nil && bench.text.contains("Bo"))
    }

    @Test func `C12: A field leads to a link in a host without input, its own or that of the screen`() throws {
        let links = #""links": {"edit": "acme://edit/{field}"}, "state": {"name": "Ann", "news": true}"#
        func link(_ field: String) -> String {
            #""on": {"instead": {"do": "open", "link": "edit", "with": {"field": "\#(field)"}}}"#
        }
        var bench = try Self.bench(
            "\(links), \(link("screen"))",
            root:
                #"[{"kind": "textfield", "id": "name", "payload": {"value": "$name"}, \#(link("name"))}, {"kind": "switch", "id": "news", "payload": {"value": "$news"}}]"#
        )
        #expect(bench.program.diagnostics.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("name") == nil && bench.opened.isEmpty)
        bench.show(in: Display(), [.links])
        #expect(bench.view.node(try bench.key("name"))?.events == [.tap])
        #expect(try bench.tap("name") == nil && bench.tap("news") == nil)
        #expect(bench.opened == ["acme://edit/name", "acme://edit/screen"])
        #expect(bench.text.contains("Ann, readonly") && !bench.text.contains("disabled"), "\(bench.text)")
    }

    @Test func `C12: A host without links is not asked to open one`() throws {
        var bench = try Self.bench(
            #""title": "A""#,
            root: #"{"kind": "button", "payload": {"text": "Go"}, "on": {"tap": {"do": "open", "url": "acme://a"}}}"#)
        bench.show(in: Display(), [.input])
        #expect(try bench.tap("Go") == nil && bench.opened.isEmpty && bench.notice == "the host opens no links")
    }

    // MARK: - The ground, and shared components

    @Test func `C1: A widget that declares modes lies on the ground of its host`() throws {
        func ground(_ bench: DocumentBench) -> Paint? {
            bench.program.scenes["Main"].flatMap { $0.node($0.root)?.look?.appearance.background }
        }
        func rules(_ bench: DocumentBench) -> [String] {
            Array(PagePrinter(bench.program, PrintOptions()).page(bench.view, NoAssets()).rules.values)
        }
        let (widget, screen) = (try Self.bench(#""modes": "compact""#), try Self.bench(#""bar": false"#))
        #expect(ground(widget) == nil && ground(screen) == .role(.background))
        #expect(rules(widget).contains { $0.contains("background:none") })
        #expect(!rules(screen).contains { $0.contains("background:none") })
    }

    @Test func `C13: The components of a bundle are shared by all of its scenes`() throws {
        let use = #"{"kind": "tag", "payload": {"name": "shared"}}"#
        var bench = try DocumentBench(
            #"[\#(use), {"kind": "button", "payload": {"text": "On"}, "on": {"tap": {"do": "push", "scene": "Full"}}}]"#,
            documents: ["Full": #"[{"kind": "label", "payload": {"text": "Full"}}, \#(use)]"#],
            components: [
                "tag": #"{"parameters": {"name": ""}, "body": {"kind": "label", "payload": {"text": "$name"}}}"#
            ])
        #expect(bench.messages.isEmpty && bench.lines.contains("shared"))
        #expect(try bench.tap("On") == nil)
        #expect(bench.lines.contains("Full") && bench.lines.contains("shared"))
    }
}
