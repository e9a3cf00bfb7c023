import Testing
import WidgetBuild
import WidgetCore
import WidgetFormats
import WidgetPredicates
import WidgetRender

@testable import WidgetHosting
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

    /// A widget whose second tab is chosen.
    static func widget(nested screens: String) throws -> DrivenWidget {
        let widget = try widget(screens)
        try widget.tap("Tiles")
        return widget
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

    // MARK: - Hidden tabs

    private static func send(_ steps: [Step], on scene: String, of widget: DrivenWidget) throws -> String? {
        let screen = try #require(widget.store.screens.last { $0.scene == scene })
        return widget.send(.perform(steps, screen: screen.number, isOpening: false))
    }

    private static func scenes(_ widget: DrivenWidget) -> [String] { widget.store.screens.map(\.scene) }

    @Test func `Back of a hidden tab leaves the tab in front as it is`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.tap("detail")
        try widget.tap("More")
        #expect(Self.scenes(widget) == ["Notes", "Detail", "More"])
        #expect(try Self.send([.back], on: "Detail", of: widget) == nil)
        #expect(Self.scenes(widget) == ["Notes", "More"] && Self.state(widget) == ["Notes", "Tiles", "More*"])
        #expect(try Self.send([.back], on: "Notes", of: widget) == "no screen to go back to")
        #expect(Self.scenes(widget) == ["Notes", "More"])
    }

    @Test func `Leaving a screen of a hidden tab with a result does so too`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        let title = Step.assign(.title, .literal(.string("Chosen")))
        _ = try Self.send([.showForResult("Detail", content: nil, result: [title])], on: "Notes", of: widget)
        try widget.tap("More")
        let result = Expression.literal(.string("Chosen"))
        #expect(try Self.send([.leave(result, isDismissal: false)], on: "Detail", of: widget) == nil)
        #expect(Self.scenes(widget) == ["Notes", "More"])
        #expect(widget.store.screens.first?.title.shown == "Chosen")
    }

    @Test func `A touch of Back on a screen that is not in front any longer is refused`() throws {
        let widget = try ScreensAsText.widget(Self.screens)
        try widget.tap("detail")
        let detail = try #require(widget.store.visible?.number)
        try widget.tap("over")
        let key = ViewKey(screen: detail, node: ViewKey.back)
        #expect(widget.send(.tap(key)) == "the element is not on the screen")
        #expect(Self.scenes(widget) == ["Notes", "Detail", "Sheet"])
    }

    @Test func `A screen that is pushed elsewhere too shows the bar of the tab that it is pushed on`() throws {
        // The screens of a stack without tabs are read first, and give what they lead to their bars.
        let start = """
            screen Able "Able" in stack initial
                column able
                    button whole "Whole" -> Detail
                    button begin "Begin" -> Home present

            """
        let widget = try ScreensAsText.widget(
            start + Self.screens.replacing("tabs Home initial", with: "tabs Home"))
        try widget.tap("whole")
        #expect(widget.shows("The whole note") && Self.state(widget).isEmpty)
        try widget.tap("Back")
        try widget.tap("begin")
        try widget.tap("detail")
        #expect(widget.shows("The whole note") && Self.state(widget) == ["Notes*", "Tiles", "More"])
        #expect(widget.view().tabScene == "Notes")
    }

    @Test func `Only screens of stacks hide the tabs, and those above them do too`() throws {
        func state(hiding scene: String, after taps: [String]) throws -> [String] {
            let program = try ScreensAsText.program(
                Self.screens.replacing(
                    "label text \"The whole note\"", with: "button further \"Further\" -> Last")
                    + "screen Last \"Last\"\n    label last \"The last\"\n")
            let scenes = program.scenes.values.map { shown in
                var shown = shown
                shown.edges.hidesBottomBar = shown.name == scene
                return shown
            }
            let hiding = Program(
                identifier: "test.Tabs", scenes: scenes, entries: program.entries, initial: program.initial)
            let widget = try DrivenWidget(WidgetInstance(hiding, environment: Environment(now: 0))).started()
            for name in taps { try widget.tap(name) }
            return Self.state(widget)
        }
        #expect(try state(hiding: "Tiles", after: ["Tiles"]) == ["Notes", "Tiles*", "More"])
        #expect(try state(hiding: "Detail", after: ["detail"]).isEmpty)
        #expect(try state(hiding: "Detail", after: ["detail", "further"]).isEmpty)
        #expect(try state(hiding: "Detail", after: ["detail", "Back"]) == ["Notes*", "Tiles", "More"])
    }

    // MARK: - Tabs over tabs

    private static let nested =
        screens.replacing(
            "        label tile \"The tile\"",
            with: "        label tile \"The tile\"\n        button inner \"Inner\" -> Inner present\n"
                + "        button sheet \"Sheet\" -> Sheet present")
            + """
            tabs Inner
                tab "First" -> First
                tab "Second" -> Second
            screen First "First"
                column firsts
                    label one "The first place"
                    button sheet "Sheet" -> Sheet present
            screen Second "Second"
                column seconds
                    label two "The second place"

            """

    @Test func `Closing tabs over tabs leaves what the other tabs below have presented`() throws {
        let widget = try ScreensAsText.widget(nested: Self.nested)
        _ = try Self.send([.show("Sheet", content: nil)], on: "Notes", of: widget)
        #expect(Self.scenes(widget) == ["Notes", "Sheet", "Tiles"])
        try widget.tap("inner")
        try widget.tap("Second")
        #expect(Self.state(widget) == ["First", "Second*"])
        #expect(widget.send(.back) == nil)
        #expect(Self.scenes(widget) == ["Notes", "Sheet", "Tiles"], "\(Self.scenes(widget))")
        try widget.tap("Notes")
        #expect(widget.shows("Over all") && Self.scenes(widget) == ["Tiles", "Notes", "Sheet"])
        #expect(widget.send(.back) == nil)
        #expect(Self.scenes(widget) == ["Tiles", "Notes"])
    }

    @Test func `Tabs that a hidden tab presents stay behind it, and come to the front with it`() throws {
        let widget = try ScreensAsText.widget(nested: Self.nested)
        try widget.tap("Notes")
        _ = try Self.send([.show("Inner", content: nil)], on: "Tiles", of: widget)
        #expect(Self.scenes(widget) == ["Tiles", "First", "Notes"] && widget.shows("The first note"))
        try widget.tap("detail")
        try widget.tap("Tiles")
        #expect(Self.state(widget) == ["First*", "Second"] && widget.shows("The first place"))
        try widget.tap("Second")
        #expect(widget.shows("The second place"))
        #expect(widget.send(.back) == nil)
        #expect(widget.shows("The tile") && Self.state(widget) == ["Notes", "Tiles*", "More"])
        try widget.tap("Notes")
        #expect(widget.shows("The whole note"))
    }

    @Test func `A link to a screen behind tabs over tabs chooses both, and closes what covers them`() throws {
        let widget = try ScreensAsText.widget(nested: Self.nested)
        try widget.tap("inner")
        try widget.tap("Second")
        widget.send(.arrive(entry: "First", content: .null))
        #expect(Self.state(widget) == ["First*", "Second"])
        widget.send(.arrive(entry: "Notes", content: .null))
        #expect(Self.state(widget) == ["Notes*", "Tiles", "More"] && Self.scenes(widget) == ["Tiles", "Notes"])
    }

    @Test func `Tabs over tabs outlive a change of the tabs below them`() throws {
        let widget = try ScreensAsText.widget(nested: Self.nested)
        try widget.tap("inner")
        try widget.tap("Second")
        let open = Self.scenes(widget)
        let changes: [(String, String)] = [
            ("    tab \"Notes\" -> Notes\n", ""),
            ("    tab \"Notes\" -> Notes\n", "    tab \"Whole\" -> Detail\n    tab \"Notes\" -> Notes\n"),
            ("    tab \"Notes\" -> Notes\n", "    tab \"News\" -> Detail\n"), ("tabs Home", "tabs House"),
        ]
        for (old, new) in changes {
            let program = try ScreensAsText.program(Self.nested.replacing(old, with: new))
            let other = try ScreensAsText.widget(nested: Self.nested)
            try other.tap("inner")
            try other.tap("Second")
            other.change { $0.replace(program) }
            let kept = program.entries.values.contains { $0.tabs.contains { $0.scene == "Notes" } } ? 0 : 1
            #expect(Self.scenes(other) == Array(open.dropFirst(kept)), "\(new)")
            #expect(other.shows("The second place") && Self.state(other) == ["First", "Second*"])
            #expect(other.send(.back) == nil)
            #expect(other.shows("The tile") && Self.state(other).contains("Tiles*"), "\(Self.state(other))")
        }
    }

    @Test func `Tabs with the same first screen stay apart when tabs are added`() throws {
        let program = try ScreensAsText.program(Self.screens)
        func tabbed(_ tabs: [(title: String, scene: String)]) -> Program {
            let shown = tabs.map { Program.Tab(title: $0.title, scene: $0.scene, isNavigation: true) }
            return Program(
                identifier: "test.Tabs", scenes: Array(program.scenes.values),
                entries: program.entries.merging(["Home": Program.Entry(tabs: shown)].compactMapValues(\.self)) { $1 },
                initial: "Home")
        }
        let twice = tabbed([("Notes", "Notes"), ("Tiles", "Tiles"), ("More", "Tiles")])
        let widget = try DrivenWidget(WidgetInstance(twice, environment: Environment(now: 0))).started()
        try widget.tap("Tiles")
        try widget.tap("More")
        let added = tabbed([("New", "More"), ("Notes", "Notes"), ("Tiles", "Tiles"), ("More", "Tiles")])
        widget.change { $0.replace(added) }
        #expect(Self.state(widget) == ["New", "Notes", "Tiles", "More*"])
        try widget.tap("Tiles")
        #expect(Self.state(widget) == ["New", "Notes", "Tiles*", "More"] && widget.store.screens.count == 3)
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
