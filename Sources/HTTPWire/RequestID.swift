/// The name of one request, in its answer and in the log: the client's own if it is sane, else made here.
package enum RequestID {
    /// The most bytes of a client's own identifier.
    package static let byteLimit = 128
    /// The length of one made here.
    package static let byteCount = 32

    /// Letters, digits and `-_.:`: safe in a log, in a header and in a URL.
    package static func isSane(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        guard value.count >= 8, value.count <= byteLimit else { return false }
        return value.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
    }
}
