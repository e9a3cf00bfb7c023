import ConformanceSupport
import RegistryClient
import TestSupport
import Testing
import Transfers
import WidgetBundles

/// Goal: whatever a registry or a network does, what was there before still runs and nothing else is left.
/// Method: each is done to a host that has a release, by a registry that is about to offer another.
@Suite struct `A host` {
    @Test func `takes no archive with another digest`() async throws {
        let attack = try await Attack(isWhole: true)
        attack.host.registry.change { script in
            script.archive = { bytes in
                var bytes = bytes
                bytes[bytes.count / 2] ^= 1
                return bytes
            }
        }
        try await attack.mustFail { if case .wrongDigest = $0 { true } else { false } }
    }

    @Test func `takes no file with another digest`() async throws {
        let attack = try await Attack()
        let file = try #require(try Offer.changed.get().bundle.files.first { $0.path == "Scheme.json" })
        attack.host.registry.change { script in
            script.archive = { bytes in
                var bytes = bytes
                bytes[file.offset + 5] ^= 1
                return bytes
            }
        }
        // Neither as a part nor, after that, in the whole.
        try await attack.mustFail { if case .wrongDigest = $0 { true } else { false } }
        #expect(attack.host.registry.asked.map(\.range).contains { $0 != nil })
    }

    @Test func `takes no archive that is longer than announced`() async throws {
        let attack = try await Attack(isWhole: true)
        attack.host.registry.change { script in script.archive = { $0 + [UInt8](repeating: 0, count: 100_000) } }
        try await attack.mustFail {
            guard case .transfer(let error) = $0, case .limitReached(.body, _) = error.reason else { return false }
            return true
        }
    }

    @Test func `takes no part of another range than asked for`() async throws {
        for lie: @Sendable (Range<Int>, Int) -> String in [
            { "bytes \($0.lowerBound + 1)-\($0.upperBound)/\($1)" }, { "bytes 0-\($0.count - 1)/\($1)" },
            { "bytes \($0.lowerBound)-\($0.upperBound - 1)/\($1 &* 2)" }, { _, _ in "bytes */*" }, { _, _ in "" },
        ] {
            let attack = try await Attack()
            attack.host.registry.change { $0.lie = lie }
            let result = try await attack.host.update()
            // Without ranges, the whole is fetched, and the whole is right.
            #expect(result.isNew, "\(String(describing: result.error))")
            #expect(attack.host.text(result.release) == "{\"greeting\": \"Changed\"}")
        }
    }

    @Test(arguments: [false, true])
    func `takes no parts of two archives`(isWhole: Bool) async throws {
        let attack = try await Attack(isWhole: isWhole)
        let other = try Offer(.sample(text: "Another"))
        attack.host.registry.change {
            $0.announced = $0.offer
            $0.offer = other
        }
        try await attack.mustFail {
            switch $0 {
            case .wrongDigest, .wrongSize: true
            case .transfer(let error): if case .limitReached = error.reason { true } else { false }
            default: false
            }
        }
    }

    @Test(arguments: [false, true])
    func `takes no archive whose tag changes on the way`(isWhole: Bool) async throws {
        let attack = try await Attack(isWhole: isWhole)
        attack.host.registry.change { $0.entityTag = "\"sha256-of-another\"" }
        try await attack.mustFail {
            guard case .transfer(let error) = $0 else { return false }
            return error.reason == .changedMeanwhile
        }
    }

    @Test(arguments: Corpus.files(in: "zip/refuse"))
    func `takes no archive that a registry refuses`(sample: Corpus) async throws {
        let attack = try await Attack()
        attack.host.registry.change { $0.raw = sample.bytes }
        try await attack.mustFail {
            guard case .bundle(let error) = $0 else { return false }
            return error.isRefusal
        }
    }

    static let bundles: [(String, BundleForge, BundleError.Code)] = [
        (
            "an executable",
            .sample().adding("Sample", bytes: mach).with { $0.info = [("CFBundleExecutable", "Sample")] },
            .archiveRefused
        ),
        ("an executable under another name", .sample().adding("image.png", bytes: mach), .entryRefused),
        ("a framework", .sample().adding("Frameworks/A.framework/A", bytes: mach), .archiveRefused),
        ("a script", .sample().adding("run.sh", "#!/bin/sh\nrm -rf /"), .archiveRefused),
        ("noise", .sample().adding(".DS_Store", "x"), .archiveRefused),
        ("a web page", .sample().adding("index.html", "<script>1</script>"), .archiveRefused),
        ("no JSON where there should be some", .sample().adding("Bad.json", "{"), .invalidJSON),
        ("a call in a predicate", .sample().adding("FeedViewController.json", call), .policyRefused),
        ("files for a service", .sample().adding("Service.json", service), .policyRefused),
    ]

    @Test(arguments: bundles)
    func `takes no bundle with`(what: String, forge: BundleForge, code: BundleError.Code) async throws {
        let attack = try await Attack()
        attack.host.registry.change { $0.raw = forge.archive }
        try await attack.mustFail {
            guard case .bundle(let error) = $0 else { return false }
            return error.code == code
        }
    }

    static let mach: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1] + [UInt8](repeating: 0, count: 64)

    static let call = """
        {"FeedViewController": {"elements": {"label": {"bindings": [{"predicateFormat":
        "FUNCTION(SELF, 'terminate') = 1"}]}}}}
        """
    static let service = "{\"defaults\": {\"baseUrl\": \"file:///etc\"}}"
}
