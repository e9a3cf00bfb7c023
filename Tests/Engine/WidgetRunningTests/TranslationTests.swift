import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetRender
import WidgetRunning

/// Goal: interfaces are in the reader's language where the bundle has a translation.
@Suite struct `Texts of interfaces` {
    private static let items = """
        <barButtonItem key="leftBarButtonItem" systemItem="done" id="end"/>\
        <barButtonItem key="rightBarButtonItem" systemItem="add" id="more"/>
        """

    private static func widget(_ locale: String) throws -> DrivenWidget {
        let views = [
            TestStoryboard.label("greeting", "Hello"), TestStoryboard.button("go", "Go on", y: 30),
            TestStoryboard.element("searchBar", "find", y: 60, attributes: #"placeholder="Find""#),
        ].joined()
        var screen = TestStoryboard.Screen(name: "Main", views: views, title: "Start")
        screen.bar = items
        let sources = try SampleBundle.files("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = nil
            sources["Base.lproj/Main.storyboard"] = Array(TestStoryboard.text([screen]).utf8)
        }
        var files = Dictionary(uniqueKeysWithValues: sources.paths.map { ($0, sources[$0] ?? []) })
        files["de.lproj/Main.strings"] = Array(
            "/* Title */\n\"Main-item.title\" = \"Anfang\";\n\"greeting.text\" = \"Grüß dich\";\n\"go.normalTitle\" = \"Weiter\";"
                .utf8)
        files["pt-BR.lproj/Main.strings"] = Array("\"greeting.text\" = \"Oi\";".utf8)
        files["fr.lproj/Main.strings"] = Array("\"greeting.text\" = ".utf8)
        let program = try WidgetKitReader.program(BundleFiles(files, locale: locale), identifier: "test")
        return try DrivenWidget(WidgetInstance(program)).started()
    }

    @Test(arguments: ["de", "de_AT", "de-DE"]) func `Texts of interfaces are in the reader's language`(locale: String)
        throws
    {
        let widget = try Self.widget(locale)
        #expect(widget.shows("Grüß dich") && widget.shows("(Weiter)"))
        #expect(widget.view().title == "Anfang")
        #expect(widget.shows("Find"), "an untranslated text stays")
    }

    @Test func `Buttons of the system are called and shown in the reader's language`() throws {
        for (locale, title, name) in [("de_AT", "Fertig", "Hinzufügen"), ("en", "Done", "Add"), ("ja", "完了", "追加")] {
            let widget = try Self.widget(locale)
            #expect(widget.shows("(\(title))") && widget.shows("(\(name))"), "\(widget.text())")
            let page = String(
                decoding: PagePrinter(widget.program, PrintOptions()).print(widget.view(), NoAssets()), as: UTF8.self)
            #expect(page.contains(">\(title)</span>") && page.contains("aria-label=\"\(name)\""), "\(page)")
            // The picture of a button does not depend on its name.
            #expect(page.contains("<svg") && !page.contains(">\(name)</span>"))
        }
    }

    @Test func `Texts in the region's language come first`() throws {
        #expect(try Self.widget("pt_BR").shows("Oi"))
        #expect(try Self.widget("pt_PT").shows("Hello"))
    }

    @Test(arguments: ["", "en", "xx", "../de"]) func `Texts are as they were written in any other language`(
        locale: String
    ) throws {
        let widget = try Self.widget(locale)
        #expect(widget.shows("Hello") && widget.view().title == "Start")
        // Of the files of other languages, two lack texts.
        #expect(widget.diagnostics.map(\.code) == [.translation, .translation], "\(widget.diagnostics)")
    }

    @Test func `Texts stay as they were written when the translations cannot be read, and the file is reported`() throws
    {
        let widget = try Self.widget("fr")
        #expect(widget.shows("Hello"))
        let unread = widget.diagnostics.filter { $0.code == .badFile }
        #expect(unread.map { $0.place?.file } == ["fr.lproj/Main.strings"], "\(widget.diagnostics)")
    }
}
