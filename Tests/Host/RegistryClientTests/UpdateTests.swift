import ConformanceSupport
import Foundation
import JSONText
import RegistryClient
import RegistryContract
import Testing
import WidgetBytes
import WidgetTransfers
import WidgetZip

@testable import RegistryClient

/// Goal: a host runs the release that its registry offers, and fetches only the changed files.
/// Method: an honest registry in place of the network.
@Suite struct `An update` {
    @Test func `An update installs a release that is new here`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        let result = try await host.update()
        #expect(result.isNew, "\(String(describing: result.error))")
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
        #expect(result.release?.path.hasSuffix("/Sample.bundle") == true)
        #expect(host.staged.isEmpty)
    }

    @Test func `An update without changes asks with the tag of the previous answer`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        host.registry.forget()
        let result = try await host.update()
        #expect(result.isSame)
        #expect(host.registry.asked.map(\.path) == ["/v1/widgets/com.example.Sample-1"])
        #expect(host.registry.asked.first?.condition != nil)
    }

    @Test func `An update that finds its release here records the channel it asked`() async throws {
        let beta = try Host { $0.channel = "beta" }
        beta.registry.offer(try Offer(.sample()))
        #expect(try await beta.update().release?.record.channel == "beta")
        let stable = try Host(beta.registry, in: beta.scratch)
        stable.registry.forget()
        let result = try await stable.update()
        #expect(result.isSame)
        #expect(result.release?.record.channel == "stable")
        #expect(try stable.cache.installed(WidgetIdentifier("com.example.Sample-1"))?.record.channel == "stable")
        #expect(stable.registry.sentByteCount == 0)
        #expect(try await stable.update().isSame)
        #expect(stable.registry.asked.count == 2 && stable.registry.asked[1].condition != nil)
    }

    @Test func `A mandatory release that could not be fetched can be taken back by its registry`() async throws {
        let host = try Host { $0.retries.attempts = 1 }
        host.registry.offer(try Offer.first.get())
        _ = try await host.update()
        host.registry.offer(try Offer.changed.get(), mandatory: true)
        host.registry.change { $0.archive = { _ in [] } }
        #expect(try await host.update().release?.mustUpdate == false)
        // It was a mistake, and the registry offers the release from before again, with the known tag.
        host.registry.change {
            $0.archive = { $0 }
            $0.offer = try? Offer.first.get()
            $0.isMandatory = false
        }
        host.registry.change { $0.sequence -= 1 }
        #expect(try await host.update().isSame)
        #expect(try host.cache.installed(WidgetIdentifier("com.example.Sample-1"))?.mustUpdate == false)
    }

    @Test func `An update fetches only the changed files`() async throws {
        let host = try Host()
        let first = try Offer(.sample())
        host.registry.offer(first)
        _ = try await host.update()
        host.registry.forget()
        host.registry.offer(try Offer(.sample(text: "Changed")))
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        let cost = try #require(result.cost)
        #expect(cost.fetchedByteCount < first.archive.count / 20, "\(cost) of \(first.archive.count)")
        #expect(cost.fetchedByteCount == host.registry.sentByteCount)
        #expect(host.staged.isEmpty)
    }

    @Test func `An update fetches only the changed files when the archive was packed anew`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        host.registry.forget()
        // Stored, the same files are not one byte the same.
        let repacked = try Offer(.sample(text: "Changed").with { $0.isStored = true })
        host.registry.offer(repacked)
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        #expect(host.registry.sentByteCount < repacked.archive.count / 20)
        #expect(result.release?.record.digest == repacked.digest)
        #expect(try await host.update().isSame)
        // The assembled archive serves as the base of the next.
        host.registry.forget()
        host.registry.offer(try Offer(.sample(text: "Again")))
        #expect(try await host.update().isNew)
        #expect(host.registry.sentByteCount < repacked.archive.count / 20)
        #expect(host.staged.isEmpty)
    }

    @Test func `An update continues an interrupted part`() async throws {
        let host = try Host { $0.retries = RetryPolicy(attempts: 1, attemptsInAll: 1) }
        let (first, second) = (try Offer(.sample()), try Offer(.sample(text: String(repeating: "Changed", count: 40))))
        host.registry.offer(first)
        _ = try await host.update()
        host.registry.forget()
        host.registry.offer(second)
        host.registry.change { $0.cut = 20 }
        #expect(try await host.update().error != nil)
        #expect(host.registry.sentByteCount == 20)
        let result = try await host.update()
        #expect(result.isNew)
        #expect(result.cost?.fetchedByteCount == host.registry.sentByteCount - 20)
        #expect(host.everything.filter { $0.hasPrefix("partial/") }.isEmpty)
    }

    @Test func `A fallback to the release before needs no network`() async throws {
        let host = try Host()
        let (first, second) = (try Offer(.sample()), try Offer(.sample(text: "Changed")))
        for offer in [first, second] {
            host.registry.offer(offer)
            _ = try await host.update()
        }
        host.registry.forget()
        host.registry.offer(first)
        let result = try await host.update()
        #expect(result.isNew)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
        #expect(host.registry.sentByteCount == 0)
    }

    @Test func `An update uses an archive that another widget has fetched`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update("com.example.Sample-1")
        let sent = host.registry.sentByteCount
        let result = try await host.update("com.example.Sample-2")
        #expect(result.isNew)
        #expect(host.registry.sentByteCount == sent)
    }

    @Test func `An update continues an interrupted download`() async throws {
        let host = try Host()
        let offer = try Offer(.sample())
        host.registry.offer(offer)
        host.registry.change {
            $0.cut = 10_000
            $0.isCutForGood = true
        }
        _ = try await Host(host.registry, in: host.scratch) { $0.retries = .init(attempts: 1, attemptsInAll: 1) }
            .update()
        host.registry.change { $0.cut = nil }
        host.registry.forget()
        let result = try await host.update()
        #expect(result.isNew)
        #expect(host.registry.asked.last?.range == "bytes=10000-")
        #expect(host.registry.asked.last?.condition == offer.tag)
        #expect(result.cost?.fetchedByteCount == offer.archive.count - 10_000)
    }

    @Test func `An update sends the token to the registry`() async throws {
        let host = try Host { $0.token = "secret" }
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        #expect(host.registry.asked.allSatisfy { $0.token == "secret" } && !host.registry.asked.isEmpty)
    }

    @Test func `The files of the cache are readable by their owner alone`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        for path in host.everything {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(host.scratch.path)/cache/\(path)")
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(mode == (isFolder ? 0o700 : 0o600), "\(path)")
        }
    }
}

/// Goal: an update fetches the missing files, with no more requests than are worth it.
/// Method: archives of three files, of which some are held.
@Suite struct `A plan for an update` {
    private static func digest(_ text: String) -> Digest? { Digest.sha256(Array(text.utf8)) }

    /// Files of these sizes, one after the other, with headers of 100 bytes between them.
    private static func candidate(_ sizes: [Int]) throws -> ReleaseCandidate {
        let whole = try #require(digest("whole"))
        var files: [FileDocument] = []
        var position = 0
        for (index, size) in sizes.enumerated() {
            position += 100
            var file = FileDocument()
            (file.path, file.byteCount, file.offset, file.compressedByteCount) = ("f\(index)", size, position, size)
            file.digest = try #require(digest("\(index)"))
            files.append(file)
            position += size
        }
        var candidate = ReleaseCandidate()
        (candidate.buckets, candidate.release, candidate.name) = (0..<10_000, "1.0~1", "Sample")
        (candidate.digest, candidate.contentDigest, candidate.byteCount) = (whole, whole, position + 500)
        (candidate.url, candidate.files) = ("/v1/blobs/sha256/\(whole.hex)", files)
        return candidate
    }

    private static func plan(_ sizes: [Int], held: [Int]) throws -> (UpdatePlan, ReleaseCandidate) {
        let candidate = try candidate(sizes)
        return (UpdatePlan(candidate, held: Set(held.map { candidate.files[$0].digest })), candidate)
    }

    @Test func `A plan fetches the files that are not here`() throws {
        let (plan, candidate) = try Self.plan([50_000, 2_000, 60_000], held: [0, 2])
        #expect(plan.ranges == [candidate.files[1].dataRange])
        #expect(plan.fetched.map(\.offset) == [0])
        #expect(plan.reused.map(\.path) == ["f0", "f2"])
        #expect(plan.isCheaper(than: candidate.byteCount))
    }

    @Test func `A plan fetches nearby files in one range`() throws {
        let (plan, candidate) = try Self.plan([5_000, 300, 5_000, 90_000], held: [1, 3])
        #expect(plan.ranges == [candidate.files[0].dataRange.lowerBound..<candidate.files[2].dataRange.upperBound])
        #expect(plan.fetched.map(\.offset) == [0, 5_500])
        let (apart, other) = try Self.plan([5_000, 9_000, 5_000, 90_000], held: [1, 3])
        #expect(apart.ranges == [other.files[0].dataRange, other.files[2].dataRange])
        #expect(apart.fetched.map(\.offset) == [0, 5_000])
    }

    @Test func `A plan fetches nothing when all files are here`() throws {
        let (plan, candidate) = try Self.plan([5_000, 0, 7], held: [0, 1, 2])
        #expect(plan.ranges.isEmpty && plan.byteCount == 0)
        #expect(plan.isCheaper(than: candidate.byteCount))
    }

    @Test func `A plan needs no range for an empty file`() throws {
        let (plan, _) = try Self.plan([50_000, 0], held: [0])
        #expect(plan.ranges.isEmpty)
        #expect(plan.fetched.map(\.file.path) == ["f1"])
    }

    @Test func `A plan is rejected when the whole archive is cheaper`() throws {
        let (nothing, candidate) = try Self.plan([5_000, 6_000], held: [])
        #expect(!nothing.isCheaper(than: candidate.byteCount))
        let (little, _) = try Self.plan([100, 60_000], held: [0])
        #expect(!little.isCheaper(than: 60_700))
        // Most of the whole is here already.
        let (much, _) = try Self.plan([50_000, 20_000], held: [0])
        #expect(!much.isCheaper(than: 10_000))
    }
}

/// Goal: the one file that decides what runs says the same after it was written. Method: there and back.
@Suite struct `The state of a widget` {
    @Test func `A state of a widget reads as it was written`() throws {
        var state = WidgetState()
        let digest = try #require(Digest.sha256([1]))
        let record = InstalledRecord(
            bundleIdentifier: "com.acme.Clock", release: "1.0~1", channel: "stable", digest: digest,
            contentDigest: digest, byteCount: 7, expandedByteCount: 9, name: "Clock", keptDigest: digest,
            keptByteCount: 8)
        state.current = record
        state.current?.isMandatory = true
        state.begin(digest)
        state.validator = WidgetState.Validator(address: "http://a/b?c", entityTag: "\"x\"")
        state.remember(
            WidgetState.Sequence(
                registry: "http://a", bundleIdentifier: "com.acme.Clock", channel: "b", number: 9,
                choices: [WidgetState.Choice(question: digest, content: digest)]))
        #expect(try WidgetState(parsing: state.json) == state)
        state.previous = record
        state.current = nil
        #expect(try WidgetState(parsing: state.json) == state)
    }

    @Test(arguments: [
        "\"sequence\":-9223372036854775808", "\"sequence\":0", "\"expandedSize\":9223372036854775807",
        "\"expandedSize\":-1", "\"sha256\":\"x\"",
    ])
    func `A state of a widget with an impossible value counts as missing`(text: String) throws {
        var state = WidgetState()
        let digest = try #require(Digest.sha256([1]))
        state.current = InstalledRecord(
            bundleIdentifier: "com.acme.Clock", release: "1.0~1", channel: "stable", digest: digest,
            contentDigest: digest, byteCount: 7, expandedByteCount: 9, name: "Clock", keptDigest: digest,
            keptByteCount: 8)
        state.remember(
            WidgetState.Sequence(registry: "http://a", bundleIdentifier: "com.acme.Clock", channel: "b", number: 9))
        let name = text.prefix { $0 != ":" }
        let sound = String(decoding: state.json, as: UTF8.self)
        let pattern = try Regex("\(name):(\"[0-9a-f]*\"|[0-9]+)")
        let broken = sound.replacing(pattern, with: text)
        #expect(broken != sound)
        #expect(throws: JSONError.self) { try WidgetState(parsing: Array(broken.utf8)) }
    }

    @Test func `A state of a widget remembers each channel of each registry, the last one longest`() {
        var state = WidgetState()
        func sequence(_ registry: Int, _ number: Int) -> WidgetState.Sequence {
            WidgetState.Sequence(
                registry: "http://\(registry)", bundleIdentifier: "com.acme.Clock", channel: "stable", number: number)
        }
        for registry in 0..<100 { state.remember(sequence(registry, 1)) }
        state.remember(sequence(99, 5))
        #expect(state.sequences.count == 64)
        #expect(state.sequence("http://99", "com.acme.Clock", "stable")?.number == 5)
        #expect(state.sequence("http://98", "com.acme.Clock", "stable")?.number == 1)
        #expect(state.sequence("http://0", "com.acme.Clock", "stable") == nil)
        #expect(state.sequence("http://99", "com.acme.Clock", "beta") == nil)
    }
}

/// Goal: hosts share a rollout as the contract says. Method: numbers worked out elsewhere (Python's hashlib).
@Suite struct `A rollout` {
    @Test(arguments: [
        ("a", "com.example.App", "k3v9", 1735), ("installation-1", "mobi.favio.WidgetDemo", "k3v9", 6582),
    ])
    func `A rollout puts an installation in one bucket`(installation: String, bundle: String, salt: String, bucket: Int)
    {
        #expect(
            Rollout.bucket(installation: installation, bundleIdentifier: bundle, salt: salt) == bucket)
    }

    @Test func `A rollout distributes installations evenly`() {
        let low = (0..<4_000).count { number in
            Rollout.bucket(installation: "host-\(number)", bundleIdentifier: "com.example.App", salt: "s") < 2_500
        }
        #expect((900...1_100).contains(low))
    }
}
