import Testing
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the same events on the same clock give the same bytes. Method: scripts that are played again: in a new
/// program, on a restored store, and with every moment printed or only the last.
@Suite struct `Replaying` {
    enum Move: Sendable {
        case tap(String), type(String, String), select(Int), wait(Double), refresh, back, submit
    }

    static let moves: [Move] = [
        .wait(1), .type("searchBar", "e"), .wait(0.1), .type("searchBar", "en"), .wait(2), .select(0), .wait(3_600),
        .back,
        .type("searchBar", ""), .submit, .refresh, .wait(0.1), .refresh, .wait(86_400), .select(1), .back,
    ]

    static func bytes(_ view: View) -> [UInt8] {
        ViewJSON.document(view, size: (375, 667)) + Array(ViewText(width: 61).text(view).utf8)
    }

    /// Plays the moves, and looks.
    static func play(_ widget: DrivenWidget, everyMoment: Bool = true) throws -> [[UInt8]] {
        widget.send(.start)
        var shown: [[UInt8]] = []
        for move in moves {
            switch move {
            case .tap(let name): try widget.tap(name)
            case .type(let name, let text): try widget.type(text, into: name)
            case .select(let row): try widget.select("tableView", row: row)
            case .wait(let seconds): widget.advance(by: seconds)
            case .refresh: try widget.refresh("tableView")
            case .submit: try widget.submit("searchBar")
            case .back: widget.send(.back)
            }
            if everyMoment { shown.append(bytes(widget.view())) }
        }
        return everyMoment ? shown : [bytes(widget.view())]
    }

    @Test func `The same events on the same clock give the same bytes`() throws {
        let first = try Self.play(SampleBundle.widget("HarbourLog"))
        for _ in 0..<5 {
            let again = try Self.play(SampleBundle.widget("HarbourLog"))
            #expect(again == first)
        }
        #expect(Set(first).count > 5, "the events do something")
    }

    @Test func `A widget looks the same whether or not it was printed before`() throws {
        let every = try Self.play(SampleBundle.widget("HarbourLog"))
        let last = try Self.play(SampleBundle.widget("HarbourLog"), everyMoment: false)
        #expect(last.first == every.last)
    }

    @Test func `A replay gives the same log, the same diagnostics and the same requests`() throws {
        let widgets = try (0..<2).map { _ in try SampleBundle.widget("HarbourLog") }
        for widget in widgets { _ = try Self.play(widget) }
        #expect(widgets[0].log == widgets[1].log && !widgets[0].log.isEmpty)
        #expect(widgets[0].diagnostics == widgets[1].diagnostics)
    }

    /// The records and settings of a widget, through a file and back.
    static func restored(_ widget: DrivenWidget) throws -> Store {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        try RecordStore(path: path).save(
            Set(widget.store.records.all.map(\.id)), of: widget.store, settings: true)
        return try RecordStore(path: path).load(model: widget.program.model)
    }

    @Test(arguments: ["HarbourLog", "Planetarium", "Postcard"])
    func `A widget continues in the same way from a restored store`(name: String) throws {
        let widget = try SampleBundle.widget(name).started()
        widget.send(.setting("shade", .double(0.25)))
        let kept = Store(records: widget.store.records)
        let stores = [kept, try Self.restored(widget), try Self.restored(widget)]
        var shown: [[[UInt8]]] = []
        for var store in stores {
            store.defaults = widget.store.defaults
            let again = DrivenWidget(
                WidgetInstance(
                    try WidgetKitReader.program(SampleBundle.files(name), identifier: "test.\(name)"), store: store,
                    environment: Environment(now: 803_690_000)))
            again.send(.start)
            var moments = [Self.bytes(again.view())]
            #expect(again.settle())
            moments.append(Self.bytes(again.view()))
            shown.append(moments)
        }
        #expect(shown[0] == shown[1] && shown[1] == shown[2])
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `The demo bundle gives the same bytes, restored or not`() throws {
        func run(_ store: Store?) throws -> [[UInt8]] {
            let demo = try DrivenWidget.demo(store: store)
            demo.send(.start)
            var shown = [Self.bytes(demo.view())]
            #expect(demo.settle())
            try demo.type("scroll", into: "searchBar")
            demo.advance(by: 0.5)
            shown.append(Self.bytes(demo.view()))
            try demo.select("tableView", row: 1)
            shown.append(Self.bytes(demo.view()))
            return shown
        }
        let fresh = try run(nil)
        #expect(try run(nil) == fresh)
        let demo = try DrivenWidget.demo().started()
        let memory = try run(Store(records: demo.store.records))
        #expect(try run(Self.restored(demo)) == memory)
    }

    @Test func `Patching the earlier view gives the later one`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        let cached = widget.view()
        let fresh = Evaluator(widget.program).view(of: widget.store, widget.environment)
        #expect(fresh.difference(from: cached).isEmpty)
    }
}
