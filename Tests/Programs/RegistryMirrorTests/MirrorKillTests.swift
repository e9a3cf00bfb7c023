import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

@Suite(.serialized) struct `A mirror that is killed` {
    /// Kills at moments that a seed decides.
    @Test func `A mirror that is killed at any moment shows nothing wrong and continues`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let origin = try Registry()
        let home = try Home()
        let bundles = (0..<4).map { "com.example.Killed\($0)" }
        var version = 0
        for round in 0..<9 {
            for bundle in bundles {
                version += 1
                try origin.publish(BundleForge(bundle, "1.\(version)").large(seed: version))
                if Bool.random(using: &generator) { _ = try origin.rollback(bundle) }
            }
            if round % 3 == 2 { _ = try origin.withdraw(bundles[0], "1.\(version - 3)~1") }
            let mirror = try startMirror(of: origin.url, home: home, in: .process)
            try Self.checkWhole(mirror, bundles)
            _ = mirror.process.ends(within: .microseconds(Int.random(in: 0..<150_000, using: &generator)))
            mirror.killAtOnce()
        }
        let mirror = try startMirror(of: origin.url, home: home, in: .process)
        try Self.checkWhole(mirror, bundles)
        let paths = bundles.flatMap { ["/v1/bundles/\($0)", "/v1/bundles/\($0)/releases", "/v1/widgets/\($0)-1"] }
        #expect(try mirror.becomesLike(origin, paths))
        for path in paths { #expect(try mirror.seen(path) == origin.seen(path), "\(path)") }
    }

    /// Every release that is shown has its archive, with the right bytes.
    private static func checkWhole(_ mirror: Registry, _ bundles: [String]) throws {
        for bundle in bundles {
            let answer = try mirror.resolve("\(bundle)-1")
            guard answer.status == 200 else {
                // Not there yet, or there without a channel.
                #expect(answer.status == 404)
                continue
            }
            for candidate in try JSONValue(parsing: answer.body)["candidates"]?.array ?? [] {
                let digest = try #require(candidate["sha256"]?.string)
                let archive = try mirror.get("/v1/blobs/sha256/\(digest)")
                #expect(archive.status == 200)
                #expect(BundleForge.sha256(archive.body) == digest)
            }
        }
    }
}
