import Foundation
import Testing
import WidgetRegistryClient
import WidgetRuntime
import WidgetSurroundings
import WidgetTestSupport

/// Goal: a host that is updated has its releases and its data from before. Method: the specimens `host-N` under
/// `Tests/Corpus/kept`, made by earlier programs, each a copy, and a network in which no registry answers.
@Suite struct `A host of an earlier program` {
    private static let address = "http://127.0.0.1:18973"

    /// A copy of a specimen.
    private static func copy(_ name: String) throws -> Folder {
        let folder = try Folder()
        let kept = "\(Corpus.repositoryRoot)/Tests/Corpus/kept/\(name)"
        for name in ["cache", "data"] { try FileWork.copy("\(kept)/\(name)", to: "\(folder.path)/\(name)") }
        return folder
    }

    private static func client(_ address: String, _ folder: Folder) throws -> WidgetClient {
        try WidgetClient(
            registry: address, cache: "\(folder.path)/cache", transport: ScriptedRegistry(), in: .skipping())
    }

    @Test(arguments: ["host-1"], [address, "http://elsewhere.test"])
    func `A cache of an earlier program opens with its releases, and their data are there`(
        name: String, address: String
    ) async throws {
        let folder = try Self.copy(name)
        let (client, widget) = (try Self.client(address, folder), try WidgetID("com.example.Counter-1"))
        // The one that was begun and not confirmed has failed.
        #expect(try client.current(widget)?.version == "1.2~1")
        let release = try await client.start(widget)
        #expect(release.version == "1.0~1" && !release.isTrial)
        // Earlier programs did not write beside a release where it is from.
        #expect(release.registry == Self.address && release.isFromAnotherRegistry == (address != Self.address))
        let needs = try await WidgetNeeds(of: release)
        #expect(needs.bundle == "com.example.Counter" && needs.requests.isEmpty && needs.faults.isEmpty)
        var configuration = WidgetConfiguration()
        configuration.dataFolder = "\(folder.path)/data"
        let session = try await WidgetSession(release, configuration: configuration)
        #expect(await session.screen().text().contains("v1.0 1"))
        try await session.tap("add")
        await session.stop()
        let again = try await WidgetSession(release, configuration: configuration)
        #expect(await again.screen().text().contains("v1.0 2"))
        await again.stop()
    }

    @Test func `A cache of an earlier program keeps what it knows of its registry`() async throws {
        let folder = try Self.copy("host-1")
        let (client, widget) = (try Self.client(Self.address, folder), try WidgetID("com.example.Counter-1"))
        _ = try await client.start(widget)
        let state = try String(
            contentsOfFile: "\(folder.path)/cache/widgets/\(widget)/state.json", encoding: .utf8)
        #expect(state.contains(#""sequence":4"#) && state.contains(#""failed":["#) && state.contains(#""choices":["#))
        #expect(state.contains(#""registry":"\#(Self.address)"}"#), "\(state)")
    }
}
