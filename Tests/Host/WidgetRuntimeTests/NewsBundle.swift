import Foundation
import HostileServer
import WidgetBytes
import WidgetFiles
import WidgetHosting
import WidgetRunning
import WidgetRuntime
import WidgetTestSupport

/// A widget that asks a server for its news when it begins and when they are wanted, and sends a note on demand.
struct NewsBundle {
    let path: String

    static let info = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.News</string>
        <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
        """

    private static let document = """
        { "schema": 1,
          "sources": { "news": { "action": "news" }, "note": { "action": "note", "when": "demand" } },
          "root": [
            { "kind": "label", "id": "news", "payload": { "text": { "$": ["News: ", "$news.title"] } } },
            { "kind": "label", "id": "fault", "payload": { "text": { "$": ["Fault: ", "$news.status.error"] } } },
            { "kind": "button", "id": "send", "payload": { "text": "Send" },
              "on": { "tap": { "do": "call", "source": "note" } } },
            { "kind": "label", "id": "noted", "payload": { "text": { "$": ["Noted: ", "$note.status.error"] } } } ] }
        """

    /// - Parameters:
    ///   - server: the beginning of the addresses that it asks.
    ///   - seconds: the interval of asking for news; once without it.
    init(asking server: String, every seconds: Int? = nil, in scratch: borrowing ScratchDirectory) throws {
        let news = #"{ "action": "news" "#
        try self.init(
            [
                "Main.widgets.json": Self.document.replacing(
                    news, with: news + (seconds.map { #", "every": \#($0)"# } ?? "")),
                "Service.json": """
                { "defaults": { "baseUrl": "\(server)" }, "actions": {
                    "news": { "path": "news", "headers": { "authorization": "of the bundle", "X_Api_Key": "its own" } },
                    "note": { "path": "note", "httpMethod": "POST", "parameters": { "text": "hello" } } } }
                """,
            ], in: scratch)
    }

    init(_ files: [String: String], in scratch: borrowing ScratchDirectory) throws {
        path = "\(scratch.path)/News.bundle"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files.merging(["Info.plist": Self.info], uniquingKeysWith: { own, _ in own }) {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        }
    }
}

/// An app whose session is in each request, and the servers that it lets its widgets ask.
struct NewsApp {
    static let token = "s3cret-0123456789-abcdef"
    let clock = SteppedClock(at: 1_529_524_800)
    /// The requests that the app has seen.
    let seen = Guarded([WidgetRequest]())
    var configuration = WidgetConfiguration()

    /// - Parameter decide: the app's decision about each request.
    init(
        granting servers: [String], _ decide: @escaping @Sendable (WidgetRequest) async -> RequestDecision
    ) throws {
        configuration.clock = clock
        configuration.network = try .granted(to: servers, privateRanges: ["127.0.0.0/8"])
        configuration.request = { [seen] request in
            seen.withLock { $0.append(request) }
            return await decide(request)
        }
    }

    /// The app of a user whose token goes with each request.
    init(granting servers: [String], token: String = token) throws {
        try self.init(granting: servers) { _ in
            .send(adding: [.init("Authorization", "Bearer \(token)"), .init("x-api-key", token)])
        }
    }

    /// A session whose first answers have come.
    func session(_ bundle: NewsBundle) async throws -> WidgetSession {
        let session = try await WidgetSession(path: bundle.path, configuration: configuration)
        await clock.settle()
        return session
    }

    /// Everything that a session gives its app: its screen in each form, with its faults and notices.
    static func words(_ session: WidgetSession) async -> String {
        let screen = await session.screen()
        return [
            screen.text(columns: 500), screen.json(), screen.notice ?? "", screen.warning ?? "",
            screen.data.failure ?? "", screen.alert ?? "", screen.faults.joined(separator: "\n"),
            "\(await session.running.log)",
        ].joined(separator: "\n")
    }
}
