import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetMarkup
import WidgetPredicates
import WidgetRender

/// Goal: each kind of element is an element of HTML with the role, name and value that other printers say. Method: one
/// of each kind, read by a strict reader.
@Suite struct `An element of a page` {
    static func page(_ view: View, _ change: (inout PageOptions) -> Void = { _ in }) throws -> PageNode {
        var options = PageOptions()
        change(&options)
        let page = try PageReader.page(PagePrinter(nil, options).page(view, NoAssets()).html)
        #expect(PageRules.faults(page) == [])
        return page
    }

    static func said(_ view: View) -> [String] { AccessibleNode(view.root).sequence.map { FitText.plain($0) } }

    private static let titles: (PropertyName, Value) = (.titles, .array([.string("Red"), .string("<Blue>")]))

    private static let kinds: [(NodeKind, [(PropertyName, Value)], String)] = [
        (.label, [(.text, .string("Planets"))], "p"),
        (.label, [(.text, .string("P")), (.accessibleName, .string("Planets"))], "p"),
        (.button, [(.text, .string("Go"))], "button"),
        (.button, [(.accessibleName, .string("Add"))], "button"),
        (.button, [(.image, .string("plus"))], "button"),
        (.button, [], "button"),
        (.image, [(.image, .string("moon"))], "span"),
        (.image, [(.imageURL, .string("https://example.com/a/b.png"))], "span"),
        (.textField, [(.text, .string("Ada")), (.placeholder, .string("Name"))], "input"),
        (.textField, [(.text, .string("")), (.isSecure, .boolean(true))], "input"),
        (.textArea, [(.text, .string("\nlines\n"))], "textarea"),
        (.textArea, [(.text, .string("read")), (.readOnly, .boolean(true))], "div"),
        (.searchField, [(.text, .string("")), (.placeholder, .string("Find"))], "input"),
        (.toggle, [(.value, .boolean(true)), (.accessibleName, .string("Sound"))], "input"),
        (.toggle, [(.value, .boolean(false))], "input"),
        (.slider, [(.value, .double(0.25))], "input"),
        (.stepper, [(.value, .integer(3)), (.step, .integer(2)), (.maximum, .integer(9))], "div"),
        (.segments, [titles, (.value, .integer(1))], "fieldset"),
        (.picker, [titles, (.value, .integer(0))], "select"),
        (.picker, [titles, (.value, .integer(7))], "select"),
        (.datePicker, [(.value, .date(0))], "input"), (.datePicker, [], "input"),
        (.pageControl, [(.value, .integer(1)), (.pageCount, .integer(3))], "div"),
        (.activity, [(.active, .boolean(true))], "div"),
        (.progress, [(.value, .double(0.5))], "progress"),
        (.web, [(.value, .string("https://example.com/?a=1&b=2"))], "a"),
        (.web, [(.value, .string("javascript:alert(1)"))], "p"),
        (.list, [], "div"), (.grid, [(.accessibleName, .string("Moons"))], "div"), (.row, [], "div"),
        (.form, [(.accessibleName, .string("Sign in"))], "fieldset"), (.box, [], "div"),
        (.box, [(.accessibleName, .string("Group"))], "div"), (.sectionHeader, [], "div"),
        (.unknown("MKMapView"), [], "div"),
    ]

    @Test(arguments: kinds.indices)
    func `An element has the role, name and value that text and JSON have`(place: Int) throws {
        let (kind, properties, element) = Self.kinds[place]
        let view = Text.view([Text.node(kind, properties, id: 7)])
        let page = try Self.page(view)
        #expect(PageSequence.lines(page) == Self.said(view))
        #expect(page.all.contains { $0["id"] == "a1.7" } && page.first(element) != nil)
    }

    @Test(arguments: [("▾", true), ("▸ More", false), ("♥", false)])
    func `A small triangle without other signs has the width that frames give it`(text: String, isMark: Bool) throws {
        let page = try Self.page(Text.view([Text.node(.label, [(.text, .string(text))], id: 7)]))
        #expect(page.all.contains { $0.name == "span" && $0.classes.contains("mk") } == isMark)
        #expect(BaseParts.text.contains(".mk{width:round(up,.8em,.5px)") && TextMetrics.markAdvance == 0.8)
    }

    @Test(arguments: kinds.indices)
    func `What lies over or in an element of any kind is on the page`(place: Int) throws {
        let (kind, properties, _) = Self.kinds[place]
        let inside = Text.node(.label, [(.text, .string("Inside"))], id: 8)
        let view = Text.view([Text.node(kind, properties, id: 7, children: [inside])])
        let page = try Self.page(view)
        #expect(page.all.contains { $0["id"] == "a1.8" } && page.all.contains { $0["id"] == "a1.7" })
        let said = Self.said(view)
        if said.contains(where: { $0.contains("Inside") }) { #expect(PageSequence.lines(page) == said) }
    }

    @Test func `A browser keeps no button from being sent, and fills in nothing where a stranger asks for it`() throws {
        let fields = [false, true].map { isSecure in
            Text.node(.textField, [(.text, .string("")), (.isSecure, .boolean(isSecure))], id: isSecure ? 8 : 7)
        }
        let page = try Self.page(Text.view(fields))
        #expect(page.first("form")?["novalidate"] == "")
        let inputs = page.all.filter { $0.name == "input" }
        #expect(inputs.map { $0["autocomplete"] } == ["off", "new-password"])
        #expect(inputs.map { $0["type"] } == ["text", "password"])
        let own = try Self.page(Text.view(fields)) { $0.completesFields = true }
        #expect(own.all.filter { $0.name == "input" }.allSatisfy { $0["autocomplete"] == nil })
    }

    @Test func `A secret that is typed is in no form of a view, only its length`() throws {
        let view = Text.view([Text.node(.textField, [(.text, .string("allegro")), (.isSecure, .boolean(true))], id: 8)])
        #expect(AccessibleNode(view.root).sequence.contains { $0.hasSuffix("\t•••••••") })
        #expect(try Self.page(view).first("input")?["value"] == nil)
        #expect(!ViewText(width: 80).text(view).contains("allegro"))
        #expect(!String(decoding: ViewJSON.document(view, size: (1, 2)), as: UTF8.self).contains("allegro"))
    }

    @Test func `All kinds on one page have the same sequence as text and JSON`() throws {
        let nodes = Self.kinds.enumerated().map { place, kind in
            ViewNode(
                ViewKey(screen: 1, node: place + 10), kind.0, identifier: place % 2 == 0 ? "e\(place)" : nil,
                properties: kind.1.map { ViewProperty($0.0, $0.1) }, events: place % 3 == 0 ? [.tap] : [])
        }
        let view = Text.view([Text.node(.box, [], id: 3, children: nodes)])
        #expect(PageSequence.lines(try Self.page(view)) == Self.said(view))
    }

    @Test func `A button sends its event, and a disabled one cannot be pressed`() throws {
        let item = ItemKey(list: 4, number: 12, isRecord: true, turn: -1)
        let node = ViewNode(
            ViewKey(screen: 2, node: 9, item: item), .button,
            properties: [ViewProperty(.text, .string("Go")), ViewProperty(.disabled, .boolean(true))], events: [.tap])
        let button = try #require(try Self.page(Text.view([node])).has("b"))
        #expect(button["name"] == "do" && button["value"] == #"["tap","2.9@4r12.-1"]"# && button["disabled"] != nil)
        #expect(button["id"] == "a2.9@4r12.-1" && button["type"] == nil)
        let idle = try #require(try Self.page(Text.view([ViewNode(ViewKey(screen: 1, node: 1), .button)])).has("b"))
        #expect(idle["type"] == "button" && idle["data-unnamed"] != nil && idle["aria-label"] == "Button")
    }

    @Test func `A tapped picture is a button with the picture's name`() throws {
        let node = ViewNode(
            ViewKey(screen: 1, node: 9), .image, properties: [ViewProperty(.image, .string("moon"))], events: [.tap])
        let button = try #require(try Self.page(Text.view([node])).has("act"))
        #expect(button.name == "button" && button.children.first?["aria-label"] == "moon")
    }

    @Test func `A tapped box holds a button for itself beside its own buttons, not around them`() throws {
        let inner = Text.node(.button, [(.text, .string("In"))], id: 8)
        let box = ViewNode(
            ViewKey(screen: 1, node: 9), .box, properties: [ViewProperty(.accessibleName, .string("Card"))],
            children: [inner], events: [.tap])
        let page = try Self.page(Text.view([box]))
        let hit = try #require(page.has("hit"))
        #expect(hit["aria-label"] == "Card" && hit["value"] == #"["tap","1.9"]"#)
        #expect(hit.ancestors.first?["id"] == "a1.9" && page.has("b")?.ancestors.first?["id"] == "a1.9")
    }

    @Test func `An invalid field says why, and the focused one has the focus`() throws {
        let field: [(PropertyName, Value)] = [
            (.text, .string("")), (.invalid, .boolean(true)), (.fault, .string("Name is <required>")),
            (.focused, .boolean(true)),
        ]
        let page = try Self.page(Text.view([Text.node(.textField, field, id: 5), Text.node(.textField, field, id: 6)]))
        let input = try #require(page.all.first { $0["id"] == "a1.5" })
        #expect(input["aria-invalid"] == "true" && input["aria-describedby"] == "a1.5e" && input["autofocus"] != nil)
        #expect(page.all.first { $0["id"] == "a1.5e" }?.allText == "Name is <required>")
    }

    @Test func `The value of a step is the one that an arrow key makes`() throws {
        let stepper = Text.node(.stepper, [(.value, .integer(3)), (.step, .integer(2))], id: 5)
        let page = try Self.page(Text.view([stepper]))
        let values = page.all.filter { $0.name == "button" && $0["name"] == "do" && $0.classes.isEmpty }.map {
            $0["value"]
        }
        #expect(values == [#"["input","1.5",1]"#, #"["input","1.5",5]"#])
    }

    @Test func `Alpha that changes is a class, and never a style`() throws {
        func classes(_ alpha: Double) throws -> Set<String> {
            let page = try Self.page(
                Text.view([Text.node(.label, [(.text, .string("a")), (.alpha, .double(alpha))], id: 5)]))
            return page.all.first { $0["id"] == "a1.5" }?.classes ?? []
        }
        #expect(try classes(0.5).contains("o50") && classes(0.04).contains("o5") && classes(1) == ["t"])
        #expect(try classes(.nan) == ["t"] && classes(-3).contains("o0"))
        for step in stride(from: 0, to: 100, by: 5) { #expect(BaseParts.text.contains(".o\(step){opacity:")) }
    }

    @Test func `Pickers show a thousand choices and say how many more there are`() throws {
        let titles = Value.array((0..<1_500).map { .string("t\($0)") })
        for kind in [NodeKind.picker, .segments] {
            let page = try Self.page(Text.view([Text.node(kind, [(.titles, titles), (.value, .integer(2))], id: 5)]))
            #expect(page.first("main")?.allText.contains("and 500 more") == true)
            #expect(page.first("main")?.allText.contains("t1000") == false)
        }
    }
}
