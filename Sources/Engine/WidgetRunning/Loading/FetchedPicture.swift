internal import WidgetAssetCatalog
internal import WidgetBytes

/// The outcome of fetching a picture of the network.
package enum FetchedPicture: Equatable, Sendable {
    case file(BundlePictures.OrdinaryPicture)
    /// Nothing came that a page could show, with the reason.
    case failed(String)

    /// The most bytes of one picture.
    package static let byteLimit = 8 << 20
    /// The most pixels of one picture, which a browser unpacks, and of one side.
    package static let pixelLimit = 16 << 20
    private static let sideLimit = 1 << 16

    /// A picture of the kind that its bytes are; a server's word for it does not count. Of its pixels, only the
    /// number is read.
    package init(_ bytes: [UInt8]) {
        guard bytes.count <= FetchedPicture.byteLimit else {
            self = .failed("it has more than \(ByteCountText.of(FetchedPicture.byteLimit))")
            return
        }
        guard !AppleImage.begins(bytes) else {
            self = .failed("it is a PNG as Xcode packs them, which browsers cannot read")
            return
        }
        switch BundlePictures.answer(to: bytes) {
        case .missing: self = .failed("it is empty")
        case .unusable(let reason): self = .failed(reason)
        case .file(let file):
            let sides = 1...FetchedPicture.sideLimit
            guard sides ~= file.width, sides ~= file.height, file.width * file.height <= FetchedPicture.pixelLimit
            else {
                self = .failed("it has more than \(FetchedPicture.pixelLimit) pixels, or a side of none")
                return
            }
            self = .file(file)
        }
    }
}
