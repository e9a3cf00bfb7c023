import ConformanceSupport
import Foundation
import RegistryClient
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistryClient
import WidgetRuntime
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

/// Goal: a widget, its data and its release outlive a new address of its registry. Method: the public interface, and a
/// registry that is not a network and answers under any name.
@Suite struct `The address of a registry changes` {
    private static let old = "http://old.test"
    private static let new = "http://new.test"

    /// A host whose widget has counted to 1 and is confirmed.
    private final class Moved {
        let registry = ScriptedRegistry()
        let scratch: Folder
        let widget: WidgetID

        init() async throws {
            scratch = try Folder()
            widget = try WidgetID("com.example.Counter-1")
            try Data(BundleForge.counter(0).archive).write(to: URL(filePath: builtIn))
            registry.offer(try Offer(BundleForge.counter(1)))
            let release = try #require(await client(old).update(widget).release)
            let session = try await WidgetSession(release, configuration: configuration())
            try await session.tap("add")
            try await release.confirm()
            await session.stop()
        }

        var builtIn: String { "\(scratch.path)/BuiltIn.zip" }

        func client(_ address: String) throws -> WidgetClient {
            try WidgetClient(
                registry: address, cache: "\(scratch.path)/cache", transport: registry, in: .skipping())
        }

        func configuration(_ change: (inout WidgetConfiguration) -> Void = { _ in }) -> WidgetConfiguration {
            var configuration = WidgetConfiguration()
            configuration.dataFolder = "\(scratch.path)/data"
            change(&configuration)
            return configuration
        }

        /// The screen of a release, in a session that ends at once.
        func shown(
            _ release: WidgetRelease, _ change: (inout WidgetConfiguration) -> Void = { _ in }
        ) async throws -> String {
            let session = try await WidgetSession(release, configuration: configuration(change))
            let text = await session.screen().text()
            await session.stop()
            return text
        }
    }

    @Test func `A release from the former address runs with its data, and says where it is from`() async throws {
        let moved = try await Moved()
        let release = try await moved.client(Self.new).start(moved.widget)
        #expect(release.registry == Self.old && release.isFromAnotherRegistry)
        #expect(try await moved.shown(release).contains("v1 1"))
    }

    @Test(arguments: [true, false]) func `The data follow to a release from the new address, if the app says so`(
        adopts: Bool
    ) async throws {
        let moved = try await Moved()
        moved.registry.offer(try Offer(BundleForge.counter(2)))
        let release = try #require(await moved.client(Self.new).update(moved.widget).release)
        #expect(release.version == "1.2~1" && release.registry == Self.new)
        let refusal = await #expect(throws: RuntimeError.self) { try await moved.shown(release) }
        #expect(refusal?.code == .store && refusal?.isFaultOfRelease == false)
        #expect(refusal?.hint?.contains("formerRegistries") == true, "\(String(describing: refusal?.hint))")
        let text = try await moved.shown(release) {
            if adopts { $0.adoptsData = true } else { $0.formerRegistries = ["http://other.test", "\(Self.old)/"] }
        }
        #expect(text.contains("v2 1"))
        // They have followed: the app need not say so for ever.
        #expect(try await moved.shown(release).contains("v2 1"))
    }

    @Test func `A running release does not give its data to one from elsewhere`() async throws {
        let moved = try await Moved()
        let client = try moved.client(Self.new)
        let release = try await client.start(moved.widget)
        let session = try await WidgetSession(release, configuration: moved.configuration())
        moved.registry.offer(try Offer(BundleForge.counter(2)))
        let next = try #require(await client.update(moved.widget).release)
        let refusal = await #expect(throws: RuntimeError.self) { try await session.replace(with: next) }
        #expect(refusal?.code == .store)
        #expect(await session.screen().text().contains("v1 1"))
        await session.stop()
    }

    @Test func `Another bundle does not adopt the data`() async throws {
        let moved = try await Moved()
        let longer = BundleForge.counter(3).with { $0.identifier = "com.example.Counter-1" }
        moved.registry.offer(try Offer(longer))
        var options = ClientOptions()
        options.pin = "com.example.Counter-1"
        let client = try WidgetClient(
            registry: Self.new, cache: "\(moved.scratch.path)/cache", options: options, transport: moved.registry,
            in: .skipping())
        let release = try #require(await client.update(moved.widget).release)
        for adopts in [true, false] {
            await #expect(throws: RuntimeError.self) {
                try await moved.shown(release) { ($0.adoptsData, $0.formerRegistries) = (adopts, [Self.old]) }
            }
        }
    }

    @Test func `The built-in bundle runs with empty data where the store cannot be opened`() async throws {
        let moved = try await Moved()
        let builtIn = try moved.client(Self.new).builtIn(moved.widget, at: moved.builtIn)
        #expect(try await moved.shown(builtIn).contains("v0 0"))
        // With the former address it has the widget's data.
        let before = try moved.client(Self.old).builtIn(moved.widget, at: moved.builtIn)
        #expect(try await moved.shown(before).contains("v0 1"))
        // A process that has the data in use does not keep it from running either.
        let other = try await WidgetSession(before, configuration: moved.configuration())
        let session = try await WidgetSession(before, configuration: moved.configuration())
        #expect(await session.screen().text().contains("v0 0"))
        try await session.tap("add")
        await session.stop()
        await other.stop()
        #expect(try await moved.shown(before).contains("v0 1"))
        // A store that is not one.
        try Data("no database at all".utf8).write(
            to: URL(filePath: "\(moved.scratch.path)/data/\(moved.widget).sqlite"))
        #expect(try await moved.shown(before).contains("v0 0"))
    }

    @Test func `A former address that is not one is refused`() async throws {
        let moved = try await Moved()
        let release = try await moved.client(Self.old).start(moved.widget)
        let refusal = await #expect(throws: RuntimeError.self) {
            try await moved.shown(release) { $0.formerRegistries = ["old"] }
        }
        #expect(refusal?.code == .invalidAddress)
        let error = try #require(refusal)
        #expect(try await !release.reject(because: error))
    }

    @Test func `A lock, a zone and a grant blame no release, and a bundle that is not a widget is blamed`() async throws
    {
        let moved = try await Moved()
        let client = try moved.client(Self.old)
        let release = try await client.start(moved.widget)
        let other = try await WidgetSession(release, configuration: moved.configuration())
        var errors: [RuntimeError] = []
        let changes: [@Sendable (inout WidgetConfiguration) -> Void] = [
            { _ in }, { $0.timeZone = "Europe/Berln" }, { $0.dataFolder = "/proc/none" },
        ]
        for change in changes {
            let error = await #expect(throws: RuntimeError.self) { try await moved.shown(release, change) }
            errors.append(try #require(error))
        }
        let grant = #expect(throws: RuntimeError.self) { try NetworkAccess.granted(to: ["api.example.com"]) }
        errors.append(try #require(grant))
        await other.stop()
        #expect(errors.map(\.code) == [.store, .unknownTimeZone, .store, .invalidGrant])
        for error in errors {
            #expect(!error.isFaultOfRelease, "\(error)")
            #expect(try await !release.reject(because: error))
        }
        let again = try await client.start(moved.widget)
        #expect(again.version == "1.1~1" && !again.isTrial)
        // It is a bundle, and has no screen.
        moved.registry.offer(try Offer(BundleForge("com.example.Counter", "1.2").with { $0.name = "Counter" }))
        let bad = try #require(await client.update(moved.widget).release)
        let found = await #expect(throws: RuntimeError.self) { try await moved.shown(bad) }
        let fault = try #require(found)
        #expect(fault.code == .invalidProgram && fault.isFaultOfRelease)
        #expect(try await bad.reject(because: fault))
        #expect(try await client.start(moved.widget).version == "1.1~1")
    }
}
