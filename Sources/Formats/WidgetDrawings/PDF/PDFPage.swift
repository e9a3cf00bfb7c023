/// The first page of a PDF file, as a drawing.
struct PDFPage {
    private var file: PDFFile
    private var content: [UInt8] = []
    private var resources: [String: PDFValue] = [:]
    private var box: (low: DrawingPoint, high: DrawingPoint) = (.zero, .zero)
    private var turns = 0

    private static let mostLevels = 32

    init(_ bytes: [UInt8], limits: DrawingLimits) throws(DrawingError) {
        file = try PDFFile(bytes, limits: limits)
        let root = try file.resolved(file.trailer["Root"])
        try refuseHiddenLayers(root)
        guard var node = try file.resolved(root.dictionary?["Pages"]).dictionary else {
            throw DrawingError(.malformed("it has no page"))
        }
        var inherited: [String: PDFValue] = [:]
        var level = 0
        while true {
            for name in ["Resources", "MediaBox", "Rotate"] {
                if let value = node[name] { inherited[name] = value }
            }
            guard let kids = try file.resolved(node["Kids"]).array else { break }
            level += 1
            guard level <= PDFPage.mostLevels, let first = kids.first, let next = try file.resolved(first).dictionary
            else { throw DrawingError(.malformed("it has no page")) }
            node = next
        }
        try readBox(inherited)
        let (width, height) = size
        do throws(DrawingError) {
            guard try (file.resolved(node["UserUnit"]).number ?? 1) == 1 else {
                throw DrawingError(.malformed("its unit is not a point"))
            }
            resources = try file.resolved(inherited["Resources"]).dictionary ?? [:]
            content = try readContent(node["Contents"])
        } catch {
            throw error.sized(width, height)
        }
    }

    private mutating func readBox(_ page: [String: PDFValue]) throws(DrawingError) {
        guard let sides = try file.numbers(page["MediaBox"], most: 4), sides.count == 4 else {
            throw DrawingError(.malformed("it says no size"))
        }
        box = (
            DrawingPoint(x: min(sides[0], sides[2]), y: min(sides[1], sides[3])),
            DrawingPoint(x: max(sides[0], sides[2]), y: max(sides[1], sides[3]))
        )
        let degrees = try file.resolved(page["Rotate"]).integer ?? 0
        guard degrees.isMultiple(of: 90) else { throw DrawingError(.malformed("it is turned by an odd angle")) }
        turns = (degrees / 90 % 4 + 4) % 4
        let (width, height) = size
        guard width > 0, height > 0, width <= Drawing.largestSide, height <= Drawing.largestSide, box.low.isUsable
        else {
            throw DrawingError(.malformed("its size is nothing, or too large"))
        }
    }

    private var size: (width: Double, height: Double) {
        let extent = box.high - box.low
        return turns.isMultiple(of: 2) ? (extent.x, extent.y) : (extent.y, extent.x)
    }

    /// Maps the page's plane, where y grows upwards, to the picture's.
    private var place: DrawingTransform {
        let extent = box.high - box.low
        let upright = DrawingTransform(d: -1, tx: -box.low.x, ty: box.high.y)
        let turned: DrawingTransform =
            switch turns {
            case 1: DrawingTransform(a: 0, b: 1, c: -1, d: 0, tx: extent.y, ty: 0)
            case 2: DrawingTransform(a: -1, b: 0, c: 0, d: -1, tx: extent.x, ty: extent.y)
            case 3: DrawingTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: extent.x)
            default: .identity
            }
        return turned.after(upright)
    }

    /// All layers are shown. A file with layers that are off at first is refused.
    private mutating func refuseHiddenLayers(_ root: PDFValue) throws(DrawingError) {
        guard let layers = try file.resolved(root.dictionary?["OCProperties"]).dictionary,
            let usual = try file.resolved(layers["D"]).dictionary
        else { return }
        let off = try file.resolved(usual["OFF"]).array ?? []
        let base = try file.resolved(usual["BaseState"]).name ?? "ON"
        guard off.isEmpty, base == "ON" else { throw DrawingError(.unsupported(.layers)) }
    }

    private mutating func readContent(_ value: PDFValue?) throws(DrawingError) -> [UInt8] {
        let value = try file.resolved(value)
        guard let parts = value.array else { return value.isNull ? [] : try file.data(of: value) }
        var content: [UInt8] = []
        for part in parts {
            let part = try file.resolved(part)
            content += try file.data(of: part) + [0x0A]
        }
        return content
    }

    mutating func drawing() throws(DrawingError) -> Drawing {
        let (width, height) = size
        do throws(DrawingError) {
            var reader = PDFContent(file, place)
            try reader.read(content, resources)
            return Drawing(width: width, height: height, steps: reader.steps)
        } catch {
            throw error.sized(width, height)
        }
    }
}
