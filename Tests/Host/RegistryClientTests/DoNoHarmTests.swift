import ConformanceSupport
import Foundation
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetTransfers

@testable import RegistryClient

/// Goal: nothing that a registry has not proven stops what is there. Method: announcements that are lies, or that
/// cannot be kept.
@Suite struct `A1: a mandatory release` {
    private static let widget = "com.example.Sample-1"

    private func filled() async throws -> Host {
        let host = try Host { $0.retries.attempts = 1 }
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew)
        return host
    }

    private func installed(_ host: Host) throws -> InstalledRelease? {
        try host.cache.installed(WidgetIdentifier(Self.widget))
    }

    @Test func `A mandatory release that is not here stops nothing, online or offline`() async throws {
        let host = try await filled()
        host.registry.offer(try Offer.changed.get(), mandatory: true)
        host.registry.change { $0.archive = { _ in [] } }
        let result = try await host.update()
        #expect(result.error != nil)
        #expect(result.release?.mustUpdate == false)
        host.registry.change { $0.refusal = (503, "") }
        #expect(try await host.update().release?.mustUpdate == false)
        #expect(try installed(host)?.mustUpdate == false)
        #expect(host.text(try installed(host)) == "{\"greeting\": \"Hello\"}")
    }

    @Test func `A mandatory release that is here keeps older ones from running`() async throws {
        let host = try await filled()
        host.registry.offer(try Offer.changed.get(), mandatory: true)
        let release = try #require(try await host.update().release)
        #expect(!release.mustUpdate)
        try Data("damaged".utf8).write(to: URL(filePath: "\(release.path)/Scheme.json"))
        let older = try #require(try installed(host))
        #expect(host.text(older) == "{\"greeting\": \"Hello\"}")
        #expect(older.mustUpdate)
        // Mended by the network, or by an honest registry that shows the older one again.
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().release?.mustUpdate == false)
        #expect(try installed(host)?.mustUpdate == false)
    }

    @Test func `A release that is here can become mandatory, and stop being so`() async throws {
        let host = try await filled()
        host.registry.offer(try Offer.changed.get())
        let release = try #require(try await host.update().release)
        try host.registry.offer(Offer.changed.get(), mandatory: true)
        #expect(try await host.update().isSame)
        let path = "\(release.path)/Scheme.json"
        let sound = try Data(contentsOf: URL(filePath: path))
        try Data("damaged".utf8).write(to: URL(filePath: path))
        #expect(try installed(host)?.mustUpdate == true)
        try sound.write(to: URL(filePath: path))
        try host.registry.offer(Offer.changed.get())
        #expect(try await host.update().isSame)
        try Data("damaged".utf8).write(to: URL(filePath: path))
        #expect(try installed(host)?.mustUpdate == false)
    }

    @Test func `A mandatory release remembered by an earlier program stops nothing until it is here`() async throws {
        let host = try await filled()
        let path = "\(host.scratch.path)/cache/widgets/\(Self.widget)/state.json"
        let state = try String(contentsOfFile: path, encoding: .utf8)
        // As that program wrote it: an archive that must be run, no choices and no beginnings.
        let earlier = state.replacing(#/,"choices":\[[^\]]*\]/#, with: "").replacing(
            #/,"beginnings":\[[^\]]*\]/#, with: ""
        )
        .replacing("\"validator\":", with: "\"mandatory\":\"\(String(repeating: "a", count: 64))\",\"validator\":")
        #expect(earlier != state)
        try earlier.write(toFile: path, atomically: true, encoding: .utf8)
        let release = try #require(try installed(host))
        #expect(!release.mustUpdate)
        #expect(host.text(release) == "{\"greeting\": \"Hello\"}")
        // Its sequence still counts.
        host.registry.change { $0.sequence = 1 }
        #expect(try await host.update().reason == .staleSequence(seen: 2, offered: 1))
        host.registry.offer(try Offer.changed.get())
        host.registry.change { $0.sequence = 3 }
        #expect(try await host.update().isNew)
    }
}

/// Goal: a registry cannot say two things of one state of a channel, and an honest one is never taken to do so.
@Suite struct `A9: a state of a channel` {
    @Test func `A state of a channel gives one release, and another in the same state is refused`() async throws {
        let attack = try await Attack()
        #expect(try await attack.host.update().isNew)
        let number = 3
        for lie in [Offer.first, Offer.other] {
            attack.host.registry.offer(try lie.get())
            attack.host.registry.change { $0.sequence = number }
            let result = try await attack.host.update()
            #expect(result.reason == .sequenceRewritten(number))
            #expect(attack.host.text(result.release) == "{\"greeting\": \"Changed\"}")
        }
        // The next state is another matter.
        attack.host.registry.change { $0.sequence = number + 1 }
        #expect(try await attack.host.update().isNew)
    }

    @Test func `A state of a channel may come in a document that is written differently`() async throws {
        let host = try Host()
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew)
        for (text, other) in [
            ("\"upToDate\":false", "\"upToDate\":true"), ("2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z"),
            ("\"salt\":\"salt\"", "\"salt\":\"more\""), ("\"mandatory\":false", "\"mandatory\":true"),
            ("\"sequence\":2", "\"sequence\":2,\"new\":[1]"),
        ] {
            host.registry.change { $0.document = { $0.replacing(text, with: other) } }
            let result = try await host.update()
            #expect(result.isSame, "\(other): \(String(describing: result.error))")
        }
    }

    @Test func `A state of a channel may give other releases to hosts that send other versions`() async throws {
        let scratch = try Folder()
        let registry = ScriptedRegistry()
        func host(_ os: String?, _ version: String?) throws -> Host {
            try Host(registry, in: scratch) { ($0.os, $0.host) = (os, version) }
        }
        let offers = [Offer.first, Offer.changed, Offer.other]
        for _ in 0..<3 {
            for (offer, asked) in zip(offers, [(nil, nil), ("10.0", nil), ("10.0", "2.0")] as [(String?, String?)]) {
                registry.change { script in
                    script.sequence = 7
                    script.offer = try? offer.get()
                }
                let result = try await host(asked.0, asked.1).update()
                #expect(result.error == nil, "\(asked): \(String(describing: result.error))")
            }
        }
        registry.change { $0.offer = try? Offer.first.get() }
        #expect(try await host("10.0", nil).update().reason == .sequenceRewritten(7))
    }

    @Test func `A state of a channel that offers nothing is remembered, and fixes no release`() async throws {
        let host = try Host()
        host.registry.offer(try Offer.first.get())
        host.registry.change { $0.sequence = 40 }
        #expect(try await host.update().isNew)
        host.registry.change { script in
            script.sequence = 50
            script.document = { $0.replacing(#/"candidates":\[.*\]}/#, with: "\"candidates\":[]}") }
        }
        #expect(try await host.update().isSame)
        // Nothing is asked twice.
        #expect(try await host.update().isSame)
        #expect(host.registry.asked.last?.condition != nil)
        host.registry.change { script in
            script.sequence = 45
            script.document = { $0 }
            script.offer = try? Offer.changed.get()
        }
        #expect(try await host.update().reason == .staleSequence(seen: 50, offered: 45))
        host.registry.change { $0.sequence = 50 }
        #expect(try await host.update().isNew)
    }

    @Test func `A state of a channel is not remembered while its release is not here`() async throws {
        let attack = try await Attack()
        let honest = try Offer.changed.get()
        attack.host.registry.change { script in
            script.offer = try? Offer.other.get()
            script.archive = { _ in [] }
        }
        try await attack.mustFail(keepsPartial: true) { _ in true }
        attack.host.registry.change { script in
            script.offer = honest
            script.archive = { $0 }
        }
        #expect(try await attack.host.update().isNew)
    }
}

/// Goal: a copy takes the place of nothing but an earlier copy. Method: things of one's own where it belongs.
@Suite struct `A8: a copy of a release` {
    private let host: Host
    private let target: String

    init() async throws {
        host = try Host()
        target = "\(host.scratch.path)/out"
        host.registry.offer(try Offer.first.get())
        try #require(try await host.update().isNew)
    }

    private func copy(_ widget: String = "com.example.Sample-1", from address: String? = nil) async throws -> String {
        let release = try #require(try await host.update(widget).release)
        return try release.copy(
            into: target, from: try address.map { try RegistryAddress($0) } ?? host.fetcher.registry)
    }

    private func greeting() throws -> String {
        try String(contentsOfFile: "\(target)/Sample.bundle/Scheme.json", encoding: .utf8)
    }

    private func write(_ text: String, _ path: String) throws {
        let url = URL(filePath: "\(target)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func occupant(_ body: () async throws -> String) async throws -> FetchError.Occupant? {
        do {
            _ = try await body()
            return nil
        } catch let error as FetchError {
            guard case .occupied(let path, let occupant) = error.reason else { throw error }
            #expect("\(error)".contains(path) && error.hints.first?.contains("move \(path) away") == true)
            return occupant
        }
    }

    @Test func `A copy leaves a user's folder alone`() async throws {
        try write("mine", "Sample.bundle/mine.txt")
        #expect(try await occupant { try await copy() } == .own)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: target).sorted() == [
                "Sample.bundle", "Sample.bundle/mine.txt",
            ])
        // Out of the way, it works.
        try FileManager.default.moveItem(atPath: "\(target)/Sample.bundle", toPath: "\(target)/Mine.bundle")
        #expect(try await copy() == "\(target)/Sample.bundle")
    }

    @Test func `A copy leaves a file and a link alone`() async throws {
        try write("mine", "Sample.bundle")
        #expect(try await occupant { try await copy() } == .own)
        try FileManager.default.removeItem(atPath: "\(target)/Sample.bundle")
        try FileManager.default.createSymbolicLink(
            atPath: "\(target)/Sample.bundle", withDestinationPath: host.scratch.path)
        #expect(try await occupant { try await copy() } == .own)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(target)/Sample.bundle") == host.scratch.path)
    }

    @Test func `A copy leaves the folder of another widget, or of another registry, alone`() async throws {
        _ = try await copy()
        host.registry.offer(try Offer.changed.get())
        #expect(
            try await occupant { try await copy("com.example.Sample-2") }
                == .copy(widget: "com.example.Sample-1", registry: "http://registry.test"))
        #expect(
            try await occupant { try await copy(from: "http://other.test") }
                == .copy(widget: "com.example.Sample-1", registry: "http://registry.test"))
        #expect(try greeting() == "{\"greeting\": \"Hello\"}")
        _ = try await copy()
        #expect(try greeting() == "{\"greeting\": \"Changed\"}")
    }

    @Test
    func `F10: a copy does not share the folder of another widget's equal copy, which that widget's updates replace`()
        async throws
    {
        _ = try await copy()
        #expect(
            try await occupant { try await copy("com.example.Sample-2") }
                == .copy(widget: "com.example.Sample-1", registry: "http://registry.test"))
        #expect(
            try await occupant { try await copy(from: "http://other.test") }
                == .copy(widget: "com.example.Sample-1", registry: "http://registry.test"))
        // Its own is there already, and a folder without a mark may be taken for it.
        #expect(try await copy() == "\(target)/Sample.bundle")
        try FileManager.default.removeItem(atPath: "\(target)/.Sample.bundle.fetched")
        #expect(try await copy("com.example.Sample-2") == "\(target)/Sample.bundle")
        #expect(!FileManager.default.fileExists(atPath: "\(target)/.Sample.bundle.fetched"))
    }

    @Test func `A copy leaves an edited copy alone`() async throws {
        _ = try await copy()
        try write("mine", "Sample.bundle/mine.txt")
        host.registry.offer(try Offer.changed.get())
        #expect(try await occupant { try await copy() } == .changedCopy)
        #expect(try greeting() == "{\"greeting\": \"Hello\"}")
        try FileManager.default.removeItem(atPath: "\(target)/Sample.bundle/mine.txt")
        _ = try await copy()
        #expect(try greeting() == "{\"greeting\": \"Changed\"}")
    }

    @Test func `A copy contains the release only, with its mark beside it`() async throws {
        let release = try #require(try await host.update().release)
        let path = try release.copy(into: target, from: host.fetcher.registry)
        let copied = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        #expect(copied == (try FileManager.default.subpathsOfDirectory(atPath: release.path).sorted()))
        let mark = try Data(contentsOf: URL(filePath: "\(target)/.Sample.bundle.fetched"))
        #expect(try CopyMark(parsing: Array(mark)).widget == "com.example.Sample-1")
    }

    @Test func `A copy leaves a foreign item with the name of its mark alone`() async throws {
        try write("mine", ".Sample.bundle.fetched")
        #expect(try await occupant { try await copy() } == .own)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == [".Sample.bundle.fetched"])
    }

    @Test func `A copy is replaced after an interruption at any step`() async throws {
        _ = try await copy()
        host.registry.offer(try Offer.changed.get())
        let release = try #require(try await host.update().release)
        // The mark is written, and the folder has not changed yet.
        let mark = CopyMark(
            widget: "com.example.Sample-1", registry: "http://registry.test",
            contents: [release.record.contentDigest, try Offer.first.get().bundle.contentDigest])
        try Data(mark.json).write(to: URL(filePath: "\(target)/.Sample.bundle.fetched"))
        _ = try await copy()
        #expect(try greeting() == "{\"greeting\": \"Changed\"}")
        // The mark is written, and the folder is missing.
        try FileManager.default.removeItem(atPath: "\(target)/Sample.bundle")
        _ = try await copy()
        #expect(try greeting() == "{\"greeting\": \"Changed\"}")
    }
}

/// Goal: room that broken-off downloads take is given back as soon as they are of no use.
@Suite struct `A download that was broken off` {
    @Test func `An interrupted download is removed when a newer release is here, and not before`() async throws {
        let host = try Host { $0.retries = RetryPolicy(attempts: 1, attemptsInAll: 1) }
        func partial() -> [String] { host.everything.filter { $0.hasPrefix("partial/") } }
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew)
        let offers = [try Offer.other.get(), try Offer(.sample(text: "Changed").large(seed: 1))]
        for offer in offers {
            host.registry.offer(offer)
            host.registry.change { ($0.cut, $0.isCutForGood) = (10_000, true) }
            #expect(try await host.update().error != nil)
        }
        #expect(partial().count == 2)
        host.registry.offer(try Offer.changed.get())
        host.registry.change { $0.archive = { _ in [] } }
        #expect(try await host.update().error != nil)
        #expect(partial().contains("partial/\(offers[0].digest.hex)"))
        host.registry.change { ($0.cut, $0.archive) = (nil, { $0 }) }
        #expect(try await host.update().isNew)
        #expect(partial() == [])
    }
}
