/// One tree of a store: keys and values, in order.
enum BOMTree {
    /// Bytes, or for some trees a number.
    enum Key {
        case bytes(FilePart)
        case number(UInt32)
    }

    /// Hands on every key with its value.
    ///
    /// `entryCount` is what all trees together have left of their limit; `blocks` are those that trees consist of.
    static func read(
        _ root: FilePart, in store: BOMStore, entryCount: inout Int, blocks: inout BlockNumbers, limits: AssetLimits,
        _ take: (Key, FilePart) throws(AssetError) -> Void
    ) throws(AssetError) {
        guard root.starts(with: "tree"), let version = root.big32(4), let top = root.big32(8) else {
            throw AssetError(.malformed(.tree))
        }
        guard version == 1 else { throw AssetError(.unsupportedVersion(version)) }
        // Numbers stand for themselves in trees that say so in their last byte.
        let hasNumbers = root.count > 20 && root[20] != 0
        var visited: Set<UInt32> = []
        var number = top
        // Down along the first children, then from leaf to leaf.
        while true {
            guard visited.insert(number).inserted else { throw AssetError(.cycle) }
            let node = try store.block(number)
            _ = blocks.insert(number)
            guard let isLeaf = node.big16(0), let count = node.big16(2), let forward = node.big32(4),
                let pairs = node.part(at: 12, count: Int(count) * 8)
            else { throw AssetError(.truncated(.tree)) }
            if isLeaf == 0 {
                guard let child = pairs.big32(0) else { throw AssetError(.malformed(.tree)) }
                number = child
                continue
            }
            entryCount -= Int(count)
            guard entryCount >= 0 else { throw AssetError(.entryCount, of: limits) }
            for position in 0..<Int(count) {
                guard let value = pairs.big32(position * 8), let key = pairs.big32(position * 8 + 4) else {
                    throw AssetError(.truncated(.tree))
                }
                let keyPart: Key = hasNumbers ? .number(key) : .bytes(try store.block(key))
                let valuePart = try store.block(value)
                // Writers give every key and value a block; sharing one is a way to make a small file large.
                guard blocks.insert(value) else { throw AssetError(.sharedBlock(value)) }
                guard hasNumbers || blocks.insert(key) else { throw AssetError(.sharedBlock(key)) }
                try take(keyPart, valuePart)
            }
            guard forward != 0 else { return }
            number = forward
        }
    }
}
