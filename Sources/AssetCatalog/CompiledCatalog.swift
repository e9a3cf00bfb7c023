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

        mutating func read(
            _ name: String, _ take: (BOMTree.Key, FilePart) throws(AssetError) -> Void
        ) throws(AssetError) {
            guard let root = try store.block(named: name) else { return }
            try BOMTree.read(
                root, in: store, entryCount: &entryCount, blocks: &blocks, limits: limits, take)
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
        guard count <= longestKey, block.holds(Int(count) * 4, at: 12) else {
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

    /// Where in a key an attribute's value is.
    private struct KeyPlace {
        var attribute: KeyAttribute
        var offset: Int
    }

    /// In the order of attributes, which is not that of the file.
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

    /// A point, then pairs of an attribute and its value.
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
