/// Reads a stylesheet of ours, and refuses everything that no sheet of ours has: open blocks, comments behind the first
/// line, other addresses than those of pictures by their digests, and numbers that have no value.
package struct SheetReader {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    private static let rules = ["supports", "media", "container", "keyframes", "layer"]
    private static let units: Set<String> = [
        "", "px", "rem", "em", "lh", "vh", "vmax", "dvh", "fr", "s", "deg", "turn", "cqw", "cqh", "cqi", "cqb",
    ]
    private static let refused: Set<String> = [
        "nan", "nanpx", "-nanpx", "infpx", "-infpx", "-nan", "inf", "-inf", "infinity", "-infinity", "expression",
        "behavior", "import", "src", "attr",
        "image",
        "image-set",
    ]
    private static let pictures: Set<String> = ["png", "jpg", "gif", "webp"]

    /// Throws the first fault of a sheet.
    package static func check(_ bytes: [UInt8]) throws(PageFault) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw PageFault(description: "not UTF-8") }
        var reader = SheetReader(scalars: Array(text.unicodeScalars))
        try reader.read()
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private func fault(_ sentence: String) -> PageFault {
        let around = String(String.UnicodeScalarView(scalars[max(0, place - 60)..<min(scalars.count, place + 40)]))
        return PageFault(description: "\(sentence) at \(place): \(around)")
    }

    private mutating func read() throws(PageFault) {
        if starts("/*"), let end = scalars.firstIndex(of: "\n") { place = end }
        var open: [Unicode.Scalar] = []
        while place < scalars.count {
            let scalar = scalars[place]
            switch scalar {
            case "{", "(", "[":
                open.append(scalar)
                guard open.filter({ $0 == "{" }).count <= 3, open.count < 40 else { throw fault("too deep") }
                place += 1
            case "}", ")", "]":
                let pairs: [Unicode.Scalar: Unicode.Scalar] = ["}": "{", ")": "(", "]": "["]
                guard open.popLast() == pairs[scalar] else { throw fault("\(scalar) closes nothing") }
                place += 1
            case "\"": try string()
            case "@": try atRule()
            case "<" where starts("< "): place += 1
            case "/" where starts("/*"), "\\", "<", "'", "`", "$": throw fault("a \(scalar)")
            case "\n" where open.contains { $0 != "{" }: throw fault("a line end in brackets")
            case "0"..."9", ".": try number()
            case "#": try color()
            case "-" where place + 1 < scalars.count && isNumeral(scalars[place + 1]): place += 1
            case "a"..."z", "A"..."Z", "-", "_": try word()
            case "\n", " "..."~": place += 1
            default: throw fault("U+\(String(scalar.value, radix: 16))")
            }
        }
        guard open.isEmpty else { throw fault("\(open.count) are open") }
    }

    private func starts(_ text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars) }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    private mutating func name() -> String {
        let start = place
        while place < scalars.count, SheetReader.isName(scalars[place]) { place += 1 }
        return String(String.UnicodeScalarView(scalars[start..<place]))
    }

    private mutating func string() throws(PageFault) {
        place += 1
        while place < scalars.count, scalars[place] != "\"" {
            let scalar = scalars[place]
            guard scalar.value >= 0x20, !(0x7F..<0xA0 ~= scalar.value), scalar != "<" else {
                throw fault("U+\(String(scalar.value, radix: 16)) in a text")
            }
            place += scalar == "\\" ? 2 : 1
        }
        guard place < scalars.count else { throw fault("a text is open") }
        place += 1
    }

    private mutating func atRule() throws(PageFault) {
        place += 1
        let rule = name()
        guard SheetReader.rules.contains(rule) else { throw fault("@\(rule)") }
    }

    private mutating func number() throws(PageFault) {
        // The names of classes are read with the dot before them.
        if scalars[place] == ".", place + 1 < scalars.count, !("0"..."9" ~= scalars[place + 1]) {
            place += 1
            return
        }
        let start = place
        while place < scalars.count, "0"..."9" ~= scalars[place] || scalars[place] == "." { place += 1 }
        let digits = scalars[start..<place]
        let unit = name()
        guard SheetReader.units.contains(unit), digits.count <= 16, digits.filter({ $0 == "." }).count <= 1
        else { throw fault("the number \(String(String.UnicodeScalarView(digits)))\(unit)") }
    }

    private func isNumeral(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar || scalar == "." }

    private mutating func color() throws(PageFault) {
        place += 1
        let digits = name().utf8
        guard [3, 4, 6, 8].contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else {
            throw fault("a colour")
        }
    }

    private mutating func word() throws(PageFault) {
        let word = name()
        guard !SheetReader.refused.contains(word.lowercased()) else { throw fault(word) }
        guard word.lowercased() == "url" else { return }
        guard starts("(") else { throw fault("url without an address") }
        place += 1
        let digest = name()
        guard digest.utf8.count == 32, digest.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }), starts(".")
        else { throw fault("an address") }
        place += 1
        let kind = name()
        guard SheetReader.pictures.contains(kind), starts(")") else { throw fault("a picture's kind") }
        place += 1
    }
}
