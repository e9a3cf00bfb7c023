import ConformanceSupport
import Foundation
import RegistryClient
import RegistryContract
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTransfers

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

    @Test func `A flipped bit in any file is found and mended`() async throws {
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
    func `A changed file of a release is found`(what: String) async throws {
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

    @Test func `A damaged archive is fetched anew`() async throws {
        let host = try await filled()
        for path in paths(host, { $0.hasPrefix("archives/") || $0.contains(".bundle/") }) {
            try Data("nonsense".utf8).write(to: URL(filePath: path))
        }
        host.registry.forget()
        #expect(try await host.update().isNew)
        #expect(host.registry.sentByteCount == (try Offer.first.get().archive.count))
    }

    @Test func `A damaged current release falls back to the release before`() async throws {
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
    func `An unreadable state counts as missing`(text: String) async throws {
        let host = try await filled()
        let path = try #require(paths(host) { $0.hasSuffix("state.json") }.first)
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) == nil)
        #expect(try await host.update().isNew)
    }

    @Test func `A state cut at any byte counts as missing, or is what it was`() async throws {
        let host = try await filled()
        let path = try #require(paths(host) { $0.hasSuffix("state.json") }.first)
        let whole = try Data(contentsOf: URL(filePath: path))
        for end in 0..<whole.count - 1 {
            try whole.prefix(end).write(to: URL(filePath: path))
            #expect(try host.cache.installed(WidgetIdentifier(Self.widget)) == nil)
        }
    }

    @Test(arguments: [true, false]) func `The cache removes nothing while the state cannot be read`(isNewer: Bool)
        async throws
    {
        let host = try await filled()
        let path = try #require(paths(host) { $0.hasSuffix("state.json") }.first)
        let state = try Data(contentsOf: URL(filePath: path))
        // A leftover to sweep: with it, unknown releases would go as well.
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

    @Test(arguments: ["file", "more"]) func `A foreign item in the place of a release is replaced`(what: String)
        async throws
    {
        let host = try await filled()
        let release = try #require(try host.cache.installed(WidgetIdentifier(Self.widget)))
        let folder = try #require(release.path.range(of: "/Sample.bundle")).lowerBound
        let place = String(release.path[..<folder])
        if what == "file" {
            try FileManager.default.moveItem(atPath: place, toPath: "\(host.scratch.path)/aside")
            try Data("x".utf8).write(to: URL(filePath: place))
        } else {
            // A process runs it, and a desktop has written into it.
            try Data("x".utf8).write(to: URL(filePath: "\(place)/.DS_Store"))
        }
        let result = try await host.update()
        #expect(result.isNew)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
        if what == "more" {
            let held = host.everything.filter { $0.hasSuffix("-replaced/Sample.bundle/Scheme.json") }
            #expect(held.count == 1, "a release in use was removed")
        }
    }

    @Test func `A shelved archive that was changed without growing is found`() async throws {
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

    @Test func `Partial archives are kept up to the limit`() async throws {
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

    @Test func `Leftovers of a crash are removed`() async throws {
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

    @Test func `The cache keeps two releases, and those that a process runs`() async throws {
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

    @Test func `Unused archives are evicted when the cache is too large`() async throws {
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

    @Test func `All openers of a cache share one installation name`() async throws {
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

    @Test func `Many updates of one widget at once succeed`() async throws {
        let scratch = try Folder()
        let registry = ScriptedRegistry()
        registry.offer(try Offer.first.get())
        let results = await withTaskGroup(of: UpdateResult?.self) { group in
            for _ in 0..<8 {
                // One cache value each, as processes have.
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

    /// Another process finishes the archive at each moment at which the update reads the clock.
    @Test func `An archive that arrives before it is asked for is not fetched`() async throws {
        let offer = try Offer.first.get()
        func update(arrivingAt moment: Int?) async throws -> (host: Host, readings: Int) {
            let (scratch, registry, readings) = (try Folder(), ScriptedRegistry(), Guarded(0))
            registry.offer(offer)
            let clock = InterruptingClock {
                guard !registry.asked.contains(where: { $0.path.hasPrefix("/v1/blobs/") }) else { return }
                let reading = readings.withLock { count in
                    defer { count += 1 }
                    return count
                }
                let shelf = URL(filePath: "\(scratch.path)/cache/archives/\(offer.digest.hex).zip")
                if reading == moment { try? Data(offer.archive).write(to: shelf) }
            }
            let host = try Host(registry, in: scratch, clock: clock)
            #expect(try await host.update().isNew)
            return (host, readings.withLock { $0 })
        }
        let moments = try await update(arrivingAt: nil).readings
        #expect(moments > 1)
        for moment in 0..<moments {
            let host = try await update(arrivingAt: moment).host
            #expect(host.registry.sentByteCount == 0, "\(moment) of \(moments)")
            #expect(paths(host) { $0.hasPrefix("partial/") }.isEmpty, "\(moment) of \(moments)")
        }
    }

    @Test func `Two hundred widgets can be updated at once`() async throws {
        // On a busy machine the first takes long, and the others must not lose patience and fetch it a second time.
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

    @Test func `A copy of the new release replaces the one before`() async throws {
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

/// Goal: an update ends with the right release, for anything that other processes do with the cache meanwhile.
/// Method: their locks, leftovers and changes, made by hand.
@Suite struct `A cache that others use` {
    private static let widget = "com.example.Sample-1"

    private func host(_ clock: any Clock = SystemClock()) async throws -> Host {
        let host = try Host(clock: clock)
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew)
        return host
    }

    private func path(_ host: Host, _ name: String) -> String { "\(host.scratch.path)/cache/\(name)" }

    @Test func `A fetch stops waiting for a process whose archive does not grow`() async throws {
        let clock = SkippingClock()
        let host = try await host(clock)
        let other = try Offer.other.get()
        host.registry.offer(other)
        host.registry.forget()
        let name = path(host, "partial/\(other.digest.hex)")
        let held = try FileDescriptor.creating(name)
        try held.write(Array(other.archive.prefix(10)), at: 0)
        #expect(try held.tryLock())
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Other\"}")
        #expect(clock.passed >= CacheLimits().lockPatience)
        // All of it a second time, and what the other one has is still the other one's.
        #expect(host.registry.sentByteCount == other.archive.count)
        #expect(try held.status().byteCount == 10)
        #expect(FileManager.default.fileExists(atPath: name))
    }

    @Test func `A fetch waits for a lock no longer than its patience`() async throws {
        let clock = SkippingClock()
        let host = try await host(clock)
        let folder = try Directory(opening: path(host, "widgets/\(Self.widget)"))
        #expect(try folder.tryLock())
        host.registry.offer(try Offer.changed.get())
        let result = try await host.update()
        #expect(clock.passed >= CacheLimits().lockPatience)
        #expect(result.reason == .busy)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
    }

    @Test func `An overtaken update does not undo the newer one`() async throws {
        let host = try await host()
        host.registry.offer(try Offer.other.get())
        let state = path(host, "widgets/\(Self.widget)/state.json")
        // While the archive is on its way, another process installs a later state of the channel.
        host.registry.change {
            $0.archive = { archive in
                let text = (try? String(contentsOfFile: state, encoding: .utf8)) ?? ""
                let later = text.replacing("\"sequence\":2", with: "\"sequence\":9")
                try? later.write(toFile: state, atomically: true, encoding: .utf8)
                return archive
            }
        }
        let result = try await host.update()
        #expect(result.reason == .staleSequence(seen: 9, offered: 3))
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
    }

    @Test func `Abandoned leftovers are removed from the cache`() async throws {
        let host = try await host()
        let week = Date.now.addingTimeInterval(-8 * 24 * 3_600)
        let (old, new, staged) = (
            path(host, "partial/" + String(repeating: "0", count: 64)),
            path(host, "partial/" + String(repeating: "1", count: 64)), path(host, "partial/.staged-1")
        )
        for file in [old, new, staged] { try Data("x".utf8).write(to: URL(filePath: file)) }
        try FileManager.default.setAttributes([.modificationDate: week], ofItemAtPath: old)
        host.registry.offer(try Offer.changed.get())
        #expect(try await host.update().isNew)
        let files = FileManager.default
        #expect(!files.fileExists(atPath: old) && !files.fileExists(atPath: staged))
        #expect(files.fileExists(atPath: new))
    }
}

@Suite struct `A registry that cannot do everything` {
    @Test func `A registry without ranges is asked for the whole archive`() async throws {
        let host = try Host()
        host.registry.offer(try Offer.first.get())
        _ = try await host.update()
        host.registry.forget()
        host.registry.change { $0.ignoresRanges = true }
        let changed = try Offer.changed.get()
        host.registry.offer(changed)
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        #expect(host.registry.asked.contains { $0.range != nil })
        #expect(host.registry.asked.last?.range == nil)
    }

    @Test(arguments: ["text/html", "application/json", "text/event-streams"])
    func `A registry whose feed is something else is polled`(type: String) async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer.first.get())
        host.registry.change {
            $0.feed = feed
            $0.feedType = type
        }
        var timing = WatchTiming()
        timing.poll = .milliseconds(20)
        timing.leastPause = .zero
        for await event in host.fetcher.events(of: try WidgetIdentifier("com.example.Sample-1"), timing: timing) {
            if case .attention(let attention) = event {
                #expect(attention == .polling)
                break
            }
        }
    }

    private struct Policy: TransferPolicy {
        var isOpen: Bool
        func allows(_ url: TransferURL) -> Bool { isOpen }
        func allows(_ address: IPAddress, port: UInt16) -> Bool { isOpen }
    }

    @Test(arguments: [true, false])
    func `A registry gets the versions of host and system, and is asked only where that is allowed`(isOpen: Bool)
        async throws
    {
        let host = try Host {
            $0.os = "17.1"
            $0.host = "4.2"
            $0.addresses = Policy(isOpen: isOpen)
        }
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew == isOpen)
        let asked = host.registry.asked
        guard isOpen else {
            #expect(asked.isEmpty)
            return
        }
        #expect(asked.first?.query?.contains("os=17.1") == true)
        #expect(asked.first?.query?.contains("host=4.2") == true)
        #expect(asked.count == 2 && asked.allSatisfy(\.hasPolicy))
    }
}
