import Foundation
import HostileServer
import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the framework's Twitter sample does what its author promises, rows 6 to 41 of
/// Tests/Corpus/twitter/promises.tsv; the numbers behind the tests' names are its rows. Method: the sample is built from its
/// source and runs against a service on loopback that counts what it is asked.
@Suite(.enabled(if: TwitterDemo.isThere, "needs the original samples"), .ownThreads)
struct `The feed of the Twitter sample` {
    // MARK: - Loading

    @Test func `A provider class of the host falls back to the standard one, with a warning (6, 7)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        #expect(session.service.asked.map(\.endpoint) == ["verify_credentials", "home_timeline"])
        let warnings = session.diagnostics(.unknownType)
        #expect(!warnings.isEmpty && warnings.allSatisfy { $0.contains("TwitterService") })
    }

    @Test func `Twenty tweets are shown, the newest first, with their authors (8, 9, 12)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        let texts = try session.column("tweetLabel")
        #expect(texts.count == 20)
        #expect(texts.first == #"tweet 45: 100% "quoted" & %@"#)
        #expect(texts.contains(#"tweet 41: back\slash"#) && texts.contains("tweet 43: Größe"))
        #expect(texts.contains("tweet 42: one line\nand another"))
        #expect(try session.column("authorLabel").prefix(3) == ["Ann Lee", "Jack Archer", "Bob Ray"])
    }

    @Test func `The bar has the account's name and a button to sign out, and no bird (10, 11)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        #expect(session.run.view().title == "Jack Archer")
        #expect(session.shows("(Logout jack...)"))
        let bird = try session.nodes("img").filter { $0["id"]?.string == "birdImageView" }
        #expect(bird.allSatisfy { $0["name"]?.string == "no image" })
    }

    @Test func `Without an account the screen asks to sign in, and shows that there are no tweets (15, 23)`()
        async throws
    {
        let session = try await TwitterSession(TwitterDemo.authored) { $0.setSignedIn(false) }
        #expect(session.shows("(Sign in...)") && session.shows("No Tweets here yet!"))
        #expect(try session.nodes("img").contains { $0["name"]?.string == "bird" })
        try await session.play(.wait(61), .wait(61))
        #expect(session.service.asked.map(\.endpoint) == ["verify_credentials"], "the timer asks for nothing")
    }

    @Test func `The age of a tweet is shown by a transformer, and a key of the host's Swift is reported (13, 14)`()
        async throws
    {
        let authored = try await TwitterSession(TwitterDemo.authored)
        #expect(try authored.column("timeLabel").first == "--s")
        #expect(authored.diagnostics(.unknownKey).contains { $0.contains("Post has no timeAgoString") })
        let ported = try await TwitterSession(TwitterDemo.ported)
        #expect(try ported.column("timeLabel").first == "17h")
        #expect(!ported.diagnostics(.unknownKey).contains { $0.contains("Post has no") })
    }

    // MARK: - Asking for more

    @Test func `Pulling asks for the timeline, and brings what is new (16, 17)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        session.service.add("fresh")
        try await session.play(.refresh("tweetsTableView"))
        #expect(session.service.count("home_timeline") == 2)
        let texts = try session.column("tweetLabel")
        #expect(texts.count == 20 && texts.first == "fresh")
    }

    @Test func `Scrolling to the end brings the next page without doubles (18)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        try await session.play(.scroll("tweetsTableView", toEnd: true))
        #expect(session.service.asked.last?.form["max_id"] == "26")
        var texts = try session.column("tweetLabel")
        #expect(texts.count == 39 && Set(texts).count == 39, "the row that the page begins at comes once more")
        try await session.play(.scroll("tweetsTableView", toEnd: true))
        texts = try session.column("tweetLabel")
        #expect(texts.count == 45 && texts.last == #"tweet 1: back\slash"#)
    }

    @Test(arguments: ["query", "path"])
    func `A server that reads the query alone sees parameters that belong there (19, 20)`(_ way: String) async throws {
        let program = Result {
            try TwitterDemo.program { texts in
                if way == "query" {
                    TwitterDemo.edit(&texts, "Service.json", #""needAuth": true,"#) {
                        $0 + #" "parametersIn": "query","#
                    }
                } else {
                    let path = #""path": "1.1/statuses/home_timeline.json""#
                    TwitterDemo.edit(&texts, "Service.json", #""max_id": "$tweetId""#) { _ in #""unused": "$tweetId""# }
                    let parts = (texts["Service.json"] ?? "").split(separator: path, omittingEmptySubsequences: false)
                    #expect(parts.count == 4)
                    let more = path.dropLast() + "?count=20&max_id=$tweetId\""
                    texts["Service.json"] = "\(parts[0])\(path)\(parts[1])\(more)\(parts[2])\(path)\(parts[3])"
                }
            }
        }
        let session = try await TwitterSession(program) { $0.readQueryAlone() }
        try await session.play(.scroll("tweetsTableView", toEnd: true))
        #expect(session.service.asked.last?.query["max_id"] == "26")
        #expect(way == "path" || session.service.asked.allSatisfy { $0.form.isEmpty })
        #expect(try session.column("tweetLabel").count == 39)
    }

    @Test func `A GET has its parameters in its body by default, as in the framework (19)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        #expect(session.service.asked.last?.form == ["count": "20"] && session.service.asked.last?.query == [:])
    }

    // MARK: - News

    @Test func `A timer fetches what is new, which waits behind a button (21, 22)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        #expect(!session.shows("News!"))
        session.service.add("one", "two", "three")
        try await session.play(.wait(61))
        #expect(session.shows("(News! (3))") && !session.shows("three"))
        #expect(try session.column("tweetLabel").count == 20)
    }

    @Test func `The button shows them, and brings the top into sight (24)`() async throws {
        let session = try await TwitterSession(TwitterDemo.ported)
        session.service.add("one", "two", "three")
        try await session.play(.wait(61), .tap("newsButton"))
        #expect(try session.column("tweetLabel").prefix(3) == ["three", "two", "one"])
        #expect(!session.shows("News!"))
        let scrolled = session.run.takeHostRequests().contains { request in
            if case .native(.scroll(list: let list, toEnd: false), _) = request {
                list == "tweetsTableView"
            } else {
                false
            }
        }
        #expect(scrolled)
        #expect(session.service.count("home_timeline") == 2, "no request is needed for it")
    }

    @Test func `Messages to the host's Swift are reported (24, 25, 36)`() async throws {
        let authored = try await TwitterSession(TwitterDemo.authored)
        let selectors = authored.diagnostics(.unknownSelector)
        for selector in ["newsTap:", "doneWithSender:", "showAvatarsChangedWithSender:"] {
            #expect(selectors.contains { $0.contains(selector) }, "\(selector) among \(selectors)")
        }
        let ported = try await TwitterSession(TwitterDemo.ported)
        #expect(ported.diagnostics(.unknownSelector) == [])
    }

    // MARK: - Searching

    @Test func `Searching filters what is stored, without case and accents (26, 27, 28)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        try await session.play(.input("searchBar", "GROßE"), .wait(1))
        #expect(try session.column("tweetLabel") == [43, 38, 33, 28].map { "tweet \($0): Größe" })
        try await session.play(.input("searchBar", "zzz"), .wait(1))
        #expect(session.shows("No Tweets here yet!"))
        try await session.play(.input("searchBar", ""), .wait(1))
        #expect(try session.column("tweetLabel").count == 20)
        #expect(session.service.count("home_timeline") == 1)
    }

    // MARK: - Details

    @Test
    func `A row opens its details: date, text of a foreign class, and counts under the author's captions (29 to 32)`()
        async throws
    {
        let session = try await TwitterSession(TwitterDemo.authored)
        try await session.play(.select("tweetsTableView", section: 0, row: 4))
        let texts = try session.nodes("text").compactMap { $0["name"]?.string }
        #expect(texts.contains(#"tweet 41: back\slash"#) && texts.contains("Jack Archer") && texts.contains("@jack"))
        #expect(texts.contains("Jun 20, 2018, 1:40:00 AM") || texts.contains("Jun 20, 2018 at 1:40:00 AM"), "\(texts)")
        #expect(texts.contains("82") && texts.contains("123"))
        #expect(session.shows("RETWEETS") && session.shows("FAVORITES"))
    }

    // MARK: - Settings

    @Test func `The gear has the name of its picture, and opens the settings (33, 34)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        let gear = try #require(try session.nodes("button").first { $0["name"]?.string == "gear" })
        #expect(gear["picture"]?["name"]?.string == "gear" && session.shows("(gear)"))
        try await session.play(.tap("gear"))
        #expect(session.shows("Show avatars in timeline"))
        #expect(try session.nodes("switch").map { $0["value"]?.string } == ["on"])
    }

    @Test func `Avatars are shown until their setting is switched off, and the setting is kept (35 to 39)`()
        async throws
    {
        let session = try await TwitterSession(TwitterDemo.ported)
        #expect(try session.nodes("img").count { $0["id"]?.string == "avatarView" } == 20)
        try await session.play(.tap("gear"))
        #expect(try session.nodes("switch").map { $0["value"]?.string } == ["on"])
        try await session.play(.tap("showAvatarsSwitch"))
        #expect(session.run.instance.store.defaults["showAvatars"]?.truth == false, "it follows the switch at once")
        try await session.play(.tap("Done"))
        #expect(try session.column("tweetLabel").count == 20, "Done closes the settings")
        #expect(try !session.nodes("img").contains { $0["id"]?.string == "avatarView" })
        try await session.play(.tap("gear"))
        #expect(try session.nodes("switch").map { $0["value"]?.string } == ["off"])
        try await session.play(.tap("showAvatarsSwitch"), .tap("Done"))
        #expect(try session.nodes("img").count { $0["id"]?.string == "avatarView" } == 20)
    }

    @Test func `In the author's form nothing says that avatars are shown by default (35)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        #expect(try !session.nodes("img").contains { $0["id"]?.string == "avatarView" })
    }

    @Test func `JSON has the address of an avatar, made of the nickname, and what is shown before (40, 41)`()
        async throws
    {
        let session = try await TwitterSession(TwitterDemo.ported)
        let avatar = try #require(try session.nodes("img").first { $0["id"]?.string == "avatarView" })
        #expect(avatar["picture"]?["address"]?.string == "https://twitter.com/ann/profile_image?size=bigger")
        #expect(avatar["picture"]?["placeholder"]?.string == "bird")
    }
}
