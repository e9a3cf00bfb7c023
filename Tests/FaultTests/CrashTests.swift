import ConformanceSupport
import Foundation
import JSONText
import Locks
import TestSupport
import Testing

/// Goal: what was acknowledged stays, whatever happens to the process (invariants I1 to I7).
/// Method: the server is killed at random moments of mixed writing and of its own start, and started again; the writers
/// know what they were told.
@Suite(.serialized) struct `A registry that is killed at any moment` {
    private static let writers = 4

    @Test func `keeps every promise`() throws {
        let seed = Crowd.seed("kill")
        var generator = SeededGenerator(seed: seed)
        let kills = Crowd.number("WIDGETD_KILLS", otherwise: 6)
        let home = try Home()
        let writers = (0..<Self.writers).map { CrashWriter("kill\($0).example.Widget", seed: seed &+ UInt64($0)) }
        var slowest = Duration.zero
        var lastTag = 0
        for kill in 1...kills {
            let (registry, time) = try Self.start(home)
            slowest = max(slowest, time)
            let complaints = try Self.complaints(registry, writers, home, lastTag: &lastTag, isThorough: false)
            try #require(complaints.isEmpty, "after kill \(kill - 1): \(complaints.prefix(5))")
            let group = Crowd.start(Self.writers) { writers[$0].write(to: registry) }
            usleep(UInt32.random(in: 0...250_000, using: &generator))
            registry.killAtOnce()
            group.wait()
            let wrong = writers.compactMap(\.complaint)
            try #require(wrong.isEmpty, "before kill \(kill): \(wrong)")
            // Some are killed once more while they recover.
            if Int.random(in: 0..<10, using: &generator) == 0 {
                try Registry.startAndKill(home: home, afterMicroseconds: .random(in: 0...60_000, using: &generator))
            }
        }
        let (registry, time) = try Self.start(home)
        slowest = max(slowest, time)
        let complaints = try Self.complaints(registry, writers, home, lastTag: &lastTag, isThorough: true)
        #expect(complaints.isEmpty, "at the end: \(complaints.prefix(5))")
        // I7: ready again within five seconds, by itself.
        #expect(slowest < .seconds(5))
        let acknowledged = writers.map(\.acknowledged).reduce(0, +)
        print("kill: \(kills) kills, \(acknowledged) steps acknowledged, slowest start \(slowest)")
        #expect(acknowledged > kills)
    }

    private static func start(_ home: Home) throws -> (Registry, Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let registry = try Registry(home: home)
        return (registry, clock.now - start)
    }

    private static func complaints(
        _ registry: Registry, _ writers: [CrashWriter], _ home: Home, lastTag: inout Int, isThorough: Bool
    ) throws -> [String] {
        var complaints = try writers.flatMap { try $0.complaints(registry, isThorough: isThorough) }
        // I6: the feed goes on where it was.
        var tags: [Int] = []
        var since = lastTag
        while true {
            let page = try registry.get("/v1/changes?limit=200&since=\(since)")
            tags += page["items"]?.array?.compactMap { $0["tag"]?.integer.map { Int($0) } } ?? []
            guard page["next"] != nil, let last = tags.last else { break }
            since = last
        }
        if tags != tags.sorted() || Set(tags).count != tags.count || tags.first.map({ $0 <= lastTag }) == true {
            complaints.append("I6: the feed's tags are \(tags) after \(lastTag)")
        }
        lastTag = tags.last ?? lastTag
        if lastTag > 0, try registry.get("/v1/changes?since=\(lastTag - 1)&limit=1").number("items.0.tag") != lastTag {
            complaints.append("I6: change \(lastTag) is gone")
        }
        // I8: nothing is left of what was under way.
        let left = try FileManager.default.contentsOfDirectory(atPath: home.data.appending(path: "staging").path)
        if !left.isEmpty { complaints.append("I8: \(left) is left in staging") }
        return complaints
    }
}
