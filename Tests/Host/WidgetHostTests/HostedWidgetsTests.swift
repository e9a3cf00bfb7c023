import ConformanceSupport
import FoundationEssentials
import RegistryClient
import Testing
import WidgetBuild
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetIntake
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport
import WidgetTransfers

/// Goal: a host has any number of isolated widgets, and a failed update changes nothing.
@Suite struct `A host's widgets` {
    /// A bundle's folder, made of a sample.
    static func bundle(in folder: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> String {
        let compiled = try SampleSources.compiled("HarbourLog", changing: changing)
        let path = "\(folder)/HarbourLog.bundle"
        try? FileManager.default.removeItem(atPath: path)
        try SourceFolder.write(compiled.files, to: path)
        return path
    }

    private static let identifier = "org.example.harbour.HarbourLog"

    private static func manager(_ folder: String? = nil) -> HostedWidgets {
        HostedWidgets(storesIn: folder) { Environment(now: 551_217_600) }
    }

    /// The screen as text, once it shows the given text.
    private static func text(_ widget: RunningWidget, showing wanted: String) async throws -> String {
        try await HostScene.text(widget, showing: wanted)
    }

    @Test func `Widgets of one bundle share nothing`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch.path)
        let manager = Self.manager("\(scratch.path)/stores")
        let bundle = try BundleReading.program(at: path).0.identifier
        let first = try await manager.load("\(bundle)-1", from: .path(path))
        let second = try await manager.load("\(bundle)-2", from: .path(path))
        #expect(await manager.identifiers == ["\(bundle)-1", "\(bundle)-2"])
        _ = try await Self.text(first, showing: "Fog, and nothing else")
        _ = try await Self.text(second, showing: "Fog, and nothing else")
        await first.send(.setting("mine", .boolean(true)))
        let field = try #require(ElementSearch(await first.snapshot().view).key("searchBar"))
        await first.send(.input(field, .string("gull")))
        #expect(try await Self.text(first, showing: "( gull )").contains("gull"))
        #expect(!ViewText().text(await second.snapshot().view).contains("( gull )"))
        await manager.unload("\(bundle)-1")
        #expect(await manager.identifiers == ["\(bundle)-2"])
        #expect(await first.send(.back) != nil)
        let model = try BundleReading.program(at: path).0.model
        let kept = try HostedWidgets.store("\(bundle)-1", in: "\(scratch.path)/stores").load(model: model)
        #expect(kept.defaults["mine"]?.truth == true && kept.records.count > 0)
        #expect(throws: HostError.self) { _ = try HostedWidgets.store("\(bundle)-2", in: "\(scratch.path)/stores") }
        await manager.unload("\(bundle)-2")
        let other = try HostedWidgets.store("\(bundle)-2", in: "\(scratch.path)/stores").load(model: model)
        #expect(other.defaults["mine"] == nil)
        // Loaded again, it continues with its data.
        _ = try await manager.load("\(bundle)-1", from: .path(path))
    }

    @Test func `A widget takes over a new version with the typed text, and keeps the old one otherwise`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch.path)
        let manager = Self.manager()
        let bundle = try BundleReading.program(at: path).0.identifier
        let widget = try await manager.load(bundle, from: .path(path))
        _ = try await Self.text(widget, showing: "Fog, and nothing else")
        let field = try #require(ElementSearch(await widget.snapshot().view).key("searchBar"))
        await widget.send(.input(field, .string("fog")))
        #expect(await manager.update(bundle) == .noData)
        _ = try Self.bundle(in: scratch.path) { sources in
            let text = String(decoding: sources["StubService.json"] ?? [], as: UTF8.self)
            sources["StubService.json"] = Array(text.replacing("Fog, and nothing else", with: "Fog, and a bell").utf8)
            let scheme = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
            sources["LogViewController.json"] = Array(scheme.replacing("<Untitled>", with: "<No title>").utf8)
        }
        #expect(await manager.update(bundle) == .newData(revision: 2))
        #expect(ViewText().text(await widget.snapshot().view).contains("( fog )"))
        try FileManager.default.removeItem(atPath: "\(path)/Info.plist")
        guard case .failed(.widget(.bundle)) = await manager.update(bundle) else {
            Issue.record("it must fail")
            return
        }
        let snapshot = await widget.snapshot()
        #expect(snapshot.revision == 2 && snapshot.warning != nil && ViewText().text(snapshot.view).contains("( fog )"))
        #expect(await manager.update("nobody") == .failed(.notLoaded("nobody")))
    }

    @Test func `A widget that cannot be loaded says why`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.bundle(in: scratch.path)
        let manager = Self.manager()
        let bundle = try BundleReading.program(at: path).0.identifier
        await #expect(throws: HostError.widget(.identifierMismatch(expectedPrefix: bundle, found: "org.other"))) {
            _ = try await manager.load("org.other", from: .path(path))
        }
        await #expect(throws: HostError.self) { _ = try await manager.load(bundle, from: .path("\(path)/nothing")) }
        _ = try await manager.load(bundle, from: .path(path))
        await #expect(throws: HostError.loadedAlready(bundle)) {
            _ = try await manager.load(bundle, from: .path(path))
        }
        #expect(throws: HostError.self) { _ = try HostedWidgets.store("\(bundle)/../../x", in: scratch.path) }
    }
}

/// Goal: after every answer of a registry, a host's widget runs the right release. Method: a built registry, and
/// its end.
@Suite(.serialized) struct `A host's widgets, from a registry,` {
    private static let identifier = "com.example.Postcard-1"

    /// A release that a word of its form distinguishes from others.
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

    @Test func `A widget takes over a new release, and runs on without one and without a registry`() async throws {
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
            Issue.record("the registry has stopped and cannot have answered")
            return
        }
        let snapshot = await widget.snapshot()
        #expect(snapshot.revision == 2 && snapshot.warning != nil)
        #expect(await Self.text(widget).contains("[ Second ]"))
    }

    @Test func `A widget begins with a cached release, and does not begin without any`() async throws {
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

    @Test func `A widget that no registry has is refused with the reason`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let registry = try Registry()
        let fetcher = try Self.fetcher(registry.url, scratch.path)
        for identifier in ["com.example.Nobody", "no identifier"] {
            do throws(HostError) {
                _ = try await Self.host().load(identifier, from: .registry(fetcher))
                Issue.record("\(identifier) was never published")
            } catch {
                guard case .registry = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }
}

/// The samples of this repository, compiled.
enum SampleSources {
    static func compiled(
        _ name: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws -> BundleCompiler {
        var sources = try SourceFolder.read(try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/\(name)"))
        changing(&sources)
        return try BundleCompiler(sources, folder: name)
    }
}

/// A refusal that a test did not expect.
struct Refused: Error, CustomStringConvertible {
    var description: String
}
