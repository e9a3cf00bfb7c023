import ConformanceSupport
import RegistryClient
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetTestSupport
import WidgetTransfers

/// Goal: a host accepts only documents that can be true. Method: as for archives, with documents instead.
@Suite struct `A resolve document` {
    private static let shown = "\"widgetIdentifier\":\"com.example.Sample-1\""

    static let contradictions: [(String, String, FetchError.Contradiction)] = [
        (shown, "\"widgetIdentifier\":\"com.example.Sample-2\"", .anotherWidget),
        ("\"channel\":\"stable\"", "\"channel\":\"beta\"", .anotherChannel),
        ("\"bundleIdentifier\":\"com.example.Sample\"", "\"bundleIdentifier\":\"c\"", .bundleIdentifier),
        ("\"bundleIdentifier\":\"com.example.Sample\"", "\"bundleIdentifier\":\"\"", .bundleIdentifier),
        ("\"sequence\":3", "\"sequence\":0", .sequence),
        ("\"sequence\":3", "\"sequence\":-3", .sequence),
        ("[0,10000]", "[0,10001]", .buckets), ("[0,10000]", "[10,10]", .buckets), ("[0,10000]", "[0]", .buckets),
        ("[0,10000]", "[-1,10000]", .buckets),
        ("\"release\":\"1.0~1\"", "\"release\":\"../1\"", .release),
        ("\"offset\":", "\"offset\":9", .files), ("\"path\":\"Scheme.json\"", "\"path\":\"A.json\"", .files),
    ]

    @Test(arguments: contradictions)
    func `A resolve document that contradicts itself is refused`(
        text: String, other: String, contradiction: FetchError.Contradiction
    ) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in script.document = { $0.replacing(text, with: other) } }
        try await attack.mustFail { $0 == .contradiction(contradiction) }
    }

    @Test func `A resolve document that repeats a part of a channel, or has too many parts, is refused`() async throws {
        for (count, contradiction) in [(2, FetchError.Contradiction.buckets), (17, .tooManyCandidates)] {
            let attack = try await Attack()
            attack.host.registry.change { script in
                script.document = { text in
                    text.replacing(#/"candidates":\[(.*)\]}/#) { match in
                        "\"candidates\":[\(Array(repeating: String(match.1), count: count).joined(separator: ","))]}"
                    }
                }
            }
            try await attack.mustFail { $0 == .contradiction(contradiction) }
        }
    }

    @Test(arguments: ["0", "-1", "67108865", "9223372036854775807"])
    func `An archive of an impossible size is refused`(size: String) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in
            script.document = { $0.replacing(#/"size":\d+,"name"/#, with: "\"size\":\(size),\"name\"") }
        }
        try await attack.mustFail { $0 == .contradiction(.size) }
    }

    @Test func `Files that are together larger than a bundle may be are refused`() async throws {
        let attack = try await Attack()
        // One file that the host has, under many names: what is here would be unpacked for each.
        let digest = try #require(Digest.sha256([]))
        var content = ContentDigest()
        var files: [String] = []
        for number in 10..<20 {
            content.add(path: "F\(number).json", byteCount: 60 << 20, digest: digest)
            files.append(
                "{\"path\":\"F\(number).json\",\"size\":\(60 << 20),\"sha256\":\"\(digest.hex)\",\"offset\":0,"
                    + "\"compressedSize\":0,\"method\":\"stored\"}")
        }
        let finished = content.finish()
        let (list, proof) = (files.joined(separator: ","), try #require(finished).hex)
        attack.host.registry.change { script in
            script.document = {
                $0.replacing(#/"files":\[.*?\]/#, with: "\"files\":[\(list)]")
                    .replacing(#/"content":"[0-9a-f]*"/#, with: "\"content\":\"\(proof)\"")
            }
        }
        try await attack.mustFail { $0 == .contradiction(.files) }
    }

    @Test(arguments: ["", "{", "[]", "null", "{}", "<html></html>", String(repeating: "[", count: 100_000)])
    func `Bytes that are not a resolve document are refused`(text: String) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in script.document = { _ in text } }
        try await attack.mustFail { if case .malformedDocument = $0 { true } else { false } }
    }

    @Test func `A resolve document with an early or late end is refused`() async throws {
        let attack = try await Attack()
        for count in stride(from: 0, to: 600, by: 7) {
            attack.host.registry.change { script in script.document = { String($0.prefix(count)) } }
            try await attack.mustFail { if case .malformedDocument = $0 { true } else { false } }
        }
    }

    @Test func `A content digest of other files is refused`() async throws {
        let attack = try await Attack()
        let content = try Offer(.sample(text: "Changed")).bundle.contentDigest.hex
        attack.host.registry.change { script in
            script.document = { $0.replacing(content, with: String(repeating: "0", count: 64)) }
        }
        try await attack.mustFail { $0 == .contradiction(.content) }
    }

    @Test func `A bundle that the widget's identifier does not begin with is refused`() async throws {
        let attack = try await Attack()
        attack.host.registry.change { $0.bundleIdentifier = "com.example.Other" }
        try await attack.mustFail { $0 == .foreignBundle(identifier: "com.example.Other") }
    }

    @Test func `A resolve document that leads to an archive of another bundle is refused`() async throws {
        let attack = try await Attack()
        let other = try Offer(.sample("com.example.Sam"))
        attack.host.registry.change {
            $0.offer = other
            $0.bundleIdentifier = "com.example.Sample"
        }
        try await attack.mustFail {
            $0 == .wrongIdentity(expected: "com.example.Sample", actual: "com.example.Sam")
        }
    }

    @Test func `A bundle other than the pinned one is refused`() async throws {
        let attack = try await Attack { $0.pin = "com.example.Sample" }
        attack.host.registry.change { $0.bundleIdentifier = "com.example" }
        try await attack.mustFail { $0 == .pinMismatch(wanted: "com.example.Sample", found: "com.example") }
    }

    /// Its first release needs fewer rights than changing the channel of the bundle that the widget has.
    @Test func `F10: a bundle with a longer identifier does not take over a widget, unless it is the pinned one`()
        async throws
    {
        let attack = try await Attack()
        let (registry, scratch) = (attack.host.registry, attack.host.scratch)
        let longer = "com.example.Sample-1"
        registry.offer(try Offer(.sample(longer, text: "Changed")))
        try await attack.mustFail { $0 == .anotherBundle(known: "com.example.Sample", offered: longer) }
        let error = try #require(try await attack.host.update().error)
        #expect(error.isRefusal && "\(error)".contains("came from com.example.Sample so far"))
        #expect(error.hints.contains { $0.contains("`--pin \(longer)` accepts it") })
        // Accepted once, it is the widget's bundle.
        #expect(try await Host(registry, in: scratch) { $0.pin = longer }.update().isNew)
        #expect(try await Host(registry, in: scratch).update().isSame)
        #expect(attack.host.text(try await attack.host.update().release) == "{\"greeting\": \"Changed\"}")
    }

    @Test func `A host without a release takes the bundle that the registry gives it`() async throws {
        let host = try Host()
        host.registry.offer(try Offer(.sample("com.example.Sample-1")))
        #expect(try await host.update().isNew)
        // A shorter one has been there before, and needs the rights of its channel.
        host.registry.offer(try Offer.changed.get())
        #expect(try await host.update().isNew)
    }

    @Test func `A state before the last seen one is refused, and a later rollback is not`() async throws {
        let attack = try await Attack()
        attack.host.registry.change { $0.sequence = 1 }
        try await attack.mustFail { $0 == .staleSequence(seen: 2, offered: 1) }
        attack.host.registry.change { $0.sequence = 7 }
        #expect(try await attack.host.update().isNew)
        attack.host.registry.offer(try Offer(.sample()))
        let result = try await attack.host.update()
        #expect(attack.host.text(result.release) == "{\"greeting\": \"Hello\"}")
        attack.host.registry.change { $0.sequence = 7 }
        #expect(try await attack.host.update().reason == .staleSequence(seen: 8, offered: 7))
    }

    @Test func `A state that jumps too far ahead is refused, and a failed answer is not remembered`() async throws {
        let attack = try await Attack()
        attack.host.registry.change { $0.sequence = 1 << 40 }
        try await attack.mustFail { $0 == .sequenceJump(seen: 2, offered: 1 << 40) }
        attack.host.registry.change {
            $0.sequence = 1_000
            $0.raw = [1, 2, 3]
        }
        try await attack.mustFail { if case .bundle = $0 { true } else { false } }
        attack.host.registry.change {
            $0.sequence = 3
            $0.raw = nil
        }
        #expect(try await attack.host.update().isNew)
    }

    @Test(arguments: ["http://elsewhere.test/x", "//elsewhere.test/x", "https://registry.test/x", "file:///etc/passwd"])
    func `An archive at another origin is refused`(address: String) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in
            script.document = { $0.replacing(#/"url":"[^"]*"/#, with: "\"url\":\"\(address)\"") }
        }
        try await attack.mustFail {
            switch $0 {
            case .foreignAddress: true
            case .transfer(let error): if case .invalidURL = error.reason { true } else { false }
            default: false
            }
        }
        #expect(attack.host.registry.asked.allSatisfy { !$0.path.contains("x") || $0.path.hasPrefix("/v1/") })
    }

    @Test func `A size, name or release other than the archive's is refused`() async throws {
        let size = try Offer.other.get().archive.count
        for (text, other) in [
            ("\"size\":\(size)", "\"size\":\(size + 1)"), ("\"name\":\"Sample\"", "\"name\":\"Other\""),
            ("\"release\":\"1.0~1\"", "\"release\":\"1.0~2\""),
        ] {
            let attack = try await Attack(isWhole: true)
            attack.host.registry.change { script in script.document = { $0.replacing(text, with: other) } }
            try await attack.mustFail(keepsPartial: true) {
                switch $0 {
                case .wrongSize, .wrongIdentity, .transfer: true
                default: false
                }
            }
        }
    }

    @Test func `A problem document is shown in full`() async throws {
        let attack = try await Attack()
        attack.host.registry.change {
            $0.refusal = (410, "{\"type\": \"/problems/withdrawn\", \"detail\": \"It was withdrawn.\"}")
        }
        try await attack.mustFail {
            guard case .problem(let problem) = $0 else { return false }
            return problem.status == 410 && problem.code == "withdrawn" && problem.detail == "It was withdrawn."
        }
    }

    @Test(arguments: ["", ".", "..", "a/b", "/etc", "a b", "-a", "a\0", "ä.b", String(repeating: "a", count: 256)])
    func `An invalid widget identifier is not sent`(text: String) {
        #expect(throws: FetchError(.invalidWidgetIdentifier(text))) { try WidgetIdentifier(text) }
    }
}

/// Goal: after any attack by a registry or a network, the release from before still runs and nothing else is left.
/// Method: each attack on a host that has a release, by a registry that is about to offer another.
@Suite struct `A host` {
    @Test func `A host refuses an archive with another digest`() async throws {
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

    @Test func `A host refuses a file with another digest`() async throws {
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

    @Test func `A host refuses an archive that is longer than announced`() async throws {
        let attack = try await Attack(isWhole: true)
        attack.host.registry.change { script in script.archive = { $0 + [UInt8](repeating: 0, count: 100_000) } }
        try await attack.mustFail {
            guard case .transfer(let error) = $0, case .limitReached(.body, _) = error.reason else { return false }
            return true
        }
    }

    @Test func `A host refuses a part of another range than asked for`() async throws {
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
    func `A host refuses parts of two archives`(isWhole: Bool) async throws {
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
    func `A host refuses an archive whose tag changes on the way`(isWhole: Bool) async throws {
        let attack = try await Attack(isWhole: isWhole)
        attack.host.registry.change { $0.entityTag = "\"sha256-of-another\"" }
        try await attack.mustFail {
            guard case .transfer(let error) = $0 else { return false }
            return error.reason == .changedMeanwhile
        }
    }

    @Test(arguments: Corpus.files(in: "zip/refuse"))
    func `A host refuses an archive that a registry refuses`(sample: Corpus) async throws {
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
    func `A host refuses a bundle with a fault`(what: String, forge: BundleForge, code: BundleError.Code) async throws {
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
