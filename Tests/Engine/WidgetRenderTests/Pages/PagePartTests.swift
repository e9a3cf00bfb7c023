import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetMarkup
import WidgetPredicates
import WidgetRender

/// Goal: parts of texts, states of buttons and pictures for dark schemes look as their author drew them. Method: a program
/// with one element of each kind, printed, and read with its sheet.
@Suite struct `The looks of parts and states` {
    /// Pictures whose bytes are their names, and one of them with another for dark schemes.
    private struct Pictures: ViewAssets {
        func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
            if name.hasPrefix("lost") { return .missing }
            let name = isDark && name == "moon" ? "moon at night" : name
            return .file(PictureFile(Array(name.utf8), .png, width: 20, height: 20, scale: 1))
        }
    }

    private static func program(_ node: Node) -> Program {
        var node = node
        node.parent = 0
        var screen = Node(.box)
        screen.children = [1]
        var moon = ImageInfo()
        moon.hasDarkVariant = true
        return Program(
            identifier: "com.example.Parts", scenes: [Scene("s", nodes: [screen, node])],
            entries: ["Main": .init(scene: "s", isNavigation: false)], initial: "Main",
            images: [
                "moon": moon, "sun": ImageInfo(), "lost": ImageInfo(missing: Size(width: 120, height: 80.4)),
            ])
    }

    /// The page of one element, read, and the sheet of its program.
    private static func printed(
        _ node: Node, _ properties: [(PropertyName, Value)], scheme: Viewport.Scheme? = nil
    ) throws -> (page: PrintedPage, read: PageNode, sheet: String) {
        let planned = PlannedProgram(program(node))
        var view = Text.view([
            ViewNode(
                ViewKey(screen: 1, node: 1), node.kind, properties: properties.map { ViewProperty($0.0, $0.1) },
                events: [.tap])
        ])
        view.screen = "s"
        var options = PageOptions()
        options.scheme = scheme
        let page = PagePrinter(planned, options).page(view, Pictures())
        let read = try PageReader.page(page.html)
        #expect(PageRules.faults(read) == [])
        return (page, read, String(decoding: planned.sheet.bytes, as: UTF8.self))
    }

    /// The button of the element, not the page's own.
    private static func button(_ page: PageNode) -> PageNode? {
        page.all.first { $0.name == "button" && !$0.classes.contains("enter") }
    }

    // MARK: - Texts

    private static func text(_ kind: NodeKind, _ runs: [TextRun]) -> Node {
        var node = Node(kind)
        var look = Appearance()
        look.runs = runs
        node.look = Look(geometry: Geometry(), appearance: look)
        return node
    }

    private static let runs = [
        TextRun("Now ", font: FontRequest(size: 20, weight: 700), foreground: .role(.red)),
        TextRun("cheaper", isUnderlined: true, isStruckThrough: true, background: .role(.yellow)),
        TextRun(" here", font: FontRequest(size: 16, isItalic: true), link: "https://example.com/a"),
    ]

    /// The declarations of the class of an element.
    private static func style(_ element: PageNode?, _ sheet: String) throws -> String {
        let name = try #require(element?["class"])
        let line = sheet.split(separator: "\n").first { line in
            (line.split(separator: "{").first ?? "").split(separator: ",").contains(".\(name)")
        }
        return line.map(String.init) ?? ""
    }

    @Test func `Parts of a text have fonts, colours and lines by rules of the program's sheet`() throws {
        let (_, read, sheet) = try Self.printed(
            Self.text(.button, Self.runs), [(.text, .string("Now cheaper here"))])
        let parts = try #require(Self.button(read)).children[0].children
        #expect(parts.map(\.allText) == ["Now ", "cheaper", " here"] && parts.allSatisfy { $0.name == "span" })
        let bold = try Self.style(parts[0], sheet)
        #expect(
            bold.contains("font-size:1.25rem;font-weight:700;font-style:normal") && bold.contains("color:var(--red)"))
        let struck = try Self.style(parts[1], sheet)
        #expect(struck.contains("background-color:var(--yellow);text-decoration:underline line-through"))
        let link = try Self.style(parts[2], sheet)
        #expect(link.contains("font-style:italic") && link.contains("color:var(--link);text-decoration:underline"))
    }

    @Test func `A text that has changed is whole again`() throws {
        let (_, read, _) = try Self.printed(Self.text(.label, Self.runs), [(.text, .string("Now cheaper"))])
        let label = try #require(read.has("t"))
        #expect(label.allText == "Now cheaper" && label.all.count { $0.name == "span" } == 1)
    }

    @Test(arguments: [
        ("https://example.com/a", true), ("HTTP://example.com", true), ("mailto:a@example.com", true),
        ("javascript:alert(1)", false), ("data:text/html,a", false), ("//example.com", false),
    ]) func `Links of a text that is only read lead to pages and letters alone`(address: String, isLink: Bool) throws {
        let runs = [TextRun("go", link: address)]
        let (_, read, _) = try Self.printed(
            Self.text(.textArea, runs), [(.text, .string("go")), (.readOnly, .boolean(true))])
        #expect(read.first("a")?["href"] == (isLink ? address : nil) && read.first("main")?.allText == "go")
    }

    // MARK: - States

    private static var posting: Node {
        func state(_ bits: Int, _ title: String, _ color: ColorRole) -> StateLook {
            var state = StateLook(bits: bits)
            (state.title, state.titleColor) = (title, .role(color))
            return state
        }
        var button = ButtonLook()
        button.states = [state(1, "Posting", .green), state(2, "Posted", .gray), state(4, "Chosen", .orange)]
        (button.states[0].image, button.states[0].backgroundImage) = ("pressed", "low")
        (button.states[1].image, button.states[1].backgroundImage) = ("grey", "flat")
        var node = Node(.button)
        node.look = Look(geometry: Geometry(), button: button)
        return node
    }

    @Test func `A disabled button has the title and the pictures of that state`() throws {
        let shown: [(PropertyName, Value)] = [(.text, .string("Post")), (.image, .string("sun"))]
        let (usual, read, sheet) = try Self.printed(Self.posting, shown)
        let button = try #require(Self.button(read))
        #expect(button.allText == "Post" && usual.pictures.count == 3)
        #expect(button.all.filter { $0.name == "img" }.map { $0["class"] } == [nil, "dn"])
        #expect(usual.rules.values.contains { $0.contains(":active{background:url(") })
        for (state, color) in [(":active", "green"), (":disabled", "gray"), (".on", "orange")] {
            #expect(sheet.contains("\(state){color:var(--\(color))}"))
        }
        let (off, disabled, _) = try Self.printed(Self.posting, shown + [(.disabled, .boolean(true))])
        let dead = try #require(Self.button(disabled))
        #expect(dead.allText == "Posted" && dead["disabled"] != nil && dead["aria-label"] == nil)
        #expect(dead.all.count { $0.name == "img" } == 1)
        #expect(off.pictures.values.contains(Array("grey".utf8)) && off.pictures.values.contains(Array("flat".utf8)))
        let chosen = try Self.printed(Self.posting, shown + [(.selected, .boolean(true))]).read
        let on = try #require(Self.button(chosen))
        #expect(on.allText == "Chosen" && on.classes.contains("on") && on["aria-pressed"] == "true")
    }

    @Test func `A field that is refused has the class of refused fields`() throws {
        let shown: [(PropertyName, Value)] = [(.text, .string("")), (.placeholder, .string("To"))]
        #expect(try Self.printed(Node(.textField), shown).read.has("iv") == nil)
        let refused = try Self.printed(Node(.textField), shown + [(.invalid, .boolean(true))]).read
        #expect(refused.has("tf")?.classes.contains("iv") == true && BaseParts.text.contains(".w .iv{"))
    }

    // MARK: - Missing pictures

    @Test func `A missing picture is a box of the size that is known, with its name for readers of screens`() throws {
        let (page, read, _) = try Self.printed(Node(.image), [(.image, .string("lost"))])
        let place = try #require(read.has("ni"))
        #expect(place.classes.contains("n120x80") && place["role"] == "img" && place["aria-label"] == "lost")
        #expect(page.rules["n120x80"] == ":where(.n120x80){width:120px;height:80px}")
        let unknown = try #require(try Self.printed(Node(.image), [(.image, .string("lost too"))]).read.has("ni"))
        #expect(!unknown.classes.contains { $0.hasPrefix("n1") })
    }

    @Test func `A button whose picture is missing has its box, or else its name on one line`() throws {
        let (_, read, _) = try Self.printed(Node(.button), [(.image, .string("lost"))])
        let button = try #require(Self.button(read))
        #expect(button.children.map(\.classes) == [["ni", "n120x80"]] && button.allText.isEmpty)
        #expect(button["aria-label"] == "lost")
        let unknown = try #require(Self.button(try Self.printed(Node(.button), [(.image, .string("lost too"))]).read))
        #expect(unknown.children.map(\.classes) == [["nt"]] && unknown.allText == "lost too")
    }

    // MARK: - Pictures for dark schemes

    @Test func `A picture with another for dark schemes follows the reader's system`() throws {
        let (page, read, _) = try Self.printed(Node(.image), [(.image, .string("moon"))])
        #expect(page.pictures.count == 2)
        let source = try #require(read.first("source"))
        #expect(source["media"] == "(prefers-color-scheme:dark)")
        let night = try #require(source["srcset"].flatMap { page.pictures[$0] })
        let day = try #require(read.first("img")?["src"].flatMap { page.pictures[$0] })
        #expect(night == Array("moon at night".utf8) && day == Array("moon".utf8))
    }

    @Test(arguments: [(Viewport.Scheme.light, "moon"), (.dark, "moon at night")])
    func `A page of one scheme has the picture of that scheme alone`(scheme: Viewport.Scheme, name: String) throws {
        let (page, read, _) = try Self.printed(Node(.image), [(.image, .string("moon"))], scheme: scheme)
        #expect(Array(page.pictures.values) == [Array(name.utf8)] && read.first("picture") == nil)
    }

    @Test func `A picture without another for dark schemes is asked for once`() throws {
        let (page, read, _) = try Self.printed(Node(.image), [(.image, .string("sun"))])
        #expect(page.pictures.count == 1 && read.first("picture") == nil)
    }

    // MARK: - Bars at the bottom

    private static func screen(_ change: (inout Scene) -> Void, _ bars: [ViewNode] = []) throws -> PageNode {
        var scene = Scene("s", nodes: [Node(.box), Node(.bar), Node(.button)])
        change(&scene)
        let program = Program(
            identifier: "com.example.Bars", scenes: [scene], entries: ["Main": .init(scene: "s", isNavigation: false)],
            initial: "Main")
        var view = Text.view(bars)
        view.screen = "s"
        let page = try PageReader.page(PagePrinter(PlannedProgram(program)).page(view, Pictures()).html)
        #expect(PageRules.faults(page) == [])
        return page
    }

    @Test func `A toolbar is below the screen, which lies under it or ends above it`() throws {
        let button = ViewNode(
            ViewKey(screen: 1, node: 2), .button, properties: [ViewProperty(.text, .string("Sort"))], events: [.tap])
        let bar = ViewNode(ViewKey(screen: 1, node: ViewKey.toolbar), .bar, children: [button])
        let page = try Self.screen({ $0.toolbar = BarGeometry() }, [bar])
        let tools = try #require(page.has("tools"))
        #expect(tools["role"] == "toolbar" && tools.first("button")?["value"] == #"["tap","1.2"]"#)
        #expect(page.first("header") == nil && page.has("scr")?.classes == ["scr", "btool", "under"])
        let opaque = try Self.screen { scene in
            scene.toolbar = BarGeometry()
            scene.toolbar?.isTranslucent = false
        }
        #expect(opaque.has("scr")?.classes == ["scr", "btool", "above"])
        #expect(try Self.screen { _ in }.has("tools") == nil)
    }

    @Test func `Tabs are buttons below the screen, and the chosen one says so`() throws {
        let tabs = ["Birds", "History"].enumerated().map { place, title in
            ViewNode(
                ViewKey(screen: 1, node: ViewKey.tab(place)), .tab,
                properties: [ViewProperty(.selected, .boolean(place == 1)), ViewProperty(.text, .string(title))],
                events: [.tap])
        }
        let bar = ViewNode(ViewKey(screen: 1, node: ViewKey.tabs), .tabs, children: tabs)
        let page = try Self.screen({ $0.tabBar = BarGeometry() }, [bar])
        let list = try #require(page.has("tabs"))
        #expect(list["role"] == "tablist" && list.children.map { $0["role"] } == ["tab", "tab"])
        #expect(list.children.map { $0["aria-selected"] } == ["false", "true"])
        #expect(list.children.map(\.allText) == ["Birds", "History"] && list.children[1].classes == ["tab", "on"])
        #expect(list.children.map { $0["value"] } == [#"["tap","1.-20"]"#, #"["tap","1.-21"]"#])
        #expect(page.has("scr")?.classes == ["scr", "btab", "under"])
        // Without tabs in the view, a bar has no place.
        #expect(try Self.screen { $0.tabBar = BarGeometry() }.has("scr")?.classes == ["scr"])
    }
}
