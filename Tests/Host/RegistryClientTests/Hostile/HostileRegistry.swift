import Foundation
import HostileServer
import JSONText
import RegistryClient
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetTestSupport
import WidgetTransfers
import WidgetZip

/// Goal: a host refuses any wrong answer or has the right release, keeps the previous one byte for byte, writes nowhere
/// else, and the next honest answer mends it. Method: an honest registry's answers over loopback with one thing
/// changed, sent to an empty host and to one that has a release.
@Suite(.ownThreads) struct `A hostile registry` {
    @Test(arguments: DocumentStories.all + MandatoryStories.all, [false, true])
    func `A hostile registry gets nowhere with a document`(story: Story, hasRelease: Bool) async throws {
        try await story.play(hasRelease: hasRelease)
    }

    @Test(arguments: AnswerStories.all, [false, true])
    func `A hostile registry gets nowhere with an answer`(story: Story, hasRelease: Bool) async throws {
        try await story.play(hasRelease: hasRelease)
    }

    @Test(arguments: ArchiveStories.all, [false, true])
    func `A hostile registry gets nowhere with an archive`(story: Story, hasRelease: Bool) async throws {
        try await story.play(hasRelease: hasRelease)
    }

    @Test func `At least 172 attacks are tried, not counting the corpus of archives`() {
        let names = (DocumentStories.all + MandatoryStories.all + AnswerStories.all + ArchiveStories.all).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count { !$0.hasSuffix(".zip") } >= 172, "\(names.count)")
    }
}

/// A registry on loopback that gives an honest registry's answers but for one thing, which a story tells.
final class HostileRegistry: Sendable {
    /// The contents of an honest registry: a release, and the state of the channel that shows it.
    struct Truth: Sendable {
        var offer: Offer
        var sequence: Int

        /// The resolve document, as our own server writes it.
        var document: ResolutionDocument {
            var document = ResolutionDocument()
            document.widgetIdentifier = "com.example.Sample-1"
            document.bundleIdentifier = offer.bundle.manifest.identifier
            document.channel = "stable"
            document.sequence = sequence
            document.salt = "k3v9"
            document.candidates = [ReleaseCandidate(offer)]
            return document
        }
    }

    /// The one thing.
    struct Lie: Sendable {
        /// In place of what the channel shows.
        var truth: @Sendable (inout Truth) -> Void = { _ in }
        /// The values of the resolve document.
        var document: @Sendable (inout ResolutionDocument) -> Void = { _ in }
        /// Its text.
        var text: @Sendable (String) -> String = { $0 }
        /// Its bytes.
        var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }
        /// Fields that come with it.
        var fields: [String] = []
        /// The bytes of the archive.
        var archive: @Sendable ([UInt8]) -> [UInt8] = { $0 }
        /// The entity tag of the archive, in place of the one that belongs to the digest that was announced.
        var tag: String?
        /// In place of the answer to a request for a part of the archive.
        var part: (@Sendable (Visit, Range<Int>, [UInt8]) -> Void)?
        /// In place of the head before the honest document and of the framing of its bytes.
        var framing: (@Sendable (Visit, [UInt8]) -> Void)?
        /// In place of the resolve document, and in place of the archive.
        var onDocument: (@Sendable (Visit) -> Void)?
        var onArchive: (@Sendable (Visit, [UInt8]) -> Void)?
        /// The spelling of the registry's address during the attack.
        var address: @Sendable (UInt16) -> String = { "http://127.0.0.1:\($0)" }
        /// The options of the host.
        var options: @Sendable (inout FetchOptions) -> Void = { _ in }
    }

    private struct State {
        var truth: Truth
        var lie = Lie()
    }

    private let state: Guarded<State>
    let server: HostileServer

    init(_ truth: Truth) throws {
        let state = Guarded(State(truth: truth))
        self.state = state
        server = try HostileServer { HostileRegistry.serve($0, state.withLock { $0 }) }
    }

    deinit { server.stop() }

    func show(_ truth: Truth) { state.withLock { $0.truth = truth } }
    func tell(_ lie: Lie) { state.withLock { $0.lie = lie } }

    private static func serve(_ visit: Visit, _ state: State) {
        let lie = state.lie
        var truth = state.truth
        lie.truth(&truth)
        if visit.request.target.hasPrefix("/v1/widgets/") {
            if let answer = lie.onDocument { return answer(visit) }
            let body = document(truth, lie)
            if let framing = lie.framing { return framing(visit, body) }
            let tag = "\"\(Digest.sha256(body)?.hex ?? "")\""
            if visit.request.value("If-None-Match") == tag { return visit.answer(304, ["ETag: \(tag)"]) }
            visit.answer(200, ["ETag: \(tag)", "Content-Type: application/json"] + lie.fields, body: body)
        } else if visit.request.target.hasPrefix("/v1/blobs/sha256/") {
            let bytes = lie.archive(truth.offer.archive)
            if let answer = lie.onArchive { return answer(visit, bytes) }
            serve(visit, bytes, tag: lie.tag ?? "\"sha256-\(visit.request.target.suffix(64))\"", part: lie.part)
        } else {
            visit.answer(404, text: "{}")
        }
    }

    static func document(_ truth: Truth, _ lie: Lie) -> [UInt8] {
        var document = truth.document
        lie.document(&document)
        var writer = JSONWriter()
        document.write(to: &writer)
        return lie.bytes(Array(lie.text(String(decoding: writer.finish(), as: UTF8.self)).utf8))
    }

    /// An archive as it should be served, whole or in part.
    static func serve(
        _ visit: Visit, _ bytes: [UInt8], tag: String, part: (@Sendable (Visit, Range<Int>, [UInt8]) -> Void)? = nil
    ) {
        let condition = visit.request.value("If-Range")
        guard let range = visit.request.value("Range"), condition == nil || condition == tag,
            let match = range.wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = Int(match.1), first < bytes.count
        else { return visit.answer(200, ["ETag: \(tag)"], body: bytes) }
        let wanted = first..<min(bytes.count, max(first + 1, (Int(match.2) ?? bytes.count - 1) + 1))
        if let part { return part(visit, wanted, bytes) }
        visit.answer(206, ["ETag: \(tag)", range206(wanted, of: bytes.count)], body: Array(bytes[wanted]))
    }

    static func range206(_ range: Range<Int>, of count: Int) -> String {
        "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
    }
}

extension ReleaseCandidate {
    init(_ offer: Offer) {
        self.init()
        let bundle = offer.bundle
        buckets = 0..<Rollout.bucketCount
        release = bundle.manifest.releaseKey
        digest = bundle.digest
        contentDigest = bundle.contentDigest
        byteCount = bundle.byteCount
        name = bundle.name
        url = RegistryPath.blob(bundle.digest)
        published = "2026-11-21T10:00:00Z"
        files = bundle.files.map { file in
            var document = FileDocument()
            document.path = file.path
            document.byteCount = file.byteCount
            document.digest = file.digest
            document.offset = file.offset
            document.compressedByteCount = file.compressedByteCount
            document.method = file.method == .stored ? "stored" : "deflate"
            return document
        }
    }

    /// Sets the content digest to that of the present files.
    mutating func fit() {
        var content = ContentDigest()
        for file in files { content.add(path: file.path, byteCount: file.byteCount, digest: file.digest) }
        let finished = content.finish()
        if let finished { contentDigest = finished }
    }
}
