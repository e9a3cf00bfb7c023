/// How a rendition's pixels are stored.
package enum BitmapCompression: Equatable, Sendable {
    case none, rowPackets, deflate, lzvn, lzfse, jpegWithAlpha, blurred, astc, palette, hevc, deepmap, deepmap2, dxt
    case unknown(UInt32)

    private static let known: [BitmapCompression] = [
        .none, .rowPackets, .deflate, .lzvn, .lzfse, .jpegWithAlpha, .blurred, .astc, .palette, .hevc, .deepmap,
        .deepmap2, .dxt,
    ]

    init(number: UInt32) {
        self = Int(number) < Self.known.count ? Self.known[Int(number)] : .unknown(number)
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
