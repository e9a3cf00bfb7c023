import Files
import Foundation
import RegistryClient
import RegistryContract
import TestSupport
import Transfers

/// A host with a cache of its own and a registry to talk to.
final class Host: Sendable {
    let scratch: Folder
    let cache: WidgetCache
    let registry: ScriptedRegistry
    let fetcher: WidgetFetcher

    /// - Parameter scratch: where the cache is, when it has been there before.
    init(
        _ registry: ScriptedRegistry = ScriptedRegistry(), in scratch: Folder? = nil,
        limits: CacheLimits = CacheLimits(), _ change: (inout FetchOptions) -> Void = { _ in }
    ) throws {
        self.registry = registry
        let folder = try scratch ?? Folder()
        self.scratch = folder
        cache = try WidgetCache(at: "\(folder.path)/cache", limits: limits)
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 3)
        change(&options)
        fetcher = WidgetFetcher(
            registry: try RegistryAddress("http://registry.test"), cache: cache,
            client: TransferClient(transport: registry, clock: QuickClock()), options: options)
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

/// A folder that is gone when nobody needs it.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = "\(Directory.temporary)/widget-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension UpdateResult {
    var isNew: Bool { if case .newData = self { true } else { false } }
    var isSame: Bool { if case .noData = self { true } else { false } }
    var cost: UpdateCost? { if case .newData(_, let cost) = self { cost } else { nil } }
    var error: FetchError? { if case .failed(let error, _) = self { error } else { nil } }
    var reason: FetchError.Reason? { error?.reason }
}
