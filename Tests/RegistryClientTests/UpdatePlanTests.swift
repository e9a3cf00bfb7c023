import Bytes
import JSONText
import RegistryContract
import Testing
import Zip

@testable import RegistryClient

/// Goal: an update fetches what is not here, and no more requests are made than are worth it.
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

    @Test func `fetches the files that are not here`() throws {
        let (plan, candidate) = try Self.plan([50_000, 2_000, 60_000], held: [0, 2])
        #expect(plan.ranges == [candidate.files[1].dataRange])
        #expect(plan.fetched.map(\.offset) == [0])
        #expect(plan.reused.map(\.path) == ["f0", "f2"])
        #expect(plan.isCheaper(than: candidate.byteCount))
    }

    @Test func `asks once for files that are near each other`() throws {
        let (plan, candidate) = try Self.plan([5_000, 300, 5_000, 90_000], held: [1, 3])
        #expect(plan.ranges == [candidate.files[0].dataRange.lowerBound..<candidate.files[2].dataRange.upperBound])
        #expect(plan.fetched.map(\.offset) == [0, 5_500])
        let (apart, other) = try Self.plan([5_000, 9_000, 5_000, 90_000], held: [1, 3])
        #expect(apart.ranges == [other.files[0].dataRange, other.files[2].dataRange])
        #expect(apart.fetched.map(\.offset) == [0, 5_000])
    }

    @Test func `asks for nothing when all is here`() throws {
        let (plan, candidate) = try Self.plan([5_000, 0, 7], held: [0, 1, 2])
        #expect(plan.ranges.isEmpty && plan.byteCount == 0)
        #expect(plan.isCheaper(than: candidate.byteCount))
    }

    @Test func `needs no range for a file without bytes`() throws {
        let (plan, _) = try Self.plan([50_000, 0], held: [0])
        #expect(plan.ranges.isEmpty)
        #expect(plan.fetched.map(\.file.path) == ["f1"])
    }

    @Test func `gives way to the whole when it is not cheaper`() throws {
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
    @Test func `reads as it was written`() throws {
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
    func `is none when it holds what cannot be`(text: String) throws {
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

    @Test func `remembers each channel of each registry, the last one longest`() {
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
