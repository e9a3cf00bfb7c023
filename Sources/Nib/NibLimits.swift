internal import Bytes

/// What a compiled interface may not exceed. Each limit has a name, and reaching it is a refusal of its own.
package struct NibLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole file.
        case byteCount
        case objectCount
        case keyCount
        case valueCount
        case classCount
        /// Combining marks in a row in a text or a name: see ``CombiningMarks``.
        case markCount

        var sentence: String {
            switch self {
            case .byteCount: "bytes"
            case .objectCount: "objects"
            case .keyCount: "keys"
            case .valueCount: "values"
            case .classCount: "classes"
            case .markCount: "combining marks on one letter"
            }
        }
    }

    package var byteCount: Int
    package var objectCount: Int
    package var keyCount: Int
    package var valueCount: Int
    package var classCount: Int
    /// Objects of the property list around a keyed archive: more than the archive's, since every value is one.
    package var listedCount: Int
    /// Bytes and objects of a property list in the XML form, which takes longer to read than the binary one.
    package var textByteCount: Int
    package var textListedCount: Int

    package init(
        byteCount: Int = 4 << 20, objectCount: Int = 200_000, keyCount: Int = 20_000, valueCount: Int = 500_000,
        classCount: Int = 20_000, listedCount: Int = 60_000, textByteCount: Int = 1 << 20,
        textListedCount: Int = 40_000
    ) {
        // Positions are kept in 32 bits.
        let largest = 1 << 30
        self.byteCount = min(byteCount, largest)
        self.objectCount = min(objectCount, largest)
        self.keyCount = min(keyCount, largest)
        self.valueCount = min(valueCount, largest)
        self.classCount = min(classCount, largest)
        self.listedCount = min(listedCount, largest)
        self.textByteCount = min(textByteCount, largest)
        self.textListedCount = min(textListedCount, largest)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .objectCount: objectCount
        case .keyCount: keyCount
        case .valueCount: valueCount
        case .classCount: classCount
        case .markCount: CombiningMarks.mostInARow
        }
    }

    func name(of table: NibTable) -> Name {
        switch table {
        case .objects: .objectCount
        case .keys: .keyCount
        case .values: .valueCount
        case .classes: .classCount
        }
    }
}
