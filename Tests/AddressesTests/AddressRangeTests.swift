import Addresses
import Testing

@Suite struct `An address range` {
    @Test(
        arguments: [
            ("10.0.0.0/8", [10, 255, 0, 1], true), ("10.0.0.0/8", [11, 0, 0, 0], false),
            ("192.0.2.7", [192, 0, 2, 7], true),
            ("192.0.2.7", [192, 0, 2, 6], false), ("172.16.0.0/12", [172, 31, 255, 255], true),
            ("172.16.0.0/12", [172, 32, 0, 0], false),
            ("0.0.0.0/0", [1, 2, 3, 4], true), ("0.0.0.0/0", [UInt8](repeating: 0, count: 16), false),
            ("::/0", [1, 2, 3, 4], false),
            ("10.0.0.0/8", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 1, 1, 1], true),
            ("10.0.0.0/8", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 1, 1], false),
            ("fd00::/9", [0xFD, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true),
            ("fd00::/9", [0xFD, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
            ("::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true),
        ] as [(String, [UInt8], Bool)])
    func `contains the addresses that share its prefix`(_ text: String, _ bytes: [UInt8], _ isInside: Bool) throws {
        let sixteen = bytes.count == 4 ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes : bytes
        let address = IPAddress(InlineArray<16, UInt8> { sixteen[$0] })
        #expect(try #require(AddressRange(text)).contains(address) == isInside)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08x", "10.0.0.0/8/8", "10.0.0.1/8", "::1/127",
        "fd00::/129", "10.0.0",
        "10.0.0.0.0", "010.0.0.0", "1::2::3", "g::", "::12345", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::", "localhost",
        "10.0.0.0/8 ", "fe80::1%eth0", "::1.2.3", "1.2.3.4::", ":1", "1:", "10.0.0.0/0000000000000008",
    ])
    func `is refused when it is not one or has bits beyond its prefix`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
