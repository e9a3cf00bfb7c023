/// Writes compiled asset catalogues, good ones and others.
package struct CatalogForge: Sendable {
    package var version: UInt32 = 1
    /// Attribute numbers in the order of keys.
    package var keyFormat: [UInt32] = [12, 15, 7, 17, 1, 2]
    package var facets: [(name: String, identifier: UInt16)] = []
    package var appearances: [(name: String, number: UInt16)] = []
    package var renditions: [(key: [UInt16], value: [UInt8])] = []

    package init() {}

    /// Adds a name with one rendition; returns the key.
    @discardableResult
    package mutating func add(
        _ name: String, _ rendition: ForgedRendition, scale: UInt16 = 1, idiom: UInt16 = 0, appearance: UInt16 = 0
    ) -> [UInt16] {
        let known = facets.first { $0.name == name }?.identifier
        let identifier = known ?? UInt16(truncatingIfNeeded: 1_000 + facets.count)
        if known == nil { facets.append((name, identifier)) }
        let key = [scale, idiom, appearance, identifier, 85, 181]
        renditions.append((key, rendition.bytes))
        return key
    }

    package var bytes: [UInt8] {
        var store = StoreForge()
        var header =
            Array("RATC".utf8) + little32(499) + little32(15) + little32(0) + little32(UInt32(renditions.count))
        header += padded("a catalogue of tests", 128) + padded("1", 256) + [UInt8](repeating: 0, count: 32)
        store.add("CARHEADER", header)
        store.addTree(
            "RENDITIONS", renditions.map { ($0.key.flatMap { little16($0) }, $0.value) })
        store.addTree(
            "FACETKEYS",
            facets.map { facet in
                let pairs: [UInt16] = [0, 0, 3, 1, 85, 2, 181, 17, facet.identifier]
                return (Array(facet.name.utf8), pairs.flatMap { little16($0) })
            })
        if !appearances.isEmpty {
            store.addTree("APPEARANCEKEYS", appearances.map { (Array($0.name.utf8), little16($0.number)) })
        }
        let format = Array("tmfk".utf8) + little32(0) + little32(UInt32(keyFormat.count))
        store.add("KEYFORMAT", format + keyFormat.flatMap { little32($0) })
        return store.bytes(version: version)
    }
}

/// One rendition; its parts need not be valid or agree.
package struct ForgedRendition: Sendable {
    package var name = "image.png"
    package var width: UInt32 = 0
    package var height: UInt32 = 0
    package var scale: UInt32 = 100
    package var pixelFormat = "ARGB"
    package var colorSpace: UInt32 = 1
    package var layout: UInt16 = 12
    package var flags: UInt32 = 0
    package var properties: [(tag: UInt32, value: [UInt8])] = []
    package var payload: [UInt8] = []
    /// Payloads behind the first one.
    package var more: [[UInt8]] = []

    package init(width: UInt32 = 0, height: UInt32 = 0, payload: [UInt8] = []) {
        (self.width, self.height, self.payload) = (width, height, payload)
    }

    package func with(_ change: (inout ForgedRendition) -> Void) -> ForgedRendition {
        var changed = self
        change(&changed)
        return changed
    }

    package var bytes: [UInt8] {
        let properties = properties.flatMap { tag, value in
            little32(tag) + little32(UInt32(value.count)) + value
        }
        var bytes = Array("ISTC".utf8) + little32(1) + little32(flags) + little32(width) + little32(height)
        bytes += little32(scale) + Array(pixelFormat.utf8.reversed()) + little32(colorSpace) + little32(0)
        bytes += little16(layout) + little16(0) + padded(name, 128) + little32(UInt32(properties.count))
        bytes += little32(UInt32(1 + more.count)) + little32(0)
        for payload in [payload] + more { bytes += little32(UInt32(payload.count)) }
        return bytes + properties + payload + more.flatMap { $0 }
    }

    /// A payload of pixels in one piece.
    package static func bitmap(_ compression: UInt32, _ data: [UInt8], flags: UInt32 = 0) -> [UInt8] {
        Array("MLEC".utf8) + little32(flags) + little32(compression) + little32(UInt32(data.count)) + data
    }

    /// A payload of pixels in pieces of so many rows.
    package static func bitmap(
        _ compression: UInt32, pieces: [(rows: UInt32, data: [UInt8])], flags: UInt32 = 0
    ) -> [UInt8] {
        var bytes = Array("MLEC".utf8) + little32(flags | 1) + little32(compression) + little32(UInt32(pieces.count))
        for piece in pieces {
            bytes += Array("KCBC".utf8) + little32(0) + little32(0) + little32(piece.rows)
            bytes += little32(UInt32(piece.data.count)) + piece.data
        }
        return bytes
    }

    package static func color(_ components: [Double], colorSpace: UInt32 = 1) -> [UInt8] {
        Array("RLOC".utf8) + little32(1) + little32(colorSpace) + little32(UInt32(components.count))
            + components.flatMap { component in
                (0..<8).map { UInt8(truncatingIfNeeded: component.bitPattern >> UInt64($0 * 8)) }
            }
    }

    /// The property of a rendition that is a part of another.
    package static func reference(
        left: UInt32, bottom: UInt32, width: UInt32, height: UInt32, attributes: [(UInt16, UInt16)]
    ) -> (tag: UInt32, value: [UInt8]) {
        let pairs: [UInt8] = attributes.flatMap { little16($0.0) + little16($0.1) } + [0, 0, 0, 0]
        let frame: [UInt8] = [left, bottom, width, height].flatMap { little32($0) }
        let value = Array("KLNI".utf8) + little32(0) + frame + little16(12) + little32(UInt32(pairs.count)) + pairs
        return (1010, value)
    }
}

/// Writes stores of blocks: a header, blocks, names, the table of blocks.
package struct StoreForge: Sendable {
    private var blocks: [[UInt8]?] = [nil]
    private var variables: [(name: String, block: Int)] = []

    package init() {}

    package mutating func add(_ block: [UInt8]) -> Int {
        blocks.append(block)
        return blocks.count - 1
    }

    package mutating func add(_ name: String, _ block: [UInt8]) {
        variables.append((name, add(block)))
    }

    package mutating func addTree(_ name: String, _ entries: [(key: [UInt8], value: [UInt8])]) {
        var node = big16(1) + big16(UInt16(entries.count)) + big32(0) + big32(0)
        for entry in entries {
            let key = add(entry.key)
            node += big32(UInt32(add(entry.value))) + big32(UInt32(key))
        }
        let leaf = add(node)
        add(
            name,
            Array("tree".utf8) + big32(1) + big32(UInt32(leaf)) + big32(4_096) + big32(UInt32(entries.count)) + [0])
    }

    package func bytes(version: UInt32 = 1) -> [UInt8] {
        var body: [UInt8] = []
        var index = big32(UInt32(blocks.count))
        for block in blocks {
            index += big32(block == nil ? 0 : UInt32(32 + body.count)) + big32(UInt32(block?.count ?? 0))
            body += block ?? []
        }
        var names = big32(UInt32(variables.count))
        for variable in variables {
            names += big32(UInt32(variable.block)) + [UInt8(variable.name.utf8.count)] + Array(variable.name.utf8)
        }
        let namesOffset = UInt32(32 + body.count)
        let header = Array("BOMStore".utf8) + big32(version) + big32(UInt32(blocks.count - 1))
        let places = [namesOffset + UInt32(names.count), UInt32(index.count), namesOffset, UInt32(names.count)]
        return header + places.flatMap { big32($0) } + body + names + index
    }
}

private func little16(_ value: UInt16) -> [UInt8] { (0..<2).map { UInt8(truncatingIfNeeded: value >> UInt16($0 * 8)) } }

private func little32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) } }

private func big16(_ value: UInt16) -> [UInt8] { little16(value).reversed() }

private func big32(_ value: UInt32) -> [UInt8] { little32(value).reversed() }

private func padded(_ text: String, _ count: Int) -> [UInt8] {
    Array(text.utf8.prefix(count)) + [UInt8](repeating: 0, count: max(count - text.utf8.count, 0))
}
