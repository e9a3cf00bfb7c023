/// Decompresses LZFSE: blocks of several kinds, one after the other, up to an end mark.
enum LZFSE {
    typealias Fault = LZVN.Fault

    /// Whether the bytes begin with one of its blocks.
    static func begins(_ input: FilePart) -> Bool {
        ["bvx-", "bvx1", "bvx2", "bvxn"].contains { input.starts(with: $0) }
    }

    /// Appends what the stream holds to `output`, which may not grow beyond `limit`. Returns how many bytes
    /// of input the stream took.
    @discardableResult
    static func decode(_ input: FilePart, into output: inout [UInt8], limit: Int) throws(Fault) -> Int {
        var position = 0
        while let block = input.part(from: position) {
            if block.starts(with: "bvx$") { return position + 4 }
            guard let rawSize = block.little32(4).map({ Int($0) }), rawSize <= limit - output.count else {
                throw Fault()
            }
            let end = output.count + rawSize
            if block.starts(with: "bvx-") {
                guard let raw = block.part(at: 8, count: rawSize) else { throw Fault() }
                output += raw.array
                position += 8 + rawSize
            } else if block.starts(with: "bvxn") {
                guard let size = block.little32(8), let payload = block.part(at: 12, count: Int(size)) else {
                    throw Fault()
                }
                try LZVN.decode(payload, into: &output, limit: end)
                position += 12 + Int(size)
            } else {
                guard let header = LZFSEBlockHeader(block) else { throw Fault() }
                try LZFSEBlock(header, block).decode(into: &output, end: end)
                position += header.byteCount
            }
            guard output.count == end else { throw Fault() }
        }
        throw Fault()
    }
}
