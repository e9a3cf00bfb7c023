import Addresses
import Testing
import Transfers
import WidgetCore
import WidgetHost
import WidgetRunning

/// Goal: a widget's requests go where they were granted to go, and nowhere else. Method: addresses that try.
@Suite struct `A grant` {
    static let grant = try? NetworkGrant(["https://api.example.com/v1/"])

    @Test(arguments: [
        "https://api.example.com/v1/", "https://api.example.com/v1/posts?x=1", "https://API.example.com/v1/a/b",
        "https://api.example.com:443/v1/posts", "https://api.example.com/v1/caf%C3%A9/%E2%82%AC/%F0%9F%90%A6",
        "https://api.example.com/v1/a%20b/c.d..e",
    ]) func `covers what lies under it`(address: String) throws {
        #expect(try #require(Self.grant).allows(try TransferURL(address)))
    }

    @Test(arguments: [
        "http://api.example.com/v1/", "https://api.example.com/v2/", "https://api.example.com/v10/",
        "https://api.example.com/v1", "https://api.example.com:8443/v1/", "https://api.example.com.evil.com/v1/",
        "https://evil.com/v1/", "https://evil.com/https://api.example.com/v1/", "https://api.example.com@evil.com/v1/",
        "https://api.example.com:443@evil.com/v1/", "https://user:pw@api.example.com/v1/",
        "https://api.example.com/v1/../v2/",
        "https://api.example.com/v1/%2e%2e/v2/", "https://api.example.com/v1/%2E%2E/v2",
        "https://api.example.com/v1/.%2e/v2",
        "https://api.example.com/v1/..%2fv2", "https://api.example.com/v1/%5c..%5cv2", "https://api.example.com//v1/",
        "https://api.example.com/V1/", "https://xapi.example.com/v1/", "https://api.example.com./v1/",
        "https://[::1]/v1/", "https://127.0.0.1/v1/", "https://0x7f000001/v1/", "https://2130706433/v1/",
        "https://017700000001/v1/", "https://127.1/v1/", "https://[::ffff:127.0.0.1]/v1/", "https://localhost/v1/",
        "ftp://api.example.com/v1/", "file:///etc/passwd", "javascript:alert(1)", "gopher://api.example.com/v1/",
        "//api.example.com/v1/", "https:api.example.com/v1/", "https://api.example.com\\@evil.com/v1/",
        "https://evil.com\\.api.example.com/v1/", "https://api。example。com/v2/", "https://api.example.com/v1/a%00b",
        "https://api.example.com%2eevil.com/v1/",
        // What some servers decode to dots, or leave out of a path.
        "https://api.example.com/v1/%c0%ae%c0%ae/v2", "https://api.example.com/v1/%C0%AE%C0%AE/v2",
        "https://api.example.com/v1/%25c0%25ae%25c0%25ae/v2", "https://api.example.com/v1/%e0%80%ae%e0%80%ae/v2",
        "https://api.example.com/v1/%f0%80%80%ae/v2", "https://api.example.com/v1/%fe/v2",
        "https://api.example.com/v1/.%09./v2", "https://api.example.com/v1/%09/v2",
        "https://api.example.com/v1/a%0d%0ab",
        "https://api.example.com/v1/a%1fb", "https://api.example.com/v1/a%7fb", "https://api.example.com/v1/..%20/v2",
        "https://api.example.com/v1/%20../v2",
    ]) func `covers no trick`(address: String) throws {
        guard let url = try? TransferURL(address) else { return }
        #expect(!(try #require(Self.grant).allows(url)), "\(url)")
    }

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::", "2001:db8::1", "::127.0.0.1",
    ]) func `leads to no address that is not the world's`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!(try #require(Self.grant).allows(address, port: 443)))
        let wide = try NetworkGrant(
            ["https://api.example.com/"], privateRanges: [try #require(AddressRange("127.0.0.0/8"))])
        #expect(wide.allows(address, port: 443) == (text == "127.0.0.1"))
    }

    @Test func `leads to the world at its own port alone`() throws {
        let address = try #require(IPAddress("93.184.216.34"))
        let grant = try #require(Self.grant)
        #expect(grant.allows(address, port: 443) && !grant.allows(address, port: 22))
    }

    @Test func `is needed for any request at all`() async {
        let request = ServiceRequest(method: "GET", url: "https://example.com/", headers: [], body: [], parts: [])
        guard case .failure(let message) = await DeniedNetwork().outcome(of: request) else {
            Issue.record("nothing may be asked")
            return
        }
        #expect(message.contains("not granted"))
    }
}
