internal import WidgetBytes

/// Decodes a rendition's payload into pixels.
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

    /// Reads plain rows, each padded to the same length and all compressed together.
    private func plainRows() throws(AssetError) -> [UInt8] {
        let least = width * format.byteCount
        if let bytesPerRow, bytesPerRow < least || bytesPerRow > least + 4_096 {
            throw AssetError(.malformed(.properties))
        }
        // Writers that do not give the length of rows pad them by less than this.
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

    /// Reads pieces that are separate images, one below the other.
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

    /// Reads rows by a table of offsets. A row consists of packets: a count with as many pixels, or a count with
    /// one pixel to repeat.
    private func rowPackets(_ data: FilePart, _ rowCount: Int) throws(AssetError) -> [UInt8] {
        guard data.little32(4) == UInt32(exactly: width), data.little32(8) == UInt32(exactly: rowCount),
            let starts = data.part(at: 12, count: rowCount * 4)
        else { throw AssetError(.corrupt(.rowPackets)) }
        var pixels: [UInt8] = []
        for row in 0..<rowCount {
            var position = Int(bounded: starts.little32(row * 4) ?? 0)
            var remaining = width
            while remaining > 0 {
                guard let control = data.little32(position), case let count = Int(bounded: control & 0xFF_FFFF),
                    count > 0,
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

/// The pieces of a bitmap's payload.
struct BitmapPayload {
    struct Piece {
        /// The number of rows; `nil` for a single piece that does not give it.
        var rowCount: Int?
        var data: FilePart
    }

    let compression: BitmapCompression
    let isOpaque: Bool
    let pieces: [Piece]

    init(_ payload: FilePart) throws(AssetError) {
        guard payload.starts(with: "MLEC"), let flags = payload.little32(4), let number = payload.little32(8),
            let count = payload.little32(12)
        else { throw AssetError(.malformed(.payload)) }
        compression = BitmapCompression(number: number)
        isOpaque = flags & 2 != 0
        guard flags & 1 != 0 else {
            guard let data = payload.part(at: 16, count: Int(bounded: count)) else {
                throw AssetError(.outOfRange(.payload))
            }
            pieces = [Piece(rowCount: nil, data: data)]
            return
        }
        var pieces: [Piece] = []
        var position = 16
        // Each piece takes twenty bytes or more, so a count that is too large ends with the payload.
        for _ in 0..<count {
            guard let head = payload.part(at: position, count: 20), head.starts(with: "KCBC"),
                let rows = head.little32(12), let size = head.little32(16),
                let data = payload.part(at: position + 20, count: Int(bounded: size))
            else { throw AssetError(.malformed(.payload)) }
            pieces.append(Piece(rowCount: Int(bounded: rows), data: data))
            position += 20 + Int(bounded: size)
        }
        self.pieces = pieces
    }
}

/// The compression of a rendition's pixels.
package enum BitmapCompression: Equatable, Sendable {
    case none, rowPackets, deflate, lzvn, lzfse, jpegWithAlpha, blurred, astc, palette, hevc, deepmap, deepmap2, dxt
    case unknown(UInt32)

    private static let known: [BitmapCompression] = [
        .none, .rowPackets, .deflate, .lzvn, .lzfse, .jpegWithAlpha, .blurred, .astc, .palette, .hevc, .deepmap,
        .deepmap2, .dxt,
    ]

    init(number: UInt32) {
        self = Int(bounded: number) < Self.known.count ? Self.known[Int(bounded: number)] : .unknown(number)
    }
}

extension BitmapCompression: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "nothing"
        case .rowPackets: "run lengths"
        case .deflate: "deflate"
        case .lzvn: "LZVN"
        case .lzfse: "LZFSE"
        case .jpegWithAlpha: "JPEG with alpha"
        case .blurred: "blurring"
        case .astc: "ASTC"
        case .palette: "a palette"
        case .hevc: "HEVC"
        case .deepmap: "deepmap"
        case .deepmap2: "deepmap2"
        case .dxt: "DXT"
        case .unknown(let number): "method \(number)"
        }
    }
}

/// A photograph with transparency: its colours as a JPEG, and its alpha, which JPEG cannot hold, in a separate plane.
///
/// Five numbers come first: a version, a count of pieces (zero), the length of the packed plane, the length of one of
/// its rows when unpacked, and the length of the JPEG behind it.
struct AlphaJPEG {
    let width: Int
    let height: Int
    let limits: AssetLimits

    private static let headByteCount = 20

    /// Returns rows of red, green, blue and alpha, premultiplied.
    func read(_ data: FilePart) throws(AssetError) -> [UInt8] {
        guard let pieceCount = data.little32(4), let alphaSize = data.little32(8), let stride = data.little32(12),
            let imageSize = data.little32(16),
            let alpha = data.part(at: Self.headByteCount, count: Int(bounded: alphaSize)),
            let image = data.part(at: Self.headByteCount + Int(bounded: alphaSize), count: Int(bounded: imageSize))
        else { throw AssetError(.corrupt(.jpegWithAlpha)) }
        guard pieceCount == 0 else { throw AssetError(.unsupportedVariant(.jpegWithAlpha, pieceCount)) }
        let bitmap = try JPEGImage.decoded(image.array, limits: limits)
        guard bitmap.width == width, bitmap.height == height else { throw AssetError(.corrupt(.jpegWithAlpha)) }
        guard !alpha.isEmpty else { return bitmap.pixels }
        return try limitedToAlpha(bitmap.pixels, alpha, stride: Int(bounded: stride))
    }

    /// Limits colours to their alpha, because compression may have made them brighter.
    private func limitedToAlpha(_ pixels: [UInt8], _ alpha: FilePart, stride: Int) throws(AssetError) -> [UInt8] {
        guard stride >= width, stride <= width + 4_096, let plane = alpha.expandedLZ(limit: stride * height),
            plane.count >= stride * (height - 1) + width
        else { throw AssetError(.corrupt(.jpegWithAlpha)) }
        var pixels = pixels
        for row in 0..<height {
            for column in 0..<width {
                let level = plane[row * stride + column]
                let place = (row * width + column) * 4
                for channel in place..<place + 3 { pixels[channel] = min(pixels[channel], level) }
                pixels[place + 3] = level
            }
        }
        return pixels
    }
}
