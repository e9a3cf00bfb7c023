/// Writes a stylesheet of literals of this program, numbers and quoted texts. Nothing that an author wrote is syntax.
package struct StyleWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reservingBytes capacity: Int = 4_096) {
        bytes.reserveCapacity(capacity)
    }

    /// A rule; none without a declaration.
    package mutating func rule(_ selectors: [StyleSelector], _ declarations: StyleDeclarations) {
        guard !declarations.isEmpty, !selectors.isEmpty else { return }
        for (place, selector) in selectors.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: selector.text.utf8)
        }
        bytes.append(UInt8(ascii: "{"))
        bytes.append(contentsOf: declarations.text.utf8)
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// Rules that hold under a condition.
    package mutating func block(_ condition: StaticString, _ body: (inout StyleWriter) -> Void) {
        var inner = StyleWriter()
        body(&inner)
        guard !inner.bytes.isEmpty else { return }
        bytes.append(contentsOf: condition.description.utf8)
        bytes.append(contentsOf: "{\n".utf8)
        bytes.append(contentsOf: inner.bytes)
        bytes.append(contentsOf: "}\n".utf8)
    }
}

/// The elements of a class, or others by it.
package struct StyleSelector: Hashable, Sendable {
    fileprivate let text: String

    /// - Parameters:
    ///   - name: the name of a class. Bytes other than ASCII letters, digits, hyphens and underscores are dropped.
    ///   - rest: the selector behind it.
    package init(class name: String, _ rest: StaticString = "") {
        var text = "."
        for scalar in name.unicodeScalars where StyleSelector.isName(scalar) { text.unicodeScalars.append(scalar) }
        self.text = text + rest.description
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

/// Properties with their values, in the order of setting. If one is set twice, the last value counts.
package struct StyleDeclarations: Hashable, Sendable {
    fileprivate private(set) var text = ""

    package init() {}

    package var isEmpty: Bool { text.isEmpty }

    package mutating func set(_ property: StaticString, _ value: StyleValue) {
        if !text.isEmpty { text.append(";") }
        text.append(property.description)
        text.append(":")
        text.append(value.text)
    }

    package mutating func add(_ others: StyleDeclarations) {
        guard !others.isEmpty else { return }
        if !text.isEmpty { text.append(";") }
        text.append(others.text)
    }
}

/// A value of a property.
package struct StyleValue: Hashable, Sendable, ExpressibleByStringLiteral {
    fileprivate let text: String

    fileprivate init(text: String) { self.text = text }

    package init(stringLiteral literal: StaticString) { text = literal.description }

    package init(_ literal: StaticString) { text = literal.description }

    package static func number(_ number: Double, _ unit: StaticString = "") -> StyleValue {
        let text = decimal(number)
        return StyleValue(text: text == "0" ? text : text + unit.description)
    }

    /// A length in `rem`, which follows the reader's text size, exact to a sixteenth.
    package static func rem(_ points: Double) -> StyleValue {
        let text = decimal(points / 16, digits: 4)
        return StyleValue(text: text + "rem")
    }

    /// Points, which are pixels of a stylesheet.
    package static func points(_ number: Double) -> StyleValue { .number(number, "px") }

    /// A text in quotation marks.
    package static func quoted(_ string: String) -> StyleValue {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_": text.unicodeScalars.append(scalar)
            // The space ends the number.
            default: text += scalar.value == 0 ? "\u{FFFD}" : "\\\(String(scalar.value, radix: 16)) "
            }
        }
        return StyleValue(text: text + "\"")
    }

    /// A colour of the standard space, with parts from 0 to 255.
    package static func color(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) -> StyleValue {
        let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        let digits = parts.map { part in [part >> 4, part & 15] }
        let isShort = digits.allSatisfy { $0[0] == $0[1] }
        let hex = digits.flatMap { isShort ? [$0[0]] : $0 }.map { String($0, radix: 16) }
        return StyleValue(text: "#" + hex.joined())
    }

    /// The value of a custom property, with a text of this program at the end of its name.
    package static func property(_ name: String, or fallback: StyleValue? = nil) -> StyleValue {
        let name = name.unicodeScalars.filter {
            $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-")
        }
        let text = String(String.UnicodeScalarView(name))
        return StyleValue(text: fallback.map { "var(\(text),\($0.text))" } ?? "var(\(text))")
    }

    package static func function(_ name: StaticString, _ arguments: [StyleValue]) -> StyleValue {
        StyleValue(text: "\(name)(\(arguments.map { $0.text }.joined(separator: ",")))")
    }

    package static func words(_ values: [StyleValue]) -> StyleValue {
        StyleValue(text: values.map { $0.text }.joined(separator: " "))
    }

    package static func list(_ values: [StyleValue]) -> StyleValue {
        StyleValue(text: values.map { $0.text }.joined(separator: ","))
    }

    /// A part of a sum.
    package enum Term: Sendable {
        case amount(Double, StaticString)
        case multiple(Double, StyleValue)
    }

    /// A sum. Parts that are 0 are left out.
    package static func sum(_ terms: [Term]) -> StyleValue {
        var text = ""
        var count = 0
        var isProduct = false
        for term in terms {
            let (number, part): (Double, String)
            switch term {
            case .amount(let amount, let unit): (number, part) = (amount, decimal(abs(amount)) + unit.description)
            case .multiple(let factor, let value):
                let amount = decimal(abs(factor))
                if amount != "1" && amount != "0" || factor < 0 { isProduct = true }
                (number, part) = (factor, amount == "1" ? value.text : "\(value.text)*\(amount)")
            }
            if decimal(number) == "0" { continue }
            let isNegative = number < 0
            count += 1
            if count > 1 {
                text += isNegative ? " - " : " + "
            } else if isNegative {
                if case .amount = term { text += "-" } else { text += "-1*" }
            }
            text += part
        }
        if count == 1, !isProduct { return StyleValue(text: text) }
        return StyleValue(text: count == 0 ? "0px" : "calc(\(text))")
    }

    /// Three decimals at most, or `count` of them, without an exponent; 0 if it is not a number.
    private static func decimal(_ number: Double, digits count: Int = 3) -> String {
        guard !number.isNaN else { return "0" }
        let unit: Int64 = count == 4 ? 10_000 : 1_000
        let parts = Int64((min(max(number, -10_000_000), 10_000_000) * Double(unit)).rounded())
        let (whole, rest) = (abs(parts) / unit, abs(parts) % unit)
        var text = parts < 0 ? "-" : ""
        if whole > 0 || rest == 0 { text += String(whole) }
        guard rest > 0 else { return text }
        var digits = String(rest + unit).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return text + "." + digits
    }
}
