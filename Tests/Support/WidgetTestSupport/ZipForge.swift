import CWidgetZlib

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
        /// The local header's offset in the directory; `nil` for the right one.
        package var offset: UInt32?
    }

    package struct Entry {
        package var local: Header
        package var central: Header
        /// The data in the archive, as written.
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

    /// The offsets of the parts of a built archive.
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

extension ZipForge {
    package func build() -> (bytes: [UInt8], marks: Marks) {
        var out = prefix
        var marks = Marks()
        for entry in entries {
            if !entry.isGhost { out += entry.gap }
            marks.local.append(out.count)
            if !entry.isGhost { out += ZipForge.local(entry.local) }
            marks.data.append(out.count)
            if !entry.isGhost { out += entry.data }
            marks.descriptor.append(out.count)
            if !entry.isGhost { out += entry.descriptor }
        }
        out += beforeDirectory
        marks.directory = out.count
        for (index, entry) in entries.enumerated() {
            marks.central.append(out.count)
            if !entry.isHidden { out += ZipForge.central(entry.central, offset: UInt32(marks.local[index])) }
        }
        let size = out.count - marks.directory
        let count = entries.count { !$0.isHidden }
        out += afterDirectory
        if let zip64 { append(zip64, count: count, size: size, to: &out, marks: &marks) }
        marks.end = out.count
        append(end, count: count, size: size, directory: marks.directory, to: &out)
        out += suffix
        marks.count = out.count
        return (out, marks)
    }

    private func append(_ end: End, count: Int, size: Int, directory: Int, to out: inout [UInt8]) {
        out += ZipForge.bytes(end.signature)
        out += ZipForge.bytes(end.disk)
        out += ZipForge.bytes(end.directoryDisk)
        out += ZipForge.bytes(end.entriesHere ?? UInt16(count))
        out += ZipForge.bytes(end.entries ?? UInt16(count))
        out += ZipForge.bytes(end.directorySize ?? UInt32(size))
        out += ZipForge.bytes(end.directoryOffset ?? UInt32(directory))
        out += ZipForge.bytes(end.commentLength ?? UInt16(end.comment.count))
        out += end.comment
    }

    private func append(_ zip64: Zip64, count: Int, size: Int, to out: inout [UInt8], marks: inout Marks) {
        marks.zip64Record = out.count
        out += ZipForge.bytes(zip64.signature)
        out += ZipForge.bytes(zip64.recordSize)
        out += ZipForge.bytes(0x032D as UInt16)
        out += ZipForge.bytes(zip64.version)
        out += ZipForge.bytes(zip64.disk)
        out += ZipForge.bytes(zip64.directoryDisk)
        out += ZipForge.bytes(zip64.entriesHere ?? UInt64(count))
        out += ZipForge.bytes(zip64.entries ?? UInt64(count))
        out += ZipForge.bytes(zip64.directorySize ?? UInt64(size))
        out += ZipForge.bytes(zip64.directoryOffset ?? UInt64(marks.directory))
        out += zip64.sector
        out += zip64.gap
        marks.zip64Locator = out.count
        out += ZipForge.bytes(zip64.locatorSignature)
        out += ZipForge.bytes(zip64.locatorDisk)
        out += ZipForge.bytes(zip64.recordOffset ?? UInt64(marks.zip64Record))
        out += ZipForge.bytes(zip64.disks)
    }

    private static func shared(_ header: Header) -> [UInt8] {
        bytes(header.version) + bytes(header.flags) + bytes(header.method) + bytes(header.time) + bytes(header.date)
            + bytes(header.checksum) + bytes(header.compressedSize) + bytes(header.size)
            + bytes(header.nameLength ?? UInt16(header.name.count))
            + bytes(header.extraLength ?? UInt16(header.extra.count))
    }

    private static func local(_ header: Header) -> [UInt8] {
        bytes(header.signature) + shared(header) + header.name + header.extra
    }

    private static func central(_ header: Header, offset: UInt32) -> [UInt8] {
        bytes(header.signature) + bytes(header.madeBy) + shared(header)
            + bytes(header.commentLength ?? UInt16(header.comment.count)) + bytes(header.disk)
            + bytes(header.internalAttributes) + bytes(header.externalAttributes) + bytes(header.offset ?? offset)
            + header.name + header.extra + header.comment
    }

    /// Little-endian.
    package static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<(Value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
    }

    /// A record of an extra field.
    package static func extra(_ kind: UInt16, _ data: [UInt8]) -> [UInt8] {
        bytes(kind) + bytes(UInt16(data.count)) + data
    }

    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        // The pointer lives for this call, and its length travels with it.
        UInt32(unsafe crc32(0, bytes, UInt32(bytes.count)))
    }

    /// A raw deflate stream of the bytes.
    package static func deflate(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe CInt(MemoryLayout<z_stream>.size)
        let status = unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        precondition(status == Z_OK, "zlib has memory in a test")
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
            unsafe input.withUnsafeMutableBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(room.count)
                _ = unsafe CWidgetZlib.deflate(&stream, Z_FINISH)
            }
            count = unsafe bound - Int(stream.avail_out)
        }
    }

    /// Inflates a raw deflate stream; `nil` unless it is whole and has exactly `byteCount` bytes.
    package static func inflate(_ bytes: [UInt8], byteCount: Int) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe inflateInit2_(&stream, -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { unsafe inflateEnd(&stream) }
        var input = bytes
        var isWhole = false
        // One byte more than expected, so that too much is noticed.
        let output = unsafe [UInt8](unsafeUninitializedCapacity: byteCount + 1) { room, count in
            unsafe input.withUnsafeMutableBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(room.count)
                isWhole = unsafe CWidgetZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
            }
            count = unsafe byteCount + 1 - Int(stream.avail_out)
        }
        return isWhole && output.count == byteCount ? output : nil
    }
}
