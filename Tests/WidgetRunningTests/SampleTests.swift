import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: widgets that others write run as well. Method: the samples of this repository, compiled and driven.
@Suite struct `The samples` {
    @Test(arguments: ["HarbourLog", "Herbarium", "Planetarium", "Postcard"])
    func `have nothing to complain about, and come to rest`(name: String) throws {
        let widget = try SampleBundle.widget(name).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.view().alerts.isEmpty, "\(widget.text())")
    }

    @Test func `search a log, refresh it and open an entry`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        let count = widget.column("titleText").count
        #expect(count > 4)
        try widget.type("FOG", into: "searchBar")
        widget.advance(by: 0.3)
        #expect((1..<count).contains(widget.column("titleText").count))
        try widget.type("", into: "searchBar")
        widget.advance(by: 0.3)
        let requests = widget.log.count { $0.kind == .request }
        try widget.refresh("tableView")
        #expect(widget.log.count { $0.kind == .request } == requests + 1)
        #expect(widget.settle() && widget.column("titleText").count == count)
        try widget.select("tableView", row: 1)
        #expect(widget.store.screens.count == 2)
    }

    @Test func `show the moons of the planet that was chosen`() throws {
        let widget = try SampleBundle.widget("Planetarium").started()
        try widget.select("tableView", row: 2)
        #expect(widget.settle())
        let moons = widget.column("nameText")
        #expect(moons.contains("Ganymede") && !moons.contains("Titan"))
        try widget.select("tableView", row: 0)
        #expect(widget.shows("a moon of Jupiter"))
        widget.send(.back)
        widget.send(.back)
        #expect(widget.store.screens.count == 1)
        #expect(widget.send(.back) != nil)
    }

    @Test func `refuse a card without an address, and send one with it`() throws {
        let widget = try SampleBundle.widget("Postcard").started()
        #expect(try widget.refusal(of: "Post") { .tap($0) } != nil)
        for (key, node) in fields(widget).enumerated() { widget.send(.input(node, .string("text \(key)"))) }
        try widget.tap("Post")
        #expect(widget.settle())
        #expect(!widget.shows("Nothing posted yet"))
    }

    private func fields(_ widget: DrivenWidget) -> [ViewKey] {
        var keys: [ViewKey] = []
        widget.view().visit { node in
            if node.kind == .textField || node.kind == .textArea { keys.append(node.key) }
            return true
        }
        return keys
    }

    @Test func `keep what was typed, and their data, when the bundle changes`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        try widget.type("fog", into: "searchBar")
        widget.advance(by: 1)
        let found = widget.column("titleText")
        let next = try SampleBundle.widget("HarbourLog") { sources in
            let text = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(text.replacing("No signal", with: "Nobody there").utf8)
        }
        widget.change { $0.replace(next.program) }
        #expect(widget.instance.revision == 2)
        #expect(widget.column("titleText") == found && widget.shows("fog"))
    }

    @Test(arguments: ["type", "bindings", "predicateFormat", "\"", "{"])
    func `survive a scheme that is spoilt anywhere`(word: String) throws {
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            let text = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(text.replacing(word, with: "x", maxReplacements: 3).utf8)
        }
        widget.send(.start)
        _ = widget.settle()
        #expect(!widget.text().isEmpty && !widget.diagnostics.isEmpty)
        #expect(widget.diagnostics.allSatisfy { $0.place?.line ?? 1 > 0 })
    }
}
