package import Deflate
package import Files

/// Why an archive was refused, or could not be read or written.
package struct ZipError: Error, Equatable, Sendable {
    /// One case for each sentence a publisher could be told.
    package enum Reason: Error, Equatable, Sendable {
        // Framing: the records must tile the file.
        case missingEndRecord
        case truncatedEndRecord(missing: Int)
        case trailingData(byteCount: Int)
        case prependedData(byteCount: Int)
        case gap(byteCount: Int)
        case overlap(byteCount: Int)
        case recordOutOfBounds
        case wrongSignature(ZipRecord)
        case truncatedDirectory
        case directoryMisplaced(declaredEnd: Int, end: Int)
        case entryCountMismatch(declared: Int, found: Int)
        case multipleDisks

        // Zip64: present when needed, consistent when present.
        case zip64Missing
        case zip64Misplaced
        case zip64RecordLength
        case zip64Disagrees(ZipField)
        case zip64ExtraLength
        case numberTooLarge

        // The two headers of an entry, and its descriptor, must tell one story.
        case headersDisagree(ZipField)
        case descriptorOnStored
        case descriptorMissing
        case descriptorDisagrees(ZipField)

        // Features outside stored and deflate.
        case encrypted
        case strongEncryption
        case patchData
        case enhancedDeflate
        case maskedHeaders
        case unknownFlags(UInt16)
        case unsupportedMethod(UInt16)
        case unsupportedVersion(Int)

        // Extra fields and comments.
        case extraDoesNotDivide
        case extraRepeated(UInt16)
        case unicodePathDisagrees
        case commentNotPlain

        // Names.
        case unsafeName(ZipName.Hazard)
        case duplicateName(first: String)
        case fileIsAlsoDirectory(other: String)

        // Types.
        case notAFile(ZipAttributes.Special)
        case typeContradictsName
        case directoryHasData

        // Data.
        case storedSizesDiffer
        case corruptStream
        case streamTruncated
        case dataAfterStream(byteCount: Int)
        case producesTooMuch(expected: Int)
        case producesTooLittle(expected: Int, actual: Int)
        case checksumMismatch(expected: UInt32, actual: UInt32)

        case limitReached(ZipLimits.Name, limit: Int)

        // Failures, not refusals.
        case file(FileError)
        case deflate(DeflateError)
        case outOfMemory
        case changedWhileRead
        case rewriteDiffers
    }

    package var reason: Reason
    /// The entry that was being read, as text safe to print.
    package var entry: String?
    /// Where in the archive, for the hex dump.
    package var offset: Int?

    package init(_ reason: Reason, entry: String? = nil, at offset: Int? = nil) {
        self.reason = reason
        self.entry = entry
        self.offset = offset
    }

    /// Whether there was no room on the disk.
    package var isOutOfSpace: Bool {
        if case .file(let error) = reason { error.isOutOfSpace } else { false }
    }

    /// Whether the archive is to blame, rather than the machine.
    package var isRefusal: Bool {
        switch reason {
        case .file, .deflate, .outOfMemory, .changedWhileRead, .rewriteDiffers: false
        default: true
        }
    }
}

/// The records an archive consists of, by the signature they begin with.
package enum ZipRecord: UInt32, Equatable, Sendable {
    case localHeader = 0x0403_4B50
    case descriptor = 0x0807_4B50
    case directoryHeader = 0x0201_4B50
    case zip64EndRecord = 0x0606_4B50
    case zip64Locator = 0x0706_4B50
    case endRecord = 0x0605_4B50

    /// Bytes before the parts of variable length (APPNOTE 4.3.7 to 4.3.16).
    var fixedByteCount: Int {
        switch self {
        case .localHeader: 30
        case .descriptor: 16
        case .directoryHeader: 46
        case .zip64EndRecord: 56
        case .zip64Locator: 20
        case .endRecord: 22
        }
    }
}

/// What two records can disagree on.
package enum ZipField: String, Equatable, Sendable {
    case name, flags, method, checksum
    case compressedByteCount = "compressed size"
    case byteCount = "size"
    case entryCount = "number of entries"
    case directoryByteCount = "size of the directory"
    case directoryOffset = "offset of the directory"
    case headerOffset = "offset of the header"
}
