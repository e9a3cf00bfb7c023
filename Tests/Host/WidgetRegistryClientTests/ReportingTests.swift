import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetRegistryClient
import WidgetSurroundings
import WidgetTestSupport

/// Goal: an app that wants it has its registry count what becomes of releases, and another app sends nothing. Method: the public
/// interface alone, over a registry that counts, with a clock that the test moves.
@Suite struct `A client that reports` {
    private let scene: StartScene
    private let clock = ManualClock(date: .seconds(1_800_000_000), start: .now)

    init() throws { scene = try StartScene(["WIDGETD_OUTCOMES_ACCEPT": "open"]) }

    private func client(reports: Bool) throws -> WidgetClient {
        var options = ClientOptions()
        options.reportsOutcomes = reports
        return try WidgetClient(
            registry: scene.registry.url, cache: scene.cache, options: options, in: World(clock: clock))
    }

    /// The counts of `1.NUMBER~1`: installed, started, confirmed, failed.
    private func counts(_ number: Int) throws -> [Int] {
        let answer = try scene.registry.get(
            "/v1/bundles/\(StartScene.identifier)/releases/1.\(number)~1/outcomes", token: Registry.adminToken)
        try #require(answer.status == 200, "\(answer.text)")
        let days = try JSONValue(parsing: answer.body)["days"]?.array ?? []
        return ["installed", "started", "confirmed", "failed"].map { name in
            days.reduce(0) { $0 + Int($1[name]?.integer ?? 0) }
        }
    }

    /// Lets the wait pass after which outcomes are sent.
    private func pass() async {
        await clock.waits(for: 1)
        clock.advance(by: .seconds(60))
    }

    private func become(_ number: Int, _ wanted: [Int]) throws -> Bool {
        try scene.registry.becomes { try counts(number) == wanted }
    }

    @Test func `What an app starts, confirms and rejects is counted, each once`() async throws {
        try scene.publish(1)
        let client = try client(reports: true)
        guard case .newData = await client.update(scene.widget) else {
            Issue.record("the registry has no release for it")
            return
        }
        let first = try await client.start(scene.widget, builtIn: scene.builtIn)
        #expect(first.version == "1.1~1")
        try await first.confirm()
        await pass()
        #expect(try become(1, [1, 1, 1, 0]))
        // Again, on the same day.
        try await client.start(scene.widget, builtIn: scene.builtIn).confirm()
        await pass()
        try scene.publish(2)
        _ = await client.update(scene.widget)
        let second = try await client.start(scene.widget, builtIn: scene.builtIn)
        #expect(second.version == "1.2~1")
        try await second.reject()
        await pass()
        #expect(try become(2, [1, 1, 0, 1]))
        #expect(try counts(1) == [1, 1, 1, 0])
    }

    @Test func `An app that does not want it sends nothing`() async throws {
        try scene.publish(1)
        let silent = try client(reports: false)
        _ = await silent.update(scene.widget)
        try await silent.start(scene.widget, builtIn: scene.builtIn).confirm()
        // One that wants it begins with what happens from then on.
        let client = try client(reports: true)
        try await client.start(scene.widget, builtIn: scene.builtIn).confirm()
        await pass()
        #expect(try become(1, [0, 1, 1, 0]))
        #expect(try scene.registry.metrics()["widgetd_outcomes_total{fate=\"counted\"}"] == 2)
    }
}
