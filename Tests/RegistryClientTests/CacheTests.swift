import ConformanceSupport
import Foundation
import RegistryClient
import RegistryContract
import Testing
import Transfers

/// Goal: what is on the disk is never believed, never in the way and never lost. Method: it is damaged, and others come
/// in between.
@Suite struct `A cache` {
    private static let widget = "com.example.Sample-1"

    private func filled(_ limits: CacheLimits = CacheLimits()) async throws -> Host {
        let host = try Host(limits: limits)
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew)
        return host
    }

    /// The files under the cache that `isMeant` says.
    private func paths(_ host: Host, _ isMeant: (String) -> Bool) -> [String] {
        host.everything.filter(isMeant).map { "\(host.scratch.path)/cache/\($0)" }.filter {
            (try? FileManager.default.attributesOfItem(atPath: $0))?[.type] as? FileAttributeType == .typeRegular
        }
    }

    @Test func `finds a flipped bit in any file, and mends it`() async throws {
        let host = try await filled()
        for path in paths(host, { $0.contains(".bundle/") }) {
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes[bytes.count / 2] ^= 4
            try bytes.write(to: URL(filePath: path))
            #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) == nil, "\(path)")
            host.registry.forget()
            let result = try await host.update()
            #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
            // From the archive that is still there.
            #expect(host.registry.sentByteCount == 0)
        }
    }

    @Test(arguments: ["added", "removed", "linked", "emptied"])
    func `finds a file that was`(what: String) async throws {
        let host = try await filled()
        let folder = try #require(try host.cache.installed(WidgetIdentifier(Self.widget))?.path)
        let files = FileManager.default
        switch what {
        case "added": try Data("x".utf8).write(to: URL(filePath: "\(folder)/More.json"))
        case "removed": try files.removeItem(atPath: "\(folder)/Scheme.json")
        case "linked":
            try files.removeItem(atPath: "\(folder)/Scheme.json")
            try files.createSymbolicLink(atPath: "\(folder)/Scheme.json", withDestinationPath: "/etc/passwd")
        default: try Data().write(to: URL(filePath: "\(folder)/Scheme.json"))
        }
        #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) == nil)
        #expect(try await host.update().isNew)
        #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) != nil)
    }

    @Test func `fetches a damaged archive anew`() async throws {
        let host = try await filled()
        for path in paths(host, { $0.hasPrefix("archives/") || $0.contains(".bundle/") }) {
            try Data("nonsense".utf8).write(to: URL(filePath: path))
        }
        host.registry.forget()
        #expect(try await host.update().isNew)
        #expect(host.registry.sentByteCount == (try Offer.first.get().archive.count))
    }

    @Test func `falls back to the release before when the current one is damaged`() async throws {
        let host = try await filled()
        host.registry.offer(try Offer.changed.get())
        let current = try #require(try await host.update().release)
        try Data("nonsense".utf8).write(to: URL(filePath: "\(current.path)/Scheme.json"))
        let release = try host.cache.installed(WidgetIdentifier(Self.widget))
        #expect(host.text(release) == "{\"greeting\": \"Hello\"}")
    }

    @Test(arguments: [
        "", "{", "{}", "null", "{\"format\": 0, \"sequences\": []}", String(repeating: "x", count: 300_000),
    ])
    func `takes a state that it cannot read for none`(text: String) async throws {
        let host = try await filled()
        let path = try #require(paths(host) { $0.hasSuffix("state.json") }.first)
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) == nil)
        #expect(try await host.update().isNew)
    }

    @Test func `takes a state cut at any byte for none, or for what it was`() async throws {
        let host = try await filled()
        let path = try #require(paths(host) { $0.hasSuffix("state.json") }.first)
        let whole = try Data(contentsOf: URL(filePath: path))
        for end in 0..<whole.count - 1 {
            try whole.prefix(end).write(to: URL(filePath: path))
            #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) == nil)
        }
    }

    @Test(arguments: [true, false]) func `removes nothing while the state cannot be read`(isNewer: Bool) async throws {
        let host = try await filled()
        let path = try #require(paths(host) { $0.hasSuffix("state.json") }.first)
        let state = try Data(contentsOf: URL(filePath: path))
        // Something to sweep, which is when releases that nobody knows of would go as well.
        let leftover = "\(host.scratch.path)/cache/widgets/\(Self.widget)/.staged-1"
        try FileManager.default.createDirectory(atPath: leftover, withIntermediateDirectories: true)
        try FileManager.default.removeItem(atPath: path)
        if isNewer {
            try Data("{\"format\": 2, \"sequences\": []}".utf8).write(to: URL(filePath: path))
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        host.registry.offer(try Offer.changed.get())
        switch try await host.update().reason {
        case .newerState(format: 2): #expect(isNewer)
        case .file: #expect(!isNewer)
        case let reason: Issue.record("\(String(describing: reason))")
        }
        try FileManager.default.removeItem(atPath: path)
        try state.write(to: URL(filePath: path))
        #expect(host.text(try host.cache.installed(WidgetIdentifier(Self.widget))) == "{\"greeting\": \"Hello\"}")
        #expect(try await host.update().isNew)
    }

    @Test(arguments: ["file", "more"]) func `replaces what stands where a release belongs`(what: String) async throws {
        let host = try await filled()
        let release = try #require(try host.cache.installed(WidgetIdentifier(Self.widget)))
        let folder = try #require(release.path.range(of: "/Sample.bundle")).lowerBound
        let place = String(release.path[..<folder])
        if what == "file" {
            try FileManager.default.moveItem(atPath: place, toPath: "\(host.scratch.path)/aside")
            try Data("x".utf8).write(to: URL(filePath: place))
        } else {
            // Somebody runs it, and a desktop has looked into it.
            try Data("x".utf8).write(to: URL(filePath: "\(place)/.DS_Store"))
        }
        let result = try await host.update()
        #expect(result.isNew)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
        if what == "more" {
            let held = host.everything.filter { $0.hasSuffix("-replaced/Sample.bundle/Scheme.json") }
            #expect(held.count == 1, "what somebody runs was removed")
        }
    }

    @Test func `finds a shelved archive that was changed without becoming longer`() async throws {
        let host = try await filled()
        for path in paths(host, { $0.hasPrefix("archives/") || $0.hasSuffix("Scheme.json") }) {
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes[bytes.count / 2] ^= 4
            try bytes.write(to: URL(filePath: path))
        }
        host.registry.forget()
        #expect(try await host.update().isNew)
        #expect(host.registry.sentByteCount == (try Offer.first.get().archive.count))
    }

    @Test func `holds no more beginnings of archives than it may`() async throws {
        var limits = CacheLimits()
        limits.byteCount = 100_000
        let host = try Host(limits: limits) { $0.retries = RetryPolicy(attempts: 1, attemptsInAll: 1) }
        host.registry.change { $0.isCutForGood = true }
        for number in 2..<8 {
            host.registry.offer(
                try Offer(.sample(text: "Number \(number)").adding("More.json", bytes: Self.noise(60_000))))
            host.registry.change { $0.cut = 30_000 }
            #expect(try await host.update().error != nil)
        }
        let held = paths(host) { $0.hasPrefix("partial/") }
        #expect((1...3).contains(held.count), "\(held.count)")
    }

    private static func noise(_ count: Int) -> [UInt8] {
        let words = (0..<count / 16).map { _ in "\"\(String(UInt64.random(in: 0 ... .max), radix: 36))\"" }
        return Array("[\(words.joined(separator: ","))]".utf8)
    }

    @Test func `sweeps what a crash has left`() async throws {
        let host = try await filled()
        let folder = "\(host.scratch.path)/cache/widgets/\(Self.widget)"
        try FileManager.default.createDirectory(
            atPath: "\(folder)/.staged-1/Sample.bundle", withIntermediateDirectories: true)
        for leftover in ["\(folder)/.staged-2", "\(host.scratch.path)/cache/.staged-3"] {
            try Data("x".utf8).write(to: URL(filePath: leftover))
        }
        host.registry.offer(try Offer.changed.get())
        _ = try await host.update()
        #expect(host.staged.isEmpty)
    }

    @Test func `keeps two releases and no more, but for one that somebody runs`() async throws {
        let host = try await filled()
        var running = try await host.update().release
        for number in 2..<6 {
            host.registry.offer(try Offer(.sample(text: "Number \(number)")))
            #expect(try await host.update().isNew)
        }
        func releaseCount() -> Int { host.everything.count { $0.hasSuffix("Sample.bundle") } }
        #expect(host.text(running) == "{\"greeting\": \"Hello\"}")
        #expect(releaseCount() == 3)
        running = nil
        host.registry.offer(try Offer(.sample(text: "Last")))
        #expect(try await host.update().isNew)
        #expect(releaseCount() == 2)
    }

    @Test func `lets go of archives that nothing uses when it is too large`() async throws {
        var limits = CacheLimits()
        limits.byteCount = 150_000
        let host = try await filled(limits)
        for number in 2..<6 {
            host.registry.offer(try Offer(.sample(text: "Number \(number)")))
            #expect(try await host.update().isNew)
        }
        #expect(paths(host) { $0.hasPrefix("archives/") }.count <= 2)
        #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) != nil)
        limits.byteCount = 0
        let other = try Host(host.registry, in: host.scratch, limits: limits)
        host.registry.offer(try Offer(.sample(text: "No room")))
        #expect(try await other.update().isNew)
        #expect(paths(host) { $0.hasPrefix("archives/") }.isEmpty)
        #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) != nil)
    }

    @Test func `is the same installation whoever opens it first`() async throws {
        let folder = try Folder()
        let names = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 {
                group.addTask { try? WidgetCache(at: "\(folder.path)/cache").installation }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 1 && names.first??.count == 32)
        try Data("broken".utf8).write(to: URL(filePath: "\(folder.path)/cache/installation"))
        #expect(try WidgetCache(at: "\(folder.path)/cache").installation.count == 32)
    }

    @Test func `takes updates of one widget by many at once`() async throws {
        let scratch = try Folder()
        let registry = ScriptedRegistry()
        registry.offer(try Offer.first.get())
        let results = await withTaskGroup(of: UpdateResult?.self) { group in
            for _ in 0..<8 {
                // A cache of its own each, as processes have.
                group.addTask { try? await Host(registry, in: scratch).update() }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0?.error == nil && $0?.release != nil }, "\(results.compactMap { $0?.error })")
        let host = try Host(registry, in: scratch)
        #expect(registry.sentByteCount == (try Offer.first.get().archive.count))
        #expect(host.staged.isEmpty)
        #expect(host.everything.filter { $0.hasSuffix("Sample.bundle") }.count == 1)
    }

    @Test func `takes two hundred widgets at once`() async throws {
        // On a busy machine the first takes long, and nobody shall lose patience and bring it a second time.
        var limits = CacheLimits()
        limits.lockPatience = .seconds(600)
        let host = try Host(limits: limits)
        host.registry.offer(try Offer.first.get())
        let results = await withTaskGroup(of: UpdateResult?.self) { group in
            for number in 0..<200 {
                group.addTask { try? await host.update("com.example.Sample-\(number)") }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0?.isNew == true }, "\(results.compactMap { $0?.error }.prefix(3))")
        #expect(host.registry.sentByteCount == (try Offer.first.get().archive.count))
        #expect(host.staged.isEmpty)
        #expect(host.everything.filter { $0.hasSuffix("Sample.bundle") }.count == 200)
    }

    @Test func `gives a copy that replaces the one before`() async throws {
        let host = try await filled()
        let target = "\(host.scratch.path)/out"
        for (offer, text) in [(Offer.first, "Hello"), (Offer.changed, "Changed")] {
            host.registry.offer(try offer.get())
            let release = try #require(try await host.update().release)
            let path = try release.copy(into: target, from: host.fetcher.registry)
            #expect(try String(contentsOfFile: "\(path)/Scheme.json", encoding: .utf8) == "{\"greeting\": \"\(text)\"}")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target).sorted() == [
                ".Sample.bundle.fetched", "Sample.bundle",
            ])
    }
}
