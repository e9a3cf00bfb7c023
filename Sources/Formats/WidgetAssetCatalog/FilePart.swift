internal import WidgetBytes
internal import WidgetDeflate

/// A part of a file, read by position. Bytes outside it cannot be read; every read checks the bounds.
struct FilePart: Sendable {
    private let bytes: [UInt8]
    private let start: Int
    let count: Int

    init(_ bytes: [UInt8]) {
        (self.bytes, start, count) = (bytes, 0, bytes.count)
    }

    private init(_ bytes: [UInt8], _ start: Int, _ count: Int) {
        (self.bytes, self.start, self.count) = (bytes, start, count)
    }

    var isEmpty: Bool { count == 0 }

    /// The part's offset in the file.
    var offset: Int { start }

    subscript(_ index: Int) -> UInt8 { bytes[start + index] }

    /// Returns `nil` unless the range lies inside.
    func part(at offset: Int, count: Int) -> FilePart? {
        holds(count, at: offset) ? FilePart(bytes, start + offset, count) : nil
    }

    /// Returns true if the range lies inside.
    func holds(_ count: Int, at offset: Int) -> Bool {
        offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset
    }

    func part(from offset: Int) -> FilePart? { part(at: offset, count: count - offset) }

    var array: [UInt8] { Array(bytes[start..<start + count]) }

    func little16(_ offset: Int) -> UInt16? {
        guard holds(2, at: offset) else { return nil }
        return UInt16(bytes[start + offset + 1]) << 8 | UInt16(bytes[start + offset])
    }

    func little32(_ offset: Int) -> UInt32? { big32(offset)?.byteSwapped }

    func little64(_ offset: Int) -> UInt64? {
        guard let low = little32(offset), let high = little32(offset + 4) else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    func big16(_ offset: Int) -> UInt16? { little16(offset)?.byteSwapped }

    func big32(_ offset: Int) -> UInt32? {
        guard holds(4, at: offset) else { return nil }
        let first = start + offset
        return UInt32(bytes[first]) << 24 | UInt32(bytes[first + 1]) << 16 | UInt32(bytes[first + 2]) << 8
            | UInt32(bytes[first + 3])
    }

    func starts(with mark: String) -> Bool {
        let mark = mark.utf8
        guard count >= mark.count else { return false }
        var position = start
        for byte in mark {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }

    /// True if comparing the bytes as text would take long.
    var hasTooManyMarks: Bool {
        CombiningMarks.offsetOfTooMany(in: bytes.span.extracting(start..<start + count)) != nil
    }

    /// Text up to the first NUL, or to the end; invalid UTF-8 is replaced.
    var text: String {
        var end = start
        while end < start + count, bytes[end] != 0 { end += 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}

extension FilePart {
    /// Returns the bytes decompressed with LZFSE or bare LZVN, depending on how they begin. Several streams may follow
    /// each other; some are preceded by four extra bytes.
    func expandedLZ(limit: Int) -> [UInt8]? {
        var output: [UInt8] = []
        var rest = self
        do throws(LZFSE.Fault) {
            if !LZFSE.begins(rest), let behind = rest.part(from: 4), LZFSE.begins(behind) { rest = behind }
            guard LZFSE.begins(rest) else {
                try LZVN.decode(rest, into: &output, limit: limit)
                return output
            }
            while LZFSE.begins(rest) {
                let count = try LZFSE.decode(rest, into: &output, limit: limit)
                guard let behind = rest.part(from: count) else { return nil }
                rest = behind
                if rest.little32(0) == 0, let next = rest.part(from: 4), LZFSE.begins(next) { rest = next }
            }
            return output
        } catch {
            return nil
        }
    }

    /// Returns the bytes of a deflate stream, bare or framed by gzip or zlib.
    func inflated(limit: Int) -> [UInt8]? {
        guard let start = deflateStart, let stream = part(from: start) else { return nil }
        return stream.inflatedRaw(limit: limit)
    }

    private var deflateStart: Int? {
        if starts(with: "\u{1F}"), count >= 18, self[1] == 0x8B { return gzipStart }
        let isZlib = count >= 2 && self[0] & 0xF == 8 && (Int(self[0]) << 8 | Int(self[1])).isMultiple(of: 31)
        return isZlib ? 2 : 0
    }

    /// The offset behind gzip's header (RFC 1952 §2.3) and its optional fields.
    private var gzipStart: Int? {
        let flags = self[3]
        var position = 10
        if flags & 4 != 0 {
            guard let length = little16(position) else { return nil }
            position += 2 + Int(length)
        }
        for flag in [UInt8(8), 16] where flags & flag != 0 {
            while position < count, self[position] != 0 { position += 1 }
            position += 1
        }
        if flags & 2 != 0 { position += 2 }
        return position < count ? position : nil
    }

    func inflatedRaw(limit: Int) -> [UInt8]? {
        do throws(DeflateError) {
            var inflater = try Inflater()
            var output: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 64 << 10)
            let input = array
            var position = 0
            while true {
                var span = room.mutableSpan
                let progress = try inflater.inflate(
                    input.span.extracting(position..<input.count), into: &span, roomCount: span.count)
                position += progress.consumed
                guard progress.produced <= limit - output.count else { return nil }
                output += room[..<progress.produced]
                if progress.isFinished { return output }
                // The stream neither consumed nor produced anything: it is cut off.
                guard progress.consumed > 0 || progress.produced > 0 else { return nil }
            }
        } catch {
            return nil
        }
    }
}
