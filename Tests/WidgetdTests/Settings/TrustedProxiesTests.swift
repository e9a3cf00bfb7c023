import Addresses
import Configuration
import HTTPServer
import Testing

@testable import widgetd

@Suite struct `The list of trusted proxies` {
    @Test func `holds several ranges`() throws {
        let settings = try load(["WIDGETD_PROXY_TRUSTED": "10.0.0.0/8, ::1"]).settings
        #expect(settings.server.trustedProxies.map(\.description) == ["10.0.0.0/8", "::1"])
        #expect(try load(file: "{proxy: {trusted: ['10.0.0.0/8', '::1']}}").settings == settings)
    }

    @Test(arguments: ["10.0.0.1/8", "localhost", "10.0.0"])
    func `refuses what is no range`(_ text: String) {
        #expect(problems(["WIDGETD_PROXY_TRUSTED": "10.0.0.0/8,\(text)"]).count == 1)
    }
}
