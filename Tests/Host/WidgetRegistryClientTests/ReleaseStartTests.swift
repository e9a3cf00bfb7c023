import ConformanceSupport
import Foundation
import Testing
import WidgetRegistryClient
import WidgetTestSupport

/// Goal: a host always has something to show, and never starts twice what did not work. Method: the public interface, a
/// built registry, and hosts in other processes that end as hosts end.
@Suite struct `The start of a release` {
    @Test func `A host without a release shows the bundle that it was built with`() async throws {
        let scene = try StartScene()
        let release = try await scene.client().start(scene.widget, builtIn: scene.builtIn)
        #expect(release.origin == .builtIn && release.path == scene.builtIn && !release.isTrial)
        // Confirming it does nothing.
        try await release.confirm()
        await #expect(throws: ClientError.self) { try await scene.client().start(scene.widget) }
    }

    @Test func `A start that is never confirmed is not repeated, and the confirmed release takes its place`()
        async throws
    {
        let scene = try StartScene()
        try scene.publish(1)
        #expect(try await scene.host("update", "start", "confirm").contains("confirmed 1.1~1"))
        try scene.publish(2)
        #expect(try await scene.host("update").contains("updated 1.2~1"))
        #expect(try await scene.host("start").contains("started 1.1~1"))
        #expect(try await scene.host("start").contains("started 1.1~1"))
        // It is not offered again, until the channel has another one.
        #expect(try await scene.host("update").contains("unchanged 1.1~1"))
        try scene.publish(3)
        #expect(try await scene.host("update", "confirm", "start").contains("started 1.3~1"))
        #expect(try await scene.host("start").contains("started 1.3~1"))
    }

    @Test func `A first release that does not work gives way to the built-in bundle`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        #expect(try await scene.host("download").contains("downloaded 1.1~1"))
        #expect(try await scene.host("start").contains("started 1.1~1"))
        #expect(try await scene.host("start").contains("started builtIn"))
        #expect(try await scene.host("update").contains { $0.hasPrefix("failed ") })
        let client = try scene.client()
        await #expect(throws: ClientError.self) { try await client.start(scene.widget) }
        try await client.forgiveFailedStarts(of: scene.widget)
        #expect(await client.update(scene.widget).release?.version == "1.1~1")
    }

    @Test func `A rejected release is left at once`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        let client = try scene.client()
        guard case .newData(let first) = await client.update(scene.widget) else {
            Issue.record("no release")
            return
        }
        #expect(first.isTrial && first.version == "1.1~1" && first.bundleIdentifier == StartScene.identifier)
        try await first.confirm()
        try scene.publish(2)
        let second = try #require(await client.update(scene.widget).release)
        try await second.reject()
        let next = try await client.start(scene.widget)
        #expect(next.version == "1.1~1" && !next.isTrial && !next.isSame(as: second))
    }

    @Test func `Two hosts that try a release at once share the trial`() async throws {
        let scene = try StartScene()
        try scene.publish(1)
        let other = scene.process("update", "start", "stay")
        let output = Pipe()
        other.standardOutput = .pipe(output)
        try other.run()
        #expect(output.firstLines(2) == ["updated 1.1~1", "started 1.1~1"])
        let client = try scene.client()
        let shared = try await client.start(scene.widget, builtIn: scene.builtIn)
        #expect(shared.version == "1.1~1" && shared.isTrial)
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
        // One of the two works.
        try await shared.confirm()
        #expect(try await client.start(scene.widget, builtIn: scene.builtIn).version == "1.1~1")
    }

    // MARK: - Step by step

    @Test func `Checking fetches nothing, and a download changes nothing until it is applied`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        guard case .current = try await client.check(scene.widget) else {
            Issue.record("a release is offered that is here")
            return
        }
        try scene.publish(2)
        guard case .available(let offer) = try await client.check(scene.widget) else {
            Issue.record("nothing is offered")
            return
        }
        #expect(offer.version == "1.2~1" && offer.byteCount > 0 && !offer.isMandatory)
        #expect(try client.current(scene.widget)?.version == "1.1~1")
        let download = try await client.download(offer)
        #expect(download.version == "1.2~1")
        #expect(try client.current(scene.widget)?.version == "1.1~1")
        guard case .downloaded(let waiting) = try await client.check(scene.widget) else {
            Issue.record("the download is forgotten")
            return
        }
        // A host that starts now does not get it, because its host has not chosen a moment.
        #expect(try await client.start(scene.widget).version == "1.1~1")
        let applied = try await client.apply(waiting)
        #expect(applied.version == "1.2~1" && applied.isTrial)
        await #expect(throws: ClientError.self) { try await client.apply(download) }
        #expect(try client.current(scene.widget)?.version == "1.2~1")
    }

    @Test func `A download is applied after a pause of its length, or with the next start`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        for (number, isLong) in [(2, true), (3, false)] {
            try scene.publish(number)
            guard case .available(let offer) = try await client.check(scene.widget) else {
                Issue.record("nothing is offered")
                return
            }
            try await client.apply(try await client.download(offer), at: .pause(.seconds(300)))
            #expect(try await client.resume(scene.widget, after: .seconds(20)) == nil)
            if isLong {
                let resumed = try #require(try await client.resume(scene.widget, after: .seconds(301)))
                #expect(resumed.version == "1.\(number)~1" && resumed.isTrial)
                try await resumed.confirm()
            } else {
                #expect(try await client.start(scene.widget).version == "1.\(number)~1")
            }
        }
    }

    // MARK: - Kills

    /// Hosts are killed at any moment of updating, starting and confirming. After each, a start has a release, and the one
    /// that was never confirmed is started at most once more than it had confirmed starts.
    @Test func `A host that is killed at any moment has a release at its next start, and no bad one twice`()
        async throws
    {
        let scene = try StartScene()
        try scene.publish(1)
        _ = try await scene.host("update", "confirm")
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var killed = 0
        for round in 0..<16 {
            try scene.publish(round + 2)
            let child = scene.process("update", "start", "confirm", "stay")
            try child.run()
            _ = child.ends(within: .milliseconds(Int.random(in: 0..<120, using: &generator)))
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            if child.terminationReason == .uncaughtSignal { killed += 1 }
            // Two more starts without a word: the first may try the new release, the second has a confirmed one.
            let first = try await scene.started()
            let second = try await scene.started()
            let third = try await scene.started()
            #expect(first.hasPrefix("1.") && second.hasPrefix("1."), "round \(round): \(first), \(second)")
            #expect(second == third, "round \(round): \(second), \(third)")
        }
        #expect(killed > 8)
    }
}
