import CZlib

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
                _ = unsafe CZlib.deflate(&stream, Z_FINISH)
            }
            count = unsafe bound - Int(stream.avail_out)
        }
    }

    /// What a raw deflate stream says, or `nil` unless it is whole and says exactly `byteCount` bytes.
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
                isWhole = unsafe CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
            }
            count = unsafe byteCount + 1 - Int(stream.avail_out)
        }
        return isWhole && output.count == byteCount ? output : nil
    }
}
