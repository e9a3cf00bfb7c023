import Testing
import WidgetAssetCatalog

@testable import WidgetDrawings

/// Goal: pages of PDF are drawn as the same shapes of SVG are. Method: both written by tests, compared pixel by pixel.
@Suite struct `Drawings in PDF` {
    static func bitmap(_ pdf: WrittenPDF, _ form: WrittenPDF.Form = .plain, scale: Double = 2) throws -> Bitmap {
        try Drawing(parsing: pdf.bytes(form)).bitmap(scale: scale)
    }

    /// The same in SVG, with y upwards as in PDF.
    static func svg(_ elements: String) throws -> Bitmap {
        try `Areas of drawn shapes`.bitmap("<g transform='matrix(1 0 0 -1 0 100)'>\(elements)</g>", scale: 2)
    }

    static let pairs: [(pdf: String, svg: String)] = [
        ("10 10 m 90 20 l 40 90 l h f", "<path d='M10 10L90 20L40 90z'/>"),
        ("1 0 0 rg 10 20 30 40 re f", "<rect x='10' y='20' width='30' height='40' fill='#f00'/>"),
        (
            "0.2 0.4 0.6 RG 3 w 1 J 1 j 10 10 m 30 90 60 90 90 10 c S",
            "<path d='M10 10C30 90 60 90 90 10' fill='none' stroke='#369' stroke-width='3' stroke-linecap='round' "
                + "stroke-linejoin='round'/>"
        ),
        (
            "q 2 0 0 1 5 5 cm 0 0 1 rg 0 0 20 20 re f Q 0 0 m 5 0 l 5 5 l f",
            "<g transform='matrix(2 0 0 1 5 5)'><rect width='20' height='20' fill='blue'/></g><path d='M0 0H5V5z'/>"
        ),
        (
            "10 10 80 80 re 30 30 40 40 re f* [6 4] 2 d 5 w 0 95 m 100 95 l S",
            "<path fill-rule='evenodd' d='M10 10h80v80h-80z M30 30h40v40h-40z'/>"
                + "<path d='M0 95H100' stroke='black' stroke-width='5' stroke-dasharray='6 4' stroke-dashoffset='2'/>"
        ),
        (
            "q 20 20 m 80 20 l 50 80 l h W n 0 1 0 rg 0 0 100 50 re f Q 90 90 10 10 re f",
            "<clipPath id='c'><path d='M20 20L80 20L50 80z'/></clipPath>"
                + "<rect width='100' height='50' fill='lime' clip-path='url(#c)'/><path d='M90 90h10v10h-10z'/>"
        ),
        (
            "0 0 0 0.5 k 10 10 m 20 60 70 20 v 90 30 40 10 y b 1 g 0 0 4 4 re B",
            "<path d='M10 10C10 10 20 60 70 20C90 30 40 10 40 10z' fill='#7f7f7f' fill-opacity='1' stroke='black'/>"
                + "<rect width='4' height='4' fill='white' stroke='black'/>"
        ),
    ]

    @Test(arguments: pairs) func `A page has the pixels of the same shapes in SVG`(_ pdf: String, svg: String) throws {
        let expected = try Self.svg(svg)
        for form in WrittenPDF.Form.allCases {
            let drawn = try Self.bitmap(WrittenPDF(content: pdf), form)
            let worst = zip(drawn.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(drawn.width == 200 && worst <= 1, "\(form): \(worst)")
        }
    }

    @Test func `Opacity, forms and groups are those of SVG`() throws {
        let content = "1 0 0 rg 0 0 60 60 re f /Half gs /Shape Do"
        let form = "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [1 0 0 1 10 10]"
        let shapes = "0 0 1 rg 20 20 40 40 re f 0 1 0 rg 40 40 40 40 re f"
        for isGroup in [true, false] {
            let group = isGroup ? "/Group << /S /Transparency >>" : ""
            let pdf = WrittenPDF(
                content: content,
                resources: "/XObject << /Shape 5 0 R >> /ExtGState << /Half << /ca 0.5 /CA 0.5 /BM /Normal >> >>",
                objects: ["<< \(form) \(group) /Length \(shapes.utf8.count) >>\nstream\n\(shapes)\nendstream"])
            let attribute = isGroup ? "opacity='.5'" : "fill-opacity='.5'"
            let svg =
                "<rect width='60' height='60' fill='red'/><g transform='translate(10 10)' \(attribute)>"
                + "<rect x='20' y='20' width='40' height='40' fill='blue'/>"
                + "<rect x='40' y='40' width='40' height='40' fill='lime'/></g>"
            #expect(try Self.bitmap(pdf) == Self.svg(svg), "\(isGroup)")
        }
    }

    @Test func `Shadings are the gradients of SVG`() throws {
        let function = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>"
        let stops = "<stop stop-color='red'/><stop offset='1' stop-color='blue'/>"
        let axial =
            "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [20 0 80 0] /Extend [true true] /Function \(function) >>"
        let radial =
            "<< /ShadingType 3 /ColorSpace [/ICCBased 5 0 R] /Coords [40 50 0 50 50 40] /Extend [true true] "
            + "/Function \(function) >>"
        let profile = "<< /N 3 /Alternate /DeviceRGB /Length 0 >>\nstream\n\nendstream"
        for (shading, gradient) in [
            (
                axial,
                "<linearGradient id='g' gradientUnits='userSpaceOnUse' x1='20' x2='80' y1='0' y2='0'>\(stops)</linearGradient>"
            ),
            (
                radial,
                "<radialGradient id='g' gradientUnits='userSpaceOnUse' cx='50' cy='50' r='40' fx='40'>\(stops)</radialGradient>"
            ),
        ] {
            let expected = try Self.svg("\(gradient)<rect x='10' y='10' width='80' height='80' fill='url(#g)'/>")
            let clipped = WrittenPDF(
                content: "q 10 10 80 80 re W n /S sh Q", resources: "/Shading << /S \(shading) >>", objects: [profile])
            #expect(try Self.bitmap(clipped) == expected)
            let pattern = WrittenPDF(
                content: "/Pattern cs /P scn 10 10 80 80 re f",
                resources: "/Pattern << /P << /PatternType 2 /Shading \(shading) >> >>", objects: [profile])
            #expect(try Self.bitmap(pattern) == expected)
        }
    }

    @Test func `Inks have the colours of their space`() throws {
        let ink = "[/Separation /Spot /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>]"
        let pdf = WrittenPDF(content: "/Cs cs 1 scn 0 0 100 100 re f", resources: "/ColorSpace << /Cs \(ink) >>")
        #expect(Array(try Self.bitmap(pdf).pixels.prefix(4)) == [255, 0, 0, 255])
    }

    @Test(arguments: [0, 90, 180, 270]) func `A page is turned by the angle that it says`(_ angle: Int) throws {
        let pdf = WrittenPDF(width: 20, height: 10, content: "0 0 5 5 re f", page: "/Rotate \(angle)")
        let bitmap = try Self.bitmap(pdf, scale: 1)
        let (wide, high) = (bitmap.width, bitmap.height)
        #expect([wide, high] == (angle % 180 == 0 ? [20, 10] : [10, 20]))
        let corner = [0: (0, high - 1), 90: (0, 0), 180: (wide - 1, 0), 270: (wide - 1, high - 1)][angle] ?? (0, 0)
        #expect(bitmap.pixels[(corner.1 * wide + corner.0) * 4 + 3] == 255)
        #expect(stride(from: 3, to: bitmap.pixels.count, by: 4).count { bitmap.pixels[$0] == 255 } == 25)
    }

    static let refusals: [(WrittenPDF, DrawingError.Feature)] = [
        (WrittenPDF(content: "BT /F 12 Tf (A) Tj ET"), .text),
        (WrittenPDF(content: "BI /W 1 /H 1 ID 0 EI"), .pictures),
        (
            WrittenPDF(
                content: "/I Do", resources: "/XObject << /I 5 0 R >>",
                objects: ["<< /Subtype /Image /Length 0 >>\nstream\n\nendstream"]), .pictures
        ),
        (WrittenPDF(content: "/G gs", resources: "/ExtGState << /G << /BM /Multiply >> >>"), .blending),
        (WrittenPDF(content: "/G gs", resources: "/ExtGState << /G << /SMask << /S /Alpha >> >> >>"), .masks),
        (WrittenPDF(content: "/Pattern cs /P scn", resources: "/Pattern << /P << /PatternType 1 >> >>"), .patterns),
        (WrittenPDF(content: "/S sh", resources: "/Shading << /S << /ShadingType 4 >> >>"), .shadings),
        (WrittenPDF(content: "/L cs", resources: "/ColorSpace << /L [/Lab << >>] >>"), .colours),
        (WrittenPDF(content: "", trailer: "/Encrypt << /V 1 >>"), .encryption),
    ]

    @Test(arguments: refusals) func `A page that is not drawn whole is refused with its size`(
        _ pdf: WrittenPDF, feature: DrawingError.Feature
    ) throws {
        let error = #expect(throws: DrawingError.self) { try Drawing(parsing: pdf.bytes()) }
        #expect(error?.reason == .unsupported(feature))
        if feature != .encryption { #expect(error?.width == 100 && error?.height == 100) }
    }
}
