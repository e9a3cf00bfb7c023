import ConformanceSupport
import RegistryClient
import Testing

/// Goal: a download that ends anywhere is gone on with or given up, and never taken for whole.
/// Method: every byte is the last once; `make test` tries some of them, `make faults` all.
@Suite struct `A download that is cut` {
    @Test func `by its sender is not taken for an archive`() async throws {
        let attack = try await Attack()
        let archive = try Offer(BundleForge("com.example.Sample", "1.0", "9", text: "Short")).archive
        attack.host.registry.change { $0.raw = archive }
        for end in stride(from: 0, to: archive.count, by: Thoroughness.step) {
            attack.host.registry.change { script in script.archive = { Array($0.prefix(end)) } }
            // An empty answer, then ever longer ones; each ends as a whole answer would.
            try await attack.mustFail(keepsPartial: true) {
                switch $0 {
                case .wrongSize, .transfer: true
                default: false
                }
            }
        }
    }

    @Test func `by its connection is gone on with`() async throws {
        let archive = try Offer(BundleForge("com.example.Sample", "1.0", "9", text: "Short"))
        for end in stride(from: 0, to: archive.archive.count, by: Thoroughness.step) {
            let host = try Host()
            host.registry.offer(archive)
            host.registry.change { $0.cut = end }
            let result = try await host.update()
            #expect(result.isNew, "cut at \(end): \(String(describing: result.error))")
            #expect(host.registry.sentByteCount == archive.archive.count)
        }
    }
}
