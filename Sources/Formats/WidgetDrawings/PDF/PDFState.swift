/// The state of graphics that operators change (ISO 32000-1 §8.4).
struct PDFState {
    /// The paint of areas or of lines.
    struct Ink {
        var space = PDFColorSpace.gray
        var color = DrawingColor.black
        /// The gradient, in place of a colour.
        var pattern: DrawingGradient?
        var opacity = 1.0

        var paint: DrawingPaint {
            if let pattern { return .gradient(pattern, opacity: opacity) }
            var color = color
            color.alpha = opacity
            return .color(color)
        }
    }

    var transform: DrawingTransform
    var fill = Ink()
    var stroke = Ink()
    var pen = StrokeStyle(miterLimit: 10)
    /// The clips that were begun since the state was saved.
    var clipCount = 0
}

/// The operands of an operator, from the last one that ended.
struct PDFOperands {
    static let most = 512

    private(set) var values: [PDFValue] = []

    mutating func append(_ value: PDFValue) throws(DrawingError) {
        guard values.count < PDFOperands.most else {
            throw DrawingError(.malformed("an operator has too many operands"))
        }
        values.append(value)
    }

    mutating func removeAll() { values.removeAll(keepingCapacity: true) }

    /// The last numbers; an error if there are fewer, or other values.
    func numbers(_ count: Int) throws(DrawingError) -> [Double] {
        let numbers = values.suffix(count).compactMap { $0.number }
        guard numbers.count == count, numbers.allSatisfy({ $0.isFinite }) else {
            throw DrawingError(.malformed("an operator lacks its operands"))
        }
        return numbers
    }

    func points(_ count: Int) throws(DrawingError) -> [DrawingPoint] {
        let numbers = try numbers(count * 2)
        return (0..<count).map { DrawingPoint(x: numbers[$0 * 2], y: numbers[$0 * 2 + 1]) }
    }

    func name() throws(DrawingError) -> String {
        guard let name = values.last?.name else { throw DrawingError(.malformed("an operator lacks its operands")) }
        return name
    }

    /// The numbers in front of a name.
    var components: [Double] { values.compactMap { $0.number } }
}
