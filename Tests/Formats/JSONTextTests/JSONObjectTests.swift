import JSONText
import Testing

@Suite struct `A JSON object` {
    @Test(arguments: [
        Refused(#"{"a":1,"a":2}"#, .duplicateName("a"), 7),
        Refused(#"{"a":1,"a":1}"#, .duplicateName("a"), 7),
        Refused(#"{"a":1,"b":2,"\u0061":3}"#, .duplicateName("a"), 13),
        Refused(#"{"":1,"":2}"#, .duplicateName(""), 6),
        Refused("{\"ä\":1,\n \"\\u00e4\":2}", .duplicateName("ä"), 10, line: 2, column: 2),
        Refused(#"{"o":{"x":1,"y":2,"x":3}}"#, .duplicateName("x"), 18, path: "o"),
        Refused(#"[{},{"x":{},"x":[]}]"#, .duplicateName("x"), 12, path: "[1]"),
        Refused(#"{"\ud83d\udca9":1,"💩":2}"#, .duplicateName("💩"), 18),
        Refused(#"{"a\/b":1,"a/b":2}"#, .duplicateName("a/b"), 10),
        Refused(#"{"a":1,"b":1,"b":1,"a":1}"#, .duplicateName("b"), 13),
        Refused(#"{"\u0000":1,"\u0000":2}"#, .duplicateName("\u{0}"), 12),
    ])
    func `A JSON object is refused when it has a name twice`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        Refused("{\"\u{E9}\":1,\"e\u{301}\":2}", .equivalentName("e\u{301}"), 8, column: 8),
        Refused("{\"e\u{301}\":1,\n\"\u{E9}\":2}", .equivalentName("\u{E9}"), 10, line: 2, column: 1),
        Refused("{\"K\":1,\"\u{212A}\":2}", .equivalentName("\u{212A}"), 7),
        Refused(#"{"K":1,"\u212a":2}"#, .equivalentName("\u{212A}"), 7),
        Refused("{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{E9}\":3}", .equivalentName("e\u{301}"), 8, column: 8),
        Refused(
            "{\"o\":[{\"\u{AC00}\":1,\"\u{1100}\u{1161}\":2}]}", .equivalentName("\u{1100}\u{1161}"), 15, column: 14,
            path: "o[0]"),
    ])
    func `A JSON object is refused when two of its names are one text to Unicode`(_ refused: Refused) {
        refused.check()
    }

    @Test(arguments: [3, 17, 2_000])
    func `A JSON object is refused when two of many names are one text to Unicode`(_ count: Int) {
        let members = (0..<count).map { "\"\u{212B}\($0)\":\($0)" }
        let text = "{" + (members + ["\"\u{C5}2\":0", "\"A\u{30A}1\":0"]).joined(separator: ",") + "}"
        let offset = members.reduce(1) { $0 + $1.utf8.count + 1 }
        let column = members.reduce(2) { $0 + $1.unicodeScalars.count + 1 }
        Refused(text, .equivalentName("\u{C5}2"), offset, column: column).check()
    }

    @Test func `A JSON object may have names that only look alike`() throws {
        let text =
            "{\"\u{FB01}\":0,\"fi\":1,\"\u{FF2B}\":2,\"K\":3,\"k\":4,\"\u{410}\":5,\"A\":6,\"\u{DF}\":7,\"ss\":8}"
        #expect(try JSONValue(parsing: Array(text.utf8)).object?.count == 9)
    }

    @Test(arguments: [17, 40, 1_000, 20_000])
    func `A JSON object is refused when it has a name twice among many`(_ count: Int) {
        let members = (0..<count).map { "\"k\($0)\":\($0)" }
        let text = "{" + (members + ["\"k3\":0", "\"k1\":0"]).joined(separator: ",") + "}"
        let offset = members.reduce(1) { $0 + $1.utf8.count + 1 }
        Refused(text, .duplicateName("k3"), offset).check()
    }

    @Test(arguments: [0, 1, 2, 16, 17, 1_000])
    func `A JSON object keeps its order and finds every member`(_ count: Int) throws {
        let text = "{" + (0..<count).map { "\"name \($0 * 7_919 % 1_009)\":\($0)" }.joined(separator: ",") + "}"
        let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
        #expect(object.count == count)
        for (index, member) in object.members.enumerated() {
            #expect(member.value.integer == Int64(index))
            #expect(object[member.name]?.integer == Int64(index))
            #expect(Array(text.utf8)[member.nameSpan.offset] == UInt8(ascii: "\""))
        }
        #expect(object["name"] == nil)
        #expect(object[""] == nil)
    }

    @Test func `A JSON object distinguishes names that look the same`() throws {
        let object = try #require(
            try JSONValue(parsing: Array("{\"\u{E9}\":1,\"E\":3,\"e\":4,\"\u{435}\":5}".utf8)).object)
        #expect(object["\u{E9}"]?.integer == 1)
        // A member is found by the code points of its name.
        #expect(object["e\u{301}"] == nil)
        #expect(object["\u{435}"]?.integer == 5)
        #expect(object["e"]?.integer == 4)
    }

    /// Names whose 32-bit fingerprints are equal, found by search; they must stay different names, and
    /// real duplicates among them must be seen.
    @Test func `A JSON object distinguishes names whose fingerprints collide`() throws {
        let colliding = ["costarring", "liquid", "declinate", "macallums", "altarage", "zinke", "altarages", "zinkes"]
        let fillers = (0..<40).map { "f\($0)" }
        let names = colliding + fillers
        let text = "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        let object = try #require(try JSONValue(parsing: Array((text + "}").utf8)).object)
        for (index, name) in names.enumerated() { #expect(object[name]?.integer == Int64(index)) }
        Refused(text + ",\"liquid\":0}", .duplicateName("liquid"), text.utf8.count + 1).check()
    }

    @Test func `A JSON object cannot be made of members with one name`() {
        let member = JSONObject.Member("a", JSONValue(.null))
        #expect(JSONObject([member, member]) == nil)
        #expect(JSONObject([member])?["a"]?.isNull == true)
    }

    @Test func `A JSON object equals another order of the same members, but not other members`() throws {
        func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
        #expect(try value(#"{"a":1,"b":[true,{"c":null}]}"#) == value(#"{ "b": [true, {"c": null}], "a": 1.0 }"#))
        #expect(try value(#"{"a":1}"#) != value(#"{"a":1,"b":2}"#))
        #expect(try value(#"{"a":1}"#) != value(#"{"b":1}"#))
        #expect(try value(#"{"a":1}"#) != value(#"{"a":2}"#))
        #expect(try value("[1,2]") != value("[2,1]"))
        #expect(try value("[1,2]") != value("[1]"))
        #expect(try value("{}") != value("[]"))
    }
}
