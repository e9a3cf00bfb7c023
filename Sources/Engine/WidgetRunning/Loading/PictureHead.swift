/// The size of a picture, from the first bytes of its file. No pixel is read.
enum PictureHead {
    /// The bytes in front that suffice: photographs begin with descriptions of themselves.
    static func byteCount(of path: String) -> Int {
        let name = path.lowercased()
        return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? 256 << 10 : 1 << 10
    }

    /// - Returns: `nil` for a picture of another format, or one whose size lies further back.
    static func pixels(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        let head = Head(bytes)
        return png(head) ?? jpeg(head) ?? gif(head) ?? webp(head)
    }

    /// Numbers of a head, `nil` beyond its end.
    private struct Head {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func holds(_ text: String, at place: Int) -> Bool {
            place >= 0 && bytes.dropFirst(place).starts(with: text.utf8)
        }

        func big(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= bytes.count - count else { return nil }
            return Int(clamping: bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        func little(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= bytes.count - count else { return nil }
            return Int(clamping: bytes[place..<place + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }

    /// Xcode's variant has a chunk in front of the header.
    private static func png(_ head: Head) -> (width: Int, height: Int)? {
        guard head.big(0, 2) == 0x8950, head.big(2, 2) == 0x4E47 else { return nil }
        var place = 8
        if head.holds("CgBI", at: place + 4), let size = head.big(place, 4), size <= 64 { place += 12 + size }
        guard head.holds("IHDR", at: place + 4), let width = head.big(place + 8, 4),
            let height = head.big(place + 12, 4)
        else { return nil }
        return (width, height)
    }

    /// Segments until the one with the frame's size (ITU-T T.81, B.2.2).
    private static func jpeg(_ head: Head) -> (width: Int, height: Int)? {
        guard head.big(0, 2) == 0xFFD8 else { return nil }
        var place = 2
        while let mark = head.big(place, 2), mark >> 8 == 0xFF {
            switch mark & 0xFF {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            // Frames of all kinds; three of the numbers between are tables.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = head.big(place + 5, 2), let width = head.big(place + 7, 2) else { return nil }
                return (width, height)
            default:
                guard let size = head.big(place + 2, 2), size >= 2 else { return nil }
                place += 2 + size
            }
        }
        return nil
    }

    private static func gif(_ head: Head) -> (width: Int, height: Int)? {
        guard head.holds("GIF8", at: 0), let width = head.little(6, 2), let height = head.little(8, 2) else {
            return nil
        }
        return (width, height)
    }

    private static func webp(_ head: Head) -> (width: Int, height: Int)? {
        guard head.holds("RIFF", at: 0), head.holds("WEBP", at: 8) else { return nil }
        if head.holds("VP8X", at: 12), let width = head.little(24, 3), let height = head.little(27, 3) {
            return (width + 1, height + 1)
        }
        if head.holds("VP8L", at: 12), let low = head.little(21, 2), let high = head.little(22, 3) {
            return ((low & 0x3FFF) + 1, (high >> 6 & 0x3FFF) + 1)
        }
        if head.holds("VP8 ", at: 12), let width = head.little(26, 2), let height = head.little(28, 2) {
            return (width & 0x3FFF, height & 0x3FFF)
        }
        return nil
    }
}
