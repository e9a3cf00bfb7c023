import CZlib

/// Builds archives field by field, good ones and bad ones.
///
/// An entry starts out right; every field of either header can then be set to anything, and bytes can be put
/// where none belong. Compression and checksums come from zlib, not from the code under test.
package struct ZipForge {
    package var entries: [Entry] = []
    package var prefix: [UInt8] = []
    /// Between the last record and the directory.
    package var beforeDirectory: [UInt8] = []
    /// Between the directory and the records that end the archive.
    package var afterDirectory: [UInt8] = []
    package var end = End()
    package var zip64: Zip64?
    package var suffix: [UInt8] = []

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// The fields of either header of an entry; `nil` lengths follow from the contents.
    package struct Header {
        package var signature: UInt32
        package var madeBy: UInt16 = 0x0314
        package var version: UInt16 = 20
        package var flags: UInt16 = 0
        package var method: UInt16 = 0
        package var time: UInt16 = 0x6000
        package var date: UInt16 = 0x4C21
        package var checksum: UInt32 = 0
        package var compressedSize: UInt32 = 0
        package var size: UInt32 = 0
        package var name: [UInt8] = []
        package var nameLength: UInt16?
        package var extra: [UInt8] = []
        package var extraLength: UInt16?
        package var comment: [UInt8] = []
        package var commentLength: UInt16?
        package var disk: UInt16 = 0
        package var internalAttributes: UInt16 = 0
        package var externalAttributes: UInt32 = 0
        /// Where the directory says the local header is; `nil`: where it is.
        package var offset: UInt32?
    }

    package struct Entry {
        package var local: Header
        package var central: Header
        /// The data as it stands in the archive.
        package var data: [UInt8]
        package var descriptor: [UInt8] = []
        /// Before the local header.
        package var gap: [UInt8] = []
        /// There is a local record of which the directory knows nothing.
        package var isHidden = false
        /// The directory has a header without a local record.
        package var isGhost = false

        /// A file or, when the name ends in a slash, a directory, as `zip` on Unix would write it.
        package init(_ name: [UInt8], _ content: [UInt8] = [], stored: Bool = false) {
            let isDirectory = name.last == 0x2F
            let isStored = stored || content.isEmpty
            data = isStored ? content : ZipForge.deflate(content)
            local = Header(signature: 0x0403_4B50)
            local.name = name
            local.flags = name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11
            local.method = isStored ? 0 : 8
            local.version = isStored && !isDirectory ? 10 : 20
            local.checksum = ZipForge.checksum(content)
            local.compressedSize = UInt32(data.count)
            local.size = UInt32(content.count)
            central = local
            central.signature = 0x0201_4B50
            central.externalAttributes = isDirectory ? 0o40755 << 16 | 0x10 : 0o100644 << 16
        }

        package init(_ name: String, _ content: String = "", stored: Bool = false) {
            self.init(Array(name.utf8), Array(content.utf8), stored: stored)
        }

        /// Sets a field of both headers.
        package mutating func both<Value>(_ field: WritableKeyPath<Header, Value>, _ value: Value) {
            local[keyPath: field] = value
            central[keyPath: field] = value
        }

        /// Moves checksum and sizes from the local header behind the data, as streaming writers do.
        package mutating func useDescriptor(signed: Bool = true) {
            both(\.flags, local.flags | 1 << 3)
            descriptor =
                (signed ? ZipForge.bytes(0x0807_4B50 as UInt32) : [])
                + ZipForge.bytes(central.checksum) + ZipForge.bytes(central.compressedSize)
                + ZipForge.bytes(central.size)
            local.checksum = 0
            local.compressedSize = 0
            local.size = 0
        }

        /// Widens sizes and, in the directory, the offset, by zip64 records.
        package mutating func useZip64(offset: UInt64) {
            let sizes = ZipForge.bytes(UInt64(central.size)) + ZipForge.bytes(UInt64(central.compressedSize))
            local.extra += ZipForge.extra(1, sizes)
            central.extra += ZipForge.extra(1, sizes + ZipForge.bytes(offset))
            both(\.size, .max)
            both(\.compressedSize, .max)
            both(\.version, 45)
            central.offset = .max
        }
    }

    package struct End {
        package var signature: UInt32 = 0x0605_4B50
        package var disk: UInt16 = 0
        package var directoryDisk: UInt16 = 0
        package var entriesHere: UInt16?
        package var entries: UInt16?
        package var directorySize: UInt32?
        package var directoryOffset: UInt32?
        package var comment: [UInt8] = []
        package var commentLength: UInt16?

        package init() {}
    }

    /// The record and the locator of zip64; `nil` fields follow from the archive.
    package struct Zip64 {
        package var signature: UInt32 = 0x0606_4B50
        package var recordSize: UInt64 = 44
        package var version: UInt16 = 45
        package var disk: UInt32 = 0
        package var directoryDisk: UInt32 = 0
        package var entriesHere: UInt64?
        package var entries: UInt64?
        package var directorySize: UInt64?
        package var directoryOffset: UInt64?
        package var sector: [UInt8] = []
        package var locatorSignature: UInt32 = 0x0706_4B50
        package var locatorDisk: UInt32 = 0
        package var recordOffset: UInt64?
        package var disks: UInt32 = 1
        /// Between the record and the locator.
        package var gap: [UInt8] = []

        package init() {}
    }

    /// Where the parts of a built archive are.
    package struct Marks {
        package var local: [Int] = []
        package var data: [Int] = []
        package var descriptor: [Int] = []
        package var central: [Int] = []
        package var directory = 0
        package var zip64Record = 0
        package var zip64Locator = 0
        package var end = 0
        package var count = 0
    }
}
