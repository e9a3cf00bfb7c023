import Bytes
import Files
import MemoryStore
import ObjectPeer
import Registry
import TestSupport
import Testing
import Transfers

@testable import ObjectStore

/// Goal: a real store takes our requests, and its troubles cost a known time. Method: OpenStack Swift, which checks signatures.
@Suite(.enabled(if: ObjectPeer.isInstalled, "OpenStack Swift is not installed: run .ci/setup s3"), .serialized)
struct `A real store of objects` {
    private func client(
        _ peer: ObjectPeer, secret: String? = nil, _ change: (inout ObjectClient.Limits) -> Void = { _ in }
    ) throws -> ObjectClient {
        var limits = ObjectClient.Limits()
        change(&limits)
        let credentials =
            secret.map { ObjectCredentials(accessKey: peer.credentials.accessKey, secret: $0) } ?? peer.credentials
        return ObjectClient(try peer.place(), credentials, limits: limits)
    }

    private func put(_ bytes: [UInt8], as key: String, _ client: ObjectClient) throws {
        let digest = try #require(Digest.sha256(bytes))
        try client.put(.bytes(bytes), digest: digest, as: key)
    }

    private func get(_ key: String, _ client: ObjectClient) throws -> [UInt8]? {
        let found = Guarded<[UInt8]>([])
        let isThere = try client.get(key, byteLimit: 1 << 24) { () throws(FileError) in
            found.withLock { $0 = [] }
        } receive: { bytes throws(FileError) in
            found.withLock { $0 += bytes }
        }
        return isThere ? found.withLock { $0 } : nil
    }

    @Test(arguments: ["plain", "ab/1.0~1+abc.json", "a b&c=d", "ü/€", "*'()!", "x.zip.1f"])
    func `takes names of all kinds, which are signed as they are sent`(_ name: String) throws {
        let client = try client(ObjectPeer.shared.get())
        let key = "\(client.place.prefix)/\(name)"
        try put([1, 2, 3], as: key, client)
        #expect(try get(key, client) == [1, 2, 3])
        #expect(try client.head(key) == 3)
        #expect(try client.list("\(client.place.prefix)/", after: nil).entries.map(\.key) == [key])
        let address = try #require(client.address(of: key, for: 60))
        let answer = try Tool.run("curl", ["-sf", address])
        #expect(answer.status == 0 && Array(answer.output.utf8) == [1, 2, 3])
        #expect(try Tool.run("curl", ["-sf", address + "0"]).status != 0)
        try client.delete(key)
        try client.delete(key)
        #expect(try get(key, client) == nil && client.head(key) == nil)
    }

    @Test func `takes an archive of some megabytes, from a file`() throws {
        let client = try client(ObjectPeer.shared.get())
        let scratch = try ScratchDirectory(in: "/tmp")
        let file = try FileDescriptor.unnamed(inDirectory: scratch.path)
        let bytes = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        try file.write(bytes, at: 0)
        let digest = try #require(Digest.sha256(bytes))
        let region = FileRegion(SharedFile(file), byteCount: bytes.count)
        try client.put(.file(region), digest: digest, as: "\(client.place.prefix)/large")
        #expect(try get("\(client.place.prefix)/large", client) == bytes)
    }

    @Test func `refuses another secret, and a body that is not what was signed`() throws {
        let peer = try ObjectPeer.shared.get()
        let stranger = try client(peer, secret: "wrong")
        #expect(throws: ObjectError.refused(status: 403, code: "SignatureDoesNotMatch")) {
            try put([1], as: "k", stranger)
        }
        let client = try client(peer)
        let other = try #require(Digest.sha256([9]))
        guard
            case .refused(400, _)? = #expect(
                throws: ObjectError.self, performing: { try client.put(.bytes([1]), digest: other, as: "k") })
        else { return }
        #expect(try client.head("k") == nil)
    }

    @Test func `that stops answering costs the time that the limits say, and works again afterwards`() throws {
        let peer = try ObjectPeer()
        let client = try client(peer) { limits in
            limits.stall = .seconds(1)
            limits.asking = .seconds(2)
            limits.carrying = .seconds(2)
            limits.attempts = 2
            limits.longestPause = .milliseconds(100)
        }
        let key = "\(client.place.prefix)/k"
        try put([1], as: key, client)
        for name in ["object", "proxy"] {
            try peer.hold(name, true)
            let start = ContinuousClock.now
            #expect(throws: ObjectError.self) { try get(key, client) }
            #expect(throws: ObjectError.self) { try put([2], as: "\(key)-\(name)", client) }
            // Two attempts each, of two seconds at most, on a machine that has other work.
            #expect(ContinuousClock.now - start < .seconds(20))
            try peer.hold(name, false)
            client.breaker.succeeded()
        }
        let patient = ObjectClient(client.place, peer.credentials)
        #expect(try get(key, patient) == [1])
        try put([3], as: "\(key)-after", patient)
    }
}
