import Testing

@testable import WidgetPredicates

/// Goal: predicates that must fail are reported before any object exists. Method: predicates against one schema.
@Suite struct `A check against a schema` {
    static let schema = PredicateSchema(
        records: [
            "Post": [
                "title": .string, "likes": .number, "isNew": .boolean, "date": .date, "picture": .data,
                "tags": .collection(.string), "author": .record("Author"), "comments": .collection(.record("Comment")),
                "extra": .any,
            ],
            "Author": ["name": .string, "posts": .collection(.record("Post"))],
            "Comment": ["text": .string, "stars": .number],
        ], subject: .record("Post"), variables: ["input": .string])

    @Test(arguments: [
        ("titel == 'x'", "unknown-key 0"), ("author.nam == 'x'", "unknown-key 0"), ("title.foo == 1", "unknown-key 0"),
        ("likes > 1 AND author.age > 5", "unknown-key 14"), ("ANY comments.star > 1", "unknown-key 4"),
        ("SUBQUERY(comments, $c, $c.foo == 1).@count > 0", "unknown-key 23"),
        ("comments.@sum.star > 1", "unknown-key 0"), ("likes CONTAINS 'x'", "operand-type 0"),
        ("title CONTAINS 5", "operand-type 15"), ("date BEGINSWITH '2'", "operand-type 0"),
        ("likes LIKE '5'", "operand-type 0"), ("author MATCHES 'x'", "operand-type 0"),
        ("title + 1 == 2", "operand-type 0"), ("-date == 1", "operand-type 1"),
        ("uppercase(likes) == 'X'", "operand-type 10"),
        ("sqrt(title) > 1", "operand-type 5"), ("comments.@avg.text > 1", "operand-type 0"),
        ("likes BETWEEN {1, 2, 3}", "operand-type 14"), ("likes BETWEEN title", "operand-type 14"),
        ("likes IN title", "operand-type 0"), ("title == 5", "never-true 0"), ("likes == 'x'", "never-true 0"),
        ("date == 5", "never-true 0"), ("tags == 'x'", "never-true 0"), ("likes > nil", "never-true 0"),
        ("title IN {}", "never-true 0"), ("likes IN {'a', 'b'}", "never-true 0"), ("likes IN tags", "never-true 0"),
        ("tags CONTAINS 5", "never-true 0"), ("likes BETWEEN {10, 1}", "never-true 0"),
        ("ANY tags == 5", "never-true 0"),
        ("$input == 5", "never-true 0"), ("title > 5", "incomparable 0"), ("date < 'x'", "incomparable 0"),
        ("author > 1", "incomparable 0"), ("likes BETWEEN {1, 'x'}", "incomparable 18"), ("tags < 1", "incomparable 0"),
        ("ANY title == 'x'", "collection-expected 4"), ("title[FIRST] == 'x'", "collection-expected 0"),
        ("SUBQUERY(title, $x, $x == 1).@count > 0", "collection-expected 9"),
        ("likes.@count > 1", "collection-expected 0"),
        ("likes IN 5", "collection-expected 9"),
    ])
    func `A check against a schema reports predicates that must fail`(_ text: String, _ complaint: String) throws {
        let complaints = Self.schema.complaints(about: try SyntaxTree.predicate(text))
        #expect(complaints.map { "\($0.code.rawValue) \($0.offset)" } == [complaint])
    }

    @Test(arguments: [
        "title == 'x'", "likes > 1.5", "isNew == 1", "isNew == TRUE", "likes == TRUE", "date > CAST(0, 'NSDate')",
        "tags CONTAINS 'x'", "ANY tags == 'x'", "author.name BEGINSWITH[c] $input", "author.posts.title == nil",
        "ANY author.posts.comments.stars != nil", "extra.anything.at.all > 'x'", "title.length > 3", "title == nil",
        "SUBQUERY(comments, $c, $c.stars > 3 AND $c.text LIKE 'x*').@count > 1", "comments.@sum.stars > 5",
        "comments.@max.stars BETWEEN {1, 5}", "title IN {'a', 'b', nil}", "likes IN {1, 2.5}", "title IN 'abc'",
        "tags == {'a'}", "$other == 5", "likes + 1 > 2 ** 3", "date.timeIntervalSince1970 > 5", "likes != 'x'",
        "TERNARY(isNew == 1, title, author.name) CONTAINS 'x'", "CAST(likes, 'NSString') LIKE '5'",
        "tags[0] == 'x'", "tags[SIZE] > 1", "uppercase(title) == 'X'", "now() > date", "author == author",
        "SUBQUERY(comments, $input, $input.stars > 1).@count > 0", "comments.stars.@sum.self > 1",
    ])
    func `A check against a schema accepts predicates that can succeed`(_ text: String) throws {
        #expect(Self.schema.complaints(about: try SyntaxTree.predicate(text)).map(\.description) == [])
    }

    @Test func `A check against an empty schema reports nothing`() throws {
        let complaints = PredicateSchema().complaints(about: try SyntaxTree.predicate("a.b CONTAINS c AND d > 'x'"))
        #expect(complaints.isEmpty)
    }

    @Test func `A check against a schema suggests a similar key`() throws {
        let complaints = Self.schema.complaints(about: try SyntaxTree.predicate("titel == 'x'"))
        #expect(complaints.first?.hint == "did you mean title?")
    }
}
