import Predicates
import Testing
import WidgetBuild
import WidgetCore
import WidgetFormats
import WidgetRender

@testable import WidgetRunning

/// Widgets of screens as text.
enum ScreensAsText {
    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key>
        <string>com.example.Tabs</string></dict></plist>
        """

    static func program(_ screens: String, _ files: [String: String] = [:]) throws -> Program {
        let sources = ["Info.plist": plist, "Main.screens": screens].merging(files) { $1 }
        let compiled = try BundleCompiler(sources.mapValues { Array($0.utf8) }, folder: "Tabs")
        let bytes = Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
        return try WidgetKitReader.program(BundleFiles(bytes), identifier: "test.Tabs")
    }

    static func widget(
        _ screens: String, _ files: [String: String] = [:],
        environment: WidgetCore.Environment = Environment(now: 0)
    ) throws -> DrivenWidget {
        try DrivenWidget(WidgetInstance(try program(screens, files), environment: environment)).started()
    }
}

/// Tabs and the stacks of screens behind them, in storyboards that screens as text become.
@Suite struct `Tabs of a widget` {
    private static let screens = """
        tabs Home initial
            tab "Notes" -> Notes
            tab "Tiles" picture "grid" -> Tiles
            tab "More" -> More
        screen Notes "Notes" in stack
            column notes
                label first "The first note"
                textField remark placeholder "A remark"
                button detail "Detail" -> Detail
        screen Detail "Detail"
            column details
                label text "The whole note"
                button over "Over" -> Sheet present
        screen Sheet "Sheet" in stack
            left close "Close" -> dismiss
            column sheets
                label sheet "Over all"
        screen Tiles "Tiles"
            column tiles
                label tile "The tile"
        screen More "More" in stack
            column rest
                label rest1 "The rest"

        """

    private static func state(_ widget: DrivenWidget) -> [String] {
        var tabs: [String] = []
        widget.view().visit { node in
            if node.kind == .tab { tabs.append(node.text(.text) + (node.isTrue(.selected) ? "*" : "")) }
            return true
        }
        return tabs
    }

    @Test func `The text names all tabs and marks the chosen one`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        #expect(widget.text().hasSuffix("(Notes*)  (Tiles)  (More)\n"), "\(widget.text())")
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        let tabs = AccessibleNode(widget.view().root).children.last
        #expect(tabs?.role == "tablist" && tabs?.children.map(\.role) == ["tab", "tab", "tab"])
        #expect(tabs?.children.map(\.states) == [["selected"], [], []])
    }

    @Test func `A tab keeps its stack of screens and what was typed in them`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.type("a remark", into: "remark")
        try widget.tap("detail")
        #expect(widget.shows("The whole note") && Self.state(widget) == ["Notes*", "Tiles", "More"])
        try widget.tap("Tiles")
        #expect(
            widget.shows("The tile") && !widget.shows("[ Tiles ]") && Self.state(widget) == ["Notes", "Tiles*", "More"])
        #expect(widget.send(.back) == "no screen to go back to")
        try widget.tap("More")
        #expect(widget.shows("[ More ]") && !widget.shows("(Back)"))
        try widget.tap("Notes")
        #expect(widget.shows("The whole note") && widget.store.screens.count == 4)
        try widget.tap("Back")
        #expect(widget.shows("The first note") && widget.shows("[ a remark ]"))
        #expect(widget.send(.back) != nil, "the other tabs are not below this one")
    }

    @Test func `A touch of the chosen tab leads to its first screen`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.tap("detail")
        try widget.tap("Notes")
        #expect(widget.shows("The first note") && widget.store.screens.count == 1)
        try widget.tap("Notes")
        #expect(widget.shows("The first note"))
    }

    @Test func `A presented screen has no tabs, and closing it leaves the others as they are`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.tap("Tiles")
        try widget.tap("Notes")
        try widget.tap("detail")
        try widget.tap("over")
        #expect(widget.shows("Over all") && Self.state(widget).isEmpty)
        try widget.tap("close")
        #expect(widget.shows("The whole note") && widget.store.screens.count == 3)
        try widget.tap("Tiles")
        #expect(widget.shows("The tile"))
    }

    @Test func `A link to a screen behind a tab chooses the tab`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.tap("detail")
        widget.send(.arrive(entry: "More", content: .null))
        #expect(widget.shows("The rest") && Self.state(widget) == ["Notes", "Tiles", "More*"])
        widget.send(.arrive(entry: "Notes", content: .null))
        #expect(widget.shows("The first note") && Self.state(widget) == ["Notes*", "Tiles", "More"])
        #expect(widget.store.screens.count == 2, "what lay above the screen is closed")
    }

    @Test func `Bars of tabs that are presented are closed as one`() throws {
        let start = "screen Start \"Start\" in stack initial\n    button begin \"Begin\" -> Home present\n"
        let tabs = Self.screens.replacing("tabs Home initial", with: "tabs Home")
        let widget = try ScreensAsText.widget(start + tabs)
        try widget.tap("begin")
        #expect(widget.shows("The first note") && Self.state(widget) == ["Notes*", "Tiles", "More"])
        try widget.tap("Tiles")
        #expect(widget.store.screens.count == 3)
        #expect(widget.send(.back) == nil)
        #expect(widget.shows("(Begin)") && widget.store.screens.count == 1)
    }

    @Test func `The tabs stay when the widget's program is replaced, and those that are gone are closed`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.tap("Tiles")
        try widget.tap("Notes")
        try widget.tap("detail")
        let renamed = try ScreensAsText.program(Self.screens.replacing("The whole note", with: "The new note"))
        widget.change { $0.replace(renamed) }
        #expect(widget.shows("The new note") && Self.state(widget) == ["Notes*", "Tiles", "More"])
        try widget.tap("Tiles")
        #expect(widget.shows("The tile"))
        let fewer = Self.screens.replacing("    tab \"Tiles\" picture \"grid\" -> Tiles\n", with: "")
        let other = try ScreensAsText.program(fewer)
        widget.change { $0.replace(other) }
        #expect(widget.shows("The whole note") && Self.state(widget) == ["Notes*", "More"], "\(widget.text())")
        let turned = Self.screens.replacing("    tab \"Notes\" -> Notes\n", with: "")
            .replacing("    tab \"More\" -> More\n", with: "    tab \"More\" -> More\n    tab \"Notes\" -> Notes\n")
        let last = try ScreensAsText.program(turned)
        widget.change { $0.replace(last) }
        #expect(widget.shows("The whole note") && Self.state(widget) == ["Tiles", "More", "Notes*"])
    }

    @Test func `A script names a tab by its title, and a recording of it does too`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        let view = widget.view()
        let key = try #require(ElementSearch(view).key("Tiles", for: .tap))
        #expect(ViewKey.tabPlace(key.node) == 1)
        var recorder = ScriptRecorder()
        recorder.take(.tap(key), in: view, of: widget.instance, isRefused: false)
        #expect(recorder.steps == [.tap("Tiles")])
    }

    @Test func `A widget can begin with a screen that only a tab leads to`() throws {
        let program = try ScreensAsText.program(Self.screens)
        let entries = program.entries.filter { $0.key == "Home" }
        let hidden = Program(
            identifier: "test.Tabs", scenes: Array(program.scenes.values), entries: entries, initial: "Home")
        let begun = try #require(hidden.beginning(with: "Tiles"))
        let widget = try DrivenWidget(WidgetInstance(begun, environment: Environment(now: 0))).started()
        #expect(widget.shows("The tile") && Self.state(widget) == ["Notes", "Tiles*", "More"])
        #expect(hidden.beginning(with: "Detail") == nil)
    }

    @Test func `A tab that is not there is refused`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        let screen = try #require(widget.store.visible?.number)
        #expect(widget.send(.tap(ViewKey(screen: screen, node: ViewKey.tab(3)))) == "the element is not on the screen")
        #expect(widget.send(.tap(ViewKey(screen: screen + 1, node: ViewKey.tab(1)))) != nil)
    }
}
