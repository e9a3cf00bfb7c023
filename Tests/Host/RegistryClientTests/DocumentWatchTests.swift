import Foundation
import Testing
import WidgetSurroundings

@testable import RegistryClient

/// Goal: an author's document is followed for as long as it is watched. Method: the ways in which editors and programs
/// write, on a real file system.
@Suite struct `Watching a document` {
    private static let name = "Main.widgets.json"

    /// A folder with a document, and a watch of one of them.
    private final class Watched {
        let folder: Folder
        private var events: AsyncStream<WatchEvent>.Iterator

        init(
            _ name: String = "", in folder: Folder? = nil, by clock: any Clock = SystemClock(),
            _ change: (inout WatchTiming) -> Void = { _ in }
        ) throws {
            let folder = try folder ?? Folder()
            self.folder = folder
            var timing = WatchTiming()
            // The system tells, so nothing may depend on looking.
            timing.recheck = .seconds(60)
            change(&timing)
            let path = name.isEmpty ? folder.path : "\(folder.path)/\(name)"
            events = LocalWatch(path, timing: timing, in: World(clock: clock)).events.makeAsyncIterator()
        }

        func next() async -> WatchEvent? {
            while let event = await events.next(isolation: nil) {
                if case .attention = event { continue }
                return event
            }
            return nil
        }

        /// The next event in a word: `gone`, `failed`, or the revision with the files that it is about.
        func word() async -> String {
            switch await next() {
            case .revision(let number, _, let changes):
                "\(number) +\(changes.added.joined(separator: ",")) ~\(changes.changed.joined(separator: ",")) -\(changes.removed.joined(separator: ","))"
            case .gone: "gone"
            case .failed: "failed"
            case .attention, nil: "ended"
            }
        }

        /// The next revision, as a word. Between two steps of a save the document may be gone.
        func revision() async -> String {
            while true {
                let word = await word()
                if word != "gone" { return word }
            }
        }

        func write(_ file: String, _ text: String, atomically: Bool = true) throws {
            let url = URL(filePath: "\(folder.path)/\(file)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: atomically ? .atomic : [])
        }

        func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }

        func move(_ file: String, to other: String) throws {
            try FileManager.default.moveItem(atPath: "\(folder.path)/\(file)", toPath: "\(folder.path)/\(other)")
        }
    }

    @Test func `W1: the folder around a document is watched, so that every way of saving it is seen`() async throws {
        let watched = try Watched(Self.name)
        #expect(await watched.word() == "gone")
        try watched.write(Self.name, "[]", atomically: false)
        #expect(await watched.revision() == "1 +\(Self.name) ~ -")
        // Over it, as most editors do.
        try watched.write(Self.name, "[ ]")
        #expect(await watched.revision() == "2 + ~\(Self.name) -")
        // Into it.
        try watched.write(Self.name, "[  ]", atomically: false)
        #expect(await watched.revision() == "3 + ~\(Self.name) -")
        // As vim does: the old file moves away, a new one is written, the old one is removed.
        try watched.move(Self.name, to: "\(Self.name)~")
        try watched.write(Self.name, "[   ]", atomically: false)
        try watched.remove("\(Self.name)~")
        #expect(await watched.revision() == "4 + ~\(Self.name) -")
        try watched.remove(Self.name)
        try watched.write(Self.name, "[    ]", atomically: false)
        #expect(await watched.revision() == "5 + ~\(Self.name) -")
    }

    @Test func `W2: a document that was deleted is waited for, for as long as it takes`() async throws {
        let watched = try Watched(Self.name)
        try watched.write(Self.name, "[]")
        #expect(await watched.revision().hasPrefix("1 "))
        for number in 2..<5 {
            try watched.remove(Self.name)
            #expect(await watched.word() == "gone")
            // Other files of the folder are not the document.
            for other in 0..<5 { try watched.write("other\(other).txt", "\(number)") }
            try watched.write(Self.name, "[\(number)]")
            #expect(await watched.word().hasPrefix("\(number) "))
        }
    }

    @Test func `W3: files that cannot be read are reported, and shown as soon as they can`() async throws {
        let folder = try Folder()
        let link = "\(folder.path)/loop"
        // A link to itself: neither there nor missing.
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        let clock = ManualClock()
        let watched = try Watched("loop/\(Self.name)", in: folder, by: clock)
        #expect(await watched.word() == "failed")
        try FileManager.default.removeItem(atPath: link)
        var word = ""
        try watched.write("loop/\(Self.name)", "[]")
        await clock.moving {
            repeat { word = await watched.word() } while word == "gone" || word == "failed"
        }
        #expect(word == "1 +\(Self.name) ~ -")
    }

    @Test func `W4: a writer that is faster than the pause does not keep a document from being shown`() async throws {
        let timing = WatchTiming()
        #expect(timing.quiet == .milliseconds(50) && timing.ceiling == .milliseconds(500))
        // A pause that is always interrupted ends at the ceiling.
        let clock = SkippingClock()
        var count = 0
        await timing.settle(clock) {
            count += 1
            return count
        }
        #expect(clock.passed == timing.ceiling)
        let watched = try Watched(Self.name, by: clock)
        try watched.write(Self.name, "[]")
        #expect(await watched.revision().hasPrefix("1 "))
        let path = "\(watched.folder.path)/\(Self.name)"
        let writer = Task.detached {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try Data("[\(number)]".utf8).write(to: URL(filePath: path), options: .atomic)
                await Task.yield()
            }
        }
        #expect(await watched.word().hasPrefix("2 "))
        #expect(await watched.word().hasPrefix("3 "))
        writer.cancel()
    }

    /// The number of the system's watches of a folder that this process holds.
    private static func watchCount(of folder: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
        guard let number = attributes?[.systemFileNumber] as? UInt64 else { return -1 }
        let inode = "ino:\(String(number, radix: 16)) "
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
        return descriptors.count { number in
            (try? String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8))?.contains(inode) ?? false
        }
    }

    @Test func `W5: the end of a watch gives its descriptor back`() async throws {
        let folder = try Folder()
        try Data("[]".utf8).write(to: URL(filePath: "\(folder.path)/\(Self.name)"))
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let path = "\(folder.path)/\(Self.name)"
        let clock = ManualClock()
        let task = Task {
            for await event in LocalWatch(path, in: World(clock: clock)).events {
                if case .revision = event { signal.yield() }
            }
        }
        for await _ in begun { break }
        #expect(Self.watchCount(of: folder.path) == 1)
        task.cancel()
        await task.value
        // It takes its alarm back last.
        await clock.waits(forAtMost: 0)
        #expect(Self.watchCount(of: folder.path) == 0)
    }

    @Test func `W6: a watch that begins again begins with the present content`() async throws {
        let folder = try Folder()
        try Data("[]".utf8).write(to: URL(filePath: "\(folder.path)/\(Self.name)"))
        for _ in 0..<3 {
            let watched = try Watched(Self.name, in: folder)
            #expect(await watched.word() == "1 +\(Self.name) ~ -")
        }
    }

    @Test func `W11: events come to the task that asks for them, one after another`() async throws {
        let watched = try Watched(Self.name)
        try watched.write(Self.name, "[]")
        var numbers: [Int] = []
        while numbers.count < 3 {
            guard case .revision(let number, _, _) = await watched.next() else { continue }
            numbers.append(number)
            try watched.write(Self.name, "[\(number)]")
        }
        #expect(numbers == [1, 2, 3])
    }

    @Test func `W12: one event names the documents, components and pictures that were saved together`() async throws {
        let author = try Watched("nothing")
        for file in [Self.name, "components/tag.json", "moon.png"] { try author.write(file, "1") }
        let clock = ManualClock()
        let watched = try Watched(in: author.folder, by: clock)
        /// The next event after a quiet time, which begins when all files are saved.
        func word() async -> String { await clock.moving(whenever: 2) { await watched.word() } }
        #expect(await watched.word() == "1 +\(Self.name),components/tag.json,moon.png ~ -")
        for file in [Self.name, "components/tag.json", "moon.png"] { try watched.write(file, "22") }
        #expect(await word() == "2 + ~\(Self.name),components/tag.json,moon.png -")
        try watched.write("Part.widgets.json", "[]")
        try watched.remove("moon.png")
        #expect(await word() == "3 +Part.widgets.json ~ -moon.png")
    }
}
