/// The pieces a bitmap's payload consists of.
struct BitmapPayload {
    struct Piece {
        /// How many rows it holds; `nil` when it is the only one and does not say.
        var rowCount: Int?
        var data: FilePart
    }

    let compression: BitmapCompression
    let isOpaque: Bool
    let pieces: [Piece]

    init(_ payload: FilePart) throws(AssetError) {
        guard payload.starts(with: "MLEC"), let flags = payload.little32(4), let number = payload.little32(8),
            let count = payload.little32(12)
        else { throw AssetError(.malformed(.payload)) }
        compression = BitmapCompression(number: number)
        isOpaque = flags & 2 != 0
        guard flags & 1 != 0 else {
            guard let data = payload.part(at: 16, count: Int(count)) else { throw AssetError(.outOfRange(.payload)) }
            pieces = [Piece(rowCount: nil, data: data)]
            return
        }
        var pieces: [Piece] = []
        var position = 16
        // Each takes twenty bytes or more, so a count too large ends at the end of the payload.
        for _ in 0..<count {
            guard let head = payload.part(at: position, count: 20), head.starts(with: "KCBC"),
                let rows = head.little32(12), let size = head.little32(16),
                let data = payload.part(at: position + 20, count: Int(size))
            else { throw AssetError(.malformed(.payload)) }
            pieces.append(Piece(rowCount: Int(rows), data: data))
            position += 20 + Int(size)
        }
        self.pieces = pieces
    }
}
