import ConformanceSupport
import Foundation
import Testing
import WidgetFiles
import WidgetRegistryClient
import WidgetSurroundings
import WidgetTestSupport

/// Goal: other packages use a registry by the public interface alone. Method: that interface, without any other module.
@Suite struct `The client of other packages` {
    @Test func `Publishes a bundle, fetches it, and hears of the next one`() async throws {
        let scene = try StartScene()
        let path = "\(scene.scratch.path)/Clock.zip"
        try Data(BundleForge(StartScene.identifier, "1.1", text: "one").archive).write(to: URL(filePath: path))
        let publisher = try WidgetPublisher(registry: scene.registry.url, token: Registry.adminToken)
        let published = try await publisher.publish(path, note: "first")
        #expect(published.bundleIdentifier == StartScene.identifier && published.version == "1.1~1")
        #expect(published.channels == ["stable"])
        let client = try scene.client { $0.pin = StartScene.identifier }
        var seen: [String] = []
        for await event in client.events(of: scene.widget) {
            guard case .release(let release) = event else { continue }
            seen.append(release.version ?? "")
            #expect(FileManager.default.fileExists(atPath: "\(release.path)/Info.plist"))
            if seen.count == 2 { break }
            try await release.confirm()
            try scene.publish(2)
        }
        #expect(seen == ["1.1~1", "1.2~1"])
        try client.remove(scene.widget)
        #expect(try client.current(scene.widget) == nil)
    }

    @Test func `Each error has a code, a sentence and, where it helps, advice`() async throws {
        let scene = try StartScene()
        func code(_ body: () async throws -> Void) async -> ClientError? {
            await #expect(throws: ClientError.self) { try await body() }
        }
        #expect(await code { _ = try WidgetID("-") }?.code == .invalidIdentifier)
        #expect(await code { _ = try WidgetClient(registry: "widgets", cache: scene.cache) }?.code == .invalidAddress)
        let client = try scene.client()
        let absent = await code { _ = try await client.check(scene.widget) }
        #expect(absent?.code == .notFound && absent?.hint?.isEmpty == false && absent?.isTransient == false)
        // Its pauses between attempts are skipped.
        let nowhere = try WidgetClient(registry: "http://127.0.0.1:9", cache: scene.cache, in: .skipping())
        guard case .failed(let error, nil) = await nowhere.update(scene.widget) else {
            Issue.record("a server answers at port 9")
            return
        }
        #expect(error.code == .unreachable && error.isTransient && "\(error.code)" == "unreachable")
        let refused = try WidgetPublisher(registry: scene.registry.url, token: "wrong")
        #expect(await code { _ = try await refused.publish(scene.builtIn) }?.code == .unauthorized)
        let nothing = try WidgetPublisher(registry: scene.registry.url, token: Registry.adminToken)
        #expect(await code { _ = try await nothing.publish("\(scene.scratch.path)/none") }?.code == .invalidBundle)
    }
}
