internal import WidgetBytes

/// Reads one rendition: a header, tagged properties, a payload.
struct RenditionHeader {
    private(set) var rendition: Rendition

    /// The size of the header before the payload sizes, one for each bitmap.
    private static let fixedByteCount = 180

    /// Returns a rendition; one that cannot be read holds the reason, so that the others stay usable.
    static func rendition(_ block: FilePart, key: RenditionKey) -> Rendition {
        do throws(AssetError) {
            return try RenditionHeader(block, key: key).rendition
        } catch {
            return Rendition(
                fileName: error.rendition ?? "", key: key, width: 0, height: 0, scale: max(Double(key[.scale]), 1),
                idiom: Idiom(number: key[.idiom]), pixelFormat: "", colorSpace: 0, layout: 0, flags: 0,
                content: .unreadable(error.reason), propertyTags: [], payload: FilePart([]))
        }
    }

    private init(_ block: FilePart, key: RenditionKey) throws(AssetError) {
        guard block.starts(with: "ISTC") else { throw AssetError(.malformed(.rendition)) }
        guard let flags = block.little32(8), let width = block.little32(12), let height = block.little32(16),
            let scale = block.little32(20), let format = block.little32(24),
            let colorSpace = block.little32(28), let layout = block.little16(36),
            let name = block.part(at: 40, count: 128), let propertySize = block.little32(168),
            let bitmapCount = block.little32(172), case let sizeCount = max(Int(bounded: bitmapCount), 1),
            let sizes = block.part(at: Self.fixedByteCount, count: sizeCount * 4)
        else { throw AssetError(.truncated(.rendition)) }
        let start = Self.fixedByteCount + sizes.count
        guard let properties = block.part(at: start, count: Int(bounded: propertySize)) else {
            throw AssetError(.outOfRange(.properties), rendition: name.text)
        }
        let payloadStart = start + Int(bounded: propertySize)
        // Cubes and stacks have several consecutive bitmaps; the first one shows their appearance.
        guard let payloadSize = sizes.little32(0),
            let payload = block.part(at: payloadStart, count: Int(bounded: payloadSize))
        else {
            throw AssetError(.outOfRange(.payload), rendition: name.text)
        }
        let keyScale = Double(key[.scale])
        rendition = Rendition(
            fileName: name.text, key: key, width: Int(bounded: width), height: Int(bounded: height),
            scale: scale > 0 ? Double(scale) / 100 : max(keyScale, 1), idiom: Idiom(number: key[.idiom]),
            pixelFormat: Self.mark(format), colorSpace: colorSpace & 0xF,
            layout: layout, flags: flags, content: .other(""), propertyTags: [], payload: payload)
        do {
            try readProperties(properties)
            try readContent()
        } catch {
            throw AssetError(error.reason, rendition: rendition.fileName)
        }
    }

    private mutating func readProperties(_ properties: FilePart) throws(AssetError) {
        var position = 0
        // Too few bytes for another property are padding. Some writers encode lengths differently, which loses the
        // properties that follow; the payload's offset does not depend on them.
        while properties.count - position >= 8 {
            guard let tag = properties.little32(position), let size = properties.little32(position + 4),
                let value = properties.part(at: position + 8, count: Int(bounded: size))
            else { return }
            rendition.propertyTags.append(tag)
            switch tag {
            case 1007: rendition.bytesPerRow = value.little32(0).flatMap { $0 == 0 ? nil : Int(bounded: $0) }
            case 1010: rendition.content = .reference(try Self.reference(value))
            default: break
            }
            position += 8 + Int(bounded: size)
        }
    }

    private static func reference(_ value: FilePart) throws(AssetError) -> RenditionReference {
        guard value.starts(with: "KLNI"), let left = value.little32(8), let bottom = value.little32(12),
            let width = value.little32(16), let height = value.little32(20), let size = value.little32(26),
            let pairs = value.part(at: 30, count: Int(bounded: size))
        else { throw AssetError(.malformed(.properties)) }
        var key = RenditionKey()
        for position in 0..<min(pairs.count / 4, 64) {
            guard let attribute = pairs.little16(position * 4), let number = pairs.little16(position * 4 + 2) else {
                throw AssetError(.malformed(.properties))
            }
            if attribute != 0 || number != 0 { key[KeyAttribute(attribute)] = number }
        }
        return RenditionReference(
            key: key, left: Int(bounded: left), bottom: Int(bounded: bottom), width: Int(bounded: width),
            height: Int(bounded: height))
    }

    private mutating func readContent() throws(AssetError) {
        if case .reference = rendition.content { return }
        let payload = rendition.payload
        if payload.starts(with: "MLEC") {
            guard let compression = payload.little32(8) else { throw AssetError(.truncated(.payload)) }
            let isFile = ["JPEG", "HEIF", "PDF ", "SVG ", "DATA", "WEBP"].contains(rendition.pixelFormat)
            rendition.content = isFile ? .data : .bitmap(BitmapCompression(number: compression))
        } else if payload.starts(with: "DWAR") {
            rendition.content = .data
        } else if payload.starts(with: "RLOC") {
            rendition.content = .color(try Self.color(payload))
        } else if payload.starts(with: "SISM") {
            rendition.content = .sizes(try Self.sizes(payload))
        } else {
            rendition.content = .other(payload.little32(0).map(Self.mark) ?? "")
        }
    }

    /// Returns the four letters that are stored as a number.
    private static func mark(_ number: UInt32) -> String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }, as: UTF8.self)
    }

    private static func color(_ payload: FilePart) throws(AssetError) -> CatalogColor {
        guard let information = payload.little32(8), let count = payload.little32(12), count <= 16 else {
            throw AssetError(.malformed(.payload))
        }
        var components: [Double] = []
        for position in 0..<Int(bounded: count) {
            guard let bits = payload.little64(16 + position * 8) else { throw AssetError(.truncated(.payload)) }
            components.append(Double(bitPattern: bits))
        }
        return CatalogColor(colorSpace: information & 0xFF, components: components)
    }

    private static func sizes(_ payload: FilePart) throws(AssetError) -> [Rendition.Size] {
        guard let version = payload.little32(4), let count = payload.little32(8) else {
            throw AssetError(.truncated(.payload))
        }
        let stride = version > 0 && payload.count >= 12 + Int(bounded: count) * 12 ? 12 : 8
        guard let list = payload.part(at: 12, count: Int(bounded: count) * stride) else {
            throw AssetError(.truncated(.payload))
        }
        var sizes: [Rendition.Size] = []
        for position in 0..<Int(bounded: count) {
            guard let width = list.little32(position * stride), let height = list.little32(position * stride + 4) else {
                throw AssetError(.truncated(.payload))
            }
            let index = stride == 12 ? list.little32(position * stride + 8) : nil
            sizes.append(
                Rendition.Size(width: width, height: height, index: index ?? UInt32(truncatingIfNeeded: position)))
        }
        return sizes
    }
}
