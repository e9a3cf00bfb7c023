import MemoryStore
import ObjectPeer
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import ObjectStore

/// Goal: a real store takes our requests, and its troubles cost a known time. Method: OpenStack Swift, which checks signatures.
@Suite(.part(.cluster), .serialized)
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
        let address = try #require(client.address(of: key, as: "attachment; filename=\"a b.zip\"", for: 60))
        let answer = try Tool.run(
            "curl", ["-sf", "-w", " %{content_type} %header{content-disposition}", address])
        #expect(answer.output == "\u{1}\u{2}\u{3} application/zip attachment; filename=\"a b.zip\"")
        #expect(try Tool.run("curl", ["-sf", address + "0"]).status != 0)
        try client.delete(key)
        try client.delete(key)
        #expect(try get(key, client) == nil && client.head(key) == nil)
    }

    @Test func `sends an archive at the address that was signed for it, in ranges, and only while that is good`() throws
    {
        let peer = try ObjectPeer.shared.get()
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let catalog = MemoryCatalog()
        /// - Parameter offset: seconds by which the clock of the one who signs is ahead.
        func signer(_ offset: Int64, _ place: ObjectPlace, _ name: String) throws -> ObjectBlobs {
            var options = ObjectBlobs.Options(
                folder: "\(scratch.path)/\(name)", in: World(clock: ManualClock(date: .seconds(1_000_000))))
            options.redirects = true
            let client = ObjectClient(place, peer.credentials, in: World(clock: ShiftedClock(offset: offset)))
            return try ObjectBlobs(client, catalog: catalog, options: options)
        }
        let place = try peer.place()
        let blobs = try signer(0, place, "now")
        let bytes = Array("0123456789".utf8)
        let digest = try #require(Digest.sha256(bytes))
        #expect(try blobs.redirect(digest, as: "attachment") == nil)
        let staged = try blobs.stage()
        try staged.file.write(bytes, at: 0)
        try blobs.place(staged, as: digest, with: nil)
        let address = try #require(try blobs.redirect(digest, as: "attachment"))
        #expect(address.contains("X-Amz-Expires=300&"))
        func status(_ arguments: String...) throws -> String {
            try Tool.run("curl", ["-s", "-o", "\(scratch.path)/got", "-w", "%{http_code}"] + arguments).output
        }
        #expect(try status(address) == "200")
        #expect(try Tool.run("cat", ["\(scratch.path)/got"]).output == "0123456789")
        #expect(try status("-r", "2-4", address) == "206")
        #expect(try Tool.run("cat", ["\(scratch.path)/got"]).output == "234")
        #expect(try status(address.replacing("Expires=300", with: "Expires=900")) == "403")
        let end = try #require(address.last)
        #expect(try status("\(address.dropLast())\(end == "0" ? "1" : "0")") == "403")
        #expect(try status(address.replacing(digest.hex, with: String(digest.hex.reversed()))) == "403")
        let late = try #require(try signer(-301, place, "late").redirect(digest, as: "attachment"))
        #expect(try status(late) == "403")
        #expect(try status(#require(try signer(-200, place, "soon").redirect(digest, as: "attachment"))) == "200")
        try blobs.remove(.blob(digest))
        #expect(try blobs.redirect(digest, as: "attachment") == nil)
    }

    @Test func `takes an archive of some megabytes, from a file`() throws {
        let client = try client(ObjectPeer.shared.get())
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
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
        let patient = ObjectClient(client.place, peer.credentials)
        let key = "\(client.place.prefix)/k"
        try put([1], as: key, patient)
        for name in ["object", "proxy"] {
            try peer.hold(name, true)
            // Two attempts each, and each ends by its limit.
            let before = client.attempts
            #expect(throws: ObjectError.self) { try get(key, client) }
            #expect(throws: ObjectError.self) { try put([2], as: "\(key)-\(name)", client) }
            client.breaker.succeeded()
            for operation in ["get", "put"] {
                let attempt = RemoteBlobs.Attempt(operation, .failed)
                #expect(client.attempts[attempt] == before[attempt, default: 0] + 2)
            }
            try peer.hold(name, false)
        }
        #expect(try get(key, patient) == [1])
        try put([3], as: "\(key)-after", patient)
    }
}

/// The time of this machine, with another time of day.
private struct ShiftedClock: Clock {
    let offset: Int64
    private let clock = SystemClock()

    init(offset: Int64) { self.offset = offset }

    var now: ContinuousClock.Instant { clock.now }
    var date: (seconds: Int64, nanoseconds: Int) { (clock.seconds + offset, 0) }

    func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        clock.call(at: moment, action)
    }

    func sleep(until moment: ContinuousClock.Instant) async { await clock.sleep(until: moment) }
}
