internal import Deflate

extension FilePart {
    /// The bytes decompressed with LZFSE or bare LZVN, whichever they are. Several streams may follow each
    /// other; some have four bytes of their own in front.
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

    /// The bytes of a deflate stream, whether it stands bare or in the frame of gzip or zlib.
    func inflated(limit: Int) -> [UInt8]? {
        guard let start = deflateStart, let stream = part(from: start) else { return nil }
        return stream.inflatedRaw(limit: limit)
    }

    private var deflateStart: Int? {
        if starts(with: "\u{1F}"), count >= 18, self[1] == 0x8B { return gzipStart }
        let isZlib = count >= 2 && self[0] & 0xF == 8 && (Int(self[0]) << 8 | Int(self[1])).isMultiple(of: 31)
        return isZlib ? 2 : 0
    }

    /// Behind gzip's header (RFC 1952 §2.3), whatever optional fields it has.
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
                // Neither taking nor giving: the stream is cut off.
                guard progress.consumed > 0 || progress.produced > 0 else { return nil }
            }
        } catch {
            return nil
        }
    }
}
