import Foundation
import RegistryClient
import Testing
import Transfers

/// A host that runs a release, and what must be so after anything that is done to it.
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
    /// - Parameter keepsPartial: what has arrived may be gone on with.
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

/// How much of what could be tried is tried.
enum Thoroughness {
    /// Everything, when the run may take long.
    static let isFull = ProcessInfo.processInfo.environment["WIDGETD_SLOW_TESTS"] == "1"
    /// Every byte of an archive, or some that share no factor with its records.
    static var step: Int { isFull ? 1 : 37 }
}
