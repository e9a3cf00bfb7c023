import Testing
import WidgetAddresses

@Suite struct `An IP address` {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::1", "::1"),
        ("::", "::"), ("::ffff:10.1.2.3", "10.1.2.3"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
        ("fe80::", "fe80::"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
    ])
    func `An IP address is written in its shortest form`(_ text: String, _ written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(IPAddress(written) == address)
        #expect(IPAddress(address.bytes) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", ":", ":::", "1::2::3", "::g", "fe80::1%lo", "[::1]",
        "1.2.3.4:80",
    ])
    func `An IP address is not read from other text`(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `An IPv6 address counts as the /64 network that its host picks it from`() throws {
        let one = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        let other = try #require(IPAddress("2001:db8:1:2::9"))
        #expect(one.client == other.client)
        #expect(try #require(IPAddress("2001:db8:1:3::9")).client != one.client)
        #expect(try #require(IPAddress("10.0.0.1")).client != #require(IPAddress("10.0.0.2")).client)
    }

    @Test(arguments: [
        ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false), ("::2", false),
    ])
    func `An IP address knows loopback`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }
}

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
    func `An address range contains the addresses that share its prefix`(
        _ text: String, _ bytes: [UInt8], _ isInside: Bool
    ) throws {
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
    func `An address range is refused if it is malformed or has bits beyond its prefix`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
