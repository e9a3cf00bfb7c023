package import WidgetDeflate
package import WidgetFiles

/// Why an archive was refused, or could not be read or written.
package struct ZipError: Error, Equatable, Sendable {
    /// One case for each sentence that a publisher can be shown.
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
        case directoryMisplaced(declaredEnd: Int64, end: Int)
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
    /// The offset in the archive, for the hex dump.
    package var offset: Int?

    package init(_ reason: Reason, entry: String? = nil, at offset: Int? = nil) {
        self.reason = reason
        self.entry = entry
        self.offset = offset
    }

    /// True if the disk was full.
    package var isOutOfSpace: Bool {
        if case .file(let error) = reason { error.isOutOfSpace } else { false }
    }

    /// True if the archive is to blame, rather than the machine.
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

    /// The name in sentences.
    var name: String {
        switch self {
        case .localHeader: "localHeader"
        case .descriptor: "descriptor"
        case .directoryHeader: "directoryHeader"
        case .zip64EndRecord: "zip64EndRecord"
        case .zip64Locator: "zip64Locator"
        case .endRecord: "endRecord"
        }
    }

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

/// The fields on which two records can disagree.
package enum ZipField: String, Equatable, Sendable {
    case name, flags, method, checksum
    case compressedByteCount = "compressed size"
    case byteCount = "size"
    case entryCount = "number of entries"
    case directoryByteCount = "size of the directory"
    case directoryOffset = "offset of the directory"
    case headerOffset = "offset of the header"
}

extension ZipError: CustomStringConvertible {
    /// A sentence for the publisher: the fault, its entry, and its offset for a hex dump.
    package var description: String {
        var text = reason.description
        if let entry { text += ", in \"\(entry)\"" }
        if let offset { text += ", at offset \(offset)" }
        return text
    }
}

extension ZipError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingEndRecord: "no end record: not a zip archive, or cut off"
        case .truncatedEndRecord(let missing): "the end record lacks \(missing) bytes"
        case .trailingData(let byteCount): "\(byteCount) bytes follow the end of the archive"
        case .prependedData(let byteCount): "\(byteCount) bytes come before the first entry"
        case .gap(let byteCount): "\(byteCount) bytes belong to no entry"
        case .overlap(let byteCount): "an entry overlaps the one before by \(byteCount) bytes"
        case .recordOutOfBounds: "a record reaches beyond its place"
        case .wrongSignature(let record): "no \(record.name) where one must be"
        case .truncatedDirectory: "a directory header is cut off"
        case .directoryMisplaced(let declaredEnd, let end):
            "the directory is said to end at \(declaredEnd) and must end at \(end)"
        case .entryCountMismatch(let declared, let found): "\(declared) entries are declared, \(found) found"
        case .multipleDisks: "the archive spans several disks"
        case .zip64Missing: "a zip64 record is promised and missing"
        case .zip64Misplaced: "the zip64 record is not where its locator must point"
        case .zip64RecordLength: "the zip64 end record has an unknown length"
        case .zip64Disagrees(let field): "the zip64 record contradicts the \(field.rawValue)"
        case .zip64ExtraLength: "a zip64 extra field does not hold exactly the numbers that need it"
        case .numberTooLarge: "a number is too large for any file"
        case .headersDisagree(let field): "the local header and the directory disagree on the \(field.rawValue)"
        case .descriptorOnStored: "a stored entry has a data descriptor"
        case .descriptorMissing: "a data descriptor is promised and missing"
        case .descriptorDisagrees(let field): "the data descriptor contradicts the directory's \(field.rawValue)"
        case .encrypted: "the entry is encrypted"
        case .strongEncryption: "the entry uses strong encryption"
        case .patchData: "the entry is a patch"
        case .enhancedDeflate: "the entry uses enhanced deflate"
        case .maskedHeaders: "the entry's headers are masked"
        case .unknownFlags(let flags): "unknown flags 0x\(String(flags, radix: 16))"
        case .unsupportedMethod(let method): "compression method \(method) is neither stored nor deflate"
        case .unsupportedVersion(let version): "version \(version / 10).\(version % 10) of the format is needed"
        case .extraDoesNotDivide: "extra fields do not divide into records"
        case .extraRepeated(let kind): "extra field 0x\(String(kind, radix: 16)) is repeated"
        case .unicodePathDisagrees: "the Unicode path contradicts the name"
        case .commentNotPlain: "a comment holds more than printable ASCII and line breaks"
        case .unsafeName(let hazard): "unsafe name: it \(hazard)"
        case .duplicateName(let first): "the name means the same place as \"\(first)\""
        case .fileIsAlsoDirectory(let other): "a file and a directory have one name, as \"\(other)\""
        case .notAFile(.unknown): "the entry is of an unknown type"
        case .notAFile(let special): "the entry is a \(special.rawValue)"
        case .typeContradictsName: "the type bits contradict the name"
        case .directoryHasData: "a directory has data"
        case .storedSizesDiffer: "a stored entry has two sizes"
        case .corruptStream: "the deflate stream breaks the format"
        case .streamTruncated: "the deflate stream does not end with its entry"
        case .dataAfterStream(let byteCount): "\(byteCount) bytes follow the deflate stream"
        case .producesTooMuch(let expected): "the stream expands to more than the declared \(expected) bytes"
        case .producesTooLittle(let expected, let actual):
            "the stream expands to \(actual) bytes, \(expected) are declared"
        case .checksumMismatch(let expected, let actual):
            "the checksum is \(String(actual, radix: 16)), \(String(expected, radix: 16)) is declared"
        case .limitReached(let name, let limit): "the \(name.rawValue) is over the limit of \(limit)"
        case .file(let error): error.description
        case .deflate: "inflating failed: out of memory"
        case .outOfMemory: "out of memory"
        case .changedWhileRead: "the archive changed while it was read"
        case .rewriteDiffers: "what was written is not what was meant"
        }
    }

    /// A short name that does not change, for machines and for lists of samples.
    package var code: String {
        switch self {
        case .missingEndRecord: "missing-end-record"
        case .truncatedEndRecord: "truncated-end-record"
        case .trailingData: "trailing-data"
        case .prependedData: "prepended-data"
        case .gap: "gap"
        case .overlap: "overlap"
        case .recordOutOfBounds: "record-out-of-bounds"
        case .wrongSignature: "wrong-signature"
        case .truncatedDirectory: "truncated-directory"
        case .directoryMisplaced: "directory-misplaced"
        case .entryCountMismatch: "entry-count-mismatch"
        case .multipleDisks: "multiple-disks"
        case .zip64Missing: "zip64-missing"
        case .zip64Misplaced: "zip64-misplaced"
        case .zip64RecordLength: "zip64-record-length"
        case .zip64Disagrees: "zip64-disagrees"
        case .zip64ExtraLength: "zip64-extra-length"
        case .numberTooLarge: "number-too-large"
        case .headersDisagree: "headers-disagree"
        case .descriptorOnStored: "descriptor-on-stored"
        case .descriptorMissing: "descriptor-missing"
        case .descriptorDisagrees: "descriptor-disagrees"
        case .encrypted: "encrypted"
        case .strongEncryption: "strong-encryption"
        case .patchData: "patch-data"
        case .enhancedDeflate: "enhanced-deflate"
        case .maskedHeaders: "masked-headers"
        case .unknownFlags: "unknown-flags"
        case .unsupportedMethod: "unsupported-method"
        case .unsupportedVersion: "unsupported-version"
        case .extraDoesNotDivide: "extra-does-not-divide"
        case .extraRepeated: "extra-repeated"
        case .unicodePathDisagrees: "unicode-path-disagrees"
        case .commentNotPlain: "comment-not-plain"
        case .unsafeName: "unsafe-name"
        case .duplicateName: "duplicate-name"
        case .fileIsAlsoDirectory: "file-is-also-directory"
        case .notAFile: "not-a-file"
        case .typeContradictsName: "type-contradicts-name"
        case .directoryHasData: "directory-has-data"
        case .storedSizesDiffer: "stored-sizes-differ"
        case .corruptStream: "corrupt-stream"
        case .streamTruncated: "stream-truncated"
        case .dataAfterStream: "data-after-stream"
        case .producesTooMuch: "produces-too-much"
        case .producesTooLittle: "produces-too-little"
        case .checksumMismatch: "checksum-mismatch"
        case .limitReached: "limit-reached"
        case .file: "file"
        case .deflate: "deflate"
        case .outOfMemory: "out-of-memory"
        case .changedWhileRead: "changed-while-read"
        case .rewriteDiffers: "rewrite-differs"
        }
    }
}

/// The most an archive may ask of us, each with the danger it bounds.
package struct ZipLimits: Equatable, Sendable {
    /// Bytes of the archive: what an upload may occupy on disk.
    package var archiveByteCount = 64 << 20
    /// Entries: what the table in memory may grow to.
    package var entryCount = 4_096
    /// Bytes of a whole name, as the archive writes it and as we do.
    package var pathByteCount = 512
    /// Components of a name: how deep a tree may nest where it is unpacked.
    package var pathDepth = 16
    /// Bytes of one component: what common file systems can store.
    package var componentByteCount = 255
    /// Bytes of all entries expanded: what unpacking may occupy.
    package var expandedByteCount = 256 << 20
    /// Bytes of one entry expanded: what one file may cost to read.
    package var entryByteCount = 64 << 20
    /// Expanded bytes for each compressed byte: more is a bomb.
    package var ratio = 200
    /// Entries up to this size are exempt from ``ratio``: white space compresses well and does no harm.
    package var ratioExemptByteCount = 1 << 20
    /// Bytes of one header's extra fields: what may be skipped unread.
    package var extraByteCount = 4_096
    /// Bytes of a comment: the only text in an archive that belongs to no file.
    package var commentByteCount = 1_024

    package init() {}

    package enum Name: String, Equatable, Sendable {
        case archiveByteCount = "archive size"
        case entryCount = "number of entries"
        case pathByteCount = "length of a name"
        case pathDepth = "depth of a name"
        case componentByteCount = "length of a name's component"
        case expandedByteCount = "expanded size of all entries"
        case entryByteCount = "expanded size of one entry"
        case ratio = "compression ratio"
        case extraByteCount = "size of extra fields"
        case commentByteCount = "size of a comment"
    }

    package func value(of name: Name) -> Int {
        switch name {
        case .archiveByteCount: archiveByteCount
        case .entryCount: entryCount
        case .pathByteCount: pathByteCount
        case .pathDepth: pathDepth
        case .componentByteCount: componentByteCount
        case .expandedByteCount: expandedByteCount
        case .entryByteCount: entryByteCount
        case .ratio: ratio
        case .extraByteCount: extraByteCount
        case .commentByteCount: commentByteCount
        }
    }

    /// Returns true if an entry of these sizes is over ``ratio`` and not exempt from it.
    func exceedsRatio(_ byteCount: Int, compressedByteCount: Int) -> Bool {
        guard byteCount > ratioExemptByteCount else { return false }
        let (quotient, remainder) = byteCount.quotientAndRemainder(dividingBy: ratio)
        return quotient > compressedByteCount || (quotient == compressedByteCount && remainder > 0)
    }

    /// Throws when `value` is over the limit of that name.
    func require(_ value: Int, within name: Name, entry: String? = nil, at offset: Int?) throws(ZipError) {
        let limit = self.value(of: name)
        if value > limit { throw ZipError(.limitReached(name, limit: limit), entry: entry, at: offset) }
    }
}
