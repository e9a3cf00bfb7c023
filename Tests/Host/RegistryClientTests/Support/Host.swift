import ConformanceSupport
import Foundation
import RegistryClient
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

/// A host with a temporary cache and a registry to talk to.
final class Host: Sendable {
    let scratch: Folder
    let cache: WidgetCache
    let registry: ScriptedRegistry
    let fetcher: WidgetFetcher

    /// - Parameters:
    ///   - scratch: where the cache is, when it has been there before.
    ///   - clock: that of the cache.
    ///   - isOnItsClock: true if pauses between requests take their time on it too.
    init(
        _ registry: ScriptedRegistry = ScriptedRegistry(), in scratch: Folder? = nil,
        limits: CacheLimits = CacheLimits(), clock: any Clock = SystemClock(), isOnItsClock: Bool = false,
        _ change: (inout FetchOptions) -> Void = { _ in }
    ) throws {
        self.registry = registry
        let folder = try scratch ?? Folder()
        self.scratch = folder
        cache = try WidgetCache(at: "\(folder.path)/cache", limits: limits, in: World(clock: clock))
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 3)
        change(&options)
        fetcher = WidgetFetcher(
            registry: try RegistryAddress("http://registry.test"), cache: cache,
            client: TransferClient(transport: registry, in: isOnItsClock ? World(clock: clock) : .skipping()),
            options: options)
    }

    func update(_ widget: String = "com.example.Sample-1") async throws -> UpdateResult {
        await fetcher.update(try WidgetIdentifier(widget))
    }

    /// Everything under the cache, as paths.
    var everything: [String] {
        (try? FileManager.default.subpathsOfDirectory(atPath: "\(scratch.path)/cache"))?.sorted() ?? []
    }

    var staged: [String] { everything.filter { $0.contains(StagedFile.prefix) } }

    func text(_ release: InstalledRelease?, _ file: String = "Scheme.json") -> String? {
        release.flatMap { try? String(contentsOfFile: "\($0.path)/\(file)", encoding: .utf8) }
    }
}

/// The machine's clock, at whose readings something else happens first.
struct InterruptingClock: Clock {
    private let clock = SystemClock()
    private let interrupt: @Sendable () -> Void

    init(_ interrupt: @escaping @Sendable () -> Void) { self.interrupt = interrupt }

    var now: ContinuousClock.Instant {
        interrupt()
        return clock.now
    }

    var date: (seconds: Int64, nanoseconds: Int) { clock.date }

    func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        clock.call(at: moment, action)
    }

    func sleep(until moment: ContinuousClock.Instant) async { await clock.sleep(until: moment) }
}

/// A folder that is removed when it is no longer referenced.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = "\(Directory.temporary)/widget-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension WatchTiming {
    /// Pauses for tests on the machine's clock.
    static func brief(_ change: (inout WatchTiming) -> Void = { _ in }) -> WatchTiming {
        var timing = WatchTiming()
        timing.poll = .milliseconds(20)
        timing.firstPause = .milliseconds(10)
        timing.longestPause = .milliseconds(40)
        timing.leastPause = .zero
        timing.spread = .zero
        change(&timing)
        return timing
    }
}

extension UpdateResult {
    var isNew: Bool { if case .newData = self { true } else { false } }
    var isSame: Bool { if case .noData = self { true } else { false } }
    var cost: UpdateCost? { if case .newData(_, let cost) = self { cost } else { nil } }
    var error: FetchError? { if case .failed(let error, _) = self { error } else { nil } }
    var reason: FetchError.Reason? { error?.reason }
}

/// `widget fetch` as a separate process, with a cache that outlives it.
struct FetchProgram {
    let registry: Registry
    let cache: String
    var widget = "com.example.Sample-1"

    var environment: [String: String] {
        ["WIDGET_SERVER": registry.url, "WIDGET_CACHE": cache, "PATH": "/usr/bin:/bin"]
    }

    /// Starts it, and leaves it to the caller.
    func start() throws -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = BuiltProgram("widget").url
        process.arguments = ["fetch", widget]
        process.environment = BuiltProgram.environment(environment)
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        return process
    }

    func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try BuiltProgram("widget").run(["fetch", widget] + arguments, environment: environment)
    }

    /// The release that a host that starts now can run.
    func installed() throws -> InstalledRelease? {
        try WidgetCache(at: cache).installed(try WidgetIdentifier(widget))
    }

    /// The leftovers of crashes in staging.
    var staged: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: cache)) ?? []).filter { $0.contains(".staged-") }
    }

    private var folder: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(cache)/widgets/\(widget)")) ?? []
    }

    /// True when a release of the widget is being written, or was when a process ended.
    var isStaging: Bool { folder.contains { $0.hasPrefix(".staged-") } }

    /// The releases in their place, named after their digests.
    var releaseCount: Int { folder.count { $0.utf8.count == 64 } }
}

/// A release as a registry serves it: a publisher's archive, taken in by the same intake.
struct Offer: Sendable {
    var archive: [UInt8]
    var bundle: WidgetBundle

    init(_ forge: BundleForge) throws {
        try self.init(packed: forge.archive)
    }

    init(packed: [UInt8]) throws {
        let source = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        let target = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try source.write(packed, at: 0)
        bundle = try BundleIntake().take(source, into: target).bundle
        archive = try target.read(at: 0, count: bundle.byteCount)
    }

    var digest: Digest { bundle.digest }
    var tag: String { "\"sha256-\(bundle.digest.hex)\"" }
}

extension BundleForge {
    /// A large file that compresses to nothing much, and texts beside it.
    static func sample(_ identifier: String = "com.example.Sample", _ build: String = "1", text: String = "Hello")
        -> BundleForge
    {
        BundleForge(identifier, "1.0", build, text: text)
            .adding("Scheme.json", "{\"greeting\": \"\(text)\"}")
            .adding("Data.json", bytes: Offer.bulk)
    }
}

extension Offer {
    // Made once for all tests, because each is compressed and checked as a registry does it.
    static let first = Result { try Offer(.sample()) }
    static let changed = Result { try Offer(.sample(text: "Changed")) }
    static let other = Result {
        try Offer(
            .sample(text: "Other").with { forge in
                forge.files[forge.files.count - 1].bytes = Offer.bulk.reversed().map {
                    $0 == 0x5B ? 0x5D : $0 == 0x5D ? 0x5B : $0
                }
            })
    }

    /// JSON that does not compress well, so that fetching it again would be noticed. It is the same in each run, because the
    /// sizes of archives decide why some lies are refused.
    static let bulk: [UInt8] = {
        var generator = SeededGenerator(seed: 1)
        let words = (0..<3_000).map { _ in "\"\(String(generator.next(), radix: 36))\"" }
        return Array("[\(words.joined(separator: ","))]".utf8)
    }()
}

/// A host that runs a release, and the state that it must have after any attack.
struct Attack {
    let host: Host
    private let before: [String]

    /// A host with the first release, whose registry is about to offer the second.
    ///
    /// - Parameter isWhole: the second has nothing in common with the first, so that it is fetched as a whole.
    init(isWhole: Bool = false, _ change: (inout FetchOptions) -> Void = { _ in }) async throws {
        host = try Host {
            $0.retries.attempts = 1
            change(&$0)
        }
        host.registry.offer(try Offer.first.get())
        let result = try await host.update()
        #expect(result.isNew)
        before = Attack.files(host)
        host.registry.offer(try (isWhole ? Offer.other : Offer.changed).get())
    }

    /// The update fails for a reason that `isExpected` knows, and nothing else has happened.
    ///
    /// - Parameter keepsPartial: the partial download may be continued.
    func mustFail(
        keepsPartial: Bool = false, _ isExpected: (FetchError.Reason) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await host.update()
        let reason = try #require(result.reason, "it was not refused", sourceLocation: sourceLocation)
        #expect(isExpected(reason), "\(reason)", sourceLocation: sourceLocation)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}", sourceLocation: sourceLocation)
        let after = Attack.files(host).filter { !keepsPartial || !$0.hasPrefix("cache/partial/") }
        #expect(after == before, sourceLocation: sourceLocation)
    }

    /// Everything near the cache.
    private static func files(_ host: Host) -> [String] {
        (try? FileManager.default.subpathsOfDirectory(atPath: host.scratch.path))?.sorted() ?? []
    }
}

/// The share of all cases that is tried.
enum Thoroughness {
    /// Everything, when the run may take long.
    static let isFull = ProcessInfo.processInfo.environment["SLOW_TESTS"] == "1"
    /// Every byte of an archive, or some that share no factor with its records.
    static var step: Int { isFull ? 1 : 37 }
}

extension BundleForge {
    /// A widget that counts its taps and keeps the count, and shows the number of its version beside it.
    static func counter(_ number: Int) -> BundleForge {
        BundleForge("com.example.Counter", "1.\(number)", text: "\(number)").with { $0.name = "Counter" }
            .adding(
                "Main.widgets.json",
                """
                { "schema": 1, "state": { "count": 0 }, "persist": ["count"],
                  "root": [
                    { "kind": "label", "id": "sum", "payload": { "text": { "$": ["v\(number) ", "$count"] } } },
                    { "kind": "button", "id": "add", "payload": { "text": "Add" },
                      "on": { "tap": { "do": "set", "state": "count", "to": { "$": "count + 1" } } } } ] }
                """)
    }
}
