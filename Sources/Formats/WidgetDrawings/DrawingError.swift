internal import WidgetBytes

/// The reason why a drawing was refused, and its size if that could be read.
package struct DrawingError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case limitReached(DrawingLimits.Name, limit: Int)
        /// The drawing has a part that is not drawn.
        case unsupported(Feature)
        /// The file breaks its format, for the reason in words.
        case malformed(String)
        case notADrawing
    }

    /// Parts of drawings that are not drawn. A drawing with one of them would look wrong without it.
    package enum Feature: String, CaseIterable, Sendable {
        case text = "text"
        case pictures = "pictures inside it"
        case filters = "filters"
        case masks = "masks"
        case patterns = "patterns"
        case markers = "markers"
        case blending = "blend modes"
        case animation = "animation"
        case scripts = "scripts"
        case foreign = "elements of other languages"
        case choices = "parts for some readers only"
        case styles = "style rules other than simple ones"
        case lengths = "lengths in units that are not known"
        case places = "transforms of an svg element, or around an origin"
        case strokes = "strokes that do not scale"
        case encryption = "encryption"
        case compression = "streams of an unknown compression"
        case colours = "colours of an unknown space"
        case shadings = "shadings other than linear and radial ones"
        case functions = "functions that are programs"
        case layers = "hidden layers"
    }

    package var reason: Reason
    /// The size in points.
    package var width: Double?
    package var height: Double?

    package init(_ reason: Reason) {
        self.reason = reason
    }

    init(_ limit: DrawingLimits.Name, of limits: DrawingLimits) {
        self.init(.limitReached(limit, limit: limits.limit(limit)))
    }

    func sized(_ width: Double, _ height: Double) -> DrawingError {
        var error = self
        (error.width, error.height) = (width, height)
        return error
    }
}

extension DrawingError: CustomStringConvertible {
    package var description: String { "\(reason)" }
}

extension DrawingError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .limitReached(.byteCount, let limit): "it has more than \(limit) bytes"
        case .limitReached(.elementCount, let limit): "it has more than \(limit) elements"
        case .limitReached(.depth, let limit): "its elements are nested deeper than \(limit)"
        case .limitReached(.segmentCount, let limit): "its outlines have more than \(limit) segments"
        case .limitReached(.pixelCount, let limit): "it has more than \(limit) pixels"
        case .limitReached(.layerPixelCount, let limit): "its groups have more than \(limit) pixels"
        case .limitReached(.work, let limit): "drawing it takes more than \(limit) steps"
        case .unsupported(let feature): "it has \(feature.rawValue), which cannot be drawn"
        case .malformed(let words): words
        case .notADrawing: "it is neither PDF nor SVG"
        }
    }
}

/// Limits on drawings. Each limit has a name, and reaching it is a distinct refusal.
package struct DrawingLimits: Equatable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        /// Bytes of the file. Of its objects and streams, four times as many are read, each time they are read.
        case byteCount
        /// Elements of SVG, counted again for each `use`, or objects and operators of PDF.
        case elementCount
        /// Elements, objects or forms in each other.
        case depth
        /// Lines and curves of all outlines; one outline becomes four times as many lines at most.
        case segmentCount
        /// Pixels of the picture.
        case pixelCount
        /// Pixels of the groups and clips that are open at once.
        case layerPixelCount
        /// Steps of reading repeated parts, and of drawing: crossings of edges and rows, and pixels.
        case work
    }

    package var byteCount: Int
    package var elementCount: Int
    package var depth: Int
    package var segmentCount: Int
    package var pixelCount: Int
    package var layerPixelCount: Int
    package var work: Int

    package init(
        byteCount: Int = 4 << 20, elementCount: Int = 100_000, depth: Int = 48, segmentCount: Int = 400_000,
        pixelCount: Int = 4 << 20, layerPixelCount: Int = 12 << 20, work: Int = 150_000_000
    ) {
        // Products of two counts within their limits never overflow, and recursion never leaves the stack.
        let largest = 1 << 30
        (self.byteCount, self.elementCount) = (min(byteCount, largest), min(elementCount, largest))
        (self.depth, self.segmentCount) = (min(depth, 64), min(segmentCount, largest))
        (self.pixelCount, self.layerPixelCount) = (min(pixelCount, largest), min(layerPixelCount, largest))
        self.work = min(work, largest)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .elementCount: elementCount
        case .depth: depth
        case .segmentCount: segmentCount
        case .pixelCount: pixelCount
        case .layerPixelCount: layerPixelCount
        case .work: work
        }
    }
}
