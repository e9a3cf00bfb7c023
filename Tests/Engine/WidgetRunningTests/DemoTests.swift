import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the framework's own sample runs as it was shipped. Method: the steps of its specification, and golden files of
/// the screens.
@Suite(.enabled(if: DemoBundle.isThere, "needs the original samples")) struct `The demo bundle` {
    @Test func `The demo shows its feed step by step`() throws {
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
    func `The demo filters its posts`(text: String, ages: String) throws {
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

    @Test func `The filter waits for the last letter, and not for the search button`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.type("zz", into: "searchBar")
        demo.advance(by: 0.4)
        try demo.type("zzz", into: "searchBar")
        demo.advance(by: 0.4)
        #expect(demo.column("timeLabel").count == 6)
        try demo.submit("searchBar")
        #expect(demo.column("timeLabel").isEmpty)
    }

    @Test func `A row passes its content on to the details`() throws {
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
    func `The demo posts typed text literally`(text: String) throws {
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

    @Test func `A post with the same identity is updated`() throws {
        let demo = try DrivenWidget.demo().started()
        for text in ["Hello", "Bye"] {
            try demo.tap("Add")
            try demo.type(text, into: "textView")
            try demo.tap("Post")
            demo.advance(by: 0.25)
        }
        #expect(demo.column("textLabel").first == "Bye" && demo.column("textLabel").count == 7)
    }

    @Test func `An empty form sends nothing`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.tap("Add")
        let requests = demo.log.count { $0.kind == .request }
        let complaint = try demo.refusal(of: "Post") { .tap($0) }
        #expect(complaint == "the form was not sent: textView (This field is required)")
        #expect(demo.shows("invalid"))
        #expect(demo.log.count { $0.kind == .request } == requests)
        try demo.tap("Cancel")
        #expect(demo.shows("[ Favio Mobile ]"))
    }

    @Test func `The feed is there at once after a restart, without the posts that it no longer has`() throws {
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

    @Test func `The demo recognises its user's own posts`() throws {
        let demo = try DrivenWidget.demo().started()
        let posts = demo.store.records.all.filter { demo.store.records.model.entities[$0.entity].name == "Post" }
        let own = posts.filter { RecordObject($0.id, in: demo.store.records)?.value(forKey: "isMine")?.truth ?? false }
        #expect(posts.count == 6 && own.count == 1)
    }

    @Test func `Every value on the screen says where it came from`() throws {
        let demo = try DrivenWidget.demo().started()
        let key = try demo.key("authorLabel")
        let found = Evaluator(demo.program).explanation(of: .text, at: key, in: demo.store, demo.environment)
        let explanation = try #require(found)
        #expect(explanation.value.shown == "Favio Mobile" && explanation.source == "content.author.name")
        #expect(explanation.place?.file == "FeedViewController.json" && (explanation.place?.line ?? 0) > 1)
        #expect(explanation.inputs.map(\.keyPath) == ["content.author.name"])
    }

    @Test func `All printers give the same roles, names and values`() throws {
        let demo = try DrivenWidget.demo().started()
        let view = demo.view()
        let json = String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self)
        let text = ViewText(width: 400).text(view)
        for name in AccessibleNode(view.root).sequence.compactMap({ $0.split(separator: "\t").dropFirst().first }) {
            #expect(json.contains(name) && text.contains(name), "\(name)")
        }
    }
}

/// Goal: every step in the sample's specification looks as described, as text and as JSON. Method: golden files, one
/// for each moment, to be read by people.
@Suite(.enabled(if: DemoBundle.isThere, "needs the original samples")) struct `The demo bundle's screens` {
    static func check(_ demo: DrivenWidget, _ name: String) throws {
        let view = demo.view()
        try Golden.check("demo-\(name).txt", ViewText(width: 100).text(view))
        try Golden.check(
            "demo-\(name).json", String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self))
    }

    @Test func `The golden files of the feed match, step by step`() throws {
        let demo = try DrivenWidget.demo()
        demo.send(.start)
        try Self.check(demo, "feed-1-loading")
        demo.advance(by: 0.25)
        try Self.check(demo, "feed-2-named")
        demo.advance(by: 0.25)
        try Self.check(demo, "feed")
    }

    @Test func `The golden files of a search match, as it is typed and as it is cancelled`() throws {
        let demo = try DrivenWidget.demo().started()
        demo.send(.tap(try demo.key("searchBar")))
        #expect(!demo.shows("[ Favio Mobile ]") && demo.shows("(Cancel)"), "to be in it is enough")
        try demo.tap("Cancel")
        #expect(demo.shows("[ Favio Mobile ]") && !demo.shows("(Cancel)"))
        try demo.type("data", into: "searchBar")
        try Self.check(demo, "search-1-typed")
        demo.advance(by: 0.5)
        try Self.check(demo, "search")
        try demo.tap("Cancel")
        try Self.check(demo, "search-3-cancelled")
        try demo.type("zzz", into: "searchBar")
        try demo.submit("searchBar")
        try Self.check(demo, "search-4-nothing")
    }

    @Test func `The golden files of the details of two posts match`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.select("tableView", row: 1)
        try Self.check(demo, "details")
        demo.send(.back)
        try demo.select("tableView", row: 0)
        try Self.check(demo, "details-own")
    }

    @Test func `The golden file of the details of a post without an author matches`() throws {
        let demo = try DrivenWidget.demo { files in
            files["StubService.json"] = files["StubService.json"]?.replacing(#""user""#, with: #""nobody""#)
        }.started()
        try demo.select("tableView", row: 1)
        #expect(demo.shows("<Author>\n<Author>\n[no image]"))
        try Self.check(demo, "details-nobody")
    }

    @Test func `The golden files of a new post match, from the empty form to the feed that has it`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.tap("Add")
        try Self.check(demo, "new-post")
        _ = try demo.refusal(of: "Post") { .tap($0) }
        try Self.check(demo, "new-post-2-empty")
        try demo.type("He said \"hi\" \\ and\nleft: $text %@ 100%", into: "textView")
        try demo.tap("Post")
        try Self.check(demo, "new-post-3-sending")
        demo.advance(by: 0.25)
        try Self.check(demo, "new-post-4-posted")
        #expect(demo.column("textLabel").first == "He said \"hi\" \\ and\nleft: $text %@ 100%")
    }

    @Test func `The golden files of a filter over the posts match`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.type("data", into: "searchBar")
        demo.advance(by: 0.5)
        try demo.tap("Cancel")
        for (text, count) in [("No match", 3), ("Data!", 4)] {
            try demo.tap("Add")
            try demo.type(text, into: "textView")
            try demo.tap("Post")
            demo.advance(by: 0.25)
            #expect(demo.column("textLabel").count == count)
        }
    }

    @Test func `The demo sends written text as it is written`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.tap("Add")
        try demo.type("Hello", into: "textView")
        try demo.tap("Post")
        let requests = demo.log.filter { $0.kind == .request }.map(\.text)
        #expect(requests.last == "newPost: POST https://test/ status=Hello")
    }

    @Test func `The golden files of a restart match, with the kept posts and after them`() throws {
        let first = try DrivenWidget.demo().started()
        try first.tap("Add")
        try first.type("Hello", into: "textView")
        try first.tap("Post")
        first.advance(by: 0.25)
        let second = try DrivenWidget.demo(store: Store(records: first.store.records))
        second.send(.start)
        try Self.check(second, "restart-1-kept")
        // The existing account is the argument of the first call.
        let request = second.log.first { $0.kind == .request }
        #expect(request?.text.hasPrefix("currentUser: GET") ?? false)
        #expect(second.store.visible?.arguments["currentUserAction"]?.member("name").shown == "Favio Mobile")
        let changes = second.log.count { $0.kind == .source && $0.text.hasPrefix("homeFeedContentProvider") }
        #expect(second.settle())
        try Self.check(second, "restart-2-filled")
        // Cleared and filled in one step: the list changes once.
        #expect(second.log.count { $0.kind == .source && $0.text.hasPrefix("homeFeedContentProvider") } == changes + 1)
    }

    // MARK: - Failures

    /// The demo with an answer left out, which its stub takes for a failure.
    static func failing(_ action: String) throws -> DrivenWidget {
        try DrivenWidget.demo { files in
            let name = "\"\(action)\": {"
            guard let parts = files["StubService.json"]?.split(separator: name, maxSplits: 1), parts.count == 2 else {
                Issue.record("the stub has no \(action)")
                return
            }
            let rest = parts[1].replacing(#""response""#, with: #""***""#, maxReplacements: 1)
            files["StubService.json"] = parts[0] + name + rest
        }
    }

    @Test func `The screen says that the feed could not be loaded`() throws {
        let demo = try Self.failing("homeFeed").started()
        #expect(demo.store.alerts.map(\.title) == ["Error"])
        #expect(demo.store.alerts.map(\.message) == ["Failed to load feed!\n\nTest response not implemented."])
        #expect(demo.view().title == "Favio Mobile" && demo.shows("No posts here yet!") && !demo.shows("(loading)"))
        try Self.check(demo, "failure-feed")
        try demo.tap("OK")
        #expect(demo.view().alerts.isEmpty)
    }

    @Test func `The screen shows nothing of an unknown user`() throws {
        let demo = try Self.failing("currentUser").started()
        #expect(demo.view().alerts.isEmpty && !demo.shows("(loading)") && demo.view().title.isEmpty)
        #expect(demo.log.contains { $0.kind == .signal && $0.text == "currentUserError" })
        #expect(!demo.log.contains { $0.text.hasPrefix("homeFeed: ") }, "what would have followed does not")
        try Self.check(demo, "failure-user")
    }

    @Test func `The screen says that a post could not be posted, and keeps the text`() throws {
        let demo = try Self.failing("newPost").started()
        try demo.tap("Add")
        try demo.type("Keep me", into: "textView")
        try demo.tap("Post")
        demo.advance(by: 0.25)
        #expect(
            demo.store.alerts.map(\.message) == ["Post can`t be posted so far.\n\nTest response not implemented."])
        #expect(demo.shows("Keep me") && demo.shows("[ New Post ]") && demo.store.screens.count == 2)
        try Self.check(demo, "failure-post")
        try demo.tap("OK")
        let refusal = try demo.refusal(of: "textView") { .input($0, .string("Changed")) }
        #expect(refusal == nil, "it can be changed and sent again")
        try demo.tap("Cancel")
        #expect(demo.column("textLabel").count == 6)
    }
}
