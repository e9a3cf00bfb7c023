internal import Bytes

/// What a catalogue or an image may not exceed. Each limit has a name, and reaching it is a refusal of its own.
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
        /// Combining marks in a row in a name: see ``CombiningMarks``.
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
