import Predicates
import TestSupport
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: the framework's own sample runs as it was shipped. Method: what its specification says step by step, and
/// golden files of what is shown.
@Suite(.enabled(if: DemoBundle.isThere)) struct `The demo bundle` {
    @Test func `shows its feed step by step`() throws {
        let demo = try DrivenWidget.demo()
        demo.send(.start)
        #expect(demo.shows("No posts here yet!") && demo.shows("(loading)") && demo.shows("( Filter Posts )"))
        let empty = demo.view()
        #expect(empty.title.isEmpty)
        demo.advance(by: 0.25)
        let named = demo.view()
        #expect(named.title == "Favio Mobile")
        #expect(demo.shows("(loading)") && demo.shows("No posts here yet!"))
        demo.advance(by: 0.25)
        #expect(!demo.shows("(loading)") && !demo.shows("No posts here yet!"))
        #expect(demo.column("timeLabel") == ["2h", "3h", "4h", "5h", "6h", "8h"])
        #expect(
            demo.column("authorLabel") == [
                "Favio Mobile", "Infinite Red", "Green Dragon", "Black & White", "Deep Pixels", "Pirple 8",
            ])
        #expect(
            demo.column("avatarView") == [
                "widgets", "ava_infinity", "ava_dragon", "ava_dots", "ava_pixels", "ava_pirple8",
            ])
        #expect(demo.diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("json", "5h 6h"), ("JSON", "5h 6h"), ("jsön", "5h 6h"), ("background", "5h 8h"), ("data", "3h 5h 6h"),
        ("scroll", "4h 8h"), ("coredata", "5h 6h"), ("uikit", "3h"), ("widgetkit", "2h"), ("100%", "2h"), ("zzz", ""),
    ])
    func `filters its posts`(text: String, ages: String) throws {
        let demo = try DrivenWidget.demo().started()
        try demo.type(text, into: "searchBar")
        #expect(demo.column("timeLabel").count == 6, "nothing happens before half a second has gone by")
        #expect(!demo.shows("[ Favio Mobile ]") && demo.shows("(Cancel)"))
        demo.advance(by: 0.5)
        #expect(demo.column("timeLabel").joined(separator: " ") == ages)
        #expect(demo.shows("No posts here yet!") == ages.isEmpty)
        #expect(demo.diagnostics.map(\.code) == [.unknownAction])
        #expect(demo.view().alerts.isEmpty && !demo.shows("(loading)"))
        try demo.tap("Cancel")
        #expect(demo.shows("[ Favio Mobile ]") && demo.column("timeLabel").joined(separator: " ") == ages)
        try demo.type("", into: "searchBar")
        demo.advance(by: 0.5)
        #expect(demo.column("timeLabel").count == 6)
    }

    @Test func `waits for the last letter before it filters, and not for the search button`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.type("zz", into: "searchBar")
        demo.advance(by: 0.4)
        try demo.type("zzz", into: "searchBar")
        demo.advance(by: 0.4)
        #expect(demo.column("timeLabel").count == 6)
        try demo.submit("searchBar")
        #expect(demo.column("timeLabel").isEmpty)
    }

    @Test func `passes a row's content on to the details`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.select("tableView", row: 1)
        let view = demo.view()
        #expect(view.title == "Post")
        for text in [
            "Infinite Red", "@username1", "[ava_infinity]", "2018-06-20 17:00:00 +0000", "4  REPOSTS  4  FAVORITES",
        ] {
            #expect(demo.shows(text))
        }
        demo.send(.back)
        try demo.select("tableView", row: 0)
        #expect(demo.shows("9000  REPOSTS  9999  FAVORITES"))
    }

    @Test(arguments: ["Hello", "He said \"hi\"", "back\\slash", "two\nlines", "$text %@ 100%"])
    func `posts what was typed, literally`(text: String) throws {
        let demo = try DrivenWidget.demo().started()
        try demo.tap("Add")
        try demo.type(text, into: "textView")
        try demo.tap("Post")
        #expect(demo.shows("(Post, disabled)"))
        #expect(demo.log.contains { $0.kind == .request && $0.text.hasPrefix("newPost: POST https://test/") })
        let whileSending = try demo.refusal(of: "textView") { .input($0, .string("x")) }
        #expect(whileSending != nil)
        demo.advance(by: 0.25)
        #expect(demo.column("textLabel").first == text && demo.column("timeLabel").first == "1h")
        #expect(demo.column("timeLabel").count == 7)
    }

    @Test func `updates the post that has the same identity`() throws {
        let demo = try DrivenWidget.demo().started()
        for text in ["Hello", "Bye"] {
            try demo.tap("Add")
            try demo.type(text, into: "textView")
            try demo.tap("Post")
            demo.advance(by: 0.25)
        }
        #expect(demo.column("textLabel").first == "Bye" && demo.column("textLabel").count == 7)
    }

    @Test func `sends nothing while the form is empty`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.tap("Add")
        let requests = demo.log.count { $0.kind == .request }
        let complaint = try demo.refusal(of: "Post") { .tap($0) }
        #expect(complaint == "the form is not filled in: textView")
        #expect(demo.shows("invalid"))
        #expect(demo.log.count { $0.kind == .request } == requests)
        try demo.tap("Cancel")
        #expect(demo.shows("[ Favio Mobile ]"))
    }

    @Test func `is there at once after a restart, and forgets what the feed no longer has`() throws {
        let first = try DrivenWidget.demo().started()
        try first.tap("Add")
        try first.type("Hello", into: "textView")
        try first.tap("Post")
        first.advance(by: 0.25)
        let second = try DrivenWidget.demo(store: Store(records: first.store.records))
        second.send(.start)
        let view = second.view()
        #expect(view.title == "Favio Mobile" && second.column("timeLabel").count == 7)
        let isAtRest = second.settle()
        #expect(isAtRest && second.column("timeLabel") == ["2h", "3h", "4h", "5h", "6h", "8h"])
        // Six posts, an account and five other users, none of them twice.
        #expect(second.store.records.count == 12)
    }

    @Test func `knows whose posts are its own`() throws {
        let demo = try DrivenWidget.demo().started()
        let posts = demo.store.records.all.filter { demo.store.records.model.entities[$0.entity].name == "Post" }
        let own = posts.filter { RecordObject($0.id, in: demo.store.records)?.value(forKey: "isMine")?.truth ?? false }
        #expect(posts.count == 6 && own.count == 1)
    }

    @Test func `says where what it shows came from`() throws {
        let demo = try DrivenWidget.demo().started()
        let key = try demo.key("authorLabel")
        let found = Evaluator(demo.program).explanation(of: .text, at: key, in: demo.store, demo.environment)
        let explanation = try #require(found)
        #expect(explanation.value.shown == "Favio Mobile" && explanation.source == "content.author.name")
        #expect(explanation.place?.file == "FeedViewController.json" && (explanation.place?.line ?? 0) > 1)
        #expect(explanation.inputs.map(\.keyPath) == ["content.author.name"])
    }

    @Test func `gives the same roles, names and values whatever prints it`() throws {
        let demo = try DrivenWidget.demo().started()
        let view = demo.view()
        let json = String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self)
        let text = ViewText(width: 400).text(view)
        for name in AccessibleNode(view.root).sequence.compactMap({ $0.split(separator: "\t").dropFirst().first }) {
            #expect(json.contains(name) && text.contains(name), "\(name)")
        }
    }
}
