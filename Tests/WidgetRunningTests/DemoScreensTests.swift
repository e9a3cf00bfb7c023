import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: every step that the sample's specification describes looks as it says, as text and as JSON. Method: golden
/// files, one for each moment, to be read by people.
@Suite(.enabled(if: DemoBundle.isThere)) struct `The demo bundle's screens` {
    static func check(_ demo: DrivenWidget, _ name: String) throws {
        let view = demo.view()
        try Golden.check("demo-\(name).txt", ViewText(width: 100).text(view))
        try Golden.check(
            "demo-\(name).json", String(decoding: ViewJSON.document(view, size: (375, 667)), as: UTF8.self))
    }

    @Test func `are the feed, step by step`() throws {
        let demo = try DrivenWidget.demo()
        demo.send(.start)
        try Self.check(demo, "feed-1-loading")
        demo.advance(by: 0.25)
        try Self.check(demo, "feed-2-named")
        demo.advance(by: 0.25)
        try Self.check(demo, "feed")
    }

    @Test func `are a search, as it is typed and as it is cancelled`() throws {
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

    @Test func `are the details of two posts`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.select("tableView", row: 1)
        try Self.check(demo, "details")
        demo.send(.back)
        try demo.select("tableView", row: 0)
        try Self.check(demo, "details-own")
    }

    @Test func `are the details of a post by nobody`() throws {
        let demo = try DrivenWidget.demo { files in
            files["StubService.json"] = files["StubService.json"]?.replacing(#""user""#, with: #""nobody""#)
        }.started()
        try demo.select("tableView", row: 1)
        #expect(demo.shows("<Author>\n<Author>\n[no image]"))
        try Self.check(demo, "details-nobody")
    }

    @Test func `are a new post, from the empty form to the feed that has it`() throws {
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

    @Test func `keep a filter over what is posted`() throws {
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

    @Test func `send what was written, as it is written`() throws {
        let demo = try DrivenWidget.demo().started()
        try demo.tap("Add")
        try demo.type("Hello", into: "textView")
        try demo.tap("Post")
        let requests = demo.log.filter { $0.kind == .request }.map(\.text)
        #expect(requests.last == "newPost: POST https://test/ status=Hello")
    }

    @Test func `are a restart with what was kept, and after it`() throws {
        let first = try DrivenWidget.demo().started()
        try first.tap("Add")
        try first.type("Hello", into: "textView")
        try first.tap("Post")
        first.advance(by: 0.25)
        let second = try DrivenWidget.demo(store: Store(records: first.store.records))
        second.send(.start)
        try Self.check(second, "restart-1-kept")
        // The account that is there already is what the first call is given.
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

    @Test func `say that the feed could not be loaded`() throws {
        let demo = try Self.failing("homeFeed").started()
        #expect(demo.store.alerts.map(\.title) == ["Error"])
        #expect(demo.store.alerts.map(\.message) == ["Failed to load feed!\n\nTest response not implemented."])
        #expect(demo.view().title == "Favio Mobile" && demo.shows("No posts here yet!") && !demo.shows("(loading)"))
        try Self.check(demo, "failure-feed")
        try demo.tap("OK")
        #expect(demo.view().alerts.isEmpty)
    }

    @Test func `say nothing of a user who is not known`() throws {
        let demo = try Self.failing("currentUser").started()
        #expect(demo.view().alerts.isEmpty && !demo.shows("(loading)") && demo.view().title.isEmpty)
        #expect(demo.log.contains { $0.kind == .signal && $0.text == "currentUserError" })
        #expect(!demo.log.contains { $0.text.hasPrefix("homeFeed: ") }, "what would have followed does not")
        try Self.check(demo, "failure-user")
    }

    @Test func `say that a post could not be posted, and keep what was written`() throws {
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
