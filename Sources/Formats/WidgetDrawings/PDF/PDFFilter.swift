internal import WidgetAssetCatalog
internal import WidgetDeflate

/// The compressions of streams (ISO 32000-1 §7.4) that files of drawings have.
enum PDFFilter {
    /// The parameters of filters that are read.
    static let settings = ["Predictor", "Colors", "BitsPerComponent", "Columns"]

    /// Steps for the memory of a filter, which an empty stream needs too.
    static let startingWork = 4_096

    static func decoded(
        _ bytes: [UInt8], _ filter: String, _ settings: [String: Int], limit: Int, _ limits: DrawingLimits
    ) throws(DrawingError) -> [UInt8] {
        let data: [UInt8]
        switch filter {
        case "FlateDecode", "Fl": data = try inflated(bytes, limit, limits)
        case "ASCIIHexDecode", "AHx": data = hexadecimal(bytes)
        case "ASCII85Decode", "A85": data = base85(bytes)
        default: throw DrawingError(.unsupported(.compression))
        }
        guard data.count <= limit else { throw DrawingError(.byteCount, of: limits) }
        return try predicted(data, settings)
    }

    /// Inflates a zlib stream (RFC 1950). Of a stream that is cut off, returns the bytes before the cut.
    private static func inflated(_ bytes: [UInt8], _ limit: Int, _ limits: DrawingLimits) throws(DrawingError)
        -> [UInt8]
    {
        guard bytes.count > 2 else { return [] }
        do throws(DeflateError) {
            var inflater = try Inflater()
            var output: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 32 << 10)
            var position = 2
            while true {
                var span = room.mutableSpan
                let progress = try inflater.inflate(
                    bytes.span.extracting(position..<bytes.count), into: &span, roomCount: span.count)
                position += progress.consumed
                if progress.produced > limit - output.count { break }
                output += room[..<progress.produced]
                if progress.isFinished || progress.consumed == 0 && progress.produced == 0 { return output }
            }
        } catch {
            throw DrawingError(.malformed("a stream is damaged"))
        }
        throw DrawingError(.byteCount, of: limits)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: ">") { break }
            if let digit = PDFLexer.digit(byte) { digits.append(digit) }
        }
        if !digits.count.isMultiple(of: 2) { digits.append(0) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func base85(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var group: [UInt32] = []
        func flush() {
            guard group.count > 1 else { return }
            let count = group.count - 1
            let full = group + [UInt32](repeating: 84, count: 5 - group.count)
            let value = full.reduce(UInt32(0)) { $0 &* 85 &+ $1 }
            for number in 0..<count { output.append(UInt8(truncatingIfNeeded: value >> (24 - UInt32(number) * 8))) }
            group = []
        }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "~"):
                flush()
                return output
            case UInt8(ascii: "z") where group.isEmpty: output += [0, 0, 0, 0]
            case 0x21...0x75:
                group.append(UInt32(byte - 0x21))
                if group.count == 5 { flush() }
            default: break
            }
        }
        flush()
        return output
    }

    /// Undoes the prediction of each byte from its neighbours.
    private static func predicted(_ data: [UInt8], _ settings: [String: Int]) throws(DrawingError) -> [UInt8] {
        let predictor = settings["Predictor"] ?? 1
        guard predictor != 1 else { return data }
        let colors = settings["Colors"] ?? 1
        let bits = settings["BitsPerComponent"] ?? 8
        let columns = settings["Columns"] ?? 1
        guard predictor >= 10, (1...32).contains(colors), bits == 8, (1...1 << 20).contains(columns) else {
            throw DrawingError(.unsupported(.compression))
        }
        let size = colors * columns
        var output: [UInt8] = []
        output.reserveCapacity(data.count)
        // A row wider than the data has no more bytes than these.
        var above = [UInt8](repeating: 0, count: min(size, data.count))
        for start in stride(from: 0, to: data.count, by: size + 1) {
            var line = Array(data[(start + 1)..<min(start + 1 + size, data.count)])
            guard PNGFilter.remove(data[start], &line, above: above, pixelSize: colors) else {
                throw DrawingError(.malformed("a stream is damaged"))
            }
            output += line
            above.replaceSubrange(line.indices, with: line)
        }
        return output
    }
}
