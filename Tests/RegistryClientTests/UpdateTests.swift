import ConformanceSupport
import Foundation
import RegistryClient
import RegistryContract
import Testing
import Transfers

/// Goal: a host runs what its registry offers, at the price of what has changed.
/// Method: an honest registry in place of the network.
@Suite struct `An update` {
    @Test func `brings a release that was not there`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        let result = try await host.update()
        #expect(result.isNew, "\(String(describing: result.error))")
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
        #expect(result.release?.path.hasSuffix("/Sample.bundle") == true)
        #expect(host.staged.isEmpty)
    }

    @Test func `leaves what is up to date, and asks with the tag of the answer before`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        host.registry.forget()
        let result = try await host.update()
        #expect(result.isSame)
        #expect(host.registry.asked.map(\.path) == ["/v1/widgets/com.example.Sample-1"])
        #expect(host.registry.asked.first?.condition != nil)
    }

    @Test func `knows on which channel it found what is there already`() async throws {
        let beta = try Host { $0.channel = "beta" }
        beta.registry.offer(try Offer(.sample()))
        #expect(try await beta.update().release?.record.channel == "beta")
        let stable = try Host(beta.registry, in: beta.scratch)
        stable.registry.forget()
        let result = try await stable.update()
        #expect(result.isSame)
        #expect(result.release?.record.channel == "stable")
        #expect(try stable.cache.installed(WidgetIdentifier("com.example.Sample-1"))?.record.channel == "stable")
        #expect(stable.registry.sentByteCount == 0)
        #expect(try await stable.update().isSame)
        #expect(stable.registry.asked.count == 2 && stable.registry.asked[1].condition != nil)
    }

    @Test func `takes back a mandatory release that it could not bring`() async throws {
        let host = try Host { $0.retries.attempts = 1 }
        host.registry.offer(try Offer.first.get())
        _ = try await host.update()
        host.registry.offer(try Offer.changed.get(), mandatory: true)
        host.registry.change { $0.archive = { _ in [] } }
        #expect(try await host.update().release?.mustUpdate == false)
        // It was a mistake, and what there was is meant again, with the tag that is known.
        host.registry.change {
            $0.archive = { $0 }
            $0.offer = try? Offer.first.get()
            $0.isMandatory = false
        }
        host.registry.change { $0.sequence -= 1 }
        #expect(try await host.update().isSame)
        #expect(try host.cache.installed(WidgetIdentifier("com.example.Sample-1"))?.mustUpdate == false)
    }

    @Test func `fetches only what has changed`() async throws {
        let host = try Host()
        let first = try Offer(.sample())
        host.registry.offer(first)
        _ = try await host.update()
        host.registry.forget()
        host.registry.offer(try Offer(.sample(text: "Changed")))
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        let cost = try #require(result.cost)
        #expect(cost.fetchedByteCount < first.archive.count / 20, "\(cost) of \(first.archive.count)")
        #expect(cost.fetchedByteCount == host.registry.sentByteCount)
        #expect(host.staged.isEmpty)
    }

    @Test func `fetches only what has changed, whoever has packed the rest anew`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        host.registry.forget()
        // Stored, the same files are not one byte the same.
        let repacked = try Offer(.sample(text: "Changed").with { $0.isStored = true })
        host.registry.offer(repacked)
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        #expect(host.registry.sentByteCount < repacked.archive.count / 20)
        #expect(result.release?.record.digest == repacked.digest)
        #expect(try await host.update().isSame)
        // What was put together serves as the base of the next.
        host.registry.forget()
        host.registry.offer(try Offer(.sample(text: "Again")))
        #expect(try await host.update().isNew)
        #expect(host.registry.sentByteCount < repacked.archive.count / 20)
        #expect(host.staged.isEmpty)
    }

    @Test func `goes on where a part broke off`() async throws {
        let host = try Host { $0.retries = RetryPolicy(attempts: 1, attemptsInAll: 1) }
        let (first, second) = (try Offer(.sample()), try Offer(.sample(text: String(repeating: "Changed", count: 40))))
        host.registry.offer(first)
        _ = try await host.update()
        host.registry.forget()
        host.registry.offer(second)
        host.registry.change { $0.cut = 20 }
        #expect(try await host.update().error != nil)
        #expect(host.registry.sentByteCount == 20)
        let result = try await host.update()
        #expect(result.isNew)
        #expect(result.cost?.fetchedByteCount == host.registry.sentByteCount - 20)
        #expect(host.everything.filter { $0.hasPrefix("partial/") }.isEmpty)
    }

    @Test func `goes back without the network to what was there before`() async throws {
        let host = try Host()
        let (first, second) = (try Offer(.sample()), try Offer(.sample(text: "Changed")))
        for offer in [first, second] {
            host.registry.offer(offer)
            _ = try await host.update()
        }
        host.registry.forget()
        host.registry.offer(first)
        let result = try await host.update()
        #expect(result.isNew)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
        #expect(host.registry.sentByteCount == 0)
    }

    @Test func `takes an archive that another widget has brought`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update("com.example.Sample-1")
        let sent = host.registry.sentByteCount
        let result = try await host.update("com.example.Sample-2")
        #expect(result.isNew)
        #expect(host.registry.sentByteCount == sent)
    }

    @Test func `goes on where a download broke off`() async throws {
        let host = try Host()
        let offer = try Offer(.sample())
        host.registry.offer(offer)
        host.registry.change {
            $0.cut = 10_000
            $0.isCutForGood = true
        }
        _ = try await Host(host.registry, in: host.scratch) { $0.retries = .init(attempts: 1, attemptsInAll: 1) }
            .update()
        host.registry.change { $0.cut = nil }
        host.registry.forget()
        let result = try await host.update()
        #expect(result.isNew)
        #expect(host.registry.asked.last?.range == "bytes=10000-")
        #expect(host.registry.asked.last?.condition == offer.tag)
        #expect(result.cost?.fetchedByteCount == offer.archive.count - 10_000)
    }

    @Test func `sends the token to the registry`() async throws {
        let host = try Host { $0.token = "secret" }
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        #expect(host.registry.asked.allSatisfy { $0.token == "secret" } && !host.registry.asked.isEmpty)
    }

    @Test func `lets nobody else look into the cache`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample()))
        _ = try await host.update()
        for path in host.everything {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(host.scratch.path)/cache/\(path)")
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(mode == (isFolder ? 0o700 : 0o600), "\(path)")
        }
    }
}
