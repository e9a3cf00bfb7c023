import Foundation
import HostileServer
import JSONText
import Testing
import WidgetAssetCatalog
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: rows 42 to 68 of Tests/Corpus/twitter/promises.tsv. Method: as for the feed, with a service that refuses, delays and
/// loses answers.
@Suite(.enabled(if: TwitterDemo.isThere, "needs the original samples"), .ownThreads)
struct `Writing with the Twitter sample` {
    private func writing(
        _ program: Result<Program, any Error> = TwitterDemo.authored, _ arrange: (ScriptedTwitter) -> Void = { _ in }
    ) async throws -> TwitterSession {
        let session = try await TwitterSession(program, arrange)
        try await session.play(.tap("Tweet"))
        return session
    }

    // MARK: - Posting

    @Test func `The form opens with Cancel and Post, and Cancel closes it (42, 43)`() async throws {
        let session = try await writing()
        #expect(session.shows("(Cancel)") && session.shows("(Post)"))
        try await session.play(.tap("Cancel"))
        #expect(try session.column("tweetLabel").count == 20 && session.service.count("update") == 0)
    }

    @Test func `Post sends the text as it was typed, once, and closes the form (44, 45)`() async throws {
        let session = try await writing()
        let text = #"100% "mine" & \more"# + "\nnext"
        try await session.play(.input("textView", text), .tap("Post"))
        #expect(session.service.asked.filter { $0.endpoint == "update" }.map { $0.form["status"] } == [text])
        #expect(session.service.tweets.last?.text == text)
        #expect(try session.column("tweetLabel").count == 20 && session.shows("(News! (1))"))
    }

    @Test func `An empty tweet is not sent, and the form shows what it lacks (46)`() async throws {
        let session = try await writing()
        try await session.play(.tap("Post", refused: true), .snapshot("empty"))
        #expect(session.service.count("update") == 0)
        #expect(session.run.output.contains("invalid") && session.run.output.contains("\n! "))
        let field = try #require(try session.nodes("textbox").first)
        #expect((field["state"]?.array ?? []).contains { $0.string == "invalid" })
        #expect(field["message"]?.string?.hasSuffix(" is required") ?? false)
        await #expect(throws: WidgetError.self) { try await session.play(.tap("Post")) }
        try await session.play(.input("textView", "now"), .tap("Post"))
        #expect(session.service.count("update") == 1)
    }

    @Test func `A refused tweet is an alert, and the form stays with its text (47)`() async throws {
        let session = try await writing {
            $0.fault("update", .refuse(403, ScriptedTwitter.error("Status is a duplicate.")))
        }
        try await session.play(.input("textView", "again"), .tap("Post"))
        #expect(session.alert?.hasPrefix("Error: Tweet can`t be tweeted so far.") ?? false)
        try await session.play(.tap("OK"))
        #expect(try session.nodes("textbox").first?["value"]?.string == "again")
    }

    @Test func `A refused tweet has the server's message where a path leads to it (48)`() async throws {
        let session = try await writing(TwitterDemo.ported) {
            $0.fault("update", .refuse(403, ScriptedTwitter.error("Status is a duplicate.")))
        }
        try await session.play(.input("textView", "again"), .tap("Post"))
        #expect(session.alert == "Error: Tweet can`t be tweeted so far.\n\nStatus is a duplicate.")
    }

    @Test(arguments: [429, 503]) func `A tweet is sent once when it was stored before the server was busy (49)`(
        _ status: Int
    ) async throws {
        let session = try await writing { $0.fault("update", .doAndRefuse(status)) }
        try await session.play(.input("textView", "once"), .tap("Post"))
        #expect(session.service.count("update") == 1 && session.service.tweets.count == 46)
        #expect(session.alert?.contains("Tweet can`t be tweeted so far.") ?? false)
    }

    @Test func `A tweet is sent once when it was stored and the answer was lost (50)`() async throws {
        let session = try await writing { $0.fault("update", .loseAnswer) }
        try await session.play(.input("textView", "once"), .tap("Post"))
        #expect(session.service.count("update") == 1 && session.service.tweets.count == 46)
        #expect(session.alert?.contains("it was not asked again") ?? false)
    }

    // MARK: - Pictures

    /// A file with these bytes, for the length of a test.
    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pick-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: folder.appending(path: name))
        return folder.appending(path: name).path
    }

    private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    @Test func `A picture is uploaded when it was picked, and two fill the form (51, 53)`() async throws {
        let path = try file("one.jpg", Self.picture)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let session = try await writing()
        try await session.play(.pick("pickButton", file: path), .wait(2))
        #expect(session.service.asked.last?.parts["media"] == Self.picture)
        try await session.play(.pick("pickButton", file: path), .wait(2))
        #expect(session.service.count("upload") == 2)
        let button = try #require(try session.nodes("button").first { $0["id"]?.string == "pickButton" })
        #expect((button["state"]?.array ?? []).contains { $0.string == "disabled" })
        try await session.play(.input("textView", "with two"), .tap("Post"))
        #expect(session.service.asked.last?.form["media_ids"] == "9001,9002")
    }

    @Test func `A PNG is sent as JPEG where its form asks for compression (52)`() async throws {
        let pixels = [UInt8](repeating: 200, count: 16 * 12 * 4)
        let bitmap = try #require(Bitmap(width: 16, height: 12, pixels: pixels))
        let path = try file("one.png", bitmap.png())
        defer { try? FileManager.default.removeItem(atPath: path) }
        let session = try await writing()
        try await session.play(.pick("pickButton", file: path), .wait(2))
        let sent = try JPEGImage.decoded(try #require(session.service.asked.last?.parts["media"]))
        #expect((sent.width, sent.height) == (16, 12))
    }

    @Test func `A picture that was taken away again is not sent (54)`() async throws {
        let path = try file("one.jpg", Self.picture)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let session = try await writing()
        try await session.play(
            .pick("pickButton", file: path), .wait(2), .tap("delete_button"), .input("textView", "without"),
            .tap("Post"))
        #expect(session.service.asked.last?.endpoint == "update")
        #expect(session.service.asked.last?.form["media_ids"] ?? "" == "")
    }

    @Test func `A failed upload leaves the form as it is (55)`() async throws {
        let path = try file("one.jpg", Self.picture)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let session = try await writing { $0.fault("upload", .refuse(400, ScriptedTwitter.error("no"))) }
        try await session.play(.input("textView", "kept"), .pick("pickButton", file: path), .wait(2))
        #expect(session.service.count("upload") == 1)
        #expect(try session.nodes("textbox").first?["value"]?.string == "kept")
    }

    // MARK: - Deleting

    @Test func `JSON says which rows can be deleted: one's tweets, and not those of others (57, 58)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        let rows = try session.nodes("listitem")
        let able = rows.map { row in (row["actions"]?.array ?? []).contains { $0.string == "delete" } }
        #expect(able == (0..<20).map { (45 - $0) % 3 == 2 })
        await #expect(throws: WidgetError.self) {
            try await session.play(.delete("tweetsTableView", section: 0, row: 0))
        }
        #expect(session.service.asked.count == 2)
    }

    @Test func `A tweet that is swiped away is deleted at the server and here (56)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored)
        try await session.play(.delete("tweetsTableView", section: 0, row: 1), .wait(1))
        let last = try #require(session.service.asked.last)
        #expect(last.method == "POST" && last.endpoint == "44")
        #expect(try session.column("tweetLabel").count == 19 && !session.service.tweets.contains { $0.id == 44 })
    }

    @Test func `A failed deletion is an alert (59)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored) {
            $0.fault("44", .refuse(403, ScriptedTwitter.error("no")))
        }
        try await session.play(.delete("tweetsTableView", section: 0, row: 1))
        #expect(session.alert?.contains("Failed to delete tweet.") ?? false)
    }

    // MARK: - Failures

    @Test func `A timeline that fails is an alert with the server's message (60, 62)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored) {
            $0.fault("home_timeline", .refuse(401, #"{"error": "Not authorized."}"#))
        }
        #expect(session.alert == "Error: Failed to load tweets!\n\nNot authorized.")
        #expect(session.service.count("home_timeline") == 1)
    }

    @Test func `A busy timeline is asked for again as documented, five times at most (61)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored) {
            $0.fault("home_timeline", .refuse(503, ScriptedTwitter.error("Over capacity")))
        }
        #expect((2...5).contains(session.service.count("home_timeline")))
        #expect(session.alert?.contains("Failed to load tweets!") ?? false)
    }

    @Test func `A slow answer is waited for (60)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored) {
            $0.fault("home_timeline", .delay(milliseconds: 300))
        }
        #expect(try session.column("tweetLabel").count == 20 && session.service.count("home_timeline") == 1)
    }

    // MARK: - Accounts

    @Test func `Signing in through a browser is out of reach, and says so (63, 65, 66)`() async throws {
        let session = try await TwitterSession(TwitterDemo.authored) { $0.setSignedIn(false) }
        #expect(session.diagnostics(.missingAuthorization).contains { $0.contains("through a browser") })
        #expect(session.diagnostics(.unknownObject).contains { $0.contains("customTwitterActions") })
        try await session.play(.tap("signInButton"))
        let asked = session.diagnostics(.unknownAction)
        #expect(asked == ["StandardServiceProvider has no action login"], "the service is asked in place of the target")
    }

    @Test func `An action that needs an authorization without one is a diagnostic (66)`() async throws {
        let program = Result {
            try TwitterDemo.program { texts in
                TwitterDemo.edit(&texts, "Service.json", #""auth": {"#) { $0 + #" "setting": "token","# }
            }
        }
        let session = try await TwitterSession(program)
        #expect(session.service.asked.isEmpty)
        #expect(
            session.diagnostics(.missingAuthorization)
                == ["currentUser needs an authorization, and the setting token has none."])
    }

    @Test func `Signing out forgets the account and its tweets (64)`() async throws {
        let authored = try await TwitterSession(TwitterDemo.authored)
        try await authored.play(.tap("signInButton"))
        #expect(authored.diagnostics(.unknownAction) == ["StandardServiceProvider has no action logout"])
        let ported = try await TwitterSession(TwitterDemo.ported)
        try await ported.play(.tap("signInButton"))
        #expect(ported.run.instance.store.records.all.isEmpty)
        #expect(ported.shows("(Sign in...)") && ported.shows("No Tweets here yet!"))
        #expect(ported.service.asked.count == 2, "no request is needed for it")
    }

    @Test func `Started again without a network, account and tweets are there, and nothing is doubled (67, 68)`()
        async throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "tweets-\(UUID().uuidString)").path
        defer { for ending in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + ending) } }
        let service = try ScriptedTwitter(count: 45)
        do {
            let first = try await TwitterSession(TwitterDemo.authored, service, store: path)
            try first.save()
        }
        for endpoint in ["verify_credentials", "home_timeline"] { service.fault(endpoint, .refuse(500, "")) }
        do {
            let again = try await TwitterSession(TwitterDemo.authored, service, store: path)
            #expect(try again.column("tweetLabel").count == 20 && again.shows("(Logout jack...)"))
        }
        for endpoint in ["verify_credentials", "home_timeline"] { service.fault(endpoint, nil) }
        let last = try await TwitterSession(TwitterDemo.authored, service, store: path)
        #expect(try last.column("tweetLabel").count == 20)
        let names = last.run.instance.store.records.all.map { last.run.instance.program.model.entities[$0.entity].name }
        #expect(names.count { $0 == "Account" } == 1 && names.count { $0 == "User" } == 2)
    }
}
