import Testing

@testable import WidgetPredicates

@Suite struct `An evaluation` {
    /// An object as the engine's records are: it reads its keys itself.
    final class Account: PredicateObject {
        let name: String
        let friends: [Account]

        init(_ name: String, _ friends: [Account] = []) {
            self.name = name
            self.friends = friends
        }

        func value(forKey key: String) -> PredicateValue? {
            switch key {
            case "name": .string(name)
            case "friends": .array(friends.map { .object($0) })
            case "nothing": .null
            default: nil
            }
        }
    }

    @Test func `An evaluation reads objects by their keys`() throws {
        let friend = Account("Bob")
        let object = PredicateValue.object(Account("Ada", [friend]))
        #expect(try CompiledPredicate("name == 'Ada' AND friends.@count == 1").holds(for: object))
        #expect(try CompiledPredicate("ANY friends.name == 'Bob'").holds(for: object))
        #expect(try CompiledPredicate("friends[0] IN %@", arguments: [.array([.object(friend)])]).holds(for: object))
        #expect(try CompiledPredicate("nothing == nil").holds(for: object))
        #expect(try !CompiledPredicate("SELF == friends[0]").holds(for: object))
    }

    @Test(arguments: [("0x1F", 31), ("0XfF", 255), ("0o17", 15), ("0b101", 5), ("1 + 0x0", 1)])
    func `A number of another base may be the end of a text`(text: String, number: Int64) throws {
        #expect(try CompiledExpression(text).value(for: .null).isIdentical(to: .integer(number)))
    }

    @Test(arguments: [
        ("SUBQUERY(list, $x, $x.n > 1).@count", 2), ("SUBQUERY(list, $x, $x.n > 1)[SIZE]", 2),
        ("SUBQUERY(list, $x, $x.n > 1 AND $x.n < 3)[0].n", 2), ("SUBQUERY(list, $x, $x.n > least).@count", 1),
        ("SUBQUERY(list, $x, SELF.least == 2 AND $x.n == 1).@count", 1), ("SUBQUERY(list, $x, $x.n > $y).@count", 1),
        ("SUBQUERY(list, $x, NOT ($x.n == 1 OR $x.n == 2)).@sum.n", 3), ("SUBQUERY(list, $x, $y > 1).@count", 3),
        ("SUBQUERY(list, $y, $y.n > 1).@count + $y", 4), ("SUBQUERY(list, $x, $x[0] == 1).@count", 0),
        ("SUBQUERY(list, $x, SUBQUERY($x.parts, $x, $x > 1).@count == $x.n - 1).@count", 3),
        ("SUBQUERY(list, $x, SUBQUERY($x.parts, $z, $z == $x.n).@count == 1).@count", 3),
        ("SUBQUERY(list, $x, ($x := 7) == 7).@count", 3), ("SUBQUERY({4, 5}, $x, $x > 4).@max.intValue", 5),
        ("SUBQUERY(nothing, $x, $x.n > 1).@count", 0), ("SUBQUERY(list, $x, ANY $x.parts == 2).@count", 2),
    ])
    func `A SUBQUERY finds the same elements for every kind of predicate`(text: String, found: Int64) throws {
        let list = PredicateValue.array(
            (1...3).map { (number: Int64) in
                let parts = PredicateValue.array((1...number).map { .integer($0) })
                return .dictionary(PredicateDictionary([("n", .integer(number)), ("parts", parts)]))
            })
        let object = PredicateValue.dictionary(PredicateDictionary([("list", list), ("least", .integer(2))]))
        let expression = try CompiledExpression(text)
        let variables = try expression.bind(["y": .integer(2)])
        #expect(try expression.value(for: object, variables).equals(.integer(found)))
    }

    @Test func `An evaluation finds a text among canonically equivalent ones`() throws {
        let predicate = try CompiledPredicate("SELF IN %@", arguments: [.array([.integer(1), .string("x")])])
        #expect(try predicate.holds(for: .string("x")) && !predicate.holds(for: .string("X")))
        let among = try CompiledPredicate("SELF IN $list")
        for (text, twin) in [
            ("K", "\u{212A}"), ("a;", "a\u{37E}"), ("`", "\u{1FEF}"), ("é", "e\u{301}"), ("ab", "ab"), ("", ""),
        ] {
            let list = try among.bind(["list": .array([.null, .integer(3), .string("no"), .string(twin)])])
            #expect(
                try among.holds(for: .string(text), list) && !among.holds(for: .string(text + "1"), list), "\(text)")
        }
    }

    @Test func `An evaluation looks keys up in dictionaries of any size`() throws {
        for count in [1, 8, 12, 13, 100] {
            let members = (0..<count).map { ("key\($0)", PredicateValue.integer(Int64($0))) }
            let object = PredicateValue.dictionary(PredicateDictionary(members))
            #expect(try CompiledPredicate("key\(count - 1) == \(count - 1) AND other == nil").holds(for: object))
        }
    }

    @Test func `A key that an object does not have is an error`() throws {
        let predicate = try CompiledPredicate("name == 'Ada' AND age > 1")
        let error = #expect(throws: PredicateError.self) { try predicate.holds(for: .object(Account("Ada"))) }
        #expect(error?.code == .unknownKey)
        #expect(error?.offset == 18)
    }

    @Test func `An evaluation uses the time and the seed of its environment`() throws {
        let environment = PredicateEnvironment(now: 551_210_400, seed: 7)
        let text = try CompiledExpression("CAST(now(), 'NSString')")
        #expect(try text.value(for: .null, environment: environment).text == "2018-06-20 18:00:00 +0000")
        let dice = try CompiledExpression("{random(6), random(6), random(6)}")
        let first = try dice.value(for: .null, environment: environment)
        #expect(try dice.value(for: .null, environment: environment).isIdentical(to: first))
        let other = try dice.value(for: .null, environment: PredicateEnvironment(seed: 8))
        #expect(!other.isIdentical(to: first))
    }

    @Test func `An evaluation compares texts by the rules of its language`() throws {
        let plain = try CompiledPredicate("SELF ==[cl] 'I'")
        let turkish = try CompiledPredicate("SELF ==[cl] 'I'", locale: TextLocale(identifier: "tr_TR"))
        #expect(try plain.holds(for: .string("i")))
        #expect(try !turkish.holds(for: .string("i")))
        #expect(try turkish.holds(for: .string("ı")))
    }

    @Test func `An evaluation can be repeated with the same variables`() throws {
        let predicate = try CompiledPredicate("name BEGINSWITH[c] $input")
        let bindings = try predicate.bind(["input": .string("a")])
        #expect(try predicate.holds(for: .object(Account("Ada")), bindings))
        #expect(try !predicate.holds(for: .object(Account("Bob")), bindings))
    }

    @Test func `A subquery restores the variable that it uses`() throws {
        let expression = try CompiledExpression("{SUBQUERY({1, 2}, $x, $x > 1), $x}")
        let value = try expression.value(for: .null, expression.bind(["x": .integer(9)]))
        #expect(value.isIdentical(to: .array([.array([.integer(2)]), .integer(9)])))
    }

    @Test func `Many threads can evaluate one predicate at once`() async throws {
        let predicate = try CompiledPredicate("SUBQUERY({1, 2, 3}, $x, $x > SELF).@count == 2")
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { try predicate.holds(for: .integer(1)) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 200)
    }
}
