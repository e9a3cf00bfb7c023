import ConformanceSupport
import Foundation
import HostileServer
import RegistryClient
import RegistryContract
import Testing
import WidgetBundles
import WidgetFiles
import WidgetSurroundings
import WidgetTransfers

/// One way to tamper with a registry's answers, and the expected outcome.
struct Story: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// The update fails, and its sentence has these words.
        case refused(String)
        /// The update ends with the honest release, byte for byte.
        case right
        /// The update ends with the release that was there.
        case same
        /// The update ends with the bundle that the document describes: files that were proven one by one, put together
        /// as announced. Nothing but a signature could tell it from a release.
        case consistent
    }

    let name: String
    /// On a host that has nothing.
    let empty: Outcome
    /// On a host that has the release before.
    let there: Outcome
    let lie: HostileRegistry.Lie

    var testDescription: String { name }

    init(
        _ name: String, empty: Outcome, there: Outcome, _ change: (inout HostileRegistry.Lie) -> Void
    ) {
        (self.name, self.empty, self.there) = (name, empty, there)
        var lie = HostileRegistry.Lie()
        change(&lie)
        self.lie = lie
    }

    init(_ name: String, _ outcome: Outcome, _ change: (inout HostileRegistry.Lie) -> Void) {
        self.init(name, empty: outcome, there: outcome, change)
    }

    /// A change of the text of the resolve document, which must be one.
    init(_ name: String, _ outcome: Outcome, replacing text: String, with other: String) {
        self.init(name, empty: outcome, there: outcome, replacing: text, with: other)
    }

    init(_ name: String, empty: Outcome, there: Outcome, replacing text: String, with other: String) {
        self.init(name, empty: empty, there: there) { lie in
            lie.text = { document in
                precondition(document.contains(text), "\(name): the document has no \(text)")
                return document.replacing(text, with: other)
            }
        }
    }

    /// Tells the story to a host, and looks at everything that must be so afterwards.
    ///
    /// - Parameter hasRelease: whether the host has the release before.
    func play(hasRelease: Bool) async throws {
        let first = HostileRegistry.Truth(offer: try Offer.first.get(), sequence: 2)
        let second = HostileRegistry.Truth(offer: try Offer.changed.get(), sequence: 3)
        let registry = try HostileRegistry(first)
        let stage = try Stage(registry)
        if hasRelease {
            let fetched = await stage.update(HostileRegistry.Lie())
            try #require(fetched.isNew, "\(String(describing: fetched.error))")
        }
        let before = try stage.runnable()
        registry.show(second)
        let result = await stage.update(lie)
        try check(result, hasRelease ? there : empty, before, stage)
        // The present release runs although the registry is gone, and nothing was written anywhere else.
        let after = try stage.runnable()
        switch hasRelease ? there : empty {
        case .right: #expect(after == Stage.files(second.offer), "not the honest release")
        case .refused, .same: #expect(after == before, "what was there has changed")
        case .consistent:
            let honest = Set(Stage.files(second.offer).values)
            #expect(
                after != nil && Set(after?.values.map(\.self) ?? []).isSubset(of: honest), "not files of the release")
        }
        #expect(try stage.installed()?.mustUpdate != true, "what is there may not be run any more")
        #expect(stage.strays == [])
        if result.isNew, try stage.installed()?.record.contentDigest != second.offer.bundle.contentDigest {
            // The state is bound to the content that it gave; the honest one comes with the next state.
            let rewritten = await stage.update(HostileRegistry.Lie())
            #expect(rewritten.reason == .sequenceRewritten(second.sequence))
            registry.show(HostileRegistry.Truth(offer: second.offer, sequence: second.sequence + 1))
        }
        let mended = await stage.update(HostileRegistry.Lie())
        #expect(mended.error == nil, "an honest answer does not mend it: \(String(describing: mended.error))")
        #expect(try stage.runnable() == Stage.files(second.offer))
        #expect(stage.strays == [])
    }

    private func check(_ result: UpdateResult, _ outcome: Outcome, _ before: [String: [UInt8]]?, _ stage: Stage) throws
    {
        switch (outcome, result) {
        case (.refused(let words), .failed(let error, let kept)):
            let sentence = "\(error)"
            #expect(!words.isEmpty && sentence.contains(words), "refused for another reason: \(sentence)")
            #expect((kept != nil) == (before != nil))
        case (.right, .newData), (.consistent, .newData), (.same, .noData): break
        case (_, .failed(let error, _)): Issue.record("refused: \(error)")
        default: Issue.record("it was not refused")
        }
    }
}

/// A host's cache, in a folder with things of other people's around it.
private struct Stage {
    let folder: Folder
    let cache: WidgetCache
    let registry: HostileRegistry

    private static let widget = "com.example.Sample-1"
    /// One client for all, as an app has it; nothing waits for the time to pass.
    private static let client = TransferClient(transport: CurlTransport(), in: .skipping())

    init(_ registry: HostileRegistry) throws {
        self.registry = registry
        folder = try Folder()
        cache = try WidgetCache(at: "\(folder.path)/cache")
        for name in ["mine.txt", "Sample.bundle"] {
            try Data("mine".utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
    }

    func update(_ lie: HostileRegistry.Lie) async -> UpdateResult {
        registry.tell(lie)
        var options = FetchOptions()
        options.retries.attempts = 2
        // Much longer than a busy machine makes an honest answer late; stories about silence shorten it.
        options.stall = .seconds(20)
        options.connecting = .seconds(2)
        lie.options(&options)
        let address = lie.address(registry.server.port)
        do throws(FetchError) {
            let fetcher = WidgetFetcher(
                registry: try RegistryAddress(address), cache: cache, client: Stage.client, options: options)
            return await fetcher.update(try WidgetIdentifier(Stage.widget))
        } catch {
            return .failed(error, nil)
        }
    }

    func installed() throws -> InstalledRelease? { try cache.installed(WidgetIdentifier(Stage.widget)) }

    /// The bytes of the release that can be run, by path.
    func runnable() throws -> [String: [UInt8]]? {
        guard let release = try installed() else { return nil }
        var files: [String: [UInt8]] = [:]
        for file in release.files {
            files[file.path] = Array(try Data(contentsOf: URL(filePath: "\(release.path)/\(file.path)")))
        }
        return files
    }

    /// The bytes of an offer's bundle.
    static func files(_ offer: Offer) -> [String: [UInt8]] {
        let forged = (offer.digest == (try? Offer.first.get().digest) ? BundleForge.sample() : .sample(text: "Changed"))
        return Dictionary(uniqueKeysWithValues: forged.contents.map { ($0.path, $0.bytes) })
    }

    /// Everything in the folder that does not belong there: outside the cache but what was there, and inside it but
    /// what docs/hosting.md lists.
    var strays: [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? ["unreadable"]
        let allowed = [
            "cache", "cache/archives", "cache/partial", "cache/widgets", "cache/installation",
            "cache/widgets/\(Stage.widget)", "cache/widgets/\(Stage.widget)/state.json", "mine.txt", "Sample.bundle",
        ]
        let release = "cache/widgets/\(Stage.widget)/[0-9a-f]{64}"
        let patterns = [
            // A release that is held while another takes its place; it goes with the next update.
            "cache/widgets/\(Stage.widget)/\\.staged-[0-9a-f]+-replaced(/.*)?",
            "cache/archives/[0-9a-f]{64}\\.zip", "cache/partial/[0-9a-f]{64}(\\.[0-9a-f]{32})?", release,
            "\(release)/(Sample|Other|sample)\\.bundle",
            "\(release)/(Sample|Other|sample)\\.bundle/(Info\\.plist|Data?\\.json|Scheme\\.json|en\\.lproj(/Localizable\\.strings)?)",
        ].compactMap { try? Regex($0) }
        var strays = paths.filter { path in
            !allowed.contains(path) && !patterns.contains { path.wholeMatch(of: $0) != nil }
        }
        for name in ["mine.txt", "Sample.bundle"]
        where (try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)) != "mine" {
            strays.append("\(name) was changed")
        }
        return strays
    }
}
