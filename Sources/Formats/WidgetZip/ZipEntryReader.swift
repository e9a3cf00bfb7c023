internal import WidgetBytes
internal import WidgetDeflate
package import WidgetFiles

/// Reads entries' data and proves it on the way: the stream ends where it must, expands to the declared size,
/// and has the declared checksum.
///
/// One reader serves many entries; its buffers and its inflater are made once. Its memory is bounded
/// for every entry: up to ``wholeByteCount`` an entry is read at once, which spares zlib its window; larger entries
/// pass through our windows.
package struct ZipEntryReader: ~Copyable {
    /// Entries that expand to no more than this are inflated in one step.
    package static let wholeByteCount = 256 << 10

    /// The bytes beyond ``wholeByteCount`` that a stream may take before it counts as large: deflate without
    /// compression adds five bytes for each 65,535.
    private static let overhead = 1 << 10
    private static let windowByteCount = 64 << 10

    private var inflater: Inflater
    private var input: [UInt8] = []
    private var output: [UInt8] = []

    package init() throws(ZipError) {
        do throws(DeflateError) {
            inflater = try Inflater()
        } catch {
            throw ZipError(.deflate(error))
        }
    }

    /// Passes the entry's expanded data to `sink` in order, and proves it.
    ///
    /// A small entry reaches the sink only when it is proven; of a large one the sink has seen all but the
    /// proof when this throws, so the sink's result must be discarded then.
    ///
    /// - Throws: ``ZipError``; an error of the sink comes as reason `.file`.
    package mutating func read(
        _ entry: ZipEntry, from file: borrowing FileDescriptor,
        into sink: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(ZipError) -> ZipVerifiedEntry {
        try read(entry, knowsChecksum: true, from: file, into: sink)
    }

    /// Proves data in a file outside of any archive, and computes its checksum, so that it can become a piece.
    ///
    /// The caller compares the bytes that reach the sink with those expected.
    package mutating func read(
        _ name: ZipName, method: ZipMethod, byteCount: Int, dataRange: Range<Int>, from file: borrowing FileDescriptor,
        into sink: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(ZipError) -> ZipVerifiedEntry {
        let entry = ZipEntry(
            name: name, method: method, checksum: 0, compressedByteCount: dataRange.count, byteCount: byteCount,
            dataOffset: dataRange.lowerBound)
        return try read(entry, knowsChecksum: false, from: file, into: sink)
    }

    private mutating func read(
        _ entry: ZipEntry, knowsChecksum: Bool, from file: borrowing FileDescriptor,
        into sink: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(ZipError) -> ZipVerifiedEntry {
        var pass = Pass(entry, knowsChecksum: knowsChecksum)
        // An empty directory's two bytes were checked with the structure.
        if entry.isDirectory {
            pass.rawChecksum = try rawChecksum(of: entry, in: file)
        } else if entry.method == .stored {
            try readStored(&pass, from: file, into: sink)
        } else if entry.byteCount <= ZipEntryReader.wholeByteCount,
            entry.compressedByteCount <= ZipEntryReader.wholeByteCount + ZipEntryReader.overhead
        {
            try readWhole(&pass, from: file, into: sink)
        } else {
            try readStreaming(&pass, from: file, into: sink)
        }
        try pass.requireProof()
        let proven = ZipEntry(
            name: entry.name, method: entry.method, checksum: pass.checksum.value,
            compressedByteCount: entry.compressedByteCount, byteCount: entry.byteCount, dataOffset: entry.dataOffset)
        return ZipVerifiedEntry(entry: proven, rawChecksum: pass.rawChecksum.value)
    }

    /// Returns the first bytes of an entry, without proving it: for what only asks about the head of a file.
    package mutating func head(
        of entry: ZipEntry, byteCount: Int, from file: borrowing FileDescriptor
    ) throws(ZipError) -> [UInt8] {
        let wanted = min(byteCount, entry.byteCount)
        guard wanted > 0, !entry.isDirectory else { return [] }
        // Pictures hardly get smaller by deflating, and a stream has its tables in front.
        let count = min(entry.compressedByteCount, max(wanted, 1) + ZipEntryReader.overhead)
        try fill(count, at: entry.dataOffset, entry: entry, from: file)
        guard entry.method != .stored else { return Array(input.prefix(min(wanted, count))) }
        ZipEntryReader.reserve(&output, wanted)
        inflater.reset()
        let produced: Int
        do throws(DeflateError) {
            produced = try ZipEntryReader.inflate(
                &inflater, input, 0..<count, into: &output, roomCount: wanted, isWhole: false
            ).produced
        } catch {
            throw Pass(entry, knowsChecksum: false).error(error)
        }
        return Array(output.prefix(min(wanted, produced)))
    }

    /// Proves the entry without keeping its data.
    package mutating func verify(
        _ entry: ZipEntry, in file: borrowing FileDescriptor
    ) throws(ZipError) -> ZipVerifiedEntry {
        try read(entry, from: file) { (_: borrowing Span<UInt8>) throws(FileError) in }
    }

    /// The checksum of the compressed data in the archive.
    mutating func rawChecksum(
        of entry: ZipEntry, in file: borrowing FileDescriptor
    ) throws(ZipError) -> Checksum {
        var checksum = Checksum()
        var done = 0
        while done < entry.compressedByteCount {
            let count = min(ZipEntryReader.windowByteCount, entry.compressedByteCount - done)
            try fill(count, at: entry.dataOffset + done, entry: entry, from: file)
            checksum.update(input.span.extracting(0..<count))
            done += count
        }
        return checksum
    }

    private mutating func readStored(
        _ pass: inout Pass, from file: borrowing FileDescriptor,
        into sink: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(ZipError) {
        while pass.consumed < pass.entry.compressedByteCount {
            let count = min(ZipEntryReader.windowByteCount, pass.entry.compressedByteCount - pass.consumed)
            try fill(count, at: pass.inputOffset, entry: pass.entry, from: file)
            let chunk = input.span.extracting(0..<count)
            pass.checksum.update(chunk)
            pass.consumed += count
            pass.produced += count
            try pass.offer(chunk, to: sink)
        }
        pass.rawChecksum = pass.checksum
    }

    private mutating func readWhole(
        _ pass: inout Pass, from file: borrowing FileDescriptor,
        into sink: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(ZipError) {
        let count = pass.entry.compressedByteCount
        try fill(count, at: pass.entry.dataOffset, entry: pass.entry, from: file)
        // One byte more than declared, to see a stream that produces more.
        ZipEntryReader.reserve(&output, pass.entry.byteCount + 1)
        pass.rawChecksum.update(input.span.extracting(0..<count))
        inflater.reset()
        let progress: StreamProgress
        do throws(DeflateError) {
            progress = try ZipEntryReader.inflate(
                &inflater, input, 0..<count, into: &output, roomCount: pass.entry.byteCount + 1, isWhole: true)
        } catch {
            throw pass.error(error)
        }
        pass.consumed = progress.consumed
        pass.produced = progress.produced
        try pass.requireWithinSize()
        try pass.requireEnd(progress)
        let data = output.span.extracting(0..<progress.produced)
        pass.checksum.update(data)
        try pass.requireProof()
        try pass.offer(data, to: sink)
    }

    private mutating func readStreaming(
        _ pass: inout Pass, from file: borrowing FileDescriptor,
        into sink: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(ZipError) {
        ZipEntryReader.reserve(&output, ZipEntryReader.windowByteCount)
        inflater.reset()
        var filled = 0
        var used = 0
        while true {
            if used == filled, pass.consumed < pass.entry.compressedByteCount {
                filled = min(ZipEntryReader.windowByteCount, pass.entry.compressedByteCount - pass.consumed)
                used = 0
                try fill(filled, at: pass.inputOffset, entry: pass.entry, from: file)
                pass.rawChecksum.update(input.span.extracting(0..<filled))
            }
            // Never room for more than one byte over the declared size.
            let roomCount = min(ZipEntryReader.windowByteCount, pass.entry.byteCount - pass.produced + 1)
            let progress: StreamProgress
            do throws(DeflateError) {
                progress = try ZipEntryReader.inflate(
                    &inflater, input, used..<filled, into: &output, roomCount: roomCount, isWhole: false)
            } catch {
                throw pass.error(error)
            }
            used += progress.consumed
            pass.consumed += progress.consumed
            pass.produced += progress.produced
            try pass.requireWithinSize()
            let chunk = output.span.extracting(0..<progress.produced)
            pass.checksum.update(chunk)
            try pass.offer(chunk, to: sink)
            if progress.isFinished { return try pass.requireEnd(progress) }
            // Without input left and without a step made, the stream wants more than the entry has.
            if progress.consumed == 0, progress.produced == 0, pass.consumed == pass.entry.compressedByteCount {
                return try pass.requireEnd(progress)
            }
        }
    }

    private static func inflate(
        _ inflater: inout Inflater, _ input: [UInt8], _ range: Range<Int>, into output: inout [UInt8], roomCount: Int,
        isWhole: Bool
    ) throws(DeflateError) -> StreamProgress {
        var room = output.mutableSpan
        return try inflater.inflate(input.span.extracting(range), into: &room, roomCount: roomCount, isWhole: isWhole)
    }

    /// Fills the start of the input buffer from the archive.
    private mutating func fill(
        _ count: Int, at offset: Int, entry: ZipEntry, from file: borrowing FileDescriptor
    ) throws(ZipError) {
        ZipEntryReader.reserve(&input, max(count, min(ZipEntryReader.windowByteCount, entry.compressedByteCount)))
        let filled: Int
        do throws(FileError) {
            filled = try file.read(at: offset, into: &input, count: count)
        } catch {
            throw ZipError(.file(error), entry: entry.name.text, at: offset)
        }
        guard filled == count else { throw ZipError(.changedWhileRead, entry: entry.name.text, at: offset + filled) }
    }

    /// Makes the buffer at least as long as asked; the callers' numbers are bounded by the constants above.
    ///
    /// It grows by doubling, so that entries of many sizes leave few outgrown buffers behind.
    private static func reserve(_ buffer: inout [UInt8], _ count: Int) {
        guard buffer.count < count else { return }
        var capacity = windowByteCount
        while capacity < count { capacity *= 2 }
        // The old one is given back before the new one is taken.
        buffer = []
        buffer = [UInt8](repeating: 0, count: capacity)
    }
}

/// An entry with data that was read once and agrees with its headers.
package struct ZipVerifiedEntry: Equatable, Sendable {
    package let entry: ZipEntry
    /// CRC-32 of the compressed data in the archive, to recognise a faithful copy.
    package let rawChecksum: UInt32
}

extension ZipEntryReader {
    /// One pass over an entry's data: its progress and its expected results.
    struct Pass {
        let entry: ZipEntry
        /// False for data that is not in an archive yet, which has no checksum to compare with.
        let knowsChecksum: Bool
        var consumed = 0
        var produced = 0
        /// Of the expanded data.
        var checksum = Checksum()
        /// The checksum of the compressed data in the archive.
        var rawChecksum = Checksum()

        init(_ entry: ZipEntry, knowsChecksum: Bool) {
            self.entry = entry
            self.knowsChecksum = knowsChecksum
        }

        var inputOffset: Int { entry.dataOffset + consumed }

        func error(_ error: DeflateError) -> ZipError {
            switch error.reason {
            case .corrupt: ZipError(.corruptStream, entry: entry.name.text, at: inputOffset + (error.offset ?? 0))
            case .outOfMemory: ZipError(.deflate(error), entry: entry.name.text)
            }
        }

        func offer(
            _ chunk: borrowing Span<UInt8>, to sink: (borrowing Span<UInt8>) throws(FileError) -> Void
        ) throws(ZipError) {
            guard chunk.count > 0 else { return }
            try rethrowing(try sink(chunk), as: { ZipError(.file($0), entry: entry.name.text) })
        }

        func requireWithinSize() throws(ZipError) {
            guard produced <= entry.byteCount else {
                throw ZipError(.producesTooMuch(expected: entry.byteCount), entry: entry.name.text, at: inputOffset)
            }
        }

        /// The stream must end with its last byte (RFC 1951 3.2.3), and that byte must be the entry's last.
        func requireEnd(_ progress: StreamProgress) throws(ZipError) {
            guard progress.isFinished else {
                throw ZipError(.streamTruncated, entry: entry.name.text, at: inputOffset)
            }
            guard consumed == entry.compressedByteCount else {
                throw ZipError(
                    .dataAfterStream(byteCount: entry.compressedByteCount - consumed), entry: entry.name.text,
                    at: inputOffset)
            }
        }

        func requireProof() throws(ZipError) {
            guard produced == entry.byteCount else {
                throw ZipError(
                    .producesTooLittle(expected: entry.byteCount, actual: produced), entry: entry.name.text,
                    at: entry.dataOffset)
            }
            guard !knowsChecksum || checksum.value == entry.checksum else {
                throw ZipError(
                    .checksumMismatch(expected: entry.checksum, actual: checksum.value), entry: entry.name.text,
                    at: entry.dataOffset)
            }
        }
    }
}
