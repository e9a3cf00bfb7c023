import JSONText
import Testing
import WidgetBytes
import WidgetTestSupport

@Suite struct `A JSON document` {
    @Test(arguments: [
        "[]", "{}", " [ ] ", "\n{\r\n}\t", "[[]]", "[{}]", "{\"a\":{}}", "[1,2]", "[ 1 , 2 ]", "[\"\"]", "{\"\":0}",
        "[null]",
        "[true,false]", "{\"a\":1,\"b\":2}", "{\"a\":[1,{\"b\":null}],\"c\":\"d\"}", "\t[\t]\t", "\r[\r]\r",
        "[[[[[]]]]]",
        "[1\n]", "{\"a\"\n:\n1}", "[{\"a\":1},{\"a\":1}]", "{\"a\":{\"a\":{\"a\":1}}}", "[\"a\",\"a\"]", "[0,-0,0.0]",
        "[\"[\",\"{\"]",
        "{\"a\":\"}\",\"b\":\"\\\"}\"}",
    ])
    func `A JSON document is accepted with a container at its root`(_ text: String) throws {
        let document = try JSONDocument(parsing: Array(text.utf8), root: .container)
        #expect(document.root.array != nil || document.root.object != nil)
        var writer = JSONWriter()
        writer.value(document.root)
        #expect(try JSONValue(parsing: writer.bytes) == document.root)
    }

    @Test(arguments: ["1", "-0", " \"a\" ", "null", "true\n", "\nfalse"])
    func `A JSON document is accepted with any value at its root, when that is asked for`(_ text: String) throws {
        #expect(try JSONDocument(parsing: Array(text.utf8)).root.array == nil)
    }

    @Test func `A JSON document keeps the order, text and place of every value`() throws {
        let document = try JSONDocument(parsing: Array(JSONDocumentSample.text.utf8))
        let root = try #require(document.root.object)
        #expect(root.members.map(\.name) == ["version", "title", "list", "nested"])
        #expect(root["version"]?.number?.text == "1.50")
        #expect(root["title"]?.string == "Zürich \"x\"")
        #expect(root["list"]?.array?.count == 7)
        let smile = try #require(root["list"]?.array?.last)
        #expect(smile.span.position(in: document.bytes) == TextPosition(line: 3, column: 49))
        #expect(document.lines.position(of: smile.span.offset) == TextPosition(line: 3, column: 49))
        #expect(Array(document.bytes[smile.span.range]) == Array("\"😀\"".utf8))
        let list = try #require(root["list"])
        #expect(String(decoding: document.bytes[list.span.range], as: UTF8.self).hasPrefix("[ [], {}"))
        #expect(document.root.span.range == 0..<document.bytes.count - 1)
    }

    @Test func `A JSON document is written again in its order with its numbers as they were`() throws {
        var writer = JSONWriter()
        let document = try JSONValue(parsing: Array(JSONDocumentSample.text.utf8))
        writer.object { writer in
            writer.member("first", 1)
            writer.member("document", document)
            writer.member("last", 2)
        }
        let expected =
            #"{"first":1,"document":{"version":1.50,"title":"Zürich \"x\"","list":[[],{},[null],-1e3,true,false,"😀"],"#
            + #""nested":{"a":{"b":{"c":[1,[2,[3]]]}},"":""}},"last":2}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test func `A JSON document is refused as truncated wherever it is cut`() throws {
        let bytes = Array(JSONDocumentSample.text.utf8)
        for end in 1..<bytes.count - 1 {
            let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(bytes[..<end])) }
            #expect(error?.reason == .truncated, "cut at \(end)")
            #expect(error?.offset == end, "cut at \(end)")
        }
    }

    @Test func `A JSON document with any byte replaced is refused or means something else`() throws {
        let bytes = Array(JSONDocumentSample.text.utf8)
        let whole = try JSONValue(parsing: bytes)
        for index in bytes.indices {
            for replacement: UInt8 in [0x00, 0x22, 0x5C, 0x7B, 0x5D, 0x2C, 0x80, 0xFF] where bytes[index] != replacement
            {
                var changed = bytes
                changed[index] = replacement
                guard let value = try? JSONValue(parsing: changed) else { continue }
                #expect(value != whole, "byte \(index) as \(replacement)")
            }
        }
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func `A JSON document is refused at the depth limit, however deep the rest is`(_ opening: String) {
        let perTurn = opening.utf8.reduce(0) { $1 == 0x5B || $1 == 0x7B ? $0 + 1 : $0 }
        let bytes = Array(String(repeating: opening, count: 100_000 / perTurn).utf8)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.reason == .limitReached(.depth, limit: 64))
        #expect(error?.path.steps.count == 64)
        #expect(error?.line == 1)
        #expect(error.map { $0.column == $0.offset + 1 } == true)
        let brackets = error.map { bytes[...$0.offset].count { $0 == 0x5B || $0 == 0x7B } }
        #expect(brackets == 65)
    }

    @Test func `A JSON document is accepted at each limit and refused one above it`() throws {
        let nested = Array((String(repeating: "[", count: 64) + String(repeating: "]", count: 64)).utf8)
        #expect(throws: Never.self) { try JSONValue(parsing: nested) }
        Refused("[[1]]", .limitReached(.depth, limit: 1), 1, path: "[0]").check(limits: JSONLimits(depth: 1))
        #expect(throws: Never.self) { try JSONValue(parsing: Array("[1,2]".utf8), limits: JSONLimits(valueCount: 3)) }
        Refused("[1,2,3]", .limitReached(.valueCount, limit: 3), 5, path: "[2]").check(
            limits: JSONLimits(valueCount: 3))
        Refused("{\"a\":{}}", .limitReached(.valueCount, limit: 1), 5, path: "a").check(
            limits: JSONLimits(valueCount: 1))
        #expect(throws: Never.self) { try JSONValue(parsing: Array("[1]".utf8), limits: JSONLimits(byteCount: 3)) }
        Refused("[1] ", .limitReached(.byteCount, limit: 3), 3).check(limits: JSONLimits(byteCount: 3))
        #expect(JSONLimits(depth: 1_000_000).depth == JSONLimits.deepest)
    }

    @Test func `A JSON document of the greatest depth is compared, written and freed`() throws {
        let depth = JSONLimits.deepest
        let bytes = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        let value = try JSONValue(parsing: bytes, limits: JSONLimits(depth: depth))
        #expect(try value == JSONValue(parsing: bytes, limits: JSONLimits(depth: depth)))
        var writer = JSONWriter()
        writer.value(value)
        #expect(writer.bytes == bytes)
    }

    /// Two hundred thousand containers in one: were each to cost a look at all before it, this would take hours, and a quarter of
    /// them a sixteenth.
    @Test func `A JSON document takes time in proportion to its containers`() throws {
        func spent(_ count: Int) throws -> Duration {
            let text = Array(
                ("[" + Array(repeating: "[1],{\"a\":2}", count: count / 2).joined(separator: ",") + "]").utf8)
            let limits = JSONLimits(byteCount: 1 << 22, valueCount: 2 * count + 1)
            return try ProcessorTime.spent {
                let value = try JSONValue(parsing: text, limits: limits)
                #expect(value.array?.count == count)
                #expect(value.array?.last?["a"]?.integer == 2)
            }
        }
        let quarter = try spent(50_000)
        let whole = try spent(200_000)
        #expect(whole <= quarter * 10)
    }

    @Test func `A JSON document shows a refusal in one line`() {
        let error = #expect(throws: JSONError.self) {
            try JSONDocument(parsing: Array("{\"a\":\n {\"b c\": tru}}".utf8))
        }
        #expect(error?.description == "line 2, column 10 (a[\"b c\"]): expected true, false or null")
    }
}

enum JSONDocumentSample {
    static let text =
        "{\n  \"version\": 1.50, \"title\" : \"Zür\\u0069ch \\\"x\\\"\",\r\n"
        + "\t\"list\": [ [], {}, [ null ], -1e3, true, false, \"😀\" ],\n"
        + "  \"nested\": {\"a\": {\"b\": {\"c\": [1, [2, [3]]]}}, \"\": \"\"}\n}\n"
}

@Suite struct `A JSON writer` {
    @Test func `A JSON writer keeps the order of its calls and puts commas where they belong`() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("b", 1)
            writer.key("a")
            writer.array { writer in
                writer.string("x")
                writer.boolean(false)
                writer.null()
                writer.object { _ in }
            }
            writer.member("c", 1.5)
        }
        #expect(String(decoding: writer.finish(), as: UTF8.self) == #"{"b":1,"a":["x",false,null,{}],"c":1.5}"# + "\n")
    }

    @Test func `A JSON writer escapes characters that would end a string or hide in it`() {
        var writer = JSONWriter()
        writer.string("\"\\\n\r\t\u{0}\u{1F}\u{7F}é")
        #expect(String(decoding: writer.finish(), as: UTF8.self) == #""\"\\\n\r\t\u0000\u001f\u007fé""# + "\n")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `A JSON writer writes null for a number JSON cannot say`(_ value: Double) {
        var writer = JSONWriter()
        writer.number(value)
        #expect(writer.finish() == Array("null\n".utf8))
    }
}
