import ConformanceSupport
import HostileServer
import MemoryStore
import RegistryClient
import RegistryMirror
import Testing
import WidgetBundles
import WidgetFiles
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// Goal: a mirror looks at its origin as often as it is set to. Method: a follower without a server, whose clock the test moves.
@Suite struct `The follower of an origin` {
    @Test func `A look at the feed comes a second after the one before, and brings what was published`() async throws {
        let origin = try Registry()
        try origin.publish(BundleForge("com.example.Soon"))
        let relay = try Relay(to: origin)
        let copy = try Registry(
            catalog: MemoryCatalog(), blobs: MemoryBlobs(clock: SystemClock()), options: Registry.Options())
        let folder = try ScratchDirectory(in: TemporaryPlace.path)
        let clock = ManualClock.today
        let follower = try MirrorFollower(
            copy, of: RemoteRegistry(try RegistryAddress(relay.url)), data: folder.path, logger: Logger(level: .error),
            in: World(clock: clock), MirrorFollower.Options { BundlePolicy() })
        func looks() -> Int { relay.requests.count { $0.target.hasPrefix("/v1/changes") } }
        func releases() throws -> [String] {
            try copy.releases("com.example.Soon", limit: 9, after: nil).items.map { "\($0.key)" }
        }
        follower.start()
        await clock.waits(for: 1)
        #expect(try releases() == ["1.0~1"])
        for _ in 0..<3 {
            // It has found nothing new, and rests.
            #expect(clock.next == clock.now + .seconds(1))
            let before = looks()
            clock.advance(by: .seconds(1))
            await clock.waits(for: 1)
            #expect(looks() == before + 1)
        }
        try origin.publish(BundleForge("com.example.Soon", "1.1"))
        #expect(clock.next == clock.now + .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.waits(for: 1)
        #expect(try releases() == ["1.1~1", "1.0~1"])
        follower.stop()
        await clock.waits(forAtMost: 0)
    }
}
