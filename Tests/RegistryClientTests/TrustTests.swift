import Bytes
import ConformanceSupport
import RegistryClient
import RegistryContract
import Testing
import Transfers
import WidgetBundles

/// Goal: a host believes only what can be true. Method: as for what arrives, with documents instead of archives.
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
    func `that contradicts itself is refused`(
        text: String, other: String, contradiction: FetchError.Contradiction
    ) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in script.document = { $0.replacing(text, with: other) } }
        try await attack.mustFail { $0 == .contradiction(contradiction) }
    }

    @Test func `that says the same of two halves of a channel is refused, and so are too many parts`() async throws {
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
    func `with an archive of an impossible size is refused`(size: String) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in
            script.document = { $0.replacing(#/"size":\d+,"name"/#, with: "\"size\":\(size),\"name\"") }
        }
        try await attack.mustFail { $0 == .contradiction(.size) }
    }

    @Test func `whose files together are larger than a bundle may be is refused`() async throws {
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
    func `that is none is refused`(text: String) async throws {
        let attack = try await Attack()
        attack.host.registry.change { script in script.document = { _ in text } }
        try await attack.mustFail { if case .malformedDocument = $0 { true } else { false } }
    }

    @Test func `that ends anywhere else than at its end is refused`() async throws {
        let attack = try await Attack()
        for count in stride(from: 0, to: 600, by: 7) {
            attack.host.registry.change { script in script.document = { String($0.prefix(count)) } }
            try await attack.mustFail { if case .malformedDocument = $0 { true } else { false } }
        }
    }

    @Test func `with a content digest of other files is refused`() async throws {
        let attack = try await Attack()
        let content = try Offer(.sample(text: "Changed")).bundle.contentDigest.hex
        attack.host.registry.change { script in
            script.document = { $0.replacing(content, with: String(repeating: "0", count: 64)) }
        }
        try await attack.mustFail { $0 == .contradiction(.content) }
    }

    @Test func `with a bundle that the widget's identifier does not begin with is refused`() async throws {
        let attack = try await Attack()
        attack.host.registry.change { $0.bundleIdentifier = "com.example.Other" }
        try await attack.mustFail { $0 == .foreignBundle(identifier: "com.example.Other") }
    }

    @Test func `that leads to an archive of another bundle is refused`() async throws {
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

    @Test func `with another bundle than the pinned one is refused`() async throws {
        let attack = try await Attack { $0.pin = "com.example.Sample" }
        attack.host.registry.change { $0.bundleIdentifier = "com.example" }
        try await attack.mustFail { $0 == .pinMismatch(wanted: "com.example.Sample", found: "com.example") }
    }

    @Test func `from before the one that was seen is refused, and a later rollback is not`() async throws {
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

    @Test func `that jumps too far ahead is refused, and what failed is not remembered`() async throws {
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
    func `with an archive elsewhere is refused`(address: String) async throws {
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

    @Test func `with another size, name or release than the archive has is refused`() async throws {
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

    @Test func `is shown whole when it is a problem`() async throws {
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
    func `is not even asked for what is no widget identifier`(text: String) {
        #expect(throws: FetchError(.invalidWidgetIdentifier(text))) { try WidgetIdentifier(text) }
    }
}
