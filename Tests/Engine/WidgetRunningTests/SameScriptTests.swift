import JSONText
import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetTestSupport

/// Goal: the engine knows no bundle by name. Method: one script for the framework's sample and for a bundle of ours
/// that has another name for everything; and a look through the sources for the sample's names.
@Suite struct `One script for two bundles` {
    /// The names that differ between the bundles.
    struct Names: Sendable {
        var user: String
        var search: String
        var table: String
        var row: (author: String, age: String, text: String, picture: String)
        var add: String
        var field: String
        var send: String
        var cancel: String
        var formTitle: String
        var missing: String
        var empty: String
        var detailsTitle: String
        var authors: [String]
        var pictures: [String]
        /// Searched texts, each with the ages of the posts that are found.
        var searches: [(String, String)]
        var details: [String]
        var counts: (records: Int, list: Int)
        var entities: (note: String, mine: String)
        var actions: (user: String, list: String, send: String)
        var error: (title: String, list: String, send: String)
    }

    static let demo = Names(
        user: "Favio Mobile", search: "searchBar", table: "tableView",
        row: ("authorLabel", "timeLabel", "textLabel", "avatarView"), add: "Add", field: "textView", send: "Post",
        cancel: "Cancel", formTitle: "New Post", missing: "textView", empty: "No posts here yet!", detailsTitle: "Post",
        authors: ["Favio Mobile", "Infinite Red", "Green Dragon", "Black & White", "Deep Pixels", "Pirple 8"],
        pictures: ["widgets", "ava_infinity", "ava_dragon", "ava_dots", "ava_pixels", "ava_pirple8"],
        searches: [("json", "5h 6h"), ("jsön", "5h 6h"), ("100%", "2h"), ("UIKIT", "3h"), ("zzz", "")],
        details: ["Infinite Red", "@username1", "2018-06-20 17:00:00 +0000"], counts: (12, 6),
        entities: ("Post", "isMine"),
        actions: ("currentUser", "homeFeed", "newPost"),
        error: ("Error", "Failed to load feed!", "Post can`t be posted so far."))

    static let other = Names(
        user: "Anna", search: "feld", table: "brett", row: ("name", "alter", "worte", "kopfbild"), add: "plus",
        field: "schrift", send: "los", cancel: "Zurück", formTitle: "Neuer Zettel", missing: "schrift",
        empty: "Noch nichts da", detailsTitle: "Zettel",
        authors: ["Anna", "Berta", "Cäsar", "Dora & Co", "Emil", "Fritz"],
        pictures: ["apfel", "birne", "kirsche", "dattel", "erbse", "feige"],
        searches: [("apfel", "4h 5h"), ("ÄPFEL", "4h 5h"), ("100%", "2h"), ("ZWEITE", "3h"), ("zzz", "")],
        details: ["Berta", "@b", "2018-06-20 17:00:00 +0000"], counts: (12, 6), entities: ("Zettel", "isMine"),
        actions: ("wer", "alle", "schreib"), error: ("Schade", "Keine Zettel.", "Nicht gesendet."))

    typealias Make = (Store?, String?) throws -> DrivenWidget

    /// - Parameter make: a widget on a store, with an action whose answer is left out.
    static func play(_ names: Names, _ make: Make) throws {
        try feed(names, make)
        try search(names, make)
        try details(names, make)
        let store = try post(names, make)
        try restart(names, store, make)
        try failures(names, make)
    }

    private static func ages(_ widget: DrivenWidget, _ names: Names) -> String {
        widget.column(names.row.age).joined(separator: " ")
    }

    private static func feed(_ names: Names, _ make: Make) throws {
        let widget = try make(nil, nil)
        widget.send(.start)
        #expect(widget.shows(names.empty) && widget.shows("(loading)") && widget.view().title.isEmpty)
        widget.advance(by: 0.25)
        #expect(widget.view().title == names.user && widget.shows("(loading)") && widget.shows(names.empty))
        widget.advance(by: 0.25)
        #expect(!widget.shows("(loading)") && !widget.shows(names.empty))
        #expect(ages(widget, names) == "2h 3h 4h 5h 6h 8h")
        #expect(widget.column(names.row.author) == names.authors)
        #expect(widget.column(names.row.picture) == names.pictures)
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        let model = widget.store.records.model
        let notes = widget.store.records.all.filter { model.entities[$0.entity].name == names.entities.note }
        let own = notes.filter {
            RecordObject($0.id, in: widget.store.records)?.value(forKey: names.entities.mine)?.truth ?? false
        }
        #expect(notes.count == names.counts.list && own.count == 1)
    }

    private static func search(_ names: Names, _ make: Make) throws {
        let widget = try make(nil, nil).started()
        for (text, found) in names.searches {
            try widget.type(text, into: names.search)
            #expect(!widget.shows("[ \(names.user) ]"))
            widget.advance(by: 0.5)
            #expect(ages(widget, names) == found, "\(text)")
            #expect(widget.shows(names.empty) == found.isEmpty)
        }
        #expect(widget.diagnostics.map(\.code) == [.unknownAction] && widget.view().alerts.isEmpty)
        try widget.type("", into: names.search)
        widget.advance(by: 0.5)
        #expect(ages(widget, names) == "2h 3h 4h 5h 6h 8h")
    }

    private static func details(_ names: Names, _ make: Make) throws {
        let widget = try make(nil, nil).started()
        try widget.select(names.table, row: 1)
        #expect(widget.view().title == names.detailsTitle)
        for text in names.details { #expect(widget.shows(text)) }
        widget.send(.back)
        #expect(widget.view().title == names.user)
    }

    private static func post(_ names: Names, _ make: Make) throws -> Store {
        let widget = try make(nil, nil).started()
        try widget.tap(names.add)
        #expect(widget.view().title == names.formTitle)
        let complaint = try widget.refusal(of: names.send) { .tap($0) }
        #expect(complaint == "the form was not sent: \(names.missing) (This field is required)")
        try widget.tap(names.cancel)
        for text in ["Hello", "\"quoted\" \\ and\nnew, $text %@"] {
            try widget.tap(names.add)
            try widget.type(text, into: names.field)
            try widget.tap(names.send)
            #expect(widget.shows("disabled)"))
            widget.advance(by: 0.25)
            #expect(widget.store.screens.count == 1 && ages(widget, names) == "1h 2h 3h 4h 5h 6h 8h")
            #expect(widget.column(names.row.text).first == text && widget.column(names.row.author).first == names.user)
        }
        return Store(records: widget.store.records)
    }

    private static func restart(_ names: Names, _ store: Store, _ make: Make) throws {
        let widget = try make(store, nil)
        widget.send(.start)
        #expect(widget.view().title == names.user && ages(widget, names) == "1h 2h 3h 4h 5h 6h 8h")
        #expect(widget.settle() && ages(widget, names) == "2h 3h 4h 5h 6h 8h")
        #expect(widget.store.records.count == names.counts.records)
    }

    private static func failures(_ names: Names, _ make: Make) throws {
        let reason = "\n\nTest response not implemented."
        let list = try make(nil, names.actions.list).started()
        #expect(list.store.alerts.map(\.title) == [names.error.title])
        #expect(list.store.alerts.map(\.message) == [names.error.list + reason])
        let user = try make(nil, names.actions.user).started()
        #expect(user.store.alerts.isEmpty && user.view().title.isEmpty)
        let send = try make(nil, names.actions.send).started()
        try send.tap(names.add)
        try send.type("Keep me", into: names.field)
        try send.tap(names.send)
        send.advance(by: 0.25)
        #expect(send.store.alerts.map(\.message) == [names.error.send + reason] && send.shows("Keep me"))
    }

    private static func without(_ action: String, _ text: String) -> String {
        let name = "\"\(action)\": {"
        let parts = text.split(separator: name, maxSplits: 1)
        guard parts.count == 2 else { return text }
        return parts[0] + name + parts[1].replacing(#""response""#, with: #""***""#, maxReplacements: 1)
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `The script runs the framework's sample`() throws {
        try Self.play(Self.demo) { store, action in
            guard let action else { return try DrivenWidget.demo(store: store) }
            return try DrivenWidget.demo { $0["StubService.json"] = Self.without(action, $0["StubService.json"] ?? "") }
        }
    }

    @Test func `The script runs a bundle with other names, another model and other texts`() throws {
        try Self.play(Self.other) { store, action in
            try RenamedBundle.widget(store: store) { files in
                if let action { files["StubService.json"] = Self.without(action, files["StubService.json"] ?? "") }
            }
        }
    }

    // MARK: - The sources

    /// Every id, text, entity, action and picture of the sample's schemes and service.
    static func demoNames() throws -> Set<String> {
        var names: Set<String> = []
        for file in ["FeedViewController.json", "NewPostViewController.json", "StubService.json"] {
            var pending = [try JSONValue(parsing: Samples.demo(file))]
            while let value = pending.popLast() {
                names.formUnion([value.string].compactMap { $0 })
                pending += value.array ?? []
                for member in value.object?.members ?? [] {
                    names.insert(member.name)
                    pending.append(member.value)
                }
            }
        }
        return names
    }

    /// Words of the format itself, which its implementation has to know, and English ones.
    static let formatWords: Set<String> = [
        "objects", "elements", "type", "attrs", "outlets", "bindings", "alias", "from", "to", "predicateFormat",
        "ifTrue",
        "ifFalse", "placeholder", "transformer", "format", "locale", "defaults", "actions", "options", "baseUrl",
        "httpMethod", "headers", "parameters", "resultKeyPath", "resultType", "nextAction", "clearPolicy", "response",
        "transformers", "date", "debugDelay", "entityName", "sortByFields", "sortAscending", "resultChain", "wx_first",
        "mainContentProvider", "searchController", "emptyDataView", "tableView", "actionName", "errorMessage",
        "filterFormat", "sender", "form", "mandatoryFields", "serviceProviderClassName", "wx_imageName", "wx_disabled",
        "wx_readOnly", "wx_dismissed", "ago", "after", "GET", "POST", "en_US_POSIX", "text", "name", "user", "id_str",
        "count", "status", "@self", "textLabel", "titleLabel", "searchBar", "textView", "widgets", "https://test", "20",
        "content.text", "content",
        "ManagedObjectsProvider", "ContentDisplayController", "TableDisplayController", "OnLoadActionController",
        "ActionStatusController", "SearchActionController", "BarButtonActionController", "StubServiceProvider",
    ]

    @Test(.enabled(if: Samples.canBeUnpacked, "needs the original samples"))
    func `no source file names an id, a text or a class of the sample`()
        throws
    {
        var names = try Self.demoNames().subtracting(Self.formatWords).filter { $0.count > 3 && !$0.hasPrefix("$") }
        names.formUnion([
            "WidgetDemo", "favio", "Favio", "FeedViewController", "NewPostViewController", "No posts here yet",
        ])
        #expect(names.count > 50)
        var looked = 0
        for (path, bytes) in Corpus.tree(at: "\(Corpus.repositoryRoot)/Sources") where path.hasSuffix(".swift") {
            // The examples in the registry's contract are not part of any engine.
            if path.contains("RegistryContract/") { continue }
            looked += 1
            let literals = Set(bytes.split(separator: UInt8(ascii: "\"")).map { String(decoding: $0, as: UTF8.self) })
            #expect(literals.isDisjoint(with: names), "\(path) names \(literals.intersection(names))")
        }
        #expect(looked > 100)
    }
}
