import ConformanceSupport
import Files
import RegistryClient
import TestSupport
import Testing
import Transfers
import WidgetBuild
import WidgetCore
import WidgetHost
import WidgetRender
import WidgetRunning

/// Goal: whatever comes of asking a registry, a host's widget runs on with what is right. Method: a built registry, and
/// its end.
@Suite(.serialized, .timeLimit(.minutes(20))) struct `A host's widgets, from a registry,` {
    private static let identifier = "com.example.Postcard-1"

    /// A release, told from others by a word of its form.
    private static func publish(_ word: String, _ version: String, to registry: Registry) throws {
        let compiled = try SampleSources.compiled("Postcard") { sources in
            for (path, bytes) in sources where path.hasSuffix(".storyboard") || path.hasSuffix("Info.plist") {
                let text = String(decoding: bytes, as: UTF8.self)
                sources[path] = Array(
                    text.replacing("title=\"Postcard\"", with: "title=\"\(word)\"")
                        .replacing("<string>1.0</string>", with: "<string>\(version)</string>").utf8)
            }
        }
        var forge = ZipForge()
        for file in compiled.files.sorted(by: { $0.path < $1.path }) {
            forge.entries.append(ZipForge.Entry(Array("Postcard.bundle/\(file.path)".utf8), file.bytes))
        }
        let answer = try registry.post(forge.build().bytes)
        guard answer.status == 201 else { throw Refused(description: "\(answer.status) \(answer.text)") }
    }

    private static func fetcher(_ url: String, _ folder: String) throws -> WidgetFetcher {
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 1, firstPause: .milliseconds(10), longestPause: .milliseconds(10))
        return WidgetFetcher(
            registry: try RegistryAddress(url), cache: try WidgetCache(at: "\(folder)/cache"), options: options)
    }

    private static func host() -> HostedWidgets { HostedWidgets { Environment(now: 551_217_600) } }

    private static func text(_ widget: RunningWidget) async -> String {
        ViewText().text(await widget.snapshot().view)
    }

    @Test func `take over a new release, stay where there is none, and run on when nobody answers`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let registry = try Registry()
        try Self.publish("First", "1.0", to: registry)
        let fetcher = try Self.fetcher(registry.url, scratch.path)
        let host = Self.host()
        let widget = try await host.load(Self.identifier, from: .registry(fetcher))
        #expect(await Self.text(widget).contains("[ First ]"))

        #expect(await host.update(Self.identifier) == .noData)
        #expect(await widget.snapshot().revision == 1)

        try Self.publish("Second", "1.1", to: registry)
        #expect(await host.update(Self.identifier) == .newData(revision: 2))
        #expect(await Self.text(widget).contains("[ Second ]"))

        registry.killAtOnce()
        guard case .failed(.registry) = await host.update(Self.identifier) else {
            Issue.record("nobody can have answered")
            return
        }
        let snapshot = await widget.snapshot()
        #expect(snapshot.revision == 2 && snapshot.warning != nil)
        #expect(await Self.text(widget).contains("[ Second ]"))
    }

    @Test func `begin with what was fetched before, and not at all with nothing`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let registry = try Registry()
        try Self.publish("Kept", "1.0", to: registry)
        let fetcher = try Self.fetcher(registry.url, scratch.path)
        let before = Self.host()
        _ = try await before.load(Self.identifier, from: .registry(fetcher))
        await before.unload(Self.identifier)
        registry.killAtOnce()
        let widget = try await Self.host().load(Self.identifier, from: .registry(fetcher))
        #expect(await Self.text(widget).contains("[ Kept ]"))

        let empty = try Self.fetcher(registry.url, "\(scratch.path)/other")
        do throws(HostError) {
            _ = try await Self.host().load(Self.identifier, from: .registry(empty))
            Issue.record("there is nothing to begin with")
        } catch {
            guard case .registry = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `that no registry has are refused with its reason`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let registry = try Registry()
        let fetcher = try Self.fetcher(registry.url, scratch.path)
        for identifier in ["com.example.Nobody", "no identifier"] {
            do throws(HostError) {
                _ = try await Self.host().load(identifier, from: .registry(fetcher))
                Issue.record("nobody has published \(identifier)")
            } catch {
                guard case .registry = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }
}
