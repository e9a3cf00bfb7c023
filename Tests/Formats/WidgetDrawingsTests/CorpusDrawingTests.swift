import Testing
import WidgetAssetCatalog
import WidgetTestSupport

@testable import WidgetDrawings

/// Goal: the drawings of the corpus, which a browser is asked about too, are drawn at each scale. Method: each file, read
/// and painted.
@Suite struct `Drawings of the corpus` {
    private static let files = Corpus.files(in: "drawings")

    @Test func `The corpus has drawings of both formats`() {
        #expect(Self.files.count { $0.name.hasSuffix(".svg") } >= 18)
        #expect(Self.files.count { $0.name.hasSuffix(".pdf") } >= 3)
    }

    @Test(arguments: files) func `A drawing has pixels at each scale, and the same ones each time`(_ file: Corpus)
        throws
    {
        let drawing = try Drawing(parsing: file.bytes)
        #expect(drawing.width == 48 && drawing.height == 48)
        var areas: [Double] = []
        for scale in [1.0, 2, 3] {
            let bitmap = try drawing.bitmap(scale: scale)
            #expect(bitmap.width == Int(48 * scale) && bitmap.height == bitmap.width)
            #expect(try drawing.bitmap(scale: scale) == bitmap)
            areas.append(`Areas of drawn shapes`.area(bitmap, scale: scale))
        }
        // The same part of the picture is covered at each scale; the end of a shading is as sharp as pixels are.
        #expect(areas[0] > 40 && areas.allSatisfy { abs($0 - areas[0]) < 2 + areas[0] / 100 }, "\(areas)")
    }
}
