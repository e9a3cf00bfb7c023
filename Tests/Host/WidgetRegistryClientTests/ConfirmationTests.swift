import ConformanceSupport
import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistryClient
import WidgetSurroundings
import WidgetTestSupport

/// Goal: words about releases that come late, twice, or from several processes do no harm, and a release is rejected for
/// its own faults alone. Method: the public interface, a built registry, and hosts in other processes.
@Suite struct `A word about a release` {
    @Test func `A late confirmation of an older release changes nothing`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        let first = try #require(await client.update(scene.widget).release)
        try await first.confirm()
        try scene.publish(2)
        let second = try #require(await client.update(scene.widget).release)
        try await second.begin()
        try await second.confirm()
        // The app was sure of the first one two seconds after its start.
        try await first.confirm()
        let next = try await client.start(scene.widget)
        #expect(next.version == "1.2~1" && !next.isTrial)
        // A release in between, which nothing came of, is not gone back to either.
        try scene.publish(3)
        let third = try #require(await client.update(scene.widget).release)
        try await first.confirm()
        try await third.reject()
        #expect(try await client.start(scene.widget).version == "1.2~1")
    }

    @Test func `A release that was replaced before it was confirmed can be confirmed while the newer one is not`()
        async throws
    {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        _ = await client.update(scene.widget)
        let first = try await client.start(scene.widget)
        #expect(first.isTrial)
        try scene.publish(2)
        let second = try #require(await client.update(scene.widget).release)
        try await first.confirm()
        try await second.reject()
        #expect(try await client.start(scene.widget, builtIn: scene.builtIn).version == "1.1~1")
    }

    @Test func `A confirmation after a rejection changes nothing`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        try scene.publish(2)
        let second = try #require(await client.update(scene.widget).release)
        try await second.reject()
        try await second.confirm()
        #expect(try await client.start(scene.widget).version == "1.1~1")
        #expect(await client.update(scene.widget).release?.version == "1.1~1")
    }

    @Test func `Two processes on one folder agree on what was confirmed`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        #expect(try scene.run("update", "confirm").output.contains("confirmed 1.1~1"))
        let here = try await scene.client().start(scene.widget)
        try scene.publish(2)
        #expect(try scene.run("update", "confirm").output.contains("confirmed 1.2~1"))
        try await here.confirm()
        #expect(try scene.run("start").output.contains("started 1.2~1"))
        #expect(try scene.run("start").output.contains("started 1.2~1"))
        #expect(try await scene.started() == "1.2~1")
    }

    @Test func `A confirmation that is cancelled while the cache is locked is said to be cancelled`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        let release = try #require(await scene.client().update(scene.widget).release)
        let folder = try Directory(opening: "\(scene.cache)/widgets/\(scene.widget)")
        #expect(try folder.tryLock())
        let task = Task { () -> ClientError? in
            do throws(ClientError) {
                try await release.confirm()
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        let error = try #require(await task.value)
        #expect(error.code == .cancelled && error.isTransient, "\(error)")
        withExtendedLifetime(folder) {}
    }

    /// An app's own error.
    private struct Blank: Error, ReleaseFault { let isFaultOfRelease: Bool }

    @Test func `A release is rejected because of an error only if it is at fault`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        let first = try #require(await client.update(scene.widget).release)
        try await first.confirm()
        let invalid = try #require(#expect(throws: ClientError.self) { try WidgetID("-") })
        let errors: [any Error] = [
            CancellationError(), POSIXError(.ENOSPC), Blank(isFaultOfRelease: false), invalid,
        ]
        for error in errors {
            #expect(try await !first.reject(because: error), "\(error)")
            #expect(try await client.start(scene.widget).version == "1.1~1", "\(error)")
        }
        let builtIn = client.builtIn(scene.widget, at: scene.builtIn)
        #expect(try await !builtIn.reject(because: Blank(isFaultOfRelease: true)))
        try scene.publish(2)
        let second = try #require(await client.update(scene.widget).release)
        #expect(try await second.reject(because: Blank(isFaultOfRelease: true)))
        #expect(try await client.start(scene.widget).version == "1.1~1")
    }

    @Test func `A start that failed for another reason than the release is tried again`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        _ = try await scene.client().update(scene.widget)
        for _ in 0..<3 {
            let release = try await scene.client().start(scene.widget, builtIn: scene.builtIn)
            #expect(release.version == "1.1~1" && release.isTrial)
            try await release.reject(because: Blank(isFaultOfRelease: false))
        }
    }

    @Test func `A directive is an event once, and the built-in bundle is shown in peace`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        let release = try await client.start(scene.widget, builtIn: scene.builtIn)
        #expect(try scene.withdraw(1, "&directive=builtIn").status == 200)
        for await event in client.events(of: scene.widget, since: release) {
            guard case .withdrawn(let error) = event else { continue }
            #expect(error.code == .nothingToStart)
            break
        }
        let builtIn = try await client.start(scene.widget, builtIn: scene.builtIn)
        #expect(builtIn.origin == .builtIn)
        // The first event of a new sequence is the next release, and not the directive again.
        let events = client.events(of: scene.widget, since: builtIn)
        // Another client has asked meanwhile, and knows the directive.
        #expect(try await scene.client().update(scene.widget).release == nil)
        try scene.publish(2)
        var seen: [String] = []
        for await event in events {
            seen.append("\(event)")
            if case .release(let next) = event {
                #expect(next.version == "1.2~1" && seen.count == 1, "\(seen)")
                break
            }
        }
    }

    @Test func `A release says which registry it is from`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        let release = try #require(await scene.client().update(scene.widget).release)
        #expect(release.registry == scene.registry.url && !release.isFromAnotherRegistry)
        let elsewhere = try WidgetClient(registry: "http://other.test", cache: scene.cache)
        let known = try await elsewhere.start(scene.widget)
        #expect(known.version == "1.1~1" && known.registry == scene.registry.url && known.isFromAnotherRegistry)
        let builtIn = elsewhere.builtIn(scene.widget, at: scene.builtIn)
        #expect(builtIn.registry == "http://other.test" && !builtIn.isFromAnotherRegistry)
    }
}
