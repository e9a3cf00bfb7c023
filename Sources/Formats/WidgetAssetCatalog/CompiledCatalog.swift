internal import WidgetBytes

/// A compiled asset catalogue: names, and the renditions of each name.
package struct CompiledCatalog: Sendable {
    package let header: CatalogHeader
    package let keyAttributes: [KeyAttribute]
    /// Facets in the order of the file, which is the order of their names.
    package let facets: [Facet]
    package let renditions: [Rendition]
    package let limits: AssetLimits
    private let numbers: [RenditionKey: Int]

    package init(parsing bytes: [UInt8], limits: AssetLimits = AssetLimits()) throws(AssetError) {
        self.limits = limits
        let store = try BOMStore(parsing: bytes, limits: limits)
        guard let header = try store.block(named: "CARHEADER") else { throw AssetError(.missingVariable("CARHEADER")) }
        guard let format = try store.block(named: "KEYFORMAT") else { throw AssetError(.missingVariable("KEYFORMAT")) }
        self.header = try CatalogHeader(header, metadata: try store.block(named: "EXTENDED_METADATA"))
        let attributes = try Self.keyAttributes(format)
        keyAttributes = attributes
        var trees = Trees(store: store, limits: limits)
        var facets: [Facet] = []
        var names: [UInt16: String] = [:]
        try trees.read("FACETKEYS") { (key, value) throws(AssetError) in
            guard case .bytes(let name) = key else { throw AssetError(.malformed(.tree)) }
            guard !name.hasTooManyMarks else { throw AssetError(.markCount, of: limits) }
            let facet = Facet(name: name.text, key: try Self.facetKey(value))
            facets.append(facet)
            let identifier = facet.key[.identifier]
            if identifier != 0, names[identifier] == nil { names[identifier] = facet.name }
        }
        self.facets = facets
        let appearances = try Self.appearances(&trees)
        let places = Self.places(of: attributes)
        var renditions: [Rendition] = []
        var numbers: [RenditionKey: Int] = [:]
        try trees.read("RENDITIONS") { (key, value) throws(AssetError) in
            guard case .bytes(let bytes) = key else { throw AssetError(.malformed(.renditionKey)) }
            let key = try Self.renditionKey(bytes, places)
            var rendition = RenditionHeader.rendition(value, key: key)
            rendition.name = names[key[.identifier]]
            rendition.appearance = key[.appearance] == 0 ? nil : appearances[key[.appearance]]
            if numbers[key] == nil { numbers[key] = renditions.count }
            renditions.append(rendition)
        }
        try store.checkOverlaps(of: trees.blocks)
        self.renditions = renditions
        self.numbers = numbers
    }

    /// Reads the trees of a catalogue, which share one limit on their entries.
    private struct Trees {
        let store: BOMStore
        let limits: AssetLimits
        private var entryCount: Int
        private(set) var blocks: BlockNumbers

        init(store: BOMStore, limits: AssetLimits) {
            (self.store, self.limits, entryCount) = (store, limits, limits.entryCount)
            blocks = store.noBlocks
        }

        mutating func read(
            _ name: String, _ take: (BOMTree.Key, FilePart) throws(AssetError) -> Void
        ) throws(AssetError) {
            guard let root = try store.block(named: name) else { return }
            try BOMTree.read(
                root, in: store, entryCount: &entryCount, blocks: &blocks, limits: limits, take)
        }
    }

    /// Returns the rendition with exactly this key.
    func rendition(_ key: RenditionKey) -> Rendition? { numbers[key].map { renditions[$0] } }

    /// Returns the renditions of a name, in the order of the file.
    package func renditions(named name: String) -> [Rendition] { renditions.filter { $0.name == name } }

    /// About thirty attributes are known.
    private static let longestKey = 64

    private static func keyAttributes(_ block: FilePart) throws(AssetError) -> [KeyAttribute] {
        guard block.starts(with: "tmfk"), let count = block.little32(8) else {
            throw AssetError(.malformed(.keyFormat))
        }
        guard count <= longestKey, block.holds(Int(bounded: count) * 4, at: 12) else {
            throw AssetError(.truncated(.keyFormat))
        }
        var attributes: [KeyAttribute] = []
        for position in 0..<Int(bounded: count) {
            guard let number = block.little32(12 + position * 4).flatMap({ UInt16(exactly: $0) }),
                !attributes.contains(KeyAttribute(number))
            else { throw AssetError(.malformed(.keyFormat)) }
            attributes.append(KeyAttribute(number))
        }
        return attributes
    }

    /// The position of an attribute's value in a key.
    private struct KeyPlace {
        var attribute: KeyAttribute
        var offset: Int
    }

    /// Returns positions sorted by attribute, which is not the order of the file.
    private static func places(of attributes: [KeyAttribute]) -> [KeyPlace] {
        attributes.enumerated().map { KeyPlace(attribute: $1, offset: $0 * 2) }
            .sorted { $0.attribute.number < $1.attribute.number }
    }

    private static func renditionKey(_ block: FilePart, _ places: [KeyPlace]) throws(AssetError) -> RenditionKey {
        var key = RenditionKey(capacity: places.count)
        for place in places {
            guard let value = block.little16(place.offset) else { throw AssetError(.truncated(.renditionKey)) }
            key[place.attribute] = value
        }
        return key
    }

    /// Reads a facet's key: a point, then pairs of an attribute and its value.
    private static func facetKey(_ block: FilePart) throws(AssetError) -> RenditionKey {
        guard let count = block.little16(4), block.holds(Int(count) * 4, at: 6) else {
            throw AssetError(.truncated(.renditionKey))
        }
        guard count <= longestKey else { throw AssetError(.malformed(.renditionKey)) }
        var key = RenditionKey(capacity: Int(count))
        for position in 0..<Int(count) {
            guard let attribute = block.little16(6 + position * 4), let value = block.little16(8 + position * 4) else {
                throw AssetError(.truncated(.renditionKey))
            }
            key[KeyAttribute(attribute)] = value
        }
        return key
    }

    private static func appearances(_ trees: inout Trees) throws(AssetError) -> [UInt16: String] {
        var names: [UInt16: String] = [:]
        try trees.read("APPEARANCEKEYS") { key, value in
            if case .bytes(let name) = key, let number = value.little16(0) { names[number] = name.text }
        }
        return names
    }
}

extension CompiledCatalog {
    /// References lead to renditions with pixels in one step; a longer chain is endless.
    private static let longestChain = 16

    /// Returns the pixels of a rendition, or of the part of another rendition that it refers to.
    package func bitmap(of rendition: Rendition) throws(AssetError) -> Bitmap {
        do {
            return try pixels(of: rendition)
        } catch {
            throw AssetError(error.reason, rendition: rendition.fileName)
        }
    }

    private func pixels(of rendition: Rendition) throws(AssetError) -> Bitmap {
        var source = rendition
        var references: [RenditionReference] = []
        while case .reference(let reference) = source.content {
            guard references.count < Self.longestChain, let next = self.rendition(reference.key) else {
                throw AssetError(.unknownReference)
            }
            references.append(reference)
            source = next
        }
        if case .unreadable(let reason) = source.content { throw AssetError(reason) }
        var bitmap: Bitmap
        switch source.content {
        case .bitmap: bitmap = try BitmapReader(source, limits: limits).read()
        case .data where source.isImage: bitmap = try JPEGImage.decoded(try file(of: source), limits: limits)
        default: throw AssetError(.noImage(layout: source.layout))
        }
        for reference in references.reversed() {
            let top = bitmap.height - reference.bottom - reference.height
            guard
                let part = bitmap.part(
                    left: reference.left, top: top, width: reference.width, height: reference.height)
            else { throw AssetError(.referenceOutOfRange) }
            bitmap = part
        }
        return bitmap
    }

    /// Returns the file that a rendition holds unchanged: a JPEG, a HEIF image, a PDF, data.
    package func file(of rendition: Rendition) throws(AssetError) -> [UInt8] {
        if case .unreadable(let reason) = rendition.content {
            throw AssetError(reason, rendition: rendition.fileName)
        }
        let payload = rendition.payload
        if payload.starts(with: "DWAR") {
            guard let packing = payload.little32(4), let size = payload.little32(8),
                let data = payload.part(at: 12, count: Int(bounded: size))
            else { throw AssetError(.outOfRange(.payload), rendition: rendition.fileName) }
            return try expanded(data, packing & 1 != 0 && LZFSE.begins(data) ? .lzfse : .none, of: rendition)
        }
        let pieces = try BitmapPayload(payload)
        if pieces.compression == .hevc, let piece = pieces.pieces.first, pieces.pieces.count == 1 {
            guard let size = piece.data.little32(4), let data = piece.data.part(at: 8, count: Int(bounded: size)) else {
                throw AssetError(.outOfRange(.payload), rendition: rendition.fileName)
            }
            return data.array
        }
        var bytes: [UInt8] = []
        for piece in pieces.pieces {
            bytes += try expanded(piece.data, pieces.compression, of: rendition, already: bytes.count)
        }
        return bytes
    }

    private func expanded(
        _ data: FilePart, _ compression: BitmapCompression, of rendition: Rendition, already count: Int = 0
    ) throws(AssetError) -> [UInt8] {
        let limit = limits.expandedByteCount - count
        let bytes: [UInt8]?
        switch compression {
        case .lzvn, .lzfse: bytes = data.expandedLZ(limit: limit)
        case .none: bytes = data.count <= limit ? data.array : nil
        case .deflate: bytes = data.inflated(limit: limit)
        default: throw AssetError(.unsupportedCompression(compression), rendition: rendition.fileName)
        }
        guard let bytes else { throw AssetError(.corrupt(compression), rendition: rendition.fileName) }
        return bytes
    }
}

/// A catalogue's description of itself and of the tool that made it.
package struct CatalogHeader: Equatable, Sendable {
    package var coreVersion: UInt32
    package var storageVersion: UInt32
    package var renditionCount: UInt32
    package var mainVersion: String
    package var version: String
    /// Read from the extended metadata, when the catalogue has it.
    package var platform: String?
    package var platformVersion: String?
    package var authoringTool: String?

    init(_ block: FilePart, metadata: FilePart?) throws(AssetError) {
        guard block.starts(with: "RATC") else { throw AssetError(.malformed(.catalogueHeader)) }
        guard let core = block.little32(4), let storage = block.little32(8), let count = block.little32(16),
            let mainVersion = block.part(at: 20, count: 128), let version = block.part(at: 148, count: 256)
        else { throw AssetError(.truncated(.catalogueHeader)) }
        (coreVersion, storageVersion, renditionCount) = (core, storage, count)
        (self.mainVersion, self.version) = (mainVersion.text, version.text)
        guard let metadata, metadata.starts(with: "META") else { return }
        platformVersion = metadata.part(at: 260, count: 256)?.text
        platform = metadata.part(at: 516, count: 256)?.text
        authoringTool = metadata.part(at: 772, count: 256)?.text
    }
}
