import Registry
import Testing

@Suite struct `Lists` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    /// All pages of a size, one after the other.
    func walk(_ query: BundleQuery) throws -> [[String]] {
        var query = query
        var pages: [[String]] = []
        repeat {
            let page = try registry.bundles(query)
            pages.append(page.items.map(\.identifier))
            query.after = page.next
        } while query.after != nil && pages.count < 20
        return pages
    }

    @Test func `of bundles come in the order of their identifiers, page by page`() throws {
        let identifiers = ["a.B", "a.a", "a.a-a", "a.a.a", "a.b0", "b.a", "b.z"]
        for identifier in identifiers.reversed() { try registry.publish(Upload(identifier: identifier)) }
        #expect(try walk(BundleQuery(limit: 100)) == [identifiers])
        #expect(try walk(BundleQuery(limit: 7)) == [identifiers])
        #expect(try walk(BundleQuery(limit: 3)) == [["a.B", "a.a", "a.a-a"], ["a.a.a", "a.b0", "b.a"], ["b.z"]])
        #expect(try walk(BundleQuery(limit: 1)) == identifiers.map { [$0] })
        #expect(try walk(BundleQuery(prefix: "a.a", limit: 2)) == [["a.a", "a.a-a"], ["a.a.a"]])
        #expect(try walk(BundleQuery(prefix: "b.", limit: 9)) == [["b.a", "b.z"]])
        #expect(try walk(BundleQuery(prefix: "c", limit: 9)) == [[]])
        #expect(
            try walk(BundleQuery(prefix: "a.", limit: 2) { $0 != "a.a" }) == [["a.B", "a.a-a"], ["a.a.a", "a.b0"]])
    }

    @Test func `of bundles can be searched in identifier and name`() throws {
        try registry.publish(Upload(identifier: "com.weather", name: "Sky"))
        try registry.publish(Upload(identifier: "com.other", name: "TheWeather"))
        try registry.publish(Upload(identifier: "com.none", name: "None"), PublishRequest(.to("beta"), by: "x"))
        #expect(try walk(BundleQuery(text: "wEATHER", limit: 9)) == [["com.other", "com.weather"]])
        #expect(try walk(BundleQuery(text: "sky", limit: 9)) == [["com.weather"]])
        #expect(try walk(BundleQuery(text: "%", limit: 9)) == [[]])
        #expect(try walk(BundleQuery(channel: "beta", limit: 9)) == [["com.none"]])
        #expect(try walk(BundleQuery(text: "o", channel: "stable", limit: 1)) == [["com.other"], ["com.weather"]])
    }

    @Test func `of releases come newest first, page by page`() throws {
        let versions = ["1.0", "1.10", "1.9", "2.0-beta", "1.10.0", "2.0"]
        for version in versions { try registry.publish(version) }
        let expected = ["2.0~1", "2.0-beta~1", "1.10.0~1", "1.10~1", "1.9~1", "1.0~1"]
        for limit in 1...7 {
            var keys: [String] = []
            var after: String?
            var pages = 0
            repeat {
                let page = try registry.releases(sample, limit: limit, after: after)
                #expect(page.items.count <= limit)
                keys += page.items.map(\.key)
                after = page.next
                pages += 1
            } while after != nil && pages < 20
            #expect(keys == expected, "\(limit)")
            #expect(pages == (expected.count + limit - 1) / limit)
        }
        #expect(try registry.releases(sample, limit: 1, after: nil).items[0].channels == ["stable"])
        #expect(try refusal { try registry.releases(sample, limit: 1, after: "9~9") } != nil)
        #expect(
            try refusal { try registry.releases("a.b", limit: 1, after: nil) } == .noSuchBundle("a.b", spelling: nil))
    }

    @Test func `of changes go on where the reader left off`() throws {
        for version in ["1.0", "1.1", "1.2", "1.3", "1.4"] { try registry.publish(version) }
        var tags: [Int64] = []
        var since: Int64 = 0
        while true {
            let page = try registry.changes(since: since, limit: 2)
            tags += page.items.map(\.tag)
            guard let next = page.next else { break }
            since = try #require(Int64(next))
        }
        #expect(tags == [1, 2, 3, 4, 5] && registry.latestTag == 5)
        #expect(try registry.changes(since: 5, limit: 2).items.isEmpty)
        #expect(try registry.changes(since: .max, limit: 2).items.isEmpty)
        #expect(try registry.changes(since: -7, limit: 2).items.map(\.tag) == [1, 2])
    }

    @Test func `of what is not there are refused by name`() throws {
        try registry.publish("1.0")
        #expect(try refusal { try registry.release(sample, "1.0~2") } == .noSuchRelease(bundle: sample, key: "1.0~2"))
        #expect(try refusal { try registry.report(sample, "x") } == .noSuchRelease(bundle: sample, key: "x"))
        #expect(try refusal { try registry.files("a.b", "x") } == .noSuchBundle("a.b", spelling: nil))
        #expect(try refusal { try registry.channels("a.b") } == .noSuchBundle("a.b", spelling: nil))
        #expect(
            try refusal { try registry.channel(sample, "beta") } == .noSuchChannel(bundle: sample, channel: "beta"))
    }
}
