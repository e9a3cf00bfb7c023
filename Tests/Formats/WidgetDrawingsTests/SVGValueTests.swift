import Testing
import WidgetAssetCatalog

@testable import WidgetDrawings

/// Goal: a value that browsers know is drawn as they draw it, or the drawing is refused; other text has no effect.
/// Method: single pixels of small drawings, and the reasons of refusals.
@Suite struct `Values of SVG` {
    typealias Drawn = `Drawings in SVG`

    static let whole = Drawn.whole

    @Test(arguments: [
        ("fill='hsl(.5turn 100% 50%)'", [0, 255, 255, 255]), ("fill='hsl(200grad,100%,50%)'", [0, 255, 255, 255]),
        ("fill='hsl(3.14159265rad 100% 50%)'", [0, 255, 255, 255]),
        ("fill='red' style='fill:initial'", [0, 0, 0, 255]), ("fill='red' style='fill:INHERIT'", [0, 0, 255, 255]),
        ("fill='red' style='fill:unset'", [0, 0, 255, 255]),
        ("opacity='.2' style='opacity:unset'", [0, 0, 255, 255]),
        ("style='opacity:inherit'", [0, 0, 255, 64]), ("style='fill-opacity:initial'", [0, 0, 255, 255]),
        ("display='none' style='display:initial'", [0, 0, 255, 255]),
        ("fill='12 monkeys'", [0, 0, 255, 255]),
    ])
    func `Colours and words have their meaning`(_ attributes: String, color: [Int]) throws {
        let group = attributes.contains("opacity:inherit") ? "opacity='.5'" : ""
        #expect(try Drawn.pixel("<g fill='blue' \(group)>\(Self.whole) \(attributes)/></g>") == color)
    }

    @Test(arguments: ["inherit", "unset"]) func `A pen takes over the properties of the pen around it`(
        _ word: String
    ) throws {
        let pen = "stroke-width:80;stroke-dasharray:none;stroke-linecap:square;stroke-miterlimit:9;stroke:lime"
        let own = pen.split(separator: ";").map { "\($0.split(separator: ":")[0]):\(word)" }.joined(separator: ";")
        let line = "<path d='M50 50H51' stroke='red' stroke-width='1' stroke-dasharray='1' style='\(own)'/>"
        #expect(try Drawn.pixel("<g style='\(pen)'>\(line)</g>", 15, 50) == [0, 255, 0, 255])
    }

    @Test func `Lengths may be multiples of the size of text`() throws {
        func isDrawn(_ width: String, _ attributes: String, to end: Int) throws -> Bool {
            let shape = "<svg font-size='20'><g \(attributes)><rect width='\(width)' height='100'/></g></svg>"
            return try Drawn.pixel(shape, end - 1)[3] == 255 && Drawn.pixel(shape, end)[3] == 0
        }
        #expect(try isDrawn("2em", "", to: 40))
        #expect(try isDrawn("2em", "font-size='15'", to: 30))
        #expect(try isDrawn("2em", "style='font-size:200%'", to: 80))
        #expect(try isDrawn("2ex", "", to: 20))
        #expect(try isDrawn("2rem", "", to: 32))
        #expect(try isDrawn("20px", "style='font-size:large'", to: 20))
        #expect(throws: DrawingError.self) { try isDrawn("2em", "style='font:9px a'", to: 18) }
        let stroke = "<path stroke='red' d='M0 50H100' style='stroke-width:2em;font-size:10px'/>"
        #expect(try Drawn.pixel(stroke, 50, 41)[3] == 255 && Drawn.pixel(stroke, 50, 39)[3] == 0)
    }

    @Test(arguments: [
        "\(whole) style='fill:lab(50% 1 1)'/>", "\(whole) fill='rgb(from red r g b)'/>",
        "\(whole) fill='context-fill'/>", "\(whole) stroke='CanvasText'/>",
        "<linearGradient id='g'><stop stop-color='color(srgb 1 0 0)'/></linearGradient>\(whole) fill='url(#g)'/>",
    ])
    func `A colour that only others understand is refused`(_ element: String) {
        Self.expectRefusal(element, .colours)
    }

    @Test(arguments: [
        "<rect width='50vw' height='9'/>", "<circle r='calc(1px + 2px)'/>", "<path stroke='red' stroke-width='2vh'/>",
        "<use href='#a' x='1lh'/>", "<svg width='min(1px,2px)'/>",
        "<linearGradient id='g' x1='1em'><stop/><stop/></linearGradient>\(whole) fill='url(#g)'/>",
    ])
    func `A length that only others understand is refused`(_ element: String) {
        Self.expectRefusal("<defs><g id='a'/></defs>\(element)", .lengths)
    }

    @Test(arguments: [
        "\(whole) transform='scale(2)' style='transform-origin:50% 50%'/>",
        "\(whole) transform='scale(2)' transform-origin='5 5'/>",
        "\(whole) transform='scale(2)' style='transform-box:fill-box'/>",
        "<clipPath id='c'><rect transform='scale(2)' transform-origin='5 5'/></clipPath>\(whole) clip-path='url(#c)'/>",
        "<svg transform='scale(2)'/>",
    ])
    func `A transform that only others apply is refused`(_ element: String) {
        Self.expectRefusal(element, .places)
    }

    @Test func `A transform around the point of coordinates 0 is drawn`() throws {
        let shape = "<rect width='50' height='50' transform='scale(2)' style='transform-origin:0 0px'/>"
        #expect(try Drawn.pixel(shape, 90, 90)[3] == 255)
        #expect(try Drawn.pixel("\(Self.whole) style='transform-origin:center'/>")[3] == 255)
    }

    @Test(arguments: [
        "<style>#a#b{fill:red}</style>", "<style media='print'>.a{fill:red}</style>",
        "<style>@media print{.a{fill:red}}</style>", "<style>.a{fill:red}@media print{</style>",
        "<style type='text/less'>.a{fill:red}</style>", "\(whole) style='fill:revert'/>",
    ])
    func `A style that only others apply is refused`(_ element: String) {
        Self.expectRefusal(element, .styles)
    }

    @Test func `A sheet for screens applies, and its end ends a rule`() throws {
        let sheet = "<style type='text/css' media=' Screen'>rect{fill:lime</style>"
        #expect(try Drawn.pixel("\(sheet)\(Self.whole)/>") == [0, 255, 0, 255])
    }

    @Test func `What its author hides is not refused`() throws {
        for hidden in [
            "<text display='none'>A</text>", "<image style='display:none' href='a.png'/>", "<switch display='none'/>",
            "<foreignObject display='none'/>", "<g display='none' filter='url(#f)'><text>A</text></g>",
            "<rect style='mask:url(#m);display:none'/>",
        ] {
            #expect(try Drawn.pixel("\(hidden)\(Self.whole)/>") == [0, 0, 0, 255], "\(hidden)")
        }
        Self.expectRefusal("<g display='inline' filter='url(#f)'/>", .filters)
    }

    @Test(arguments: [
        "<ns0:svg xmlns:ns0='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><ns0:rect width='9' height='9'/></ns0:svg>",
        "\u{FEFF}<?xml version='1.0'?>\n<!-- <html> \(String(repeating: "long ", count: 2_000)) -->"
            + "<svg viewBox='0 0 9 9'><rect width='9' height='9'/></svg>",
        "<!DOCTYPE svg PUBLIC 'a' 'b'><!----><svg:svg viewBox='0 0 9 9'><svg:rect width='9' height='9'/></svg:svg>",
    ])
    func `A drawing is known by its first element`(_ text: String) throws {
        let bitmap = try Drawing(parsing: Array(text.utf8)).bitmap(scale: 1)
        #expect(bitmap.pixels.allSatisfy { $0 == 0 || $0 == 255 } && bitmap.pixels[3] == 255)
    }

    @Test(arguments: ["<html><svg/></html>", "<!-- <svg/> -->", "<svgx/>", "svg", "<a:b:c/>", "<", "<!--"])
    func `A file with another first element is not a drawing`(_ text: String) {
        #expect(`Hostile drawings`.error(Array(text.utf8))?.reason == .notADrawing)
    }

    @Test func `A drawing that declares entities is refused for them, and not as another kind of file`() {
        let text = """
            <?xml version='1.0'?><!DOCTYPE svg PUBLIC 'a' 'b' [ <!ENTITY ns 'http://www.w3.org/2000/svg'> ]>
            <svg xmlns='&ns;' width='3' height='4'/>
            """
        let reason = `Hostile drawings`.error(Array(text.utf8))?.reason
        #expect(reason.map { "\($0)" }?.contains("not read as XML") == true, "\(String(describing: reason))")
        #expect(`Hostile drawings`.error(Array("<!DOCTYPE html><svg/>".utf8))?.reason == .notADrawing)
    }

    @Test func `The box of a curve ends where it turns`() throws {
        // The curve's box is from 25 to 75 across and from 0 to 75 down, and its control points lie outside.
        let curve = "<path d='M25 0C25 100 75 100 75 0z' fill='url(#g)'/>"
        let gradient =
            "<linearGradient id='g' x2='0' y2='1'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/>"
            + "</linearGradient>"
        #expect(abs(try Drawn.pixel(gradient + curve, 50, 37)[0] - 128) <= 1)
    }

    static func expectRefusal(
        _ element: String, _ feature: DrawingError.Feature, _ location: SourceLocation = #_sourceLocation
    ) {
        let error = `Hostile drawings`.error(`Hostile drawings`.svg(element))
        #expect(error?.reason == .unsupported(feature), "\(element)", sourceLocation: location)
        #expect(error?.width == 100 && error?.height == 100, sourceLocation: location)
    }
}
