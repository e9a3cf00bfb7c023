/// The container of a catalogue: numbered blocks of bytes, a few of them with names.
struct BOMStore {
    /// Where each block lies; empty for numbers that are not in use.
    private let blocks: [FilePart?]
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
        blocks = try Self.blocks(index, of: file, limits)
        variables = try Self.variables(names)
    }

    private static func blocks(
        _ index: FilePart, of file: FilePart, _ limits: AssetLimits
    ) throws(AssetError) -> [FilePart?] {
        guard let count = index.big32(0), index.part(at: 4, count: Int(count) * 8) != nil else {
            throw AssetError(.truncated(.blockTable))
        }
        guard count <= limits.blockCount else { throw AssetError(.blockCount, of: limits) }
        var blocks: [FilePart?] = []
        blocks.reserveCapacity(Int(count))
        for number in 0..<Int(count) {
            guard let offset = index.big32(4 + number * 8), let size = index.big32(8 + number * 8) else {
                throw AssetError(.truncated(.blockTable))
            }
            guard offset != 0 || size != 0 else {
                blocks.append(nil)
                continue
            }
            guard let part = file.part(at: Int(offset), count: Int(size)) else { throw AssetError(.outOfRange(.block)) }
            blocks.append(part)
        }
        return blocks
    }

    /// Blocks in use that share bytes have no honest reason. What the table says of others does not matter.
    func checkOverlaps(of numbers: Set<UInt32>) throws(AssetError) {
        var used: [(number: UInt32, part: FilePart)] = []
        for number in numbers {
            if let part = try? block(number), !part.isEmpty { used.append((number, part)) }
        }
        used.sort { ($0.part.offset, $0.number) < ($1.part.offset, $1.number) }
        for (one, other) in zip(used, used.dropFirst()) where one.part.offset + one.part.count > other.part.offset {
            throw AssetError(.overlappingBlocks(one.number, other.number))
        }
    }

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
        guard Int(number) < blocks.count, let block = blocks[Int(number)] else {
            throw AssetError(.missingBlock(number))
        }
        return block
    }

    /// The block of that name; `nil` when there is none.
    func block(named name: String) throws(AssetError) -> FilePart? {
        guard let variable = variables.first(where: { $0.name == name }) else { return nil }
        return try block(variable.block)
    }
}
