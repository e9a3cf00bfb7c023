extension CompiledCatalog {
    /// References lead to renditions with pixels in one step; more than this is a chain without end.
    private static let longestChain = 16

    /// The pixels of a rendition, its own or its part of another.
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

    /// The file that a rendition holds as it was: a JPEG, a HEIF image, a PDF, data.
    package func file(of rendition: Rendition) throws(AssetError) -> [UInt8] {
        if case .unreadable(let reason) = rendition.content {
            throw AssetError(reason, rendition: rendition.fileName)
        }
        let payload = rendition.payload
        if payload.starts(with: "DWAR") {
            guard let packing = payload.little32(4), let size = payload.little32(8),
                let data = payload.part(at: 12, count: Int(size))
            else { throw AssetError(.outOfRange(.payload), rendition: rendition.fileName) }
            return try expanded(data, packing & 1 != 0 && LZFSE.begins(data) ? .lzfse : .none, of: rendition)
        }
        let pieces = try BitmapPayload(payload)
        if pieces.compression == .hevc, let piece = pieces.pieces.first, pieces.pieces.count == 1 {
            guard let size = piece.data.little32(4), let data = piece.data.part(at: 8, count: Int(size)) else {
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
