/// Scalars from the bytes of a text, which are UTF-8 because a String's always are.
enum UTF8Scalars {
    /// The scalar at the position, which moves behind it.
    @inline(__always)
    static func next(_ bytes: Span<UInt8>, _ position: inout Int) -> UInt32 {
        let first = UInt32(bytes[position])
        position += 1
        if first < 0x80 { return first }
        var scalar = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07
        while position < bytes.count, bytes[position] & 0xC0 == 0x80 {
            scalar = scalar << 6 | UInt32(bytes[position] & 0x3F)
            position += 1
        }
        return scalar
    }

    /// The scalar before the position, which moves in front of it.
    @inline(__always)
    static func previous(_ bytes: Span<UInt8>, _ position: inout Int) -> UInt32 {
        repeat { position -= 1 } while position > 0 && bytes[position] & 0xC0 == 0x80
        var start = position
        return next(bytes, &start)
    }
}
