internal import CDeflate

/// CRC-32 as zip and gzip use it (APPNOTE 4.4.7), computed while bytes pass by.
package struct Checksum: Equatable, Sendable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        guard bytes.count > 0 else { return }
        // The pointer lives for this call, and its length travels with it.
        value = unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(value, $0.baseAddress, $0.count) }
    }

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = Checksum()
        checksum.update(bytes.span)
        return checksum.value
    }
}
