import Registry
import TestSupport
import Testing

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

    @Test func `finds the longest identifier that the text begins with`() throws {
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

    @Test func `agrees with looking at every identifier`() throws {
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

    @Test func `hints at a spelling that would have been found`() throws {
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

    @Test func `tells nothing of what the reader may not know of`() throws {
        try registry.publish(Upload(identifier: "a.b"))
        try registry.publish(Upload(identifier: "a.b.secret"))
        for identifier in ["a.b.secret", "a.b.secret-1", "A.B.secret"] {
            let query = ResolveQuery(widgetIdentifier: identifier) { $0 != "a.b.secret" }
            // Neither the shorter match nor a hint.
            #expect(try refusal { try registry.resolve(query) } == .noSuchWidget(identifier, spelling: nil))
        }
    }

    @Test func `holds the pin`() throws {
        try registry.publish(Upload(identifier: "a.b"))
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: "a.b-1", pin: "a.b")).bundleIdentifier == "a.b")
        #expect(
            try refusal { try registry.resolve(ResolveQuery(widgetIdentifier: "a.b-1", pin: "a.c")) }
                == .pinMismatch(matched: "a.b", pin: "a.c"))
    }

    @Test func `asks the channel that is named, and no other`() throws {
        try registry.publish("1.0", to: "beta")
        #expect(try registry.shown("beta") == ["1.0~1 0-10000"])
        #expect(try refusal { try registry.shown() } == .noSuchChannel(bundle: sample, channel: "stable"))
    }

    @Test func `leaves out what asks for a newer system or host`() throws {
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

    @Test func `gives the list of files ready made`() throws {
        let release = try registry.publish("1.0").release
        let candidate = try #require(try registry.resolve(ResolveQuery(widgetIdentifier: sample)).candidates.first)
        let text = String(decoding: candidate.files, as: UTF8.self)
        #expect(text.hasPrefix("[{\"path\":\"Info.plist\",\"size\":") && text.hasSuffix("}]"))
        let names = ["path", "size", "sha256", "offset", "compressedSize", "method"]
        #expect(names.allSatisfy { text.contains("\"\($0)\":") })
        #expect(candidate.release == release)
    }
}
