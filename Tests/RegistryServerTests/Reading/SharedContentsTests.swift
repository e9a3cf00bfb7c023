import Addresses
import Bytes
import Dispatch
import HTTPServer
import HTTPWire
import Testing

@testable import RegistryServer

@Suite struct `A10: Files that are taken out of their archives` {
    private let contents = SharedContents(budget: 800)
    private let here: IPAddress
    private let there: IPAddress

    init() throws {
        here = try #require(IPAddress("192.0.2.1"))
        there = try #require(IPAddress("192.0.2.2"))
    }

    private func key(_ number: UInt8) -> SharedContents.Key {
        SharedContents.Key(digest: Digest(repeating: number), path: "a.json", caching: .forever)
    }

    private func resource(_ content: Resource.Content) -> Resource {
        Resource(
            mediaType: "application/json", content: content, validators: Validators(entityTag: "\"a\"", lastModified: 0)
        )
    }

    /// Sends a file for as long as somebody holds the resource; `nil` where there is no room.
    private func send(_ number: UInt8, _ byteCount: Int, to client: IPAddress) -> Resource? {
        guard let claim = try? contents.claim(byteCount, for: client) else { return nil }
        defer { contents.release(claim) }
        let made = resource(.bytes([UInt8](repeating: 0, count: byteCount)))
        contents.hold(made, of: byteCount, for: key(number), at: client)
        return made
    }

    @Test func `leave most of the memory to others, however many one address asks for`() {
        let held = (0..<16).compactMap { send(UInt8($0), 25, to: here) }
        #expect(held.count == 4)
        #expect(send(100, 50, to: there) != nil)
        withExtendedLifetime(held) {}
    }

    @Test func `may be larger than an address's share, and than everything, when there is nothing else`() {
        var first = send(0, 5_000, to: here)
        #expect(first != nil)
        #expect(send(1, 1, to: there) == nil)
        first = nil
        let second = send(2, 500, to: here)
        #expect(second != nil && send(3, 1, to: here) == nil)
        #expect(send(4, 300, to: there) != nil)
        #expect(send(5, 301, to: there) == nil)
    }

    @Test func `are counted once for all, and to each address that reads them`() throws {
        let first = try #require(send(0, 90, to: here))
        let second = contents.share(key(0), with: there, resource)
        #expect(second != nil && second !== first)
        // Of its share of 100 there is as little left as where it was read first.
        #expect(send(1, 11, to: there) == nil && send(1, 11, to: here) == nil)
        #expect(send(2, 10, to: there) != nil)
        let third = try #require(IPAddress("192.0.2.3"))
        #expect(send(3, 710, to: third) != nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `are counted before they are taken out, by those who come at the same moment`() throws {
        let claims = Guarded<[SharedContents.Claim]>([])
        let contents = contents
        let addresses = (1...64).compactMap { IPAddress("192.0.2.\($0)") }
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            if let claim = try? contents.claim(100, for: addresses[number]) { claims.withLock { $0.append(claim) } }
        }
        #expect(claims.withLock { $0.count } == 8)
        for claim in claims.withLock({ $0 }) { contents.release(claim) }
        _ = try contents.claim(800, for: here)
    }

    @Test func `count twice when they were taken out twice`() throws {
        let claims = try [contents.claim(50, for: here), contents.claim(50, for: there)]
        let both = [here, there].map { client in
            let made = resource(.bytes([UInt8](repeating: 0, count: 50)))
            contents.hold(made, of: 50, for: key(0), at: client)
            return made
        }
        for claim in claims { contents.release(claim) }
        let third = try #require(IPAddress("192.0.2.3"))
        #expect(send(1, 701, to: third) == nil)
        #expect(send(1, 700, to: third) != nil)
        withExtendedLifetime(both) {}
    }
}
