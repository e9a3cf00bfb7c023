import JSONText
import Testing

@Suite struct `A JSON writer` {
    @Test func `keeps the order it is told and puts commas where they belong`() {
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

    @Test func `escapes what would end a string or hide in it`() {
        var writer = JSONWriter()
        writer.string("\"\\\n\r\t\u{0}\u{1F}\u{7F}é")
        #expect(String(decoding: writer.finish(), as: UTF8.self) == #""\"\\\n\r\t\u0000\u001f\u007fé""# + "\n")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `writes null for a number JSON cannot say`(_ value: Double) {
        var writer = JSONWriter()
        writer.number(value)
        #expect(writer.finish() == Array("null\n".utf8))
    }
}
