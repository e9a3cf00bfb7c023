import Bytes
import Files
import Registry
import TestSupport
import Testing

@Suite struct `A blob` {
    let registry: Registry
    let release: Release
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
        release = try registry.publish("1.0").release
    }

    func bytes(_ blob: Blob) throws -> [UInt8] { try blob.file.descriptor.read(at: 0, count: 1 << 20) }

    func change(_ damage: (inout [UInt8]) -> Void) throws {
        let file = try FileDescriptor.creating(fixture.blob(release.digest))
        var bytes = try file.read(at: 0, count: 1 << 20)
        damage(&bytes)
        try file.truncate(to: 0)
        try file.write(bytes, at: 0)
    }

    @Test func `that nobody published is not there`() throws {
        let digest = try #require(Digest.sha256([1]))
        #expect(try refusal { try registry.openBlob(digest) } == .noSuchBlob(digest))
        #expect(try refusal { try registry.releaseOfBlob(digest) } == .noSuchBlob(digest))
    }

    @Test func `is opened again and again, and stays open whatever becomes of its name`() throws {
        let first = try registry.openBlob(release.digest)
        #expect(first.byteCount == release.byteCount && first.modified == release.published)
        let again = try registry.openBlob(release.digest)
        #expect(first.status == again.status)
        let copy = try first.file.descriptor.duplicate()
        try Directory(opening: fixture.path + "/blobs/" + release.digest.hex.prefix(2))
            .removeFile("\(release.digest.hex).zip")
        #expect(try Digest.sha256(bytes(first)) == release.digest)
        #expect(try Digest.sha256(copy.read(at: 0, count: 1 << 20)) == release.digest)
    }

    static let damages: [(String, @Sendable (inout [UInt8]) -> Void)] = [
        ("a flipped bit", { $0[$0.count / 2] ^= 1 }),
        ("a flipped last bit", { $0[$0.count - 1] ^= 0x80 }),
        ("a lost byte", { $0.removeLast() }),
        ("nothing", { $0 = [] }),
        ("a byte more", { $0.append(0) }),
        ("zeros", { $0 = Array(repeating: 0, count: $0.count) }),
    ]

    @Test(arguments: damages.indices, [false, true])
    func `that went bad is put away and never shown`(_ index: Int, wasOpened: Bool) throws {
        if wasOpened { _ = try registry.openBlob(release.digest) }
        try change(Self.damages[index].1)
        for _ in 0..<2 {
            #expect(try refusal { try registry.openBlob(release.digest) } == .damagedBlob(release.digest))
        }
        #expect(try fixture.names("quarantine") == ["\(release.digest.hex).zip"])
        #expect(try !fixture.shard(of: release.digest).contains("\(release.digest.hex).zip"))
        // Everything else goes on, and the same bundle heals it.
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        #expect(try registry.publish("1.0").outcome == .unchanged)
        #expect(try Digest.sha256(bytes(registry.openBlob(release.digest))) == release.digest)
        #expect(registry.latestTag == 1)
    }

    @Test func `that was swapped with another is put away`() throws {
        let other = try registry.publish("2.0").release
        let (one, two) = (fixture.blob(release.digest), fixture.blob(other.digest))
        #expect(Shell.run("cd '\(fixture.path)' && mv '\(one)' x && mv '\(two)' '\(one)' && mv x '\(two)'").status == 0)
        for digest in [release.digest, other.digest] {
            #expect(try refusal { try registry.openBlob(digest) } == .damagedBlob(digest))
        }
        #expect(try fixture.names("quarantine").count == 2)
    }

    @Test func `that is gone is reported as damaged`() throws {
        try Directory(opening: fixture.path + "/blobs/" + release.digest.hex.prefix(2))
            .removeFile("\(release.digest.hex).zip")
        #expect(try refusal { try registry.openBlob(release.digest) } == .damagedBlob(release.digest))
    }

    @Test func `is not reached through a link`() throws {
        let path = fixture.blob(release.digest)
        #expect(Shell.run("mv '\(path)' '\(fixture.path)/x' && ln -s '\(fixture.path)/x' '\(path)'").status == 0)
        #expect(try refusal { try registry.openBlob(release.digest) } == .damagedBlob(release.digest))
        #expect(try fixture.names("quarantine") == ["\(release.digest.hex).zip"])
    }

    @Test func `unchanged in all but its times is compared again and shown`() throws {
        let before = try registry.openBlob(release.digest)
        try change { _ in }
        let after = try registry.openBlob(release.digest)
        #expect(before.status != after.status)
        #expect(try Digest.sha256(bytes(after)) == release.digest)
    }
}
