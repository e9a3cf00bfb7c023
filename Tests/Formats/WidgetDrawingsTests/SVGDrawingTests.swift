import Testing
import WidgetAssetCatalog

@testable import WidgetDrawings

/// Goal: elements of SVG have their paint, their place and their clips. Method: single pixels of small drawings.
@Suite struct `Drawings in SVG` {
    /// Red, green, blue and alpha of the pixel at a place of 100 × 100.
    static func pixel(_ elements: String, _ x: Int = 50, _ y: Int = 50) throws -> [Int] {
        let bitmap = try `Areas of drawn shapes`.bitmap(elements)
        return bitmap.pixels[(y * 100 + x) * 4..<(y * 100 + x) * 4 + 4].map { Int($0) }
    }

    static let whole = "<rect width='100' height='100'"

    @Test(arguments: [
        ("fill='#123'", [17, 34, 51, 255]), ("fill='#11223380'", [17, 34, 51, 128]),
        ("fill='RebeccaPurple'", [102, 51, 153, 255]), ("fill='rgb(10, 20,30)'", [10, 20, 30, 255]),
        ("fill='rgb(10% 20% 30% / 50%)'", [26, 51, 77, 128]), ("fill='hsl(120,100%,25%)'", [0, 128, 0, 255]),
        ("color='#0f0' fill='currentColor'", [0, 255, 0, 255]), ("style='fill:red;fill-opacity:.5'", [255, 0, 0, 128]),
        ("fill='blue' opacity='.5'", [0, 0, 255, 128]), ("fill='url(#none) red'", [255, 0, 0, 255]),
        ("fill='none' stroke='lime' stroke-width='200'", [0, 255, 0, 255]), ("visibility='hidden'", [0, 0, 0, 0]),
        ("display='none'", [0, 0, 0, 0]), ("fill='nonsense'", [0, 0, 0, 255]), ("fill='transparent'", [0, 0, 0, 0]),
    ])
    func `A rectangle has the colour that its attributes say`(_ attributes: String, color: [Int]) throws {
        #expect(try Self.pixel("\(Self.whole) \(attributes)/>") == color)
    }

    @Test func `Rules of style sheets are above attributes, and more precise ones above others`() throws {
        let sheet = "<style>/* a */ .a,.b { fill: red } rect.b{fill:lime} #c{fill:#00f} rect{fill:yellow}</style>"
        #expect(try Self.pixel("\(sheet)\(Self.whole) class='a' fill='white'/>") == [255, 0, 0, 255])
        #expect(try Self.pixel("\(sheet)\(Self.whole) class='x b'/>") == [0, 255, 0, 255])
        #expect(try Self.pixel("\(sheet)\(Self.whole) class='b' id='c'/>") == [0, 0, 255, 255])
        #expect(try Self.pixel("\(sheet)\(Self.whole)/>") == [255, 255, 0, 255])
        #expect(try Self.pixel("\(sheet)\(Self.whole) class='a' style='fill:black'/>") == [0, 0, 0, 255])
        #expect(try Self.pixel("\(sheet)<g fill='red'><circle cx='50' cy='50' r='9'/></g>") == [255, 0, 0, 255])
    }

    @Test func `A group's opacity is that of its content as a whole`() throws {
        let both = "\(Self.whole) fill='red'/>\(Self.whole) fill='blue'/>"
        #expect(try Self.pixel("<g opacity='.5'>\(both)</g>") == [0, 0, 255, 128])
        #expect(try Self.pixel("<g fill-opacity='.5'>\(both)</g>") == [85, 0, 170, 191])
    }

    @Test func `Uses and symbols draw what they refer to in their places`() throws {
        let symbol = "<symbol id='s' viewBox='0 0 10 10'><rect width='10' height='10' fill='red'/></symbol>"
        let use = "<use href='#s' x='40' y='40' width='20' height='20'/>"
        #expect(try Self.pixel(symbol + use) == [255, 0, 0, 255])
        #expect(try Self.pixel(symbol + use, 39, 50) == [0, 0, 0, 0])
        let shape = "<defs><circle id='c' r='5'/></defs><use xlink:href='#c' x='50' y='50' fill='lime'/>"
        #expect(try Self.pixel(shape.replacing("<defs>", with: "<defs xmlns:xlink='x'>")) == [0, 255, 0, 255])
        let nested = "<svg x='50' width='50' height='100' viewBox='0 0 1 1' preserveAspectRatio='none'>"
        let inner = "<rect width='9' height='1'/></svg>"
        #expect(try Self.pixel(nested + inner, 49) == [0, 0, 0, 0])
        #expect(try Self.pixel(nested + inner, 51) == [0, 0, 0, 255])
    }

    @Test func `Clips cut by their outlines, also in boxes and one by another`() throws {
        let clips = """
            <clipPath id='a'><rect width='50' height='100'/></clipPath>
            <clipPath id='b' clipPathUnits='objectBoundingBox'><rect y='.5' width='1' height='.5'/></clipPath>
            <clipPath id='c' clip-path='url(#a)'><rect width='100' height='50'/></clipPath>
            """
        func seen(_ id: String) throws -> [Bool] {
            try [(25, 25), (75, 25), (25, 75), (75, 75)].map {
                try Self.pixel("\(clips)\(Self.whole) clip-path='url(#\(id))'/>", $0.0, $0.1)[3] == 255
            }
        }
        #expect(try seen("a") == [true, false, true, false])
        #expect(try seen("b") == [false, false, true, true])
        #expect(try seen("c") == [true, false, false, false])
        #expect(try seen("missing") == [true, true, true, true])
    }

    @Test func `Gradients run through their stops along a line and around a point`() throws {
        let stops =
            "<stop stop-color='#000'/><stop offset='.5' stop-color='#f00'/><stop offset='1' stop-color='#f00' stop-opacity='0'/>"
        let line = "<linearGradient id='g'>\(stops)</linearGradient>\(Self.whole) fill='url(#g)'/>"
        #expect(try Self.pixel(line, 25)[0] == 130)
        #expect(try Self.pixel(line, 75)[3] == 125)
        let radial = "<radialGradient id='g'>\(stops)</radialGradient>\(Self.whole) fill='url(#g)'/>"
        #expect(try Self.pixel(radial, 50)[0] <= 11 && Self.pixel(radial, 0, 0) == [0, 0, 0, 0])
        let other = "<linearGradient id='h' href='#g' x2='0' y2='1'/>" + line.replacing("url(#g)", with: "url(#h)")
        #expect(try Self.pixel(other, 50, 25)[0] == 130)
        let repeated = "<linearGradient id='g' x2='.1' spreadMethod='repeat'><stop stop-color='#000'/>"
        let last = "<stop offset='1' stop-color='#fff'/></linearGradient>\(Self.whole) fill='url(#g)'/>"
        #expect(try Self.pixel(repeated + last, 55)[0] == Self.pixel(repeated + last, 5)[0])
    }

    @Test(arguments: [
        ("<svg viewBox='0 0 24 12'/>", 24.0, 12.0), ("<svg width='24pt' viewBox='0 0 1 1'/>", 32, 32),
        ("<svg width='100%' height='100%' viewBox='0 0 7 8'/>", 7, 8),
        ("<svg width='2in' height='10mm'/>", 192, 37.795),
        ("<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE svg PUBLIC 'a' 'b'><svg width='3' height='4'/>", 3, 4),
    ])
    func `A drawing has the size of its root`(_ text: String, width: Double, height: Double) throws {
        let drawing = try Drawing(parsing: Array(text.utf8))
        #expect(abs(drawing.width - width) < 0.01 && abs(drawing.height - height) < 0.01)
    }

    static let refusals: [(String, DrawingError.Feature)] = [
        ("<text>A</text>", .text), ("<image href='a.png'/>", .pictures), ("<rect filter='url(#f)'/>", .filters),
        ("<g style='mask:url(#m)'/>", .masks), ("<g style='mix-blend-mode:multiply'/>", .blending),
        ("<pattern id='p'/>\(whole) fill='url(#p)'/>", .patterns), ("<rect><animate/></rect>", .animation),
        ("<path d='M0 0h9' marker-end='url(#m)'/>", .markers), ("<switch/>", .choices), ("<script/>", .scripts),
        ("<foreignObject/>", .foreign), ("<style>g rect{fill:red}</style>", .styles),
        ("<style>@media x{}</style>", .styles),
        ("<use href='other.svg#a'/>", .foreign), ("\(whole) style='fill:var(--a)'/>", .styles),
        ("\(whole) stroke='red' vector-effect='non-scaling-stroke'/>", .strokes),
    ]

    @Test(arguments: refusals) func `A drawing that is not drawn whole is refused with its size`(
        _ element: String, feature: DrawingError.Feature
    ) throws {
        let error = #expect(throws: DrawingError.self) { try `Areas of drawn shapes`.bitmap(element) }
        #expect(error?.reason == .unsupported(feature))
        #expect(error?.width == 100 && error?.height == 100)
    }

    @Test func `Parts that are not drawn do not matter where nothing shows them`() throws {
        let unseen = "<defs><text>A</text><g filter='url(#f)'/></defs><title>A</title><text> </text><sodipodi:view/>"
        #expect(try Self.pixel(unseen + "\(Self.whole)/>") == [0, 0, 0, 255])
    }
}
