import Addresses
import Bytes
import ConformanceSupport
import Files
import Foundation
import RegistryClient
import RegistryContract
import Testing
import Transfers

/// Goal: whatever other processes do with a cache meanwhile, an update ends, and with the right release.
/// Method: their locks, leftovers and changes, made by hand.
@Suite struct `A cache that others use` {
    private static let widget = "com.example.Sample-1"

    private func host(_ change: (inout CacheLimits) -> Void = { _ in }) async throws -> Host {
        var limits = CacheLimits()
        change(&limits)
        let host = try Host(limits: limits)
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew)
        return host
    }

    private func path(_ host: Host, _ name: String) -> String { "\(host.scratch.path)/cache/\(name)" }

    @Test func `is not waited for by somebody whose archive does not grow`() async throws {
        let host = try await host { $0.lockPatience = .milliseconds(30) }
        let other = try Offer.other.get()
        host.registry.offer(other)
        host.registry.forget()
        let name = path(host, "partial/\(other.digest.hex)")
        let held = try FileDescriptor.creating(name)
        try held.write(Array(other.archive.prefix(10)), at: 0)
        #expect(try held.tryLock())
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Other\"}")
        // All of it a second time, and what the other one has is still the other one's.
        #expect(host.registry.sentByteCount == other.archive.count)
        #expect(try held.status().byteCount == 10)
        #expect(FileManager.default.fileExists(atPath: name))
    }

    @Test func `is waited for no longer than patience lasts`() async throws {
        let host = try await host { $0.lockPatience = .milliseconds(30) }
        let folder = try Directory(opening: path(host, "widgets/\(Self.widget)"))
        #expect(try folder.tryLock())
        host.registry.offer(try Offer.changed.get())
        let result = try await host.update()
        #expect(result.reason == .busy)
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
    }

    @Test func `is not taken back by an update that was overtaken`() async throws {
        let host = try await host()
        host.registry.offer(try Offer.other.get())
        let state = path(host, "widgets/\(Self.widget)/state.json")
        // While the archive is on its way, somebody else installs a later state of the channel.
        host.registry.change {
            $0.archive = { archive in
                let text = (try? String(contentsOfFile: state, encoding: .utf8)) ?? ""
                let later = text.replacing("\"sequence\":2", with: "\"sequence\":9")
                try? later.write(toFile: state, atomically: true, encoding: .utf8)
                return archive
            }
        }
        let result = try await host.update()
        #expect(result.reason == .staleSequence(seen: 9, offered: 3))
        #expect(host.text(result.release) == "{\"greeting\": \"Hello\"}")
    }

    @Test func `is swept of what nobody goes on with`() async throws {
        let host = try await host()
        let week = Date.now.addingTimeInterval(-8 * 24 * 3_600)
        let (old, new, staged) = (
            path(host, "partial/" + String(repeating: "0", count: 64)),
            path(host, "partial/" + String(repeating: "1", count: 64)), path(host, "partial/.staged-1")
        )
        for file in [old, new, staged] { try Data("x".utf8).write(to: URL(filePath: file)) }
        try FileManager.default.setAttributes([.modificationDate: week], ofItemAtPath: old)
        host.registry.offer(try Offer.changed.get())
        #expect(try await host.update().isNew)
        let files = FileManager.default
        #expect(!files.fileExists(atPath: old) && !files.fileExists(atPath: staged))
        #expect(files.fileExists(atPath: new))
    }
}

@Suite struct `A registry that cannot do everything` {
    @Test func `serves the whole where it serves no parts`() async throws {
        let host = try Host()
        host.registry.offer(try Offer.first.get())
        _ = try await host.update()
        host.registry.forget()
        host.registry.change { $0.ignoresRanges = true }
        let changed = try Offer.changed.get()
        host.registry.offer(changed)
        let result = try await host.update()
        #expect(host.text(result.release) == "{\"greeting\": \"Changed\"}")
        #expect(host.registry.asked.contains { $0.range != nil })
        #expect(host.registry.asked.last?.range == nil)
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["text/html", "application/json", "text/event-streams"])
    func `is asked again and again where its feed is something else`(type: String) async throws {
        let host = try Host()
        let feed = Feed()
        host.registry.offer(try Offer.first.get())
        host.registry.change {
            $0.feed = feed
            $0.feedType = type
        }
        var timing = WatchTiming()
        timing.poll = .milliseconds(20)
        timing.leastPause = .zero
        for await event in host.fetcher.events(of: try WidgetIdentifier("com.example.Sample-1"), timing: timing) {
            if case .attention(let attention) = event {
                #expect(attention == .looking)
                break
            }
        }
    }

    private struct Policy: TransferPolicy {
        var isOpen: Bool
        func allows(_ url: TransferURL) -> Bool { isOpen }
        func allows(_ address: IPAddress, port: UInt16) -> Bool { isOpen }
    }

    @Test(arguments: [true, false])
    func `is told the versions of host and system, and asked only where that is allowed`(isOpen: Bool) async throws {
        let host = try Host {
            $0.os = "17.1"
            $0.host = "4.2"
            $0.addresses = Policy(isOpen: isOpen)
        }
        host.registry.offer(try Offer.first.get())
        #expect(try await host.update().isNew == isOpen)
        let asked = host.registry.asked
        guard isOpen else {
            #expect(asked.isEmpty)
            return
        }
        #expect(asked.first?.query?.contains("os=17.1") == true)
        #expect(asked.first?.query?.contains("host=4.2") == true)
        #expect(asked.count == 2 && asked.allSatisfy(\.hasPolicy))
    }
}
