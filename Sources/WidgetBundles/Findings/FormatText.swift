/// A text that a binding fills in: `$` and a key path, or one `%@`.
struct FormatText {
    /// The key paths behind `$`, with the offset of each in UTF-8 bytes.
    private(set) var keyPaths: [(text: String, offset: Int)] = []
    /// Conversions that take an argument, with what is wrong with them.
    private(set) var faults: [(offset: Int, detail: String)] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            index += 1
            guard bytes[index - 1] == UInt8(ascii: "$") else { continue }
            let start = index
            while index < bytes.count, FormatText.isKeyPath(bytes[index]) { index += 1 }
            if index > start { keyPaths.append((String(decoding: bytes[start..<index], as: UTF8.self), start)) }
        }
        // A text with a key path is not read as a printf format as well.
        if keyPaths.isEmpty { findFaults(bytes) }
    }

    /// There is one argument, and it is an object: the first conversion may print it, a second has none, and
    /// one that reads a C string or writes through a pointer must not meet it.
    private mutating func findFaults(_ bytes: [UInt8]) {
        var index = 0
        var argumentCount = 0
        while index < bytes.count {
            let start = index
            index += 1
            guard bytes[start] == UInt8(ascii: "%") else { continue }
            while index < bytes.count, FormatText.isModifier(bytes[index]) { index += 1 }
            guard index < bytes.count else { return }
            let conversion = bytes[index]
            index += 1
            switch conversion {
            case UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "n"):
                faults.append((start, "the argument is an object, which this would take for memory"))
                argumentCount += 1
            case _ where FormatText.conversions.contains(conversion):
                argumentCount += 1
                if argumentCount > 1 { faults.append((start, "there is one argument, and it is used before this")) }
            default: continue
            }
        }
    }

    private static let conversions = Set("@dDiuUxXoOfFeEgGaAcCp".utf8)

    private static func isModifier(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "#"), UInt8(ascii: "l"), UInt8(ascii: "h"), UInt8(ascii: "q"), UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isKeyPath(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
