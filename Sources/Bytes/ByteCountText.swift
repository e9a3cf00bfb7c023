/// A number of bytes as people read it.
package enum ByteCountText {
    /// Bytes up to 9999, then the next unit that keeps the number short.
    package static func of(_ byteCount: Int) -> String {
        var value = byteCount
        var unit = 0
        while value >= 10_000, unit < 3 {
            value = value / 1_024 + (value % 1_024 >= 512 ? 1 : 0)
            unit += 1
        }
        return "\(value) \(["B", "KiB", "MiB", "GiB"][unit])"
    }
}
