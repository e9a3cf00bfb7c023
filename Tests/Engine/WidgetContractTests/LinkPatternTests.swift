import Testing
import WidgetContract
import WidgetPredicates

/// Goal: an address is written only when it is whole, and what is written is read again. Method: patterns and values of
/// all types, and addresses as other programs and attackers write them.
@Suite struct `Links` {
    private static func address(
        _ pattern: String, _ values: [String: PredicateValue]
    ) throws -> Result<String, LinkError> {
        let pattern = try LinkPattern(pattern)
        do throws(LinkError) {
            return .success(try pattern.address { values[$0] ?? .null })
        } catch {
            return .failure(error)
        }
    }

    @Test(
        arguments: [
            ("acme://events/{id}", ["id": .string("5")], "acme://events/5"),
            ("acme://events/{id:integer}", ["id": .integer(5)], "acme://events/5"),
            ("ACME://events/{id:integer}/", ["id": .double(5)], "acme://events/5"),
            ("acme://events/{id}", ["id": .string("a/b ?&#%é")], "acme://events/a%2Fb%20%3F%26%23%25%C3%A9"),
            (
                "https://x.example/search?q={q}&page={page:integer}", ["q": .string("1+1=2"), "page": .integer(-1)],
                "https://x.example/search?q=1%2B1%3D2&page=-1"
            ),
            ("acme://at/{x:number}", ["x": .double(0.5)], "acme://at/0.5"),
            ("acme://show?all={all:boolean}", ["all": .boolean(false)], "acme://show?all=false"),
            ("acme://{id}", ["id": .string("\u{202E}x")], "acme://%E2%80%AEx"), ("acme://home", [:], "acme://home"),
        ] as [(String, [String: PredicateValue], String)])
    func `C18: A template writes an address with typed and escaped parts`(
        pattern: String, values: [String: PredicateValue], address: String
    ) throws {
        #expect(try Self.address(pattern, values) == .success(address))
    }

    @Test(
        arguments: [
            ("acme://events/{id}", [:], .missingPart("id")), ("acme://events/{id}", ["id": .null], .missingPart("id")),
            ("acme://events/{id}", ["id": .string("")], .missingPart("id")),
            ("acme://events/{id}/x", ["id": .string("..")], .missingPart("id")),
            ("acme://events/{id:integer}", ["id": .string("Optional(5)")], .wrongPart("id", expected: .integer)),
            ("acme://events/{id:integer}", ["id": .double(5.5)], .wrongPart("id", expected: .integer)),
            ("acme://events/{id:integer}", ["id": .boolean(true)], .wrongPart("id", expected: .integer)),
            ("acme://events/{id:number}", ["id": .double(.nan)], .wrongPart("id", expected: .number)),
            ("acme://events/{id:boolean}", ["id": .integer(1)], .wrongPart("id", expected: .boolean)),
            ("acme://events/{id}", ["id": .array([])], .wrongPart("id", expected: .text)),
            (
                "acme://events/{id}", ["id": .string(String(repeating: "é", count: 2_000))],
                .tooLong(limit: 8_192)
            ),
        ] as [(String, [String: PredicateValue], LinkError)])
    func `U4: An address with a part that has no value, or another type, is not written`(
        pattern: String, values: [String: PredicateValue], error: LinkError
    ) throws {
        #expect(try Self.address(pattern, values) == .failure(error))
        #expect("\(error)".contains("not opened") || "\(error)".contains("longer"))
    }

    @Test(
        arguments: [
            "", "acme", "acme:/x", "://x", "1a://x", "a b://x", "acme://x/{id", "acme://x/a{id}", "acme://x/{}",
            "acme://x/{i d}", "acme://x/{id:date}", "acme://x/{id:text:text}", "acme://{id}/{id}", "acme://x?a={a}&a=1",
            "acme://x?{a}=1", "acme://x/%zz", "acme://x/%00", "acme://x/%FF",
            "acme://" + String(repeating: "x", count: 1_024), "acme://" + String(repeating: "a/", count: 70),
        ])
    func `A pattern that cannot be read is refused with a reason`(pattern: String) {
        #expect(throws: LinkError.self) { _ = try LinkPattern(pattern) }
    }

    // MARK: - Links in

    private static func router() throws -> LinkRouter {
        LinkRouter([
            try LinkRoute(
                LinkPattern("acme://events/{id:integer}"), entry: "List",
                reveal: LinkReveal(list: "events", keyPath: ["id"], part: "id")),
            try LinkRoute(LinkPattern("acme://people/{name}"), entry: "Person"),
            try LinkRoute(LinkPattern("acme://search?q={q}&exact={exact:boolean}"), entry: "Search"),
            try LinkRoute(LinkPattern("acme://near/{x:number}/{y:number}"), entry: "Map"),
            try LinkRoute(LinkPattern("acme://home"), entry: "Home"),
        ])
    }

    /// For each route, addresses of values of every kind that its parts can have.
    @Test func `U4: What a route's pattern writes leads to that route with the same values`() throws {
        let router = try Self.router()
        let texts = ["a", "ä ö/ü", "100%", "?x=1&y#z", "\u{1F6A2}", "e\u{301}", "+", "Optional(5)", "..."]
        let samples: [LinkPattern.PartType: [PredicateValue]] = [
            .text: texts.map { .string($0) }, .integer: [0, -7, .min, .max].map { .integer($0) },
            .number: [0.5, -1e300, .leastNonzeroMagnitude].map { .double($0) },
            .boolean: [.boolean(true), .boolean(false)],
        ]
        var count = 0
        for route in router.routes {
            for turn in 0..<12 {
                var values: [String: PredicateValue] = [:]
                for part in route.pattern.parts {
                    let known = try #require(samples[part.type])
                    values[part.name] = known[turn % known.count]
                }
                let address = try route.pattern.address { values[$0] ?? .null }
                let found = try router.destination(of: address).get()
                #expect(found.route == route && found.parameters.keys == values.keys, "\(address)")
                for (name, value) in values {
                    #expect(found.parameters[name]?.isIdentical(to: value) == true, "\(address)")
                }
                count += 1
            }
        }
        #expect(count == 60)
    }

    @Test(
        arguments: [
            "acme://events/x", "acme://events/5.5", "acme://events/", "acme://events//5", "acme://events/5/6",
            "acme://events/99999999999999999999", "other://events/5", "acme://Events/5", "acme://people/%",
            "acme://people/%2",
            "acme://people/%00", "acme://people/%0A", "acme://people/%FF%FE", "acme://people/", "acme://search?q=a",
            "acme://search?q=a&exact=yes", "acme://near/nan/1", "acme://near/inf/1", "", "acme", "javascript:alert(1)",
            "acme://people/" + String(repeating: "x", count: 9_000), "acme://" + String(repeating: "/", count: 2_000),
        ])
    func `C19: An address that no route has is not found, and not taken for another`(address: String) throws {
        #expect(throws: LinkError.self) { _ = try Self.router().destination(of: address).get() }
    }

    @Test(
        arguments: [
            ("ACME://events/5", "List"), ("acme://events/5/", "List"), ("acme://events/5?utm=1#top", "List"),
            ("acme://search?x=1&exact=true&q=", "Search"), ("acme://home/", "Home"),
        ])
    func `C19: An address may be written in several ways`(address: String, entry: String) throws {
        #expect(try Self.router().destination(of: address).get().route.entry == entry)
    }

    @Test func `A route reveals by a part of its pattern, and gives the screen the others`() throws {
        let pattern = try LinkPattern("acme://team/{team}/{id}")
        let reveal = LinkReveal(list: "people", keyPath: ["id"], part: "id")
        #expect(throws: LinkError.unknownPart("name")) {
            _ = try LinkRoute(pattern, entry: "Team", reveal: LinkReveal(list: "people", keyPath: [], part: "name"))
        }
        let router = LinkRouter([try LinkRoute(pattern, entry: "Team", reveal: reveal)])
        let found = try router.destination(of: "acme://team/red/7").get()
        #expect(found.revealed?.text == "7")
        #expect(found.content.member("team")?.text == "red" && found.content.member("id") == nil)
    }

    static let pairs: [(String, String, Bool)] = [
        ("acme://pay/{id}", "acme://pay/{other}", true), ("acme://pay/{id}", "ACME://pay/7", true),
        ("acme://pay/{id:integer}", "acme://pay/new", false), ("acme://pay/{id:integer}", "acme://pay/7", true),
        ("acme://{what}/{id}", "acme://pay/7", true), ("acme://pay/{id}", "acme://pay", false),
        ("acme://pay/{id}", "acme2://pay/{id}", false), ("acme://pay", "acme://Pay", false),
        ("acme://pay?a=1", "acme://pay?a=2", false), ("acme://pay?a=1", "acme://pay?b=2", true),
        ("acme://pay?a={x}", "acme://pay", true),
    ]

    @Test(arguments: pairs) func `Two patterns overlap if an address can be one of both`(
        _ one: String, _ other: String, _ overlap: Bool
    ) throws {
        let (one, other) = (try LinkPattern(one), try LinkPattern(other))
        #expect(one.overlaps(other) == overlap && other.overlaps(one) == overlap)
    }

    @Test func `U5: A link whose row is not there is pending while the list loads, and then not found`() throws {
        let router = try Self.router()
        let visit = LinkVisit(try router.destination(of: "acme://events/5").get(), at: 100)
        #expect(visit.result(hasRow: false, isLoading: true, at: 101) == .pending)
        #expect(visit.result(hasRow: true, isLoading: true, at: 102) == .handled)
        guard case .notFound(let reason) = visit.result(hasRow: false, isLoading: false, at: 103) else {
            Issue.record("it must not be found")
            return
        }
        #expect(reason == "the list events has no row whose id is \"5\"")
        guard case .notFound = visit.result(hasRow: false, isLoading: true, at: 100 + LinkVisit.patience) else {
            Issue.record("it must not wait for ever")
            return
        }
        let home = LinkVisit(try router.destination(of: "acme://home").get(), at: 100)
        #expect(home.result(hasRow: false, isLoading: true, at: 100) == .handled)
    }
}

extension PredicateValue {
    fileprivate func member(_ key: String) -> PredicateValue? {
        if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }
}
