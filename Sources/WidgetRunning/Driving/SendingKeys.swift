/// The keys by which servers recognise that a request is sent again: one for each sending, and the same for all of its
/// attempts. They have the form of a random UUID (RFC 9562 §5.4), drawn once for each driver, with the request's number
/// in place of its last part.
struct SendingKeys: Sendable {
    private let first = UInt64.random(in: .min ... .max)
    private let second = UInt16.random(in: .min ... .max)

    subscript(number: Int) -> String {
        let variant = second & 0x3FFF | 0x8000
        return [
            SendingKeys.hex(first >> 32, 8), SendingKeys.hex(first >> 16 & 0xFFFF, 4),
            SendingKeys.hex(first & 0x0FFF | 0x4000, 4), SendingKeys.hex(UInt64(variant), 4),
            SendingKeys.hex(UInt64(truncatingIfNeeded: number) & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }

    private static func hex(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
