import Testing
import WidgetBytes

@testable import RegistryContract

/// A query as a server has decoded it.
struct DecodedQuery: QuerySource {
    var values: QueryText
    var hasQuery: Bool { !values.isEmpty }

    init(_ values: QueryText) { self.values = values }

    func parameter(_ name: StaticString) -> String? { values.first { $0.name == "\(name)" }?.value }

    func parameters(_ name: StaticString) -> [String] { values.filter { $0.name == "\(name)" }.map(\.value) }

    func words(_ name: StaticString) -> String? { parameter(name) }
}

/// Goal: a client's query means to the server what the client meant.
/// Method: each set of parameters is written, read, and compared; malformed values are refused by one sentence.
@Suite struct `A query parameter` {
    @Test func `A query of publishing is read as it was written`() throws {
        var options = PublishOptions()
        #expect(options.query.isEmpty)
        #expect(try PublishOptions(DecodedQuery(options.query)) == options)
        options.channel = "beta"
        options.rollout = 2_500
        (options.isDryRun, options.isStrict, options.forcesPromotion) = (true, true, true)
        options.remarks.note = "Fixes the clock on Sundays."
        #expect(Set(options.query.map(\.name)) == Set(PublishOptions.all.map(\.name)))
        #expect(try PublishOptions(DecodedQuery(options.query)) == options)
    }

    @Test func `A query of resolving is read as it was written`() throws {
        var parameters = ResolveParameters(channel: "beta", os: "10.0", host: "2", pin: "a.b")
        parameters.have = Digest(repeating: 0x11)
        parameters.bucket = 17
        #expect(Set(parameters.query.map(\.name)) == Set(ResolveParameters.all.map(\.name)))
        #expect(try ResolveParameters(DecodedQuery(parameters.query)) == parameters)
        #expect(try ResolveParameters(DecodedQuery([])) == ResolveParameters())
    }

    @Test func `A query of a list is read as it was written`() throws {
        var query: QueryText = []
        PageParameters.limit.add(7, to: &query)
        PageParameters.cursor.add("com.example.Clock", to: &query)
        BundleListParameters.prefix.add("com", to: &query)
        #expect(!query.contains { $0.value.contains("Clock") }, "cursors are opaque")
        let list = try BundleListParameters(DecodedQuery(query))
        #expect(list.page.limit == 7 && list.page.after == "com.example.Clock" && list.prefix == "com")
        #expect(list.text == nil && list.channel == nil)
    }

    @Test func `A query of the feed continues after the last event`() throws {
        func since(_ query: QueryText, _ last: String? = nil) throws -> Int? {
            guard case .after(let tag) = try ChangeListParameters(DecodedQuery(query), lastEventID: last).since else {
                return nil
            }
            return tag
        }
        #expect(try since([]) == 0)
        #expect(try since([("since", "7")]) == 7)
        #expect(try since([("since", "7"), ("cursor", "8")]) == 8)
        #expect(try since([("since", "7")], "9") == 9)
        #expect(try since([("since", "7")], "none") == 7)
    }

    @Test(arguments: [
        ("channel", ""), ("channel", "a b"), ("rollout", "10001"), ("rollout", "-1"), ("rollout", "+5"),
        ("rollout", "2.5"), ("rollout", ""), ("dryRun", "yes"), ("strict", "TRUE"), ("promote", "yes"),
        ("note", "two\nlines"), ("note", "turned \u{202E}around"), ("note", String(repeating: "x", count: 501)),
    ])
    func `A query of publishing with a malformed value is refused`(name: String, value: String) throws {
        let error = try #require(throws: UnreadableParameter.self) { try PublishOptions(DecodedQuery([(name, value)])) }
        #expect(error.name == name && error.text == value && !error.expectation.isEmpty)
    }

    @Test(arguments: [
        ("note", String(repeating: "\u{E9}", count: 500)), ("note", ""), ("strict", ""), ("dryRun", "false"),
        ("rollout", "00025"),
    ])
    func `A query of publishing takes every allowed value`(name: String, value: String) throws {
        _ = try PublishOptions(DecodedQuery([(name, value)]))
    }

    @Test(arguments: [
        ("bucket", "10000"), ("bucket", "x"), ("have", "ABC"), ("pin", "clock"), ("os", "1 0"),
        ("host", String(repeating: "1", count: 65)),
    ])
    func `A query of resolving with a malformed value is refused`(name: String, value: String) {
        #expect(throws: UnreadableParameter.self) { try ResolveParameters(DecodedQuery([(name, value)])) }
    }

    @Test func `The description of a query parameter agrees with its reader`() throws {
        let rollout = PublishOptions.rollout.described
        #expect(rollout.name == "rollout" && rollout.place == .query && !rollout.isRequired)
        guard case .number(0...10_000) = rollout.schema else {
            Issue.record("\(rollout.schema)")
            return
        }
    }
}
