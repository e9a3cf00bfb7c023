import Addresses
import Configuration
import Sockets
import Testing

@testable import widgetd

@Suite struct `A listener on which tokens would cross a network unencrypted` {
    private static let proxy = ["WIDGETD_PROXY_TRUSTED": "10.0.0.1"]

    private func plain(_ environment: [String: String], _ address: String) throws -> Int {
        try load(environment).settings.plainListeners(among: [try Endpoint(address)]).count
    }

    @Test(arguments: ["0.0.0.0:8080", "[::]:8080", "192.0.2.7:80"])
    func `is one beyond this machine, unless a proxy with TLS is named in full`(_ address: String) throws {
        #expect(try plain([:], address) == 1)
        #expect(try plain(Self.proxy, address) == 1)
        #expect(try plain(["WIDGETD_PUBLIC_URL": "https://a.example"], address) == 1)
        #expect(try plain(Self.proxy.merging(["WIDGETD_PUBLIC_URL": "http://a.example"]) { $1 }, address) == 1)
        #expect(try plain(Self.proxy.merging(["WIDGETD_PUBLIC_URL": "https://a.example"]) { $1 }, address) == 0)
    }

    @Test(arguments: ["127.0.0.1:8080", "127.9.9.9:80", "[::1]:8080", "unix:/run/w.sock"])
    func `is none on this machine`(_ address: String) throws { #expect(try plain([:], address) == 0) }
}
