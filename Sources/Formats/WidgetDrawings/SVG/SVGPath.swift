/// Reads the data of a path (SVG 2 §9.3). What follows a mistake is not drawn, as the standard wants.
struct SVGPath {
    private var scanner: SVGScanner
    private var path = DrawingPath()
    /// The last control point of the same kind of curve, which a smooth one mirrors.
    private var control: DrawingPoint?
    private var controlIsCubic = false

    /// - Parameter limit: the most segments.
    /// - Returns: `nil` for more segments than the limit.
    static func path(_ data: String, limit: Int) -> DrawingPath? {
        var reader = SVGPath(data)
        reader.read(limit)
        return reader.path.segments.count > limit ? nil : reader.path
    }

    private init(_ data: String) {
        scanner = SVGScanner(data)
    }

    private mutating func read(_ limit: Int) {
        scanner.skipSpace()
        var command: Character?
        while !scanner.isAtEnd, path.segments.count <= limit {
            if let letter = scanner.letter() {
                guard command != nil || letter == "m" || letter == "M" else { return }
                command = letter
            } else {
                // Further coordinates repeat the command; after a move they are lines.
                switch command {
                case "m": command = "l"
                case "M": command = "L"
                case nil, "z", "Z": return
                default: break
                }
            }
            guard let command, step(command) else { return }
            scanner.skipSeparator()
        }
    }

    private mutating func number() -> Double? {
        scanner.skipSeparator()
        return scanner.number()
    }

    private mutating func point(_ isRelative: Bool) -> DrawingPoint? {
        guard let x = number(), let y = number() else { return nil }
        let point = DrawingPoint(x: x, y: y)
        return isRelative ? path.current + point : point
    }

    /// - Returns: false for a command that is unknown or incomplete.
    private mutating func step(_ command: Character) -> Bool {
        let isRelative = command.isLowercase
        var mirrored: (point: DrawingPoint, isCubic: Bool)?
        switch command {
        case "z", "Z": path.close()
        case "m", "M":
            guard let point = point(isRelative) else { return false }
            path.move(to: point)
        case "l", "L":
            guard let point = point(isRelative) else { return false }
            path.line(to: point)
        case "h", "H":
            guard let x = number() else { return false }
            path.line(to: DrawingPoint(x: isRelative ? path.current.x + x : x, y: path.current.y))
        case "v", "V":
            guard let y = number() else { return false }
            path.line(to: DrawingPoint(x: path.current.x, y: isRelative ? path.current.y + y : y))
        case "c", "C":
            guard let one = point(isRelative), let two = point(isRelative), let end = point(isRelative) else {
                return false
            }
            path.curve(one, two, to: end)
            mirrored = (two, true)
        case "s", "S":
            guard let two = point(isRelative), let end = point(isRelative) else { return false }
            path.curve(mirror(isCubic: true), two, to: end)
            mirrored = (two, true)
        case "q", "Q":
            guard let one = point(isRelative), let end = point(isRelative) else { return false }
            path.quadratic(one, to: end)
            mirrored = (one, false)
        case "t", "T":
            guard let end = point(isRelative) else { return false }
            let one = mirror(isCubic: false)
            path.quadratic(one, to: end)
            mirrored = (one, false)
        case "a", "A": guard arc(isRelative) else { return false }
        default: return false
        }
        (control, controlIsCubic) = (mirrored?.point, mirrored?.isCubic ?? false)
        return true
    }

    private func mirror(isCubic: Bool) -> DrawingPoint {
        guard let control, controlIsCubic == isCubic else { return path.current }
        return path.current * 2 - control
    }

    private mutating func arc(_ isRelative: Bool) -> Bool {
        guard let rx = number(), let ry = number(), let tilt = number() else { return false }
        scanner.skipSeparator()
        guard let isLarge = scanner.flag() else { return false }
        scanner.skipSeparator()
        guard let isClockwise = scanner.flag(), let end = point(isRelative) else { return false }
        path.arc(rx, ry, tilt: tilt, isLarge: isLarge, isClockwise: isClockwise, to: end)
        return true
    }
}

/// Reads the functions of `transform` (SVG 2 §8.5).
enum SVGTransform {
    /// - Returns: `nil` for other text.
    static func transform(_ text: String) -> DrawingTransform? {
        var scanner = SVGScanner(text)
        var transform = DrawingTransform.identity
        scanner.skipSpace()
        while !scanner.isAtEnd {
            let name = scanner.word()
            scanner.skipSpace()
            guard scanner.skip("("), let values = values(&scanner), let step = step(name, values) else { return nil }
            transform = transform.after(step)
            guard transform.isUsable else { return nil }
            scanner.skipSeparator()
        }
        return transform
    }

    private static func values(_ scanner: inout SVGScanner) -> [Double]? {
        var values: [Double] = []
        scanner.skipSpace()
        while !scanner.skip(")") {
            guard values.count < 6, let value = scanner.number() else { return nil }
            values.append(value)
            scanner.skipSeparator()
        }
        return values
    }

    private static func step(_ name: String, _ values: [Double]) -> DrawingTransform? {
        switch (name, values.count) {
        case ("matrix", 6):
            DrawingTransform(a: values[0], b: values[1], c: values[2], d: values[3], tx: values[4], ty: values[5])
        case ("translate", 1): .translation(values[0], 0)
        case ("translate", 2): .translation(values[0], values[1])
        case ("scale", 1): .scale(values[0], values[0])
        case ("scale", 2): .scale(values[0], values[1])
        case ("rotate", 1): .rotation(values[0] * .pi / 180)
        case ("rotate", 3):
            DrawingTransform.translation(values[1], values[2]).after(.rotation(values[0] * .pi / 180))
                .after(.translation(-values[1], -values[2]))
        case ("skewX", 1): DrawingTransform(c: tangent(values[0]))
        case ("skewY", 1): DrawingTransform(b: tangent(values[0]))
        default: nil
        }
    }

    private static func tangent(_ degrees: Double) -> Double {
        let rotation = DrawingTransform.rotation(degrees * .pi / 180)
        return rotation.a == 0 ? 0 : rotation.b / rotation.a
    }
}
