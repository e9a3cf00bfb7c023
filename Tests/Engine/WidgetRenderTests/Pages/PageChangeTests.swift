import Foundation
import PageReading
import Testing
import WidgetCore
import WidgetHosting
import WidgetLayout
import WidgetMarkup
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: a page that operations have changed is the page that would be printed anew. Method: random changes of random
/// views, and samples, applied to a model of a browser's page.
@Suite struct `A page that changes` {
    private static var options: PageOptions {
        var options = PageOptions()
        options.viewNumber = 7
        return options
    }

    /// Applies the change from one view to the next, and compares the page with a fresh one.
    struct Shown {
        var printer: PagePrinter
        var moment: PageMoment
        var model: PageModel
        var letters: Set<String> = []
        var last: PageChange?
        let assets: any ViewAssets

        init(_ printer: PagePrinter, _ view: View, _ assets: any ViewAssets = NoAssets()) throws {
            self.printer = printer
            self.assets = assets
            let (moment, page) = printer.moment(view, assets)
            (self.moment, model) = (moment, try PageModel(page))
        }

        mutating func show(_ view: View, windows: [ViewKey: Int] = [:]) throws {
            let change = printer.change(from: moment, to: view, windows: windows, assets)
            letters.formUnion(change.operations.map(\.letter))
            try model.apply(change.operations)
            let page = printer.moment(view, windows: change.moment.windows, assets).page
            let fresh = try PageModel(page)
            let (shown, wanted) = (model.main?.lines ?? [], fresh.main?.lines ?? [])
            let fault = zip(shown, wanted).first { $0 != $1 }.map { "\($0) is not \($1)" }
            #expect(
                shown == wanted,
                "\(fault ?? "") \(String(decoding: PageOperation.json(change.operations), as: UTF8.self))")
            #expect(model.title == fresh.title)
            #expect(
                model.rules.filter { $0.key.hasPrefix(".") || $0.key.hasPrefix("[") }
                    == fresh.rules.filter { $0.key.hasPrefix(".") || $0.key.hasPrefix("[") })
            // The looks of elements come with them at the latest.
            #expect(fresh.rules.filter { $0.key.hasPrefix("!") }.allSatisfy { model.rules[$0.key] == $0.value })
            #expect(!String(decoding: PageOperation.json(change.operations), as: UTF8.self).contains("autofocus"))
            self.moment = change.moment
            last = change
        }
    }

    /// More of both find rarer faults: `WIDGET_LONG_RUNS=20` takes twenty times as many seeds.
    private static let seedFactor =
        max(1, ProcessInfo.processInfo.environment["WIDGET_LONG_RUNS"].flatMap { UInt64($0) } ?? 1)
    private static let stepCount = 30

    @Test(arguments: 1...(3 * seedFactor))
    func `Random changes lead to the page that is printed anew`(seed: UInt64) throws {
        var random = PageChangeRandom(seed: seed)
        var state = RandomScreen(&random, keepsEnd: seed % 2 == 0)
        var shown = try Shown(PagePrinter(nil, Self.options), state.view)
        var windows: [ViewKey: Int] = [:]
        for _ in 0..<Self.stepCount {
            for _ in 0...Int.random(in: 0...2, using: &random) { state.change(&random) }
            if Int.random(in: 0..<8, using: &random) == 0 {
                windows[state.longList] = Int.random(in: 0...3, using: &random) * 100
            }
            try shown.show(state.view, windows: windows)
        }
        #expect(shown.letters.isSuperset(of: ["s", "i", "x", "m"]), "\(shown.letters)")
    }

    @Test func `Random changes take every operation that pages are changed by`() throws {
        let wanted: Set = ["s", "r", "i", "m", "x", "c", "w", "t", "a", "f"]
        var letters: Set<String> = []
        for seed in UInt64(20)...26 where !letters.isSuperset(of: wanted) {
            var random = PageChangeRandom(seed: seed)
            var state = RandomScreen(&random)
            var shown = try Shown(PagePrinter(nil, Self.options), state.view)
            for _ in 0..<60 {
                state.change(&random)
                try shown.show(state.view)
            }
            letters.formUnion(shown.letters)
        }
        #expect(letters.isSuperset(of: wanted), "\(letters)")
    }

    private static func row(_ number: Int, _ text: String) -> ViewNode {
        let item = ItemKey(list: 4, number: number, isRecord: true)
        func key(_ node: NodeID) -> ViewKey { ViewKey(screen: 1, node: node, item: item) }
        return ViewNode(
            key(5), .row,
            children: [
                ViewNode(key(6), .label, properties: [ViewProperty(.text, .string(text))]),
                ViewNode(key(7), .label, properties: [ViewProperty(.text, .string("3h"))]),
            ], events: [.select])
    }

    private static func list(_ rows: [ViewNode]) -> View {
        Text.view([ViewNode(ViewKey(screen: 1, node: 4), .list, children: rows)])
    }

    @Test func `A field, a new row and a moved row of ten thousand are short`() throws {
        var rows = (0..<10_000).map { Self.row($0, "Row \($0)") }
        let windows = [ViewKey(screen: 1, node: 4): 20_000]
        let printer = PagePrinter(nil, Self.options)
        var moment = printer.moment(Self.list(rows), windows: windows, NoAssets()).moment
        func change() -> PageChange {
            let change = printer.change(from: moment, to: Self.list(rows), windows: windows, NoAssets())
            moment = change.moment
            return change
        }
        rows[5_000] = Self.row(5_000, "7h")
        let field = change()
        #expect(field.operations == [.set("a1.6@4r5000/0", [PageProperty("text", .text("7h"))])])
        #expect(Array("id: 42\ndata: \n\n".utf8).count + PageOperation.json(field.operations).count <= 80)
        rows.insert(Self.row(10_000, "New"), at: 0)
        let front = change()
        #expect(front.operations.map(\.letter) == ["i"] && PageOperation.json(front.operations).count <= 600)
        rows.insert(rows.remove(at: 9_000), at: 3)
        let moved = change()
        #expect(
            moved.operations == [
                .move("a1.5@4r8999", into: "a1.4/0", before: "a1.5@4r2")
            ])
        rows.remove(at: 17)
        #expect(change().operations == [.remove("a1.5@4r15")])
        #expect(change().operations.isEmpty)
    }

    @Test func `More rows of a list are inserted before its button`() throws {
        let view = Self.list((0..<350).map { Self.row($0, "Row \($0)") })
        var shown = try Shown(PagePrinter(nil, Self.options), view)
        try shown.show(view, windows: [ViewKey(screen: 1, node: 4): 200])
        #expect(shown.last?.operations.map(\.letter).sorted() == ["i", "s"])
        #expect(shown.model.main?.all.filter { $0.name == "li" }.count == 200)
        #expect(shown.model.main?.all.contains { $0.attributes["value"] == #"["more","1.4",300]"# } == true)
        try shown.show(view, windows: [ViewKey(screen: 1, node: 4): 400])
        #expect(shown.model.main?.all.contains { $0.attributes["class"] == "more" } == false)
    }

    @Test func `A list that becomes a long one keeps the rows that are shown`() throws {
        let key = ViewKey(screen: 1, node: 4)
        let rows = (0..<350).map { Self.row($0, "Row \($0)") }
        var shown = try Shown(PagePrinter(nil, Self.options), Self.list(Array(rows[..<200])))
        try shown.show(Self.list(Array(rows[..<201])))
        #expect(shown.model.main?.all.count { $0.name == "li" } == 200)
        #expect(shown.moment.windows == [key: 200])
        try shown.show(Self.list(rows), windows: [key: 300])
        #expect(shown.model.main?.all.count { $0.name == "li" } == 300)
        try shown.show(Self.list(Array(rows[..<20])))
        #expect(shown.moment.windows.isEmpty)
        try shown.show(Self.list(rows))
        #expect(shown.model.main?.all.count { $0.name == "li" } == 100)
    }

    @Test func `A picture that comes to a row of ten thousand is short`() throws {
        let address = "https://pictures.example/a.png"
        func row(_ number: Int) -> ViewNode {
            guard number == 5_000 else { return Self.row(number, "Row") }
            let item = ItemKey(list: 4, number: number, isRecord: true)
            let image = ViewNode(
                ViewKey(screen: 1, node: 6, item: item), .image,
                properties: [ViewProperty(.imageURL, .string(address)), ViewProperty(.accessibleName, .string("A"))])
            return ViewNode(ViewKey(screen: 1, node: 5, item: item), .row, children: [image], events: [.select])
        }
        let windows = [ViewKey(screen: 1, node: 4): 20_000]
        let printer = PagePrinter(nil, Self.options)
        var view = Self.list((0..<10_000).map(row))
        view.pictures = [address: .awaited]
        let moment = printer.moment(view, windows: windows, NoAssets()).moment
        #expect(printer.change(from: moment, to: view, windows: windows, NoAssets()).operations.isEmpty)
        view.pictures = [address: .file(name: "0a.png", width: 40, height: 30)]
        let change = printer.change(from: moment, to: view, windows: windows, NoAssets())
        let text = String(decoding: PageOperation.json(change.operations), as: UTF8.self)
        #expect(change.operations.map(\.letter) == ["r"] && text.utf8.count < 250, "\(text)")
        #expect(text.contains(#"src=\"0a.png\" alt=\"A\" width=\"40\" height=\"30\""#), "\(text)")
        #expect(change.pictures.isEmpty, "its host has the bytes")
    }

    @Test func `A key that an unchanged row has already makes a whole page`() throws {
        let inner = ViewNode(ViewKey(screen: 1, node: 9), .label, properties: [ViewProperty(.text, .string("twice"))])
        func row(_ number: Int, _ children: [ViewNode]) -> ViewNode {
            let item = ItemKey(list: 4, number: number, isRecord: true)
            return ViewNode(ViewKey(screen: 1, node: 5, item: item), .row, children: children)
        }
        let first = row(1, [inner])
        var shown = try Shown(PagePrinter(nil, Self.options), Self.list([first, row(2, [])]))
        try shown.show(Self.list([first, row(2, [inner])]))
        #expect(shown.last?.operations.map(\.letter) == ["w"])
        try shown.show(Self.list([first, row(2, [])]))
        #expect(shown.last?.operations.map(\.letter) == ["w"])
        try shown.show(Self.list([row(1, []), row(2, [inner])]))
        #expect(shown.last?.operations.contains { $0.letter == "w" } == false)
    }

    @Test func `A list that wants to know of its end has a button for it`() throws {
        let list = ViewNode(ViewKey(screen: 1, node: 4), .list, children: [Self.row(1, "a")], events: [.scrollEnd])
        let page = try `An element of a page`.page(Text.view([list])) { $0.viewNumber = 1 }
        #expect(page.has("more")?["value"] == #"["scroll","1.4"]"#)
        #expect(
            try `An element of a page`.page(Text.view([list])).has("more") == nil,
            "a page of a folder can ask for nothing")
    }

    @Test func `An element that is replaced by one of another depth keeps its place among new ones`() throws {
        func view(isReadOnly: Bool) -> View {
            func label(_ node: NodeID, _ text: String) -> ViewNode {
                ViewNode(ViewKey(screen: 1, node: node), .label, properties: [ViewProperty(.text, .string(text))])
            }
            let area = ViewNode(
                ViewKey(screen: 1, node: 3), .textArea,
                properties: [ViewProperty(.text, .string("a")), ViewProperty(.readOnly, .boolean(isReadOnly))])
            let new = isReadOnly ? [label(2, "before")] : []
            return Text.view([ViewNode(ViewKey(screen: 1, node: 1), .box, children: new + [area, label(4, "after")])])
        }
        for isReadOnly in [true, false] {
            var shown = try Shown(PagePrinter(nil, Self.options), view(isReadOnly: !isReadOnly))
            try shown.show(view(isReadOnly: isReadOnly))
            #expect(shown.letters.contains("r"), "\(shown.letters)")
        }
    }

    @Test func `The form has the number of its view, and takes files where a button picks them`() throws {
        let key = ViewKey(screen: 1, node: 3)
        let button = ViewNode(
            key, .button, properties: [ViewProperty(.text, .string("Photo"))], events: [.tap, .pick])
        let page = try `An element of a page`.page(Text.view([button])) { $0.viewNumber = 42 }
        let inputs = page.all.filter { $0.name == "input" }
        #expect(inputs.map { $0["name"] } == ["n", "1.3"] && inputs.first?["value"] == "42")
        #expect(inputs.last?["type"] == "file" && inputs.last?["aria-label"] == "Photo")
    }

    @Test func `Operations are one line of JSON`() {
        let operations: [PageOperation] = [
            .set(
                "a1",
                [
                    PageProperty("text", .text("a\n\"<")), PageProperty("checked", .truth(false)),
                    PageProperty("x", .none),
                ]),
            .move("b", into: "c", before: nil), .rules(["k": nil]), .alert(html: nil), .echo(3),
        ]
        #expect(
            String(decoding: PageOperation.json(operations), as: UTF8.self)
                == #"[["s","a1",{"text":"a\n\"<","checked":false,"x":null}],["m","c",null,"b"],["c",{"k":null}],["a",null],["e",3]]"#
        )
    }
}

/// Numbers that depend on a seed alone.
struct PageChangeRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
