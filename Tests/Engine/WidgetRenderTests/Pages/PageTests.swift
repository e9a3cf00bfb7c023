import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetMarkup
import WidgetPredicates
import WidgetRender

/// Goal: a page is whole, valid and harmless, for every view. Method: pages of views with lists, alerts and hostile texts,
/// read by a strict reader.
@Suite struct `A page` {
    private static func row(_ number: Int, selected: Bool = false, events: [NodeEvent] = [.select]) -> ViewNode {
        let item = ItemKey(list: 4, number: number, isRecord: true)
        func key(_ node: NodeID) -> ViewKey { ViewKey(screen: 1, node: node, item: item) }
        return ViewNode(
            key(5), .row, properties: selected ? [ViewProperty(.selected, .boolean(true))] : [],
            children: [
                ViewNode(key(6), .label, properties: [ViewProperty(.text, .string("Row \(number)"))]),
                ViewNode(key(7), .label, properties: [ViewProperty(.text, .string("more"))]),
            ], events: events)
    }

    private static func list(_ rows: [ViewNode], keeping end: String? = nil, events: [NodeEvent] = []) -> View {
        let keeps = end.map { [ViewProperty(.keeps, .string($0))] } ?? []
        return Text.view([
            ViewNode(ViewKey(screen: 1, node: 4), .list, properties: keeps, children: rows, events: events)
        ])
    }

    private static func header(_ turn: Int) -> ViewNode {
        let item = ItemKey(list: 4, number: 1, isRecord: true, turn: turn)
        let label = ViewNode(
            ViewKey(screen: 1, node: 9, item: item), .label, properties: [ViewProperty(.text, .string("S\(turn)"))])
        return ViewNode(ViewKey(screen: 1, node: 8, item: item), .sectionHeader, children: [label])
    }

    @Test func `A page has a policy, a language, a direction and its sheets, and one form`() throws {
        let page = try `An element of a page`.page(Text.view([])) { options in
            options.locale = "ar_EG"
            options.viewport.direction = .rightToLeft
            options.scheme = .dark
            options.sheets = ["base.css", "x.css"]
        }
        let html = try #require(page.first("html"))
        #expect(html["lang"] == "ar-EG" && html["dir"] == "rtl" && html.first("title")?.allText == "t")
        let policy = html.all.first { $0["http-equiv"] != nil }?["content"] ?? ""
        #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("script"))
        #expect(html.all.compactMap { $0["href"] } == ["base.css", "x.css"])
        #expect(html.all.first { $0["name"] == "color-scheme" }?["content"] == "dark")
        #expect(html.all.filter { $0.name == "form" }.map { $0["method"] } == ["post"])
    }

    @Test(arguments: ["", "x", "en\"onload=", "de_\u{202E}AT", "abcdefghij"])
    func `An unknown form of a language becomes English`(locale: String) throws {
        let page = try `An element of a page`.page(Text.view([])) { $0.locale = locale }
        #expect(page.first("html")?["lang"] == "en")
    }

    @Test func `The words of a page that no author has written are in the language of its view`() throws {
        var view = Text.view([
            Text.node(.slider, [(.value, .double(0.5))], id: 3), Text.node(.image, [], id: 4),
            Text.node(.pageControl, [(.value, .integer(1)), (.pageCount, .integer(3))], id: 5),
        ])
        view.locale = "es_MX"
        let page = try `An element of a page`.page(view) { options in
            options.locale = "es_MX"
            options.live = LiveFrame(.viewing("/live/a", begin: "/live"), script: nil)
        }
        let labels = page.all.compactMap { $0["aria-label"] }
        for label in ["Regulador", "Página siguiente, Páginas"] {
            #expect(labels.contains(label), "\(labels)")
        }
        #expect(page.first("html")?["data-words"] == "Esta página ha terminado.|Eso no se aceptó.|Sin respuesta")
        view.isVisible = false
        let hidden = try `An element of a page`.page(view) { $0.locale = "es_MX" }
        #expect(hidden.allText.contains("El widget no tiene nada que mostrar."))
        #expect(hidden.first("html")?["data-words"] == nil)
        #expect(ViewText().text(view).contains("[ El widget no tiene nada que mostrar. ]"))
    }

    @Test func `A page without a title is called a widget in its language`() throws {
        var view = View(screen: "", title: "", root: ViewNode(ViewKey(screen: 1, node: 0), .screen))
        for (locale, title) in [("", "Widget"), ("ja", "ウィジェット")] {
            view.locale = locale
            let page = try `An element of a page`.page(view) { $0.locale = locale }
            #expect(page.first("title")?.allText == title)
        }
    }

    @Test func `Enter in a field presses the first button of the form`() throws {
        let page = try `An element of a page`.page(Text.view([Text.node(.textField, [(.text, .string(""))], id: 3)]))
        let first = try #require(page.first("form")?.first("button"))
        #expect(first.classes == ["enter"] && first["tabindex"] == "-1" && first["aria-hidden"] == "true")
    }

    @Test func `An alert is a dialog before the screen, which is inert behind it`() throws {
        var view = Text.view([Text.node(.button, [(.text, .string("Go"))], id: 3)])
        view.alerts = [
            View.Notice(key: ViewKey(screen: 5, node: -3), title: "First", message: "a", button: "OK"),
            View.Notice(key: ViewKey(screen: 6, node: -3), title: "Last <b>", message: "b", button: ""),
        ]
        let page = try `An element of a page`.page(view)
        let dialog = try #require(page.first("dialog"))
        #expect(dialog["open"] != nil && dialog["role"] == "alertdialog" && dialog.first("h2")?.allText == "Last <b>")
        let button = try #require(dialog.first("button"))
        #expect(button["value"] == #"["tap","6.-3"]"# && button["autofocus"] != nil && button.allText == "OK")
        #expect(page.has("scr")?["inert"] != nil && page.all.filter { $0.name == "dialog" }.count == 1)
    }

    @Test func `A list that is a whole screen fills it, and one in a box does not`() throws {
        let whole = try `An element of a page`.page(Self.list([Self.row(1)]))
        #expect(whole.has("ls")?.classes.contains("root") == true)
        let list = ViewNode(ViewKey(screen: 1, node: 4), .list, children: [Self.row(1)])
        let inner = try `An element of a page`.page(Text.view([Text.node(.box, [], id: 3, children: [list])]))
        #expect(inner.has("ls")?.classes.contains("root") == false)
    }

    @Test func `A row has a button under its own, named after its first text`() throws {
        let page = try `An element of a page`.page(Self.list([Self.row(1), Self.row(2, selected: true)]))
        let rows = page.all.filter { $0.name == "li" }
        #expect(rows.map { $0["aria-current"] } == [nil, "true"])
        let hit = try #require(rows[0].children.first)
        #expect(hit.classes == ["hit"] && hit["value"] == #"["tap","1.5@4r1"]"#)
        #expect(hit["aria-labelledby"] == "a1.6@4r1" && hit["aria-describedby"] == "a1.7@4r1")
        let still = try `An element of a page`.page(Self.list([Self.row(1, events: [])]))
        #expect(still.has("hit") == nil && still.has("del") == nil)
        let deletable = try `An element of a page`.page(Self.list([Self.row(1, events: [.delete])]))
        #expect(deletable.has("del")?["value"] == #"["delete","1.5@4r1"]"#)
    }

    @Test func `A list of 200 rows is whole, and a longer one shows 100 and a way to more`() throws {
        func count(_ rows: Int) throws -> (Int, PageNode?) {
            let page = try `An element of a page`.page(Self.list((0..<rows).map { Self.row($0) }))
            return (page.all.filter { $0.name == "li" }.count, page.has("more"))
        }
        #expect(try count(200).0 == 200 && count(200).1 == nil)
        let (shown, more) = try count(10_000)
        #expect(shown == 100 && more?["value"] == #"["more","1.4",200]"#)
        #expect(more?.allText == "More rows (100 of 10000 shown)")
    }

    @Test func `A list that keeps its end shows its last rows, in one box whose end comes first for browsers`() throws {
        let few = try `An element of a page`.page(Self.list([Self.row(1), Self.row(2)], keeping: "end"))
        #expect(few.has("ks")?.children.map(\.name) == ["div"] && few.has("ke")?.children.map(\.name) == ["ul"])
        #expect(PageSequence.lines(few) == `An element of a page`.said(Self.list([Self.row(1), Self.row(2)])))
        let usual = try `An element of a page`.page(Self.list([Self.row(1)], keeping: "start"))
        #expect(usual.has("ks") == nil && usual.has("ke") == nil)
        // Of the sections, that of the first row that is shown has its header.
        let rows = (0..<300).map { Self.row($0) }
        let sections = [Self.header(-1)] + rows[..<150] + [Self.header(-2)] + rows[150...]
        let long = try `An element of a page`.page(Self.list(sections, keeping: "end"))
        let items = long.all.filter { $0.name == "li" }
        #expect(items.count == 100 && items.first?["id"] == "a1.5@4r200" && items.last?["id"] == "a1.5@4r299")
        #expect(long.has("ke")?.children.map(\.name) == ["button", "div", "ul"])
        #expect(long.has("more")?["value"] == #"["more","1.4",200]"# && long.allText.contains("S-2"))
        #expect(!long.allText.contains("S-1"))
    }

    @Test func `Headers of sections lie between lists of rows`() throws {
        let view = Self.list([Self.header(-1), Self.row(1), Self.header(-2), Self.row(2)], events: [.refresh])
        let page = try `An element of a page`.page(view)
        #expect(page.has("ls")?.children.map(\.name) == ["button", "div", "ul", "div", "ul"])
        #expect(page.has("rf")?["value"] == #"["refresh","1.4"]"#)
        #expect(PageSequence.lines(page) == `An element of a page`.said(view))
    }

    @Test func `The bar has the title between the buttons before and behind it`() throws {
        let back = ViewNode(
            ViewKey(screen: 1, node: ViewKey.back), .button, properties: [ViewProperty(.text, .string("Back"))],
            events: [.tap])
        let title = ViewNode(
            ViewKey(screen: 1, node: ViewKey.barTitle), .barTitle, properties: [ViewProperty(.text, .string("News"))])
        let post = Text.node(.button, [(.text, .string("Post")), (.isProminent, .boolean(true))], id: 3)
        let bar = ViewNode(ViewKey(screen: 1, node: ViewKey.bar), .bar, children: [back, title, post])
        let view = Text.view([bar, Text.node(.box, [], id: 4)])
        let page = try `An element of a page`.page(view)
        #expect(page.has("lead")?.first("button")?["value"] == #"["tap","1.-1"]"#)
        #expect(page.has("trail")?.first("button")?.classes.contains("done") == true)
        #expect(page.first("h1")?.allText == "News" && page.has("scr")?.classes.contains("below") == true)
        #expect(PageSequence.lines(page) == `An element of a page`.said(view))
    }

    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='x", "]]>-->", "&lt;&#x3c;",
        "a\u{0}b\u{8}c\u{1B}[2J\(Unicode.Scalar(0xFFFE).map(String.init) ?? "")", "\u{202E}evil\u{2066}x",
        "\u{2028}\u{2029}\u{85}",
        "a" + String(repeating: "\u{301}", count: 4_000), "</textarea><p>", "\r\n\r\n", "javascript:alert(1)",
        "http://x/\"onload=\"y",
    ]

    @Test(arguments: hostile.indices)
    func `A hostile text is a text wherever a bundle can have one`(place: Int) throws {
        let text = Value.string(Self.hostile[place])
        let properties: [PropertyName] = [.text, .placeholder, .image, .imageURL, .accessibleName, .value, .fault]
        let kinds: [NodeKind] = [
            .box, .label, .button, .image, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments,
            .picker, .datePicker, .pageControl, .activity, .progress, .web, .list, .grid, .row, .sectionHeader, .form,
            .unknown(Self.hostile[place]),
        ]
        let nodes = kinds.enumerated().map { number, kind in
            ViewNode(
                ViewKey(screen: 1, node: number + 10), kind, identifier: Self.hostile[place],
                properties: properties.map { ViewProperty($0, text) } + [
                    ViewProperty(.titles, .array([text, text])), ViewProperty(.invalid, .boolean(true)),
                ], events: number % 2 == 0 ? [.tap] : [])
        }
        var view = Text.view(nodes)
        view.title = Self.hostile[place]
        view.alerts = [
            View.Notice(
                key: ViewKey(screen: 5, node: -3), title: Self.hostile[place], message: Self.hostile[place],
                button: Self.hostile[place])
        ]
        let html = PagePrinter(nil).page(view, NoAssets()).html
        let page = try PageReader.page(html)
        #expect(
            !PageRules.faults(page).contains { $0.contains("style") || $0.contains("script") || $0.contains(" in ") })
        #expect(html.count < 200_000)
        let links = page.all.filter { $0.name == "a" }.compactMap { $0["href"] }
        #expect(links.allSatisfy { $0.hasPrefix("http") })
    }

    @Test func `A fragment is the part of the page that shows the node`() throws {
        let view = Self.list([Self.row(1), Self.row(2)])
        let printer = PagePrinter(nil)
        let whole = String(decoding: printer.page(view, NoAssets()).html, as: UTF8.self)
        let list = try #require(view.node(ViewKey(screen: 1, node: 4)))
        let part = String(decoding: printer.fragment(list, of: view, NoAssets()).html, as: UTF8.self)
        #expect(part.hasPrefix("<div id=\"a1.4\"") && whole.contains(part))
        let row = String(decoding: printer.fragment(list.children[1], of: view, NoAssets()).html, as: UTF8.self)
        #expect(row.hasPrefix("<li id=\"a1.5@4r2\"") && whole.contains(row))
        let root = String(decoding: printer.fragment(view.root, of: view, NoAssets()).html, as: UTF8.self)
        #expect(root.hasPrefix("<main") && whole.contains(root))
    }
}
