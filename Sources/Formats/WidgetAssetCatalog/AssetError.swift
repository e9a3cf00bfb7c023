internal import WidgetBytes

/// The reason why a catalogue, one of its renditions or an image was refused.
package struct AssetError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case limitReached(AssetLimits.Name, limit: Int)

        // The store.
        case notAStore
        case unsupportedVersion(UInt32)
        case truncated(Part)
        case outOfRange(Part)
        case malformed(Part)
        case missingVariable(String)
        case missingBlock(UInt32)
        case overlappingBlocks(UInt32, UInt32)
        case sharedBlock(UInt32)
        case cycle

        // A rendition and its pixels.
        case noImage(layout: UInt16)
        case unsupportedPixelFormat(String)
        case unsupportedCompression(BitmapCompression)
        case unsupportedVariant(BitmapCompression, UInt32)
        case corrupt(BitmapCompression)
        case missingPixels
        case unknownReference
        case referenceOutOfRange

        // Images.
        case notAnImage
        case damagedImage
        /// The number in the marker of the image's frame.
        case unsupportedJPEG(UInt8)
    }

    /// The part of a file that was being read.
    package enum Part: String, Sendable {
        case header = "the header"
        case blockTable = "the table of blocks"
        case variables = "the variables"
        case block = "a block"
        case tree = "a tree"
        case catalogueHeader = "CARHEADER"
        case keyFormat = "KEYFORMAT"
        case renditionKey = "a rendition's key"
        case rendition = "a rendition's header"
        case properties = "a rendition's properties"
        case payload = "a rendition's payload"
        case image = "the image"
    }

    package var reason: Reason
    /// The rendition's file name, when the error is about a rendition.
    package var rendition: String?

    package init(_ reason: Reason, rendition: String? = nil) {
        (self.reason, self.rendition) = (reason, rendition)
    }

    init(_ limit: AssetLimits.Name, of limits: AssetLimits) {
        self.init(.limitReached(limit, limit: limits.limit(limit)))
    }
}

extension AssetError: CustomStringConvertible {
    package var description: String {
        rendition.map { "\(ValuePath([.key($0)])): \(reason)" } ?? "\(reason)"
    }
}

extension AssetError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .limitReached(.byteCount, let limit): "the file exceeds \(limit) bytes"
        case .limitReached(.blockCount, let limit): "the file declares more than \(limit) blocks"
        case .limitReached(.entryCount, let limit): "the trees hold more than \(limit) entries"
        case .limitReached(.pixelCount, let limit): "the image has more than \(limit) pixels"
        case .limitReached(.expandedByteCount, let limit): "the payload expands to more than \(limit) bytes"
        case .limitReached(.markCount, let limit): "a name has more than \(limit) combining marks on one letter"
        case .notAStore: "the file is not an asset catalogue: it does not begin with BOMStore"
        case .unsupportedVersion(let version): "version \(version) is unknown"
        case .truncated(let part): "\(part.rawValue) ends too early"
        case .outOfRange(let part): "\(part.rawValue) does not lie inside the file"
        case .malformed(let part): "\(part.rawValue) is malformed"
        case .missingVariable(let name): "the file has no variable \(name)"
        case .missingBlock(let number): "the file has no block \(number)"
        case .overlappingBlocks(let one, let other): "the blocks \(one) and \(other) overlap"
        case .sharedBlock(let number): "the block \(number) is used twice"
        case .cycle: "a tree leads back to itself"
        case .noImage(let layout): "a rendition of layout \(layout) has no pixels"
        case .unsupportedPixelFormat(let format): "the pixel format \(ValuePath([.key(format)])) is not supported"
        case .unsupportedCompression(let compression): "images compressed with \(compression) are not supported"
        case .unsupportedVariant(let compression, let number): "variant \(number) of \(compression) is not supported"
        case .corrupt(let compression): "the data compressed with \(compression) is damaged"
        case .missingPixels: "the payload holds fewer pixels than the rendition declares"
        case .unknownReference: "the rendition refers to one that does not exist"
        case .referenceOutOfRange: "the rendition lies outside the one it is a part of"
        case .notAnImage: "the file is not an image of a known kind"
        case .damagedImage: "the image is damaged"
        case .unsupportedJPEG(let marker): "JPEG images of kind \(marker & 0xF) are not supported"
        }
    }
}

/// Limits on catalogues and images. Each limit has a name, and reaching it is a distinct refusal.
package struct AssetLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole file.
        case byteCount
        /// Blocks the file declares.
        case blockCount
        /// Entries of all trees together.
        case entryCount
        /// Pixels of one image.
        case pixelCount
        /// Bytes of one payload once it is decompressed.
        case expandedByteCount
        /// Consecutive combining marks in a name: see ``CombiningMarks``.
        case markCount
    }

    package var byteCount: Int
    package var blockCount: Int
    package var entryCount: Int
    package var pixelCount: Int
    package var expandedByteCount: Int

    package init(
        byteCount: Int = 256 << 20, blockCount: Int = 1 << 20, entryCount: Int = 200_000, pixelCount: Int = 16 << 20,
        expandedByteCount: Int = 128 << 20
    ) {
        // Products of two counts within their limits never overflow.
        let largest = 1 << 30
        self.byteCount = min(byteCount, largest)
        self.blockCount = min(blockCount, largest)
        self.entryCount = min(entryCount, largest)
        self.pixelCount = min(pixelCount, largest)
        self.expandedByteCount = min(expandedByteCount, largest)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .blockCount: blockCount
        case .entryCount: entryCount
        case .pixelCount: pixelCount
        case .expandedByteCount: expandedByteCount
        case .markCount: CombiningMarks.mostInARow
        }
    }
}
