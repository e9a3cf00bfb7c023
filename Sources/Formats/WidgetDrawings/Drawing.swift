package import WidgetAssetCatalog

/// A drawing of lines, curves and colours, read from SVG or PDF. It can be painted at any scale.
package struct Drawing: Sendable {
    /// The size in points: more than 0.
    package let width: Double
    package let height: Double
    let steps: [DrawingStep]

    /// The largest side in points.
    static let largestSide = 1e5

    init(width: Double, height: Double, steps: [DrawingStep]) {
        (self.width, self.height, self.steps) = (width, height, steps)
    }

    /// Reads a drawing of the kind that its first bytes name.
    package init(parsing bytes: [UInt8], limits: DrawingLimits = DrawingLimits()) throws(DrawingError) {
        guard bytes.count <= limits.byteCount else { throw DrawingError(.byteCount, of: limits) }
        if PDFFile.begins(bytes) {
            var page = try PDFPage(bytes, limits: limits)
            self = try page.drawing()
        } else if SVGReader.begins(bytes) {
            var reader = try SVGReader(bytes, limits: limits)
            self = try reader.drawing()
        } else {
            throw DrawingError(.notADrawing)
        }
    }

    /// Returns the pixels at a scale. A side in fractions of a pixel is made whole, so that nothing is cut.
    package func bitmap(scale: Double, limits: DrawingLimits = DrawingLimits()) throws(DrawingError) -> Bitmap {
        let (wide, high) = (Drawing.pixels(width, scale), Drawing.pixels(height, scale))
        guard wide * high <= limits.pixelCount else { throw DrawingError(.pixelCount, of: limits) }
        var painter = Painter(width: wide, height: high, scale: scale, limits: limits)
        try painter.paint(steps)
        guard let bitmap = Bitmap(width: wide, height: high, pixels: painter.pixels) else {
            throw DrawingError(.pixelCount, of: limits)
        }
        return bitmap
    }

    /// The whole pixels of a side. A hundredth of a pixel adds none: it is a rounding error of the drawing's tool.
    private static func pixels(_ side: Double, _ scale: Double) -> Int {
        Int(min(max((min(side, largestSide) * scale - 0.01).rounded(.up), 1), largestSide * 8))
    }
}

/// One step of painting a drawing. Coordinates are points from the top left, once a step's transform is applied.
enum DrawingStep: Sendable {
    case fill(PlacedPath, FillRule, DrawingPaint)
    case stroke(PlacedPath, StrokeStyle, DrawingPaint)
    /// Later steps are painted only inside any of the outlines, until `endClip`.
    case beginClip([ClipOutline])
    case endClip
    /// Later steps are painted by themselves and then with the opacity, until `endGroup`.
    case beginGroup(opacity: Double)
    case endGroup
}

/// An outline and the place of its coordinates in the picture.
struct PlacedPath: Sendable {
    var path: DrawingPath
    var transform: DrawingTransform
}

struct ClipOutline: Sendable {
    var path: PlacedPath
    var rule: FillRule
    /// The clips of this outline alone. It ends where any of them ends.
    var within: [[ClipOutline]] = []
}

/// The points that lie inside an outline which crosses itself.
enum FillRule: Sendable {
    case nonzero
    case evenOdd
}

/// A colour of sRGB, each component from 0 to 1, not premultiplied.
struct DrawingColor: Equatable, Sendable {
    var red: Double
    var green: Double
    var blue: Double
    var alpha = 1.0

    static let black = DrawingColor(red: 0, green: 0, blue: 0)
}

enum DrawingPaint: Sendable {
    case color(DrawingColor)
    case gradient(DrawingGradient, opacity: Double)
}
