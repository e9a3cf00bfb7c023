/// The container of a catalogue: numbered blocks of bytes, a few of them with names.
struct BOMStore {
    /// Where a block lies; both 0 for numbers that are not in use.
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
        guard let index = file.part(at: Int(indexOffset), count: Int(indexSize)) else {
            throw AssetError(.outOfRange(.blockTable))
        }
        guard let names = file.part(at: Int(variablesOffset), count: Int(variablesSize)) else {
            throw AssetError(.outOfRange(.variables))
        }
        self.file = file
        places = try Self.places(index, limits)
        variables = try Self.variables(names)
    }

    private static func places(_ index: FilePart, _ limits: AssetLimits) throws(AssetError) -> [Place] {
        guard let count = index.big32(0), index.part(at: 4, count: Int(count) * 8) != nil else {
            throw AssetError(.truncated(.blockTable))
        }
        guard count <= limits.blockCount else { throw AssetError(.blockCount, of: limits) }
        var places: [Place] = []
        places.reserveCapacity(Int(count))
        for number in 0..<Int(count) {
            guard let offset = index.big32(4 + number * 8), let size = index.big32(8 + number * 8) else {
                throw AssetError(.truncated(.blockTable))
            }
            places.append(Place(offset: offset, size: size))
        }
        return places
    }

    /// Blocks in use that share bytes have no honest reason. What the table says of others does not matter.
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
            end = start >> 32 + UInt64(places[Int(number)].size)
            previous = number
        }
    }

    /// Numbers of no blocks yet.
    var noBlocks: BlockNumbers { BlockNumbers(limit: places.count) }

    private static func variables(_ names: FilePart) throws(AssetError) -> [(name: String, block: UInt32)] {
        guard let count = names.big32(0) else { throw AssetError(.truncated(.variables)) }
        var variables: [(name: String, block: UInt32)] = []
        var position = 4
        // Each takes five bytes or more, so a count too large ends at the end of the part.
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
        guard Int(number) < places.count, case let place = places[Int(number)], place.offset != 0 || place.size != 0
        else { throw AssetError(.missingBlock(number)) }
        guard let block = file.part(at: Int(place.offset), count: Int(place.size)) else {
            throw AssetError(.outOfRange(.block))
        }
        return block
    }

    /// The block of that name; `nil` when there is none.
    func block(named name: String) throws(AssetError) -> FilePart? {
        guard let variable = variables.first(where: { $0.name == name }) else { return nil }
        return try block(variable.block)
    }
}

/// A set of numbers of blocks.
struct BlockNumbers: Sendable {
    private var isIn: [Bool]

    fileprivate init(limit: Int) {
        isIn = Array(repeating: false, count: limit)
    }

    /// Whether the number is new. One that no block has is never new, and was never added.
    mutating func insert(_ number: UInt32) -> Bool {
        guard Int(number) < isIn.count, !isIn[Int(number)] else { return false }
        isIn[Int(number)] = true
        return true
    }

    var numbers: some Sequence<Int> {
        let isIn = isIn
        return isIn.indices.lazy.filter { isIn[$0] }
    }
}
