import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistryClient
import WidgetRuntime
import WidgetTestSupport

/// Goal: an app knows what a bundle would ask before it grants anything. Method: bundles of each kind, and grants made of
/// what they state.
@Suite struct `The needs of a bundle` {
    @Test func `A bundle states its requests, and the smallest grants that allow them`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let services = #"""
            {"defaults": {"baseUrl": "https://API.example.com/v1"}, "actions": {
              "list": {"path": "items?page=$page"}, "one": {"path": "items/$id/notes", "httpMethod": "DELETE"},
              "all": {"path": "items/"}, "icon": {"path": "https://pictures.example.com:8443/icons"},
              "any": {"path": "https://$host/x"}, "local": {"records": [{"delete": "Note"}]}}}
            """#
        let document = #"""
            {"schema": 1, "groups": ["group.com.acme"], "needs": ["media"], "root": [{"kind": "label", "payload": {"text": "x"}}]}
            """#
        let bundle = try NewsBundle(["Main.widgets.json": document, "Service.json": services], in: scratch)
        let needs = try await WidgetNeeds(path: bundle.path)
        #expect(needs.bundle == "com.example.News")
        #expect(
            needs.addresses == [
                "https://api.example.com/v1/items", "https://pictures.example.com:8443/icons",
            ])
        #expect(needs.servers == ["https://api.example.com", "https://pictures.example.com:8443"])
        #expect(needs.asksUnknownServers)
        #expect(Set(needs.requests.map(\.name)) == ["any", "all", "list", "one", "icon"], "records are no request")
        #expect(needs.requests.map(\.address) == needs.requests.map(\.address).sorted())
        let one = try #require(needs.requests.first { $0.name == "one" })
        #expect(one.method == "DELETE" && one.address == "https://API.example.com/v1/items/$id/notes")
        #expect(needs.abilities == ["media"] && needs.picksMedia && needs.groups == ["group.com.acme"])
        _ = try NetworkAccess.granted(to: needs.addresses)
    }

    @Test func `The grants that a bundle states let its requests through`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let bundle = try NewsBundle(asking: "https://api.example.com/v1", in: scratch)
        let needs = try await WidgetNeeds(path: bundle.path)
        #expect(needs.addresses == ["https://api.example.com/v1/news", "https://api.example.com/v1/note"])
        #expect(!needs.asksUnknownServers && needs.faults.isEmpty && needs.records.isEmpty && !needs.picksMedia)
        let app = try NewsApp(granting: needs.addresses) { _ in .answer(body: Array(#"{"title": "Sun"}"#.utf8)) }
        let session = try await app.session(bundle)
        try await session.tap("send")
        await app.clock.settle()
        #expect(app.seen.withLock { $0.map(\.path) } == ["/v1/news", "/v1/note"])
        await session.stop()
    }

    @Test func `A sample of interfaces states its records and its pictures as well`() async throws {
        let needs = try await WidgetNeeds(path: "\(Corpus.repositoryRoot)/Bundles/Aviary")
        #expect(needs.servers == ["https://aviary.example.com"] && needs.picksMedia && !needs.asksUnknownServers)
        #expect(needs.records.contains("Sighting") && needs.requests.contains { $0.method == "POST" })
        let answering = try await WidgetNeeds(path: "\(Corpus.repositoryRoot)/Bundles/Planetarium")
        #expect(answering.requests.isEmpty && answering.addresses.isEmpty, "it answers from its own description")
    }

    @Test func `A release states its needs before a session is made, and refusals are those of a session`() async throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let bundle = try NewsBundle(asking: "https://api.example.com", in: scratch)
        let client = try WidgetClient(registry: "http://127.0.0.1:9", cache: "\(scratch.path)/cache")
        let needs = try await WidgetNeeds(
            of: client.builtIn(try WidgetID("com.example.News-1"), at: bundle.path))
        #expect(needs.bundle == "com.example.News" && needs.servers == ["https://api.example.com"])
        let foreign = await #expect(throws: RuntimeError.self) {
            try await WidgetNeeds(of: client.builtIn(try WidgetID("com.other.News"), at: bundle.path))
        }
        #expect(foreign?.code == .invalidIdentifier)
        let missing = await #expect(throws: RuntimeError.self) {
            try await WidgetNeeds(path: "\(scratch.path)/None.bundle")
        }
        #expect(missing?.code == .invalidBundle)
    }
}
