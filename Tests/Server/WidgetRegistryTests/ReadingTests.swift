import Testing
import WidgetRegistry
import WidgetTestSupport

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

    @Test func `Bundles are listed in the order of their identifiers, page by page`() throws {
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

    @Test func `Bundles can be searched by identifier and name`() throws {
        try registry.publish(Upload(identifier: "com.weather", name: "Sky"))
        try registry.publish(Upload(identifier: "com.other", name: "TheWeather"))
        try registry.publish(Upload(identifier: "com.none", name: "None"), PublishRequest(.to("beta"), by: "x"))
        #expect(try walk(BundleQuery(text: "wEATHER", limit: 9)) == [["com.other", "com.weather"]])
        #expect(try walk(BundleQuery(text: "sky", limit: 9)) == [["com.weather"]])
        #expect(try walk(BundleQuery(text: "%", limit: 9)) == [[]])
        #expect(try walk(BundleQuery(channel: "beta", limit: 9)) == [["com.none"]])
        #expect(try walk(BundleQuery(text: "o", channel: "stable", limit: 1)) == [["com.other"], ["com.weather"]])
    }

    @Test func `Releases are listed newest first, page by page`() throws {
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

    @Test func `A list of changes continues where the reader stopped`() throws {
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

    @Test func `A list of something missing is refused by name`() throws {
        try registry.publish("1.0")
        #expect(try refusal { try registry.release(sample, "1.0~2") } == .noSuchRelease(bundle: sample, key: "1.0~2"))
        #expect(try refusal { try registry.report(sample, "x") } == .noSuchRelease(bundle: sample, key: "x"))
        #expect(try refusal { try registry.files("a.b", "x") } == .noSuchBundle("a.b", spelling: nil))
        #expect(try refusal { try registry.channels("a.b") } == .noSuchBundle("a.b", spelling: nil))
        #expect(
            try refusal { try registry.channel(sample, "beta") } == .noSuchChannel(bundle: sample, channel: "beta"))
    }
}

@Suite struct `Resolving` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    func matched(_ identifier: String) throws -> String? {
        do {
            return try registry.resolve(ResolveQuery(widgetIdentifier: identifier)).bundleIdentifier
        } catch RegistryError.noSuchWidget {
            return nil
        }
    }

    @Test func `Resolving finds the longest identifier that the text begins with`() throws {
        for identifier in ["a.b", "a.b-0", "a.b.c", "a.b.c.d", "a.bc", "a.z", "b.a"] {
            try registry.publish(Upload(identifier: identifier))
        }
        for (text, expected) in [
            ("a.b", "a.b"), ("a.b-1", "a.b"), ("a.b-0", "a.b-0"), ("a.b-01", "a.b-0"), ("a.b.", "a.b"),
            ("a.b.c.", "a.b.c"), ("a.b.c.c", "a.b.c"), ("a.b.c.dd", "a.b.c.d"), ("a.bb", "a.b"), ("a.bcd", "a.bc"),
            ("a.b_x", "a.b"), ("a.b~", "a.b"), ("a.y", nil), ("a", nil), ("", nil), ("b.a", "b.a"), ("b.b", nil),
            ("A.b", nil), ("a.zzzz", "a.z"), ("\u{10FFFF}", nil), (String(repeating: "a.b", count: 80), "a.b"),
        ] {
            #expect(try matched(text) == expected, "\(text)")
        }
    }

    @Test func `Resolving agrees with a search through every identifier`() throws {
        var random = SeededGenerator(seed: 3)
        func word(_ length: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: length, using: &random)).map { _ in "ab-".randomElement(using: &random) ?? "a" })
        }
        var published: Set<String> = []
        for _ in 0..<60 {
            let identifier = "x.a\(word(0...5))b"
            if published.insert(identifier).inserted { try registry.publish(Upload(identifier: identifier)) }
        }
        for _ in 0..<2_000 {
            let text = "x.a\(word(0...8))"
            let expected = published.filter { text.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
            #expect(try matched(text) == expected, "\(text)")
        }
    }

    @Test func `Resolving hints at a spelling that would have been found`() throws {
        try registry.publish(Upload(identifier: "mobi.favio.WidgetDemo"))
        let query = ResolveQuery(widgetIdentifier: "mobi.favio.widgetdemo-1X")
        #expect(
            try refusal { try registry.resolve(query) }
                == .noSuchWidget("mobi.favio.widgetdemo-1X", spelling: "mobi.favio.WidgetDemo-1X"))
        #expect(
            try refusal { try registry.resolve(ResolveQuery(widgetIdentifier: "other")) }
                == .noSuchWidget("other", spelling: nil))
        #expect(
            try refusal { try registry.bundle("MOBI.favio.WidgetDemo") }
                == .noSuchBundle("MOBI.favio.WidgetDemo", spelling: "mobi.favio.WidgetDemo"))
    }

    @Test func `Resolving reveals nothing that is hidden from the reader`() throws {
        try registry.publish(Upload(identifier: "a.b"))
        try registry.publish(Upload(identifier: "a.b.secret"))
        for identifier in ["a.b.secret", "a.b.secret-1", "A.B.secret"] {
            let query = ResolveQuery(widgetIdentifier: identifier) { $0 != "a.b.secret" }
            // Neither the shorter match nor a hint.
            #expect(try refusal { try registry.resolve(query) } == .noSuchWidget(identifier, spelling: nil))
        }
    }

    @Test func `Resolving for a reader of one prefix finds its bundles, and hints at them alone`() throws {
        for identifier in ["a.b", "a.b.c", "a.b-d", "a.bc", "a.b.c-e"] {
            try registry.publish(Upload(identifier: identifier))
        }
        for (text, expected) in [
            ("a.b.c-1", "a.b.c"), ("a.b.c-e1", "a.b.c-e"), ("a.b.x", "a.b"), ("a.b-x", "a.b"), ("a.b", "a.b"),
        ] {
            let query = ResolveQuery(widgetIdentifier: text, territory: "a.b") { $0 == "a.b" || $0.hasPrefix("a.b.") }
            #expect(try registry.resolve(query).bundleIdentifier == expected, "\(text)")
        }
        // Longer matches that are hidden take a widget from a visible bundle, and are not hinted at.
        for (text, spelling) in [
            ("a.b-d1", nil), ("a.bc-1", nil), ("A.B-x", "a.b-x"), ("A.b.C-1", "a.b.c-1"), ("a.B.c-E1", "a.b.c-e1"),
            ("a.x", nil),
        ] as [(String, String?)] {
            let query = ResolveQuery(widgetIdentifier: text, territory: "a.b") { $0 == "a.b" || $0.hasPrefix("a.b.") }
            #expect(try refusal { try registry.resolve(query) } == .noSuchWidget(text, spelling: spelling))
        }
    }

    @Test func `Resolving keeps to the pin`() throws {
        try registry.publish(Upload(identifier: "a.b"))
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: "a.b-1", pin: "a.b")).bundleIdentifier == "a.b")
        #expect(
            try refusal { try registry.resolve(ResolveQuery(widgetIdentifier: "a.b-1", pin: "a.c")) }
                == .pinMismatch(matched: "a.b", pin: "a.c"))
    }

    @Test func `Resolving asks the named channel, and no other`() throws {
        try registry.publish("1.0", to: "beta")
        #expect(try registry.shown("beta") == ["1.0~1 0-10000"])
        #expect(try refusal { try registry.shown() } == .noSuchChannel(bundle: sample, channel: "stable"))
    }

    @Test func `Resolving skips releases that need a newer system or host`() throws {
        try registry.publish(Upload(version: "1.0", content: "[1]"))
        try registry.publish(
            Upload(version: "2.0", content: "[2]", minimumOS: "17.2", minimumHost: "3.0"),
            PublishRequest(.to(rollout: 4_000), by: "x"))
        func keys(_ os: String?, _ host: String?) throws -> [String] {
            try registry.resolve(ResolveQuery(widgetIdentifier: sample, os: os, host: host)).candidates
                .map { "\($0.release.key) \($0.buckets.lowerBound)" }
        }
        let both = ["2.0~1 0", "1.0~1 4000"]
        #expect(try keys(nil, nil) == both)
        #expect(try keys("17.2", "3") == both && keys("17.10", "10.0") == both && keys("18", nil) == both)
        for (os, host) in [("17.1.9", nil), (nil, "2.9"), ("17.2", "2"), ("9", "3.0"), ("17.2b1", nil)] {
            #expect(try keys(os, host) == ["1.0~1 4000"])
        }
        #expect(try registry.release(sample, "2.0~1").minimumOSVersion == "17.2")
        try registry.publish(Upload(identifier: "only.newer", minimumHost: "3.0"))
        #expect(
            try refusal { try registry.resolve(ResolveQuery(widgetIdentifier: "only.newer", host: "2")) }
                == .noCompatibleRelease(bundle: "only.newer", channel: "stable"))
    }

    @Test func `Resolving returns the encoded list of files`() throws {
        let release = try registry.publish("1.0").release
        let candidate = try #require(try registry.resolve(ResolveQuery(widgetIdentifier: sample)).candidates.first)
        let text = String(decoding: candidate.files, as: UTF8.self)
        #expect(text.hasPrefix("[{\"path\":\"Info.plist\",\"size\":") && text.hasSuffix("}]"))
        let names = ["path", "size", "sha256", "offset", "compressedSize", "method"]
        #expect(names.allSatisfy { text.contains("\"\($0)\":") })
        #expect(candidate.release == release)
    }
}
