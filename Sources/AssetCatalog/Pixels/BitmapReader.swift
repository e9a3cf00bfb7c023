/// Makes a rendition's payload into pixels.
struct BitmapReader {
    let width: Int
    let height: Int
    let format: PixelFormat
    let bytesPerRow: Int?
    let payload: BitmapPayload
    private let limits: AssetLimits

    init(_ rendition: Rendition, limits: AssetLimits) throws(AssetError) {
        (width, height) = (rendition.width, rendition.height)
        guard width > 0, height > 0 else { throw AssetError(.missingPixels) }
        guard width <= limits.pixelCount, height <= limits.pixelCount / width else {
            throw AssetError(.pixelCount, of: limits)
        }
        guard let format = PixelFormat(rendition.pixelFormat, colorSpace: rendition.colorSpace) else {
            throw AssetError(.unsupportedPixelFormat(rendition.pixelFormat))
        }
        self.format = format
        bytesPerRow = rendition.bytesPerRow
        self.limits = limits
        payload = try BitmapPayload(rendition.payload)
    }

    func read() throws(AssetError) -> Bitmap {
        var pixels: [UInt8]
        switch payload.compression {
        case .none, .deflate, .lzvn, .lzfse: pixels = try plainRows()
        case .rowPackets: pixels = try rows { (data, count) throws(AssetError) in try self.rowPackets(data, count) }
        case .palette:
            pixels = try rows { (data, count) throws(AssetError) in
                try PaletteImage(width: self.width, height: count, format: self.format).read(data)
            }
        case .deepmap, .deepmap2:
            let compression = payload.compression
            pixels = try rows { (data, count) throws(AssetError) in
                try Deepmap(compression, width: self.width, height: count, format: self.format).read(data)
            }
        case .jpegWithAlpha:
            let limits = limits
            pixels = try rows { (data, count) throws(AssetError) in
                try AlphaJPEG(width: self.width, height: count, limits: limits).read(data)
            }
        case .blurred, .astc, .hevc, .dxt, .unknown:
            throw AssetError(.unsupportedCompression(payload.compression))
        }
        pixels.removeAlphaFactor(isOpaque: payload.isOpaque)
        guard let bitmap = Bitmap(width: width, height: height, pixels: pixels) else {
            throw AssetError(.missingPixels)
        }
        return bitmap
    }

    /// Rows as they are, each padded to the same length, their bytes compressed as a whole.
    private func plainRows() throws(AssetError) -> [UInt8] {
        let least = width * format.byteCount
        if let bytesPerRow, bytesPerRow < least || bytesPerRow > least + 4_096 {
            throw AssetError(.malformed(.properties))
        }
        // Writers that do not say how long rows are pad them by less than this.
        let limit = (bytesPerRow ?? least + 64) * height
        var bytes: [UInt8] = []
        for piece in payload.pieces {
            guard let expanded = expanded(piece.data, limit: limit - bytes.count) else {
                throw AssetError(.corrupt(payload.compression))
            }
            bytes += expanded
        }
        let stride = bytesPerRow ?? bytes.count / height
        // The last row need not be padded.
        guard stride >= least, bytes.count >= stride * (height - 1) + least else { throw AssetError(.missingPixels) }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in 0..<height {
            format.append(width, from: bytes[(row * stride)..<row * stride + least], to: &pixels)
        }
        return pixels
    }

    private func expanded(_ data: FilePart, limit: Int) -> [UInt8]? {
        switch payload.compression {
        case .deflate: data.inflated(limit: limit)
        case .lzvn, .lzfse: data.expandedLZ(limit: limit)
        default: data.count <= limit ? data.array : nil
        }
    }

    /// Pieces that are images of their own, one below the other.
    private func rows(_ read: (FilePart, Int) throws(AssetError) -> [UInt8]) throws(AssetError) -> [UInt8] {
        var pixels: [UInt8] = []
        var row = 0
        for piece in payload.pieces {
            let count = piece.rowCount ?? height
            guard count > 0, count <= height - row else { throw AssetError(.malformed(.payload)) }
            pixels += try read(piece.data, count)
            row += count
        }
        return pixels
    }

    /// Each row begins where a table says, and is made of packets: so many pixels, or one so many times.
    private func rowPackets(_ data: FilePart, _ rowCount: Int) throws(AssetError) -> [UInt8] {
        guard data.little32(4) == UInt32(exactly: width), data.little32(8) == UInt32(exactly: rowCount),
            let starts = data.part(at: 12, count: rowCount * 4)
        else { throw AssetError(.corrupt(.rowPackets)) }
        var pixels: [UInt8] = []
        for row in 0..<rowCount {
            var position = Int(starts.little32(row * 4) ?? 0)
            var remaining = width
            while remaining > 0 {
                guard let control = data.little32(position), case let count = Int(control & 0xFF_FFFF), count > 0,
                    count <= remaining
                else { throw AssetError(.corrupt(.rowPackets)) }
                let isRepeat = control >> 24 == 0x80
                guard isRepeat || control >> 24 == 0,
                    let content = data.part(at: position + 4, count: (isRepeat ? 1 : count) * format.byteCount)
                else { throw AssetError(.corrupt(.rowPackets)) }
                let bytes = content.array
                if isRepeat {
                    for _ in 0..<count { format.append(1, from: bytes[...], to: &pixels) }
                } else {
                    format.append(count, from: bytes[...], to: &pixels)
                }
                position += 4 + content.count
                remaining -= count
            }
        }
        return pixels
    }
}
