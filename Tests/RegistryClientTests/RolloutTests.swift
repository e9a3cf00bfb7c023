import RegistryClient
import RegistryContract
import Testing

/// Goal: hosts share a rollout as the contract says. Method: numbers worked out elsewhere (Python's hashlib).
@Suite struct `A rollout` {
    @Test(arguments: [
        ("a", "com.example.App", "k3v9", 1735), ("installation-1", "mobi.favio.WidgetDemo", "k3v9", 6582),
    ])
    func `puts an installation in one bucket`(installation: String, bundle: String, salt: String, bucket: Int) {
        #expect(
            Rollout.bucket(installation: installation, bundleIdentifier: bundle, salt: salt) == bucket)
    }

    @Test func `shares installations out evenly`() {
        let low = (0..<4_000).count { number in
            Rollout.bucket(installation: "host-\(number)", bundleIdentifier: "com.example.App", salt: "s") < 2_500
        }
        #expect((900...1_100).contains(low))
    }
}
