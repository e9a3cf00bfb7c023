import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Checks that find nothing prove nothing, so they are shown stores that have lost something.
@Suite(.serialized) struct `What is looked at after a kill` {
    private let home: Home
    private let writer = CrashWriter("lost.example.Widget", seed: 7)

    init() throws { home = try Home() }

    /// Writes for a while, and kills the server.
    private func write() throws {
        let registry = try Registry(home: home)
        let writer = writer
        let before = writer.acknowledged
        let group = Crowd.start(1) { _ in writer.write(to: registry) }
        while writer.complaint == nil, writer.published < 4 || writer.acknowledged < before + 4 { usleep(20_000) }
        registry.killAtOnce()
        group.wait()
        try #require(writer.complaint == nil)
    }

    private func complaints() throws -> [String] {
        try writer.complaints(try Registry(home: home), isThorough: true)
    }

    @Test func `is in order as long as nothing is lost`() throws {
        try write()
        #expect(try complaints().isEmpty)
    }

    @Test func `tells of an archive that is gone`() throws {
        try write()
        #expect(Shell.run("find '\(home.data.path)/blobs' -name '*.zip' -delete").status == 0)
        #expect(try complaints().contains { $0.hasPrefix("I3") })
    }

    @Test func `tells of an archive that has changed`() throws {
        try write()
        let damage = "-exec sh -c 'printf X | dd of=\"$0\" bs=1 seek=60 conv=notrunc 2>/dev/null' {} \\;"
        #expect(Shell.run("find '\(home.data.path)/blobs' -name '*.zip' \(damage)").status == 0)
        #expect(try complaints().contains { $0.hasPrefix("I3") || $0.hasPrefix("I5") })
    }

    @Test func `tells of a catalog that went back in time`() throws {
        try write()
        _ = try complaints()
        // The server would not start with it, if it knew.
        let (data, old) = (home.data.path, home.folder.appending(path: "old").path)
        #expect(Shell.run("mkdir '\(old)' && cp '\(data)'/catalog.sqlite* '\(old)'").status == 0)
        try write()
        #expect(Shell.run("rm '\(data)'/mark '\(data)'/catalog.sqlite* && cp '\(old)'/* '\(data)'").status == 0)
        #expect(try complaints().contains { $0.hasPrefix("I1") || $0.hasPrefix("I6") })
    }
}
