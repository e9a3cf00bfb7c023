internal import WidgetBytes

/// The container of a catalogue: numbered blocks of bytes, a few of them named.
struct BOMStore {
    /// The range of a block; both 0 for unused numbers.
    private struct Place {
        var offset: UInt32
        var size: UInt32
    }

    private let file: FilePart
    private let places: [Place]
    let variables: [(name: String, block: UInt32)]

    init(parsing bytes: [UInt8], limits: AssetLimits) throws(AssetError) {
        guard bytes.count <= limits.byteCount else { throw AssetError(.byteCount, of: limits) }
        let file = FilePart(bytes)
        guard file.starts(with: "BOMStore") else { throw AssetError(.notAStore) }
        guard let version = file.big32(8), let indexOffset = file.big32(16), let indexSize = file.big32(20),
            let variablesOffset = file.big32(24), let variablesSize = file.big32(28)
        else { throw AssetError(.truncated(.header)) }
        guard version == 1 else { throw AssetError(.unsupportedVersion(version)) }
        guard let index = file.part(at: Int(bounded: indexOffset), count: Int(bounded: indexSize)) else {
            throw AssetError(.outOfRange(.blockTable))
        }
        guard let names = file.part(at: Int(bounded: variablesOffset), count: Int(bounded: variablesSize)) else {
            throw AssetError(.outOfRange(.variables))
        }
        self.file = file
        places = try Self.places(index, limits)
        variables = try Self.variables(names)
    }

    private static func places(_ index: FilePart, _ limits: AssetLimits) throws(AssetError) -> [Place] {
        guard let count = index.big32(0), index.part(at: 4, count: Int(bounded: count) * 8) != nil else {
            throw AssetError(.truncated(.blockTable))
        }
        guard count <= limits.blockCount else { throw AssetError(.blockCount, of: limits) }
        var places: [Place] = []
        places.reserveCapacity(Int(bounded: count))
        for number in 0..<Int(bounded: count) {
            guard let offset = index.big32(4 + number * 8), let size = index.big32(8 + number * 8) else {
                throw AssetError(.truncated(.blockTable))
            }
            places.append(Place(offset: offset, size: size))
        }
        return places
    }

    /// Refuses used blocks that overlap, which no valid file needs. Unused blocks do not matter.
    func checkOverlaps(of used: BlockNumbers) throws(AssetError) {
        var starts: [UInt64] = []
        var isSorted = true
        for number in used.numbers where places[number].size > 0 {
            let start = UInt64(places[number].offset) << 32 | UInt64(number)
            if let last = starts.last, last > start { isSorted = false }
            starts.append(start)
        }
        if !isSorted { starts.sort() }
        var previous: UInt32 = 0
        var end: UInt64 = 0
        for start in starts {
            let number = UInt32(truncatingIfNeeded: start)
            guard start >> 32 >= end else { throw AssetError(.overlappingBlocks(previous, number)) }
            end = start >> 32 + UInt64(places[Int(bounded: number)].size)
            previous = number
        }
    }

    /// An empty set, with room for the numbers of all blocks.
    var noBlocks: BlockNumbers { BlockNumbers(limit: places.count) }

    private static func variables(_ names: FilePart) throws(AssetError) -> [(name: String, block: UInt32)] {
        guard let count = names.big32(0) else { throw AssetError(.truncated(.variables)) }
        var variables: [(name: String, block: UInt32)] = []
        var position = 4
        // Each variable takes five bytes or more, so a count that is too large ends with the part.
        for _ in 0..<count {
            guard let block = names.big32(position), let length = names.part(at: position + 4, count: 1)?[0],
                let name = names.part(at: position + 5, count: Int(length))
            else { throw AssetError(.truncated(.variables)) }
            variables.append((name.text, block))
            position += 5 + Int(length)
        }
        return variables
    }

    func block(_ number: UInt32) throws(AssetError) -> FilePart {
        guard Int(bounded: number) < places.count, case let place = places[Int(bounded: number)],
            place.offset != 0 || place.size != 0
        else { throw AssetError(.missingBlock(number)) }
        guard let block = file.part(at: Int(bounded: place.offset), count: Int(bounded: place.size)) else {
            throw AssetError(.outOfRange(.block))
        }
        return block
    }

    /// Returns the block of that name; `nil` when the store has no such name.
    func block(named name: String) throws(AssetError) -> FilePart? {
        guard let variable = variables.first(where: { $0.name == name }) else { return nil }
        return try block(variable.block)
    }
}

/// A set of block numbers.
struct BlockNumbers: Sendable {
    private var isIn: [Bool]

    fileprivate init(limit: Int) {
        isIn = Array(repeating: false, count: limit)
    }

    /// Inserts a number and returns true if it is new. A number without a block returns false and is not inserted.
    mutating func insert(_ number: UInt32) -> Bool {
        guard Int(bounded: number) < isIn.count, !isIn[Int(bounded: number)] else { return false }
        isIn[Int(bounded: number)] = true
        return true
    }

    var numbers: some Sequence<Int> {
        let isIn = isIn
        return isIn.indices.lazy.filter { isIn[$0] }
    }
}

/// One tree of a store: keys and values, in order.
enum BOMTree {
    /// Bytes, or in some trees a number.
    enum Key {
        case bytes(FilePart)
        case number(UInt32)
    }

    /// Passes every key with its value to `take`.
    ///
    /// `entryCount` is the rest of the limit that all trees share; `blocks` are the blocks of trees.
    static func read(
        _ root: FilePart, in store: BOMStore, entryCount: inout Int, blocks: inout BlockNumbers, limits: AssetLimits,
        _ take: (Key, FilePart) throws(AssetError) -> Void
    ) throws(AssetError) {
        guard root.starts(with: "tree"), let version = root.big32(4), let top = root.big32(8) else {
            throw AssetError(.malformed(.tree))
        }
        guard version == 1 else { throw AssetError(.unsupportedVersion(version)) }
        // A tree with a last byte other than 0 stores numbers directly as keys.
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
                // Writers give every key and value a separate block; sharing one is a way to make a small file large.
                guard blocks.insert(value) else { throw AssetError(.sharedBlock(value)) }
                guard hasNumbers || blocks.insert(key) else { throw AssetError(.sharedBlock(key)) }
                try take(keyPart, valuePart)
            }
            guard forward != 0 else { return }
            number = forward
        }
    }
}
