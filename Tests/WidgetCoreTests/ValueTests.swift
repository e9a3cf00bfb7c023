import JSONText
import Predicates
import Testing
import WidgetCore

/// Goal: data are the same, whichever way they came. Method: documents read both ways.
@Suite struct `A value of a document` {
    @Test(arguments: [
        "null", "true", "[false, 0, -1, 9223372036854775807, 9223372036854775808, 1.5, 1e400, \"\", \"é\\n\"]", "{}",
        "[[], {}, [[]]]",
        "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}, {\"b\": 5, \"a\": 6}, {\"a\": 7}, {\"a\": {\"a\": 8, \"b\": {\"a\": 9}}}]",
    ])
    func `is the same without a tree between`(text: String) throws {
        let bytes = Array(text.utf8)
        let made = Value(try JSONTable(parsing: bytes).root)
        #expect(made.isIdentical(to: Value(try JSONValue(parsing: bytes))))
    }

    @Test func `finds its members among few and among many, alike ones and others`() throws {
        for count in [1, 12, 13, 40] {
            let members = { (round: Int) in
                "{" + (0..<count).map { "\"k\($0)\": \(round * 1_000 + $0)" }.joined(separator: ",") + "}"
            }
            let text = "[" + (0..<20).map(members).joined(separator: ",") + "]"
            let rows = try #require(Value(try JSONTable(parsing: Array(text.utf8)).root).elements)
            for (round, row) in rows.enumerated() {
                for place in 0..<count {
                    #expect(row.member("k\(place)").isIdentical(to: .integer(Int64(round * 1_000 + place))))
                }
                #expect(row.member("k\(count)").isNull)
            }
        }
    }
}
