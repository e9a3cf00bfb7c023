import ConformanceSupport
import TestSupport
import Testing

/// Goal: a registry behind a common proxy is in good health, and a doctor sees when it is not. Method: nginx, as
/// operators put it in front.
@Suite(.timeLimit(.minutes(20)), .enabled(if: ReverseProxy.isInstalled)) struct `widget doctor behind a proxy` {
    @Test func `finds no fault with a sound one`() throws {
        let registry = try Registry()
        try registry.publish(BundleForge("com.acme.Clock"))
        let proxy = try ReverseProxy(to: registry)
        // The proxy would be gone with the last mention of it, before anybody asks.
        let result = try withExtendedLifetime(proxy) {
            try Program.run(
                ["doctor"], environment: ["WIDGET_SERVER": proxy.url, "WIDGET_TOKEN": Registry.adminToken])
        }
        #expect(result.exitCode == 0)
        #expect(!result.output.contains("error"), "\(result.output)")
        #expect(!result.output.contains("warning"), "\(result.output)")
        #expect(result.output.contains("ok       ranges"))
    }
}
