import JSONText
import Testing

/// Goal: no string that is read takes long to be compared or hashed. Without the limit, each of these would.
@Suite struct `A letter with many combining marks` {
    private static let pair = "\u{301}\u{323}"
    private static let refusal = JSONError.Reason.limitReached(.markCount, limit: 64)

    @Test func `is refused in strings and in names, with its place`() {
        let marks = String(repeating: Self.pair, count: 100_000)
        Refused("[1, \"e\(marks)\"]", Self.refusal, 134, column: 71, path: "[1]").check()
        Refused("{\"a\": \"e\(marks)\"}", Self.refusal, 136, column: 73, path: "a").check()
        Refused("{\"e\(marks)\": 1}", Self.refusal, 131, column: 68).check()
        Refused("{\"e\(marks)\": 1}", Self.refusal, 131, column: 68).check(root: .container)
    }

    @Test func `is refused however its marks are written`() {
        let escaped = String(repeating: #"\u0301"#, count: 65)
        Refused("[\"\(escaped)\"]", Self.refusal, 2 + 64 * 6, path: "[0]").check()
        let both = String(repeating: "\u{301}" + #"\u0323"#, count: 33)
        Refused("[\"\(both)\"]", Self.refusal, 2 + 32 * 8, column: 3 + 32 * 7, path: "[0]").check()
        let above = String(repeating: #"\uD834\uDD65"#, count: 65)
        Refused("[\"\(above)\"]", Self.refusal, 2 + 64 * 12, path: "[0]").check()
    }

    @Test func `is read where there are no more than any writing needs`() throws {
        let most = "e" + String(repeating: Self.pair, count: 32)
        for text in [most, most + most, most + #"\n"# + most.dropFirst(), most + "x" + Self.pair] {
            #expect(throws: Never.self) { try JSONValue(parsing: Array("{\"\(text)\": \"\(text)\"}".utf8)) }
        }
        Refused("[\"e\(Self.pair)\"]", .limitReached(.markCount, limit: 1), 5, column: 5, path: "[0]")
            .check(limits: JSONLimits(markCount: 1))
    }

    @Test func `is said in a sentence`() {
        #expect("\(Self.refusal)" == "more than 64 combining marks stand on one letter")
    }
}
