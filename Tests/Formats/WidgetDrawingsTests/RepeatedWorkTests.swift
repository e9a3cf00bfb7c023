import Testing

@testable import WidgetDrawings

/// Goal: parts that a few bytes repeat cannot take more work than the limits. Method: files of a few kilobytes that ask
/// for the same long part again and again; each is refused by the count, or drawn because the part is read once.
@Suite struct `Repeated parts of drawings` {
    typealias Hostile = `Hostile drawings`

    static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    static let uses = times(400, "<use href='#a'/>")

    @Test(arguments: [
        "<text id='a'>\(times(500, "<tspan/>"))</text>",
        "<g id='a'>\(times(500, "<title/>"))</g>",
        "<path id='a'>\(times(500, "<title/>"))</path>",
        "<path id='a' d='\(times(1_000, "M0 0"))'/>",
        "<polygon id='a' points='\(times(4_000, " "))'/>",
        "<g id='a' transform='\(times(500, "scale(1)"))'/>",
        "<g id='a' class='\(times(2_000, "b "))'/>",
        "<g id='a' style='\(times(4_000, ";"))'/>",
    ])
    func `An element that is used again and again is counted each time`(_ element: String) {
        #expect(Hostile.limit(Hostile.svg("<defs>\(element)</defs>\(Self.uses)")) == .work)
        #expect(Hostile.error(Hostile.svg("<defs>\(element)</defs><use href='#a'/>")) == nil)
    }

    @Test func `Rules that an element is compared with are counted, and the same class once`() {
        let rules = "<style>\(Self.times(900, "b.a{fill:red}"))</style>"
        let few = "<rect class='\(Self.times(3_000, "a "))'/>"
        #expect(Hostile.error(Hostile.svg(rules + few)) == nil)
        #expect(Hostile.limit(Hostile.svg(rules + Self.times(200, "<rect class='a'/>"))) == .work)
        let long = "<style>.a{fill:red;--b:\(Self.times(4_000, "b"))}</style>"
        #expect(Hostile.limit(Hostile.svg(long + Self.times(200, "<rect class='a'/>"))) == .work)
        let named = "<style>\(Self.times(900, "b{fill:red}"))</style>"
        #expect(Hostile.error(Hostile.svg(named + Self.times(200, "<rect/>"))) == nil)
    }

    @Test func `Dashes that paint nothing are counted`() {
        let dashed = "<path fill='none' stroke='red' stroke-dasharray='0 .01' d='M0 0H100'/>"
        #expect(Hostile.error(Hostile.svg(dashed)) == nil)
        #expect(Hostile.limit(Hostile.svg(Self.times(50, dashed))) == .work)
    }

    @Test func `A pattern of dashes has a limit`() {
        let lengths = Self.times(1_001, "1 ")
        let parts = [
            WrittenPDF(content: "[\(lengths)] 0 d"),
            WrittenPDF(content: "/D gs", resources: "/ExtGState << /D << /D [[\(lengths)] 0] >> >>"),
        ]
        for pdf in parts {
            #expect(
                Hostile.error(pdf.bytes())?.reason == .malformed("a list of numbers is malformed, or too long"))
        }
        let svg = Hostile.svg("<path stroke='red' stroke-dasharray='\(lengths)' d='M0 0H9'/>")
        #expect(Hostile.error(svg)?.reason == .unsupported(.strokes))
    }

    @Test func `Rows of an outline are counted by their width, and an empty outline not at all`() throws {
        let wide = "<svg viewBox='0 0 16000 1'>\(Self.times(600, "<path d='M0 0H1V1z'/>"))</svg>"
        #expect(Hostile.limit(Array(wide.utf8)) == .work)
        #expect(Hostile.error(Array(wide.replacing("M0 0H1V1z", with: "M0 -1H1V-2z").utf8)) == nil)
    }

    @Test func `Clips that cut nothing take no room`() {
        let clip = "0 0 m 100 0 l 0 100 l W n "
        let covering = Self.times(200, "0 0 100 100 re W n ")
        #expect(Hostile.error(WrittenPDF(content: clip + covering + "0 0 9 9 re f").bytes()) == nil)
        #expect(Hostile.limit(WrittenPDF(content: Self.times(40, clip)).bytes()) == .layerPixelCount)
        #expect(Hostile.error(WrittenPDF(content: Self.times(40, "q \(clip) Q ")).bytes()) == nil)
    }

    @Test func `The stops and the colours of a gradient are read once for all shapes`() {
        let gradient = "<linearGradient id='g'>\(Self.times(500, "<stop/><!-- -->"))</linearGradient>"
        func shapes(_ count: Int) -> String { "<g fill='url(#g)'>\(Self.times(count, "<path d='M0 0H1V1'/>"))</g>" }
        #expect(Hostile.error(Hostile.svg(gradient + shapes(500))) == nil)
        let short = "<linearGradient id='g'><stop/><stop offset='1' stop-color='red'/></linearGradient>"
        var limits = Hostile.limits
        limits.work = 1_000 * DrawingGradient.tableSize
        #expect(Hostile.error(Hostile.svg(short + shapes(1_200)), limits) == nil)
    }

    // MARK: - PDF

    static func reading(_ pdf: WrittenPDF) -> DrawingError? {
        do throws(DrawingError) {
            _ = try Drawing(parsing: pdf.bytes(), limits: Hostile.limits)
            return nil
        } catch {
            return error
        }
    }

    static let shading = "/ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 9 0]"

    @Test func `A shading that is used again and again is counted each time`() {
        let function = "/Function << /FunctionType 2 /Domain [0 1] /N 2 >>"
        let pdf = { (content: String) in
            WrittenPDF(
                content: content,
                resources: "/Shading << /S << \(Self.shading) \(function) >> >> "
                    + "/Pattern << /P << /PatternType 2 /Shading << \(Self.shading) \(function) >> >> >>")
        }
        #expect(Self.reading(pdf("/S sh /Pattern cs /P scn")) == nil)
        let work = DrawingError.Reason.limitReached(.work, limit: Hostile.limits.work)
        #expect(Self.reading(pdf(Self.times(1_000, "/S sh ")))?.reason == work)
        #expect(Self.reading(pdf("/Pattern cs " + Self.times(1_000, "/P scn ")))?.reason == work)
    }

    @Test func `Functions in each other are counted each time they are named`() {
        func pieces(_ number: Int) -> String {
            let functions = Self.times(30, "\(number) 0 R ")
            return "<< /FunctionType 3 /Domain [0 1] /Functions [\(functions)] "
                + "/Bounds [\(Self.times(29, ".5 "))] /Encode [\(Self.times(60, "0 "))] >>"
        }
        let pdf = WrittenPDF(
            content: "/S sh", resources: "/Shading << /S << \(Self.shading) /Function 5 0 R >> >>",
            objects: [pieces(6), pieces(7), "<< /FunctionType 2 /Domain [0 1] /N 1 >>"])
        #expect(Self.reading(pdf) == nil)
        let deep = WrittenPDF(
            content: "/S sh", resources: pdf.resources, objects: [pieces(6), pieces(7), pieces(8), pdf.objects[2]])
        #expect(Hostile.limit(deep.bytes()) == .elementCount)
    }

    @Test func `Numbers of functions that are too large are refused`() {
        let huge = Self.times(300, "9")
        let samples = "/FunctionType 0 /Range [0 1] /Size [2] /BitsPerSample 8 /Length 2"
        for domain in ["-\(huge) \(huge)", "0 \(huge)\(huge)", "0 10000001"] {
            let pieces = "<< /FunctionType 3 /Domain [0 1] /Functions [5 0 R] /Bounds [] /Encode [\(domain)] >>"
            for function in [
                "<< \(samples) /Domain [\(domain)] >>", "<< \(samples) /Domain [0 1] /Decode [\(domain)] >>",
                "<< \(samples) /Domain [0 1] /Range [\(domain)] >>",
            ] {
                let pdf = WrittenPDF(
                    content: "/S sh", resources: "/Shading << /S << \(Self.shading) /Function \(pieces) >> >>",
                    objects: ["\(function)\nstream\nab\nendstream"])
                #expect(
                    Hostile.error(pdf.bytes())?.reason == .malformed("a list of numbers is malformed, or too long"))
            }
        }
    }

    @Test func `Streams are counted each time they are read, also those without a filter`() {
        let form = "<< /Subtype /Form /Length 8000 >>\nstream\n\(Self.times(8_000, " "))\nendstream"
        let few = WrittenPDF(content: "/F Do ", resources: "/XObject << /F 5 0 R >>", objects: [form])
        #expect(Hostile.error(few.bytes()) == nil)
        let many = WrittenPDF(content: Self.times(100, "/F Do "), resources: few.resources, objects: few.objects)
        #expect(Hostile.limit(many.bytes()) == .byteCount)
        let empty = "<< /Subtype /Form /Filter /FlateDecode /Length 0 >>\nstream\n\nendstream"
        let unpacked = WrittenPDF(content: Self.times(1_000, "/F Do "), resources: few.resources, objects: [empty])
        #expect(Hostile.limit(unpacked.bytes()) == .work)
    }

    /// A file whose table has the numbers from 5 on at those places behind the first byte of an object.
    static func aliased(_ object: String, _ places: [Int]) -> [UInt8] {
        let numbers = places.indices.map { $0 + 5 }
        let states = numbers.map { "/A\($0) \($0) 0 R" }.joined(separator: " ")
        let pdf = WrittenPDF(
            content: numbers.map { "/A\($0) gs" }.joined(separator: " "),
            resources: "/ExtGState << \(states) >>")
        let written = pdf.bytes()
        let start = written.count
        let offsets = places.map { place in
            let digits = String(start + place)
            return Self.times(10 - digits.count, "0") + digits + " 00000 n \n"
        }
        let table = "xref\n5 \(places.count)\n\(offsets.joined())trailer\n<< /Root 1 0 R /Prev "
        let first = written.place(of: "xref\n", from: 0) ?? 0
        return written + Array(object.utf8)
            + Array("\n\(table)\(first) >>\nstartxref\n\(start + object.utf8.count + 1)\n%%EOF".utf8)
    }

    @Test func `Many numbers of one object read it once, and objects in each other are counted`() {
        let array = "5 0 obj [\(Self.times(20_000, " "))] endobj"
        #expect(Hostile.error(Self.aliased(array, Array(repeating: 0, count: 100))) == nil)
        let opening = "5 0 obj (" + Self.times(291, " ")
        let nested = Self.times(100, opening) + Self.times(100, ")") + " endobj"
        #expect(Hostile.limit(Self.aliased(nested, (0..<100).map { $0 * 300 })) == .byteCount)
    }
}
