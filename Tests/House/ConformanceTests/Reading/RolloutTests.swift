import ConformanceSupport
import JSONText
import Testing
import WidgetBytes
import WidgetTestSupport

/// §2: rollouts, which hosts decide by their buckets.
@Suite struct `A rollout` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    private var salt: String? { get throws { try registry.resolve(identifier).text("salt") } }

    private func releases(_ answer: [String]) -> [String] { answer }

    /// The two candidates of a first release with a second one on its way.
    private func begin(_ rollout: Int = 2_500) throws {
        try registry.publish(BundleForge(identifier, "1.0"))
        try registry.publish(BundleForge(identifier, "1.1"), "rollout=\(rollout)")
    }

    @Test func `A rollout gives the first buckets to the new release and the rest to the old one`() throws {
        try begin()
        let answer = try registry.resolve(identifier)
        #expect(answer.buckets == [[0, 2_500], [2_500, 10_000]])
        #expect(answer.texts("candidates", "release") == ["1.1~1", "1.0~1"])
    }

    @Test func `A complete rollout has one candidate`() throws {
        try registry.publish(BundleForge(identifier, "1.0"))
        try registry.publish(BundleForge(identifier, "1.1"), "rollout=10000")
        #expect(try registry.resolve(identifier).buckets == [[0, 10_000]])
    }

    @Test func `A rollout of a first release leaves the other buckets without a candidate`() throws {
        try registry.publish(BundleForge(identifier), "rollout=2500")
        #expect(try registry.resolve(identifier).buckets == [[0, 2_500]])
        #expect(try registry.get("/v1/widgets/\(identifier)/bundle?bucket=0").status == 200)
        #expect(try registry.get("/v1/widgets/\(identifier)/bundle?bucket=2499").status == 200)
        for path in ["bundle?bucket=2500", "bundle?bucket=9999", "bundle"] {
            let answer = try registry.get("/v1/widgets/\(identifier)/\(path)")
            #expect(answer.status == 404)
            #expect(answer.problemCode == "no-compatible-release")
        }
    }

    @Test func `A growing rollout keeps its salt, so no host falls out of it`() throws {
        try begin()
        let before = try salt
        #expect(try registry.promote(identifier, "1.1~1", rollout: 5_000).status == 200)
        let answer = try registry.resolve(identifier)
        #expect(answer.buckets == [[0, 5_000], [5_000, 10_000]])
        #expect(answer.text("salt") == before)
    }

    @Test func `A completed rollout keeps its salt`() throws {
        try begin()
        let before = try salt
        #expect(try registry.promote(identifier, "1.1~1").status == 200)
        #expect(try registry.resolve(identifier).buckets == [[0, 10_000]])
        #expect(try salt == before)
    }

    @Test func `A rollout of the next release has another salt`() throws {
        try begin()
        let before = try salt
        try registry.publish(BundleForge(identifier, "1.2"), "rollout=1000")
        #expect(try salt != before)
    }

    @Test func `A shrinking rollout keeps its base`() throws {
        try begin(5_000)
        #expect(try registry.promote(identifier, "1.1~1", rollout: 100).status == 200)
        let answer = try registry.resolve(identifier)
        #expect(answer.buckets == [[0, 100], [100, 10_000]])
        #expect(answer.texts("candidates", "release") == ["1.1~1", "1.0~1"])
    }

    @Test func `A rollout's document is the same for every client`() throws {
        try begin()
        let one = try registry.get("/v1/widgets/\(identifier)?bucket=1", "User-Agent: one")
        let two = try registry.get("/v1/widgets/\(identifier)?bucket=9000", "User-Agent: two")
        #expect(one.buckets == two.buckets)
        #expect(one["candidates"]?.array?.count == 2)
    }

    @Test(arguments: [(0, "1.1~1"), (2_499, "1.1~1"), (2_500, "1.0~1"), (9_999, "1.0~1")])
    func `A host gets the bundle that owns its bucket`(_ bucket: Int, _ release: String) throws {
        try begin()
        let answer = try registry.resolve(identifier)
        let index = try #require(answer.texts("candidates", "release").firstIndex(of: release))
        let bundle = try registry.get("/v1/widgets/\(identifier)/bundle?bucket=\(bucket)")
        #expect(bundle.value("Content-Location") == answer.text("candidates.\(index).url"))
    }

    @Test func `A host without a bucket gets the bundle of the last bucket`() throws {
        try begin()
        let answer = try registry.resolve(identifier)
        let bundle = try registry.get("/v1/widgets/\(identifier)/bundle")
        #expect(bundle.value("Content-Location") == answer.text("candidates.1.url"))
    }

    @Test(arguments: ["10000", "-1", "x", "99999999999999999999"])
    func `A bucket outside 0 to 9999 is refused`(_ bucket: String) throws {
        try begin()
        let answer = try registry.get("/v1/widgets/\(identifier)/bundle?bucket=\(bucket)")
        #expect(answer.status == 400)
    }

    @Test func `A rollout reaches the share of hosts that its buckets promise`() throws {
        try begin()
        let answer = try registry.resolve(identifier)
        let salt = try #require(answer.text("salt"))
        let end = try #require(answer.buckets.first?.last)
        let chosen = (0..<4_000).count { host in
            let text = "host-\(host)\n\(identifier)\n\(salt)"
            let bytes = Digest.sha256(Array(text.utf8))?.bytes.prefix(8) ?? []
            return bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 10_000 < UInt64(end)
        }
        // A quarter of 4,000, and four standard deviations to either side.
        #expect((890...1_110).contains(chosen))
    }

    @Test func `A rollout without its withdrawn base takes the highest release left in the channel's history`() throws {
        try registry.publish(BundleForge(identifier, "1.0"))
        try registry.publish(BundleForge(identifier, "1.1"))
        try registry.publish(BundleForge(identifier, "1.2"), "rollout=3000")
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        let answer = try registry.resolve(identifier)
        #expect(answer.buckets == [[0, 3_000], [3_000, 10_000]])
        #expect(answer.texts("candidates", "release") == ["1.2~1", "1.0~1"])
    }

    @Test func `A withdrawn rollout gives all buckets back to its base`() throws {
        try begin()
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        let answer = try registry.resolve(identifier)
        #expect(answer.buckets == [[0, 10_000]])
        #expect(answer.texts("candidates", "release") == ["1.0~1"])
    }

    @Test(arguments: ["10001", "-1", "x", "2500.5", ""])
    func `A share outside 0 to 10000 basis points is refused`(_ rollout: String) throws {
        let answer = try registry.post(BundleForge(identifier).archive, "rollout=\(rollout)")
        #expect(answer.status == 400 || answer.status == 422)
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 404)
    }
}

/// §2: the candidates that a host can run.
@Suite struct `A host's versions` {
    let registry: Registry
    let identifier = fresh()

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        ("MinimumOSVersion", "os", "10.0", "9.3.5", 404), ("MinimumOSVersion", "os", "10.0", "10.0", 200),
        ("MinimumOSVersion", "os", "10.0", "10.0.1", 200), ("MinimumOSVersion", "os", "9.0", "10.0", 200),
        ("MinimumOSVersion", "os", "10.10", "10.9", 404), ("MinimumOSVersion", "os", "10", "10.0", 200),
        ("WidgetHostMinimumVersion", "host", "2.0", "1.9", 404),
        ("WidgetHostMinimumVersion", "host", "2.0", "2.0", 200), ("WidgetHostMinimumVersion", "host", "2.0", "10", 200),
    ])
    func `A host's versions decide whether a release is offered`(
        _ key: String, _ parameter: String, _ minimum: String, _ version: String, _ status: Int
    ) throws {
        try registry.publish(BundleForge(identifier).with { $0.info = [(key, minimum)] })
        let answer = try registry.resolve(identifier, "\(parameter)=\(version)")
        #expect(answer.status == status)
        #expect(status == 200 || answer.problemCode == "no-compatible-release")
    }

    @Test func `Missing versions exclude nothing`() throws {
        let info = [("MinimumOSVersion", "99.0"), ("WidgetHostMinimumVersion", "99.0")]
        try registry.publish(BundleForge(identifier).with { $0.info = info })
        #expect(try registry.resolve(identifier).status == 200)
    }

    @Test func `A host's versions leave the other candidate its buckets`() throws {
        try registry.publish(BundleForge(identifier, "1.0"))
        try registry.publish(
            BundleForge(identifier, "1.1").with { $0.info = [("MinimumOSVersion", "12.0")] }, "rollout=4000")
        let answer = try registry.resolve(identifier, "os=11.0")
        #expect(answer.status == 200)
        #expect(answer.texts("candidates", "release") == ["1.0~1"])
        #expect(answer.buckets == [[4_000, 10_000]])
    }

    @Test func `A host's versions also decide about the bundle of a one-trip request`() throws {
        try registry.publish(BundleForge(identifier).with { $0.info = [("MinimumOSVersion", "12.0")] })
        #expect(try registry.get("/v1/widgets/\(identifier)/bundle?os=11.0").status == 404)
        #expect(try registry.get("/v1/widgets/\(identifier)/bundle?os=12.0").status == 200)
    }
}
