/// Bytes that nobody guesses.
package enum RandomBytes {
    package static func make(_ count: Int, for subject: String) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let number = try randomNumber(for: subject)
            for shift in stride(from: UInt64(0), to: 64, by: 8) where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        return bytes
    }
}
