import Addresses
import Testing

@Suite struct `An IP address` {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::1", "::1"),
        ("::", "::"), ("::ffff:10.1.2.3", "10.1.2.3"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
        ("fe80::", "fe80::"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
    ])
    func `is written in its shortest form`(_ text: String, _ written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(IPAddress(written) == address)
        #expect(IPAddress(address.bytes) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", ":", ":::", "1::2::3", "::g", "fe80::1%lo", "[::1]",
        "1.2.3.4:80",
    ])
    func `is not read from anything else`(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `of the sixth version counts as the network its host picks it from`() throws {
        let one = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        let other = try #require(IPAddress("2001:db8:1:2::9"))
        #expect(one.client == other.client)
        #expect(try #require(IPAddress("2001:db8:1:3::9")).client != one.client)
        #expect(try #require(IPAddress("10.0.0.1")).client != #require(IPAddress("10.0.0.2")).client)
    }

    @Test(arguments: [
        ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false), ("::2", false),
    ])
    func `knows loopback`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }
}
