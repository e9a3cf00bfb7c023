/// A compiled asset catalogue: names, and for each the renditions there are.
package struct CompiledCatalog: Sendable {
    package let header: CatalogHeader
    package let keyAttributes: [KeyAttribute]
    /// In the order of the file, which is that of their names.
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
        for entry in try trees.entries("FACETKEYS") {
            guard case .bytes(let name) = entry.key else { throw AssetError(.malformed(.tree)) }
            let facet = Facet(name: name.text, key: try Self.facetKey(entry.value))
            facets.append(facet)
            let identifier = facet.key[.identifier]
            if identifier != 0, names[identifier] == nil { names[identifier] = facet.name }
        }
        self.facets = facets
        let appearances = try Self.appearances(&trees)
        var renditions: [Rendition] = []
        var numbers: [RenditionKey: Int] = [:]
        for entry in try trees.entries("RENDITIONS") {
            guard case .bytes(let bytes) = entry.key else { throw AssetError(.malformed(.renditionKey)) }
            let key = try Self.renditionKey(bytes, attributes)
            var rendition = RenditionHeader.rendition(entry.value, key: key)
            rendition.name = names[key[.identifier]]
            rendition.appearance = key[.appearance] == 0 ? nil : appearances[key[.appearance]]
            if numbers[key] == nil { numbers[key] = renditions.count }
            renditions.append(rendition)
        }
        try store.checkOverlaps(of: trees.blocks)
        self.renditions = renditions
        self.numbers = numbers
    }

    /// Reads trees, which have one limit together.
    private struct Trees {
        let store: BOMStore
        let limits: AssetLimits
        private var entryCount: Int
        private(set) var blocks: BlockNumbers

        init(store: BOMStore, limits: AssetLimits) {
            (self.store, self.limits, entryCount) = (store, limits, limits.entryCount)
            blocks = store.noBlocks
        }

        mutating func entries(_ name: String) throws(AssetError) -> [BOMTree.Entry] {
            guard let root = try store.block(named: name) else { return [] }
            return try BOMTree(root, in: store, entryCount: &entryCount, blocks: &blocks, limits: limits).entries
        }
    }

    /// The rendition of exactly that key.
    func rendition(_ key: RenditionKey) -> Rendition? { numbers[key].map { renditions[$0] } }

    /// The renditions of a name, in the order of the file.
    package func renditions(named name: String) -> [Rendition] { renditions.filter { $0.name == name } }

    /// There are some thirty attributes.
    private static let longestKey = 64

    private static func keyAttributes(_ block: FilePart) throws(AssetError) -> [KeyAttribute] {
        guard block.starts(with: "tmfk"), let count = block.little32(8) else {
            throw AssetError(.malformed(.keyFormat))
        }
        guard count <= longestKey, block.part(at: 12, count: Int(count) * 4) != nil else {
            throw AssetError(.truncated(.keyFormat))
        }
        var attributes: [KeyAttribute] = []
        for position in 0..<Int(count) {
            guard let number = block.little32(12 + position * 4).flatMap({ UInt16(exactly: $0) }),
                !attributes.contains(KeyAttribute(number))
            else { throw AssetError(.malformed(.keyFormat)) }
            attributes.append(KeyAttribute(number))
        }
        return attributes
    }

    private static func renditionKey(_ block: FilePart, _ attributes: [KeyAttribute]) throws(AssetError) -> RenditionKey
    {
        var key = RenditionKey()
        for (position, attribute) in attributes.enumerated() {
            guard let value = block.little16(position * 2) else { throw AssetError(.truncated(.renditionKey)) }
            key[attribute] = value
        }
        return key
    }

    /// A point, then pairs of an attribute and its value.
    private static func facetKey(_ block: FilePart) throws(AssetError) -> RenditionKey {
        guard let count = block.little16(4), block.part(at: 6, count: Int(count) * 4) != nil else {
            throw AssetError(.truncated(.renditionKey))
        }
        guard count <= longestKey else { throw AssetError(.malformed(.renditionKey)) }
        var key = RenditionKey()
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
        for entry in try trees.entries("APPEARANCEKEYS") {
            if case .bytes(let name) = entry.key, let number = entry.value.little16(0) { names[number] = name.text }
        }
        return names
    }
}
