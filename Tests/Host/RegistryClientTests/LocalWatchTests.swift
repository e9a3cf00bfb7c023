import Foundation
import Testing
import WidgetSurroundings

@testable import RegistryClient

/// Goal: a bundle's author sees each save. Method: the ways in which editors save, on a real file system.
@Suite struct `Watching a folder` {
    /// A watch and its events so far.
    private final class Watched {
        let folder: Folder
        let path: String
        private var events: AsyncStream<WatchEvent>.Iterator

        /// - Parameter first: the file that is there before the watch begins.
        init(
            _ name: String = "Sample.bundle", with first: String? = nil, by clock: any Clock = SystemClock(),
            _ change: (inout WatchTiming) -> Void = { _ in }
        ) throws {
            folder = try Folder()
            path = "\(folder.path)/\(name)"
            if let first {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try Data("{}".utf8).write(to: URL(filePath: "\(path)/\(first)"))
            }
            var timing = WatchTiming()
            // The system tells, so nothing may depend on looking.
            timing.recheck = .seconds(60)
            change(&timing)
            events = LocalWatch(path, timing: timing, in: World(clock: clock)).events.makeAsyncIterator()
        }

        func next() async -> WatchEvent? {
            while let event = await events.next(isolation: nil) {
                if case .attention = event { continue }
                return event
            }
            return nil
        }

        /// The next revision. The watch may look before the first file is written, and say that nothing is there.
        func changes() async -> (Int, FileChanges)? {
            while let event = await next() {
                switch event {
                case .gone: continue
                case .revision(let number, _, let changes): return (number, changes)
                default: return nil
                }
            }
            return nil
        }

        /// The next revision after a quiet time, which begins when all files are saved.
        func changes(_ clock: ManualClock) async -> (Int, FileChanges)? {
            await clock.moving(whenever: 2) { await changes() }
        }

        func write(_ file: String, _ text: String, atomically: Bool = false) throws {
            let url = URL(filePath: "\(path)/\(file)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: atomically ? .atomic : [])
        }
    }

    @Test(arguments: [false, true])
    func `A watch shows each save, in place or by replacement`(atomically: Bool) async throws {
        let clock = ManualClock()
        let watched = try Watched(with: "Scheme.json", by: clock)
        #expect(await watched.changes().map { $0.0 == 1 && $0.1.added == ["Scheme.json"] } == true)
        for number in 2..<5 {
            try watched.write("Scheme.json", "{\"\(number)\": 1}", atomically: atomically)
            let (revision, changes) = try #require(await watched.changes(clock))
            #expect(revision == number)
            #expect(changes.changed == ["Scheme.json"])
        }
    }

    @Test func `A watch sees files in a new folder at any depth`() async throws {
        let clock = ManualClock()
        let watched = try Watched(with: "Scheme.json", by: clock)
        _ = await watched.changes()
        try watched.write("a/b/c/Deep.json", "{}")
        #expect(try #require(await watched.changes(clock)).1.added == ["a/b/c/Deep.json"])
        try watched.write("a/b/c/Deep.json", "{\"x\": 1}")
        #expect(try #require(await watched.changes(clock)).1.changed == ["a/b/c/Deep.json"])
        try FileManager.default.removeItem(atPath: "\(watched.path)/a")
        #expect(try #require(await watched.changes(clock)).1.removed == ["a/b/c/Deep.json"])
    }

    @Test func `A watch since a snapshot shows what was saved before the watch began, and not the snapshot`()
        async throws
    {
        let watched = try Watched()
        try watched.write("Scheme.json", "{}")
        try watched.write("Other.json", "{}")
        let snapshot = LocalSnapshot(at: watched.path)
        try watched.write("Scheme.json", "{\"x\": 1}")
        var events = LocalWatch(watched.path).events(since: snapshot).makeAsyncIterator()
        let (number, changes) = try #require(await Self.revision(&events))
        #expect(number == 2 && changes.changed == ["Scheme.json"] && changes.added.isEmpty)
    }

    @Test func `A watch since a snapshot begins with the first change when nothing was saved`() async throws {
        let watched = try Watched()
        try watched.write("Scheme.json", "{}")
        var events = LocalWatch(watched.path).events(since: LocalSnapshot(at: watched.path)).makeAsyncIterator()
        // The watch has compared the files once when it reports that they are gone.
        try FileManager.default.moveItem(atPath: watched.path, toPath: "\(watched.folder.path)/away")
        while let event = await events.next(isolation: nil) {
            if case .gone = event { break }
            guard case .attention = event else { return #expect(Bool(false), "\(event)") }
        }
        try FileManager.default.moveItem(atPath: "\(watched.folder.path)/away", toPath: watched.path)
        #expect(await Self.revision(&events)?.0 == 2)
    }

    @Test func `A watch since a snapshot of a missing bundle shows the bundle`() async throws {
        let watched = try Watched()
        let snapshot = LocalSnapshot(at: watched.path)
        try watched.write("Scheme.json", "{}")
        var events = LocalWatch(watched.path).events(since: snapshot).makeAsyncIterator()
        #expect(await Self.revision(&events)?.1.added == ["Scheme.json"])
    }

    /// The number and the changes of the next event, if that is a revision.
    private static func revision(_ events: inout AsyncStream<WatchEvent>.Iterator) async -> (Int, FileChanges)? {
        while let event = await events.next(isolation: nil) {
            switch event {
            case .attention: continue
            case .revision(let number, _, let changes): return (number, changes)
            case .gone, .failed: return nil
            }
        }
        return nil
    }

    @Test func `A watch waits for a bundle that does not exist yet, or was removed`() async throws {
        let watched = try Watched()
        guard case .gone = await watched.next() else { return #expect(Bool(false), "it is there") }
        try watched.write("Scheme.json", "{}")
        #expect(await watched.changes()?.0 == 1)
        try FileManager.default.moveItem(atPath: watched.path, toPath: "\(watched.folder.path)/away")
        guard case .gone = await watched.next() else { return #expect(Bool(false), "it is still there") }
        try FileManager.default.moveItem(atPath: "\(watched.folder.path)/away", toPath: watched.path)
        #expect(await watched.changes()?.0 == 2)
    }

    @Test func `A watch sees that an archive is replaced`() async throws {
        let watched = try Watched("Sample.zip")
        for number in 1..<4 {
            try Data("archive \(number)".utf8).write(to: URL(filePath: watched.path), options: .atomic)
            #expect(await watched.changes()?.0 == number)
        }
    }

    @Test func `A watch does not wait for an author who never stops writing`() async throws {
        let watched = try Watched(by: SkippingClock())
        try watched.write("Scheme.json", "{}")
        _ = await watched.changes()
        let path = watched.path
        let writer = Task.detached {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try Data("{\"\(number)\": 1}".utf8).write(to: URL(filePath: "\(path)/Scheme.json"))
                await Task.yield()
            }
        }
        #expect(await watched.changes()?.0 == 2)
        #expect(await watched.changes()?.0 == 3)
        writer.cancel()
    }

    @Test func `A watch waits for an author who writes until the longest time is over, and no longer`() async {
        var timing = WatchTiming()
        (timing.quiet, timing.ceiling) = (.milliseconds(50), .milliseconds(220))
        for (saves, waited) in [(0, 50), (2, 150), (1_000, 220)] {
            let clock = SkippingClock()
            let start = clock.now
            var count = 0
            // Each pause sees one more save, until there are no more.
            await timing.settle(clock) {
                count += 1
                return min(count / 2, saves)
            }
            #expect(clock.now - start == .milliseconds(waited), "\(saves) saves")
        }
    }

    @Test func `A watch polls where there are no notifications`() async throws {
        let clock = ManualClock()
        let watched = try Watched(by: clock) { $0.listens = false }
        try watched.write("Scheme.json", "{}")
        #expect(await clock.moving { await watched.changes()?.0 } == 1)
        try watched.write("Scheme.json", "{\"x\": 1}")
        #expect(await clock.moving { await watched.changes()?.0 } == 2)
    }

    @Test func `A watch follows the link that it was given`() async throws {
        let watched = try Watched()
        let other = try Folder()
        try Data("{}".utf8).write(to: URL(filePath: "\(other.path)/Scheme.json"))
        try FileManager.default.createSymbolicLink(atPath: watched.path, withDestinationPath: other.path)
        #expect(await watched.changes()?.1.added == ["Scheme.json"])
        try Data("{\"x\": 1}".utf8).write(to: URL(filePath: "\(other.path)/Scheme.json"))
        #expect(await watched.changes()?.1.changed == ["Scheme.json"])
    }
}
