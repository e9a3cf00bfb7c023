import Testing
import WidgetAssetCatalog

@testable import WidgetDrawings

/// Goal: shapes and strokes cover their pixels by their exact areas. Method: the sums of opacity against areas by
/// geometry.
@Suite struct `Areas of drawn shapes` {
    /// Draws elements of SVG in 100 × 100 points.
    static func bitmap(_ elements: String, scale: Double = 1, size: Int = 100) throws -> Bitmap {
        let text = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(size) \#(size)">\#(elements)</svg>"#
        return try Drawing(parsing: Array(text.utf8)).bitmap(scale: scale)
    }

    /// The sum of opacity in points.
    static func area(_ bitmap: Bitmap, scale: Double = 1) -> Double {
        let sum = stride(from: 3, to: bitmap.pixels.count, by: 4).reduce(0) { $0 + Int(bitmap.pixels[$1]) }
        return Double(sum) / 255 / scale / scale
    }

    static let pi = Double.pi

    static let shapes: [(String, Double)] = [
        (#"<rect x="10.25" y="20.5" width="30.3" height="40.7"/>"#, 1233.21),
        (#"<rect x="10" y="10" width="40" height="40" rx="10"/>"#, 1600 - 100 * (4 - pi)),
        (#"<circle cx="50" cy="50" r="30"/>"#, 900 * pi),
        (#"<ellipse cx="50.3" cy="49.1" rx="40" ry="10"/>"#, 400 * pi),
        (#"<path d="M10 10L90 20L40 90z"/>"#, 3050),
        (#"<path d="M0 0H100V100H0z M25 25h50v50h-50z"/>"#, 10_000),
        (#"<path fill-rule="evenodd" d="M0 0H100V100H0z M25 25h50v50h-50z"/>"#, 7_500),
        (#"<path d="M0 0H100V100H0z M25 25v50h50v-50z"/>"#, 7_500),
        (#"<path d="M10 50a40 40 0 0 1 80 0z"/>"#, 800 * pi),
        (#"<path d="M10 50A40 40 0 1 1 50 90L50 50z"/>"#, 1_200 * pi),
        (#"<path d="M10 10Q50 90 90 10z"/>"#, 2.0 / 3 * 80 * 40),
        (#"<path d="M-500 -500h1100v1100h-1100z"/>"#, 10_000),
        (#"<path d="M-50 50L50 -50L150 50L50 150z"/>"#, 10_000),
        (#"<path d="M0 50L200 -50L200 150z"/>"#, 5_000),
        (#"<g transform="rotate(30 50 50)"><rect x="30" y="30" width="40" height="40"/></g>"#, 1_600),
        (#"<g transform="scale(2 .5) translate(3)"><rect x="10" y="30" width="20" height="40"/></g>"#, 800),
        (#"<path d="M10 10L90 90L90 10L10 90z"/>"#, 3_200),
    ]

    @Test(arguments: shapes) func `A shape covers its area`(_ element: String, area: Double) throws {
        for scale in [1.0, 2] {
            let drawn = Self.area(try Self.bitmap(element, scale: scale), scale: scale)
            #expect(abs(drawn - area) < area * 0.001 + 1, "\(scale): \(drawn), not \(area)")
        }
    }

    static let strokes: [(String, Double)] = [
        (#"stroke-width="4" d="M10 50H90""#, 320),
        (#"stroke-width="4" stroke-linecap="square" d="M10 50H90""#, 336),
        (#"stroke-width="4" stroke-linecap="round" d="M10 50H90""#, 320 + 4 * pi),
        (#"stroke-width="4" d="M20 20H80V80H20z""#, 960),
        (#"stroke-width="4" stroke-linejoin="bevel" d="M20 20H80V80H20z""#, 952),
        (#"stroke-width="4" stroke-linejoin="round" d="M20 20H80V80H20z""#, 944 + 4 * pi),
        (#"stroke-width="4" stroke-miterlimit="1" d="M20 20H80V80H20z""#, 952),
        (#"stroke-width="4" stroke-dasharray="6 4" d="M10 50H90""#, 192),
        (#"stroke-width="4" stroke-dasharray="6" stroke-dashoffset="3" d="M10 50H90""#, 156),
        (#"stroke-width="4" stroke-dasharray="5 5" stroke-linecap="butt" d="M20 20H60V60H20z""#, 320),
        (#"stroke-width="4" stroke-linecap="round" d="M50 50z""#, 4 * pi),
        (#"stroke-width="4" stroke-linecap="square" d="M50 50h0""#, 16),
        (#"stroke-width="4" d="M50 50h0""#, 0),
        (#"stroke-width="4" d="M10 50L90 50L10 50""#, 320),
        (#"stroke-width="10" d="M50 50m-30 0a30 30 0 1 0 60 0a30 30 0 1 0 -60 0z""#, 600 * pi),
        (#"stroke-width="2" transform="scale(1 4)" d="M10 10H90""#, 640),
    ]

    @Test(arguments: strokes) func `A stroke covers its area`(_ attributes: String, area: Double) throws {
        for scale in [1.0, 2] {
            let bitmap = try Self.bitmap(#"<path fill="none" stroke="black" \#(attributes)/>"#, scale: scale)
            let drawn = Self.area(bitmap, scale: scale)
            #expect(abs(drawn - area) < area * 0.002 + 0.5, "\(scale): \(drawn), not \(area)")
        }
    }

    @Test func `Edges at parts of a pixel give it that part`() throws {
        let bitmap = try Self.bitmap(#"<rect x="0.25" y="0.5" width="1.25" height="1"/>"#, size: 2)
        #expect(stride(from: 3, to: 16, by: 4).map { bitmap.pixels[$0] } == [96, 64, 96, 64])
    }

    @Test func `Parts that share an edge leave no line between them`() throws {
        let bitmap = try Self.bitmap(#"<path d="M0 0L10.3 0L7.7 10L0 10z M10.3 0L20 0L20 10L7.7 10z"/>"#, size: 20)
        for row in 0..<10 {
            for column in 0..<20 { #expect(bitmap.pixels[(row * 20 + column) * 4 + 3] == 255, "\(column), \(row)") }
        }
    }

    @Test func `Sides in fractions of a pixel are made whole`() throws {
        let text = #"<svg width="21.6" height="18.2"><rect width="21.6" height="18.2"/></svg>"#
        let drawing = try Drawing(parsing: Array(text.utf8))
        let sizes = try [1.0, 2, 3].map { try drawing.bitmap(scale: $0) }.map { [$0.width, $0.height] }
        #expect(sizes == [[22, 19], [44, 37], [65, 55]])
    }
}
