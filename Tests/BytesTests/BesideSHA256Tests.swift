import Bytes
import Testing

/// Goal: a digest computed on another thread is the digest. Method: against the one that is not.
@Suite struct `SHA-256 beside whoever brings the bytes` {
    private static let pieces = (0..<200).map { number in
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * 37 % 5_000)
    }

    @Test func `is that of all pieces in their order`() {
        let beside = BesideSHA256()
        for piece in Self.pieces { beside.update(piece) }
        #expect(beside.value == Digest.sha256(Self.pieces.flatMap { $0 }))
    }

    @Test func `may be asked for on the way, and goes on`() {
        let beside = BesideSHA256()
        #expect(beside.value == Digest.sha256([]))
        var all: [UInt8] = []
        for piece in Self.pieces.prefix(20) {
            beside.update(piece)
            all += piece
            #expect(beside.value == Digest.sha256(all))
        }
    }

    @Test func `forgets what came before when it begins anew`() {
        let beside = BesideSHA256()
        for piece in Self.pieces { beside.update(piece) }
        var beginning = SHA256()
        beginning.update([1, 2])
        beside.restart(with: beginning)
        beside.update([3])
        #expect(beside.value == Digest.sha256([1, 2, 3]))
    }

    @Test func `may be let go of while it is busy`() {
        for _ in 0..<50 {
            let beside = BesideSHA256()
            for _ in 0..<8 { beside.update([UInt8](repeating: 1, count: 100_000)) }
        }
    }
}
