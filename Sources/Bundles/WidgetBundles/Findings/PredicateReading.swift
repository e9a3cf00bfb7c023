internal import WidgetFindings
internal import WidgetPredicates

/// The faults of a predicate's text for which no host may act on it. Offsets are in UTF-8 bytes.
enum PredicateReading {
    struct Problem: Equatable {
        var code: Finding.Code
        var offset: Int
        var detail: String
        var hint: String?
    }

    /// - Parameter format: the text; the framework takes an empty one for a missing predicate.
    static func problems(in format: String) -> [Problem] {
        guard !format.isEmpty else { return [] }
        return SyntaxTree.examine(format).1.map { error in
            Problem(code: code(of: error.code), offset: error.offset, detail: "\(error)", hint: error.hint)
        }
    }

    private static func code(of code: PredicateError.Code) -> Finding.Code {
        switch code {
        case .unknownFunction, .functionNotAllowed, .argumentCount: .predicateFunction
        case .castNotAllowed: .predicateCast
        case .argumentMissing, .argumentType: .predicateArgument
        case .empty, .unexpectedEnd, .unexpectedToken, .unknownOperator, .unknownOption, .unknownCharacter,
            .reservedWord,
            .unterminatedString, .badEscape, .badNumber, .notAPredicate, .notAnExpression, .badPattern,
            .backtrackingPattern, .variableMissing, .unknownKey, .operandType, .incomparable, .collectionExpected,
            .divisionByZero, .castFailed, .neverTrue, .badRequest, .textLimit, .nestingLimit, .nodeLimit, .fuelLimit,
            .memoryLimit:
            .predicateSyntax
        }
    }
}

/// A text that a binding fills in: `$` and a key path, or one `%@`.
enum FormatText {
    /// Returns the conversions without a suitable argument. The only argument is an object: the first conversion may print
    /// it, a second has no argument, and one that reads a C string or writes through a pointer must not meet it.
    static func faults(in text: String) -> [(offset: Int, detail: String)] {
        let bytes = Array(text.utf8)
        // A text with a key path is not read as a printf format as well.
        let hasKeyPath = bytes.indices.dropFirst().contains {
            bytes[$0 - 1] == UInt8(ascii: "$") && isKeyPath(bytes[$0])
        }
        var faults: [(offset: Int, detail: String)] = []
        var index = hasKeyPath ? bytes.count : 0
        var argumentCount = 0
        while index < bytes.count {
            let start = index
            index += 1
            guard bytes[start] == UInt8(ascii: "%") else { continue }
            while index < bytes.count, isModifier(bytes[index]) { index += 1 }
            guard index < bytes.count else { return faults }
            let conversion = bytes[index]
            index += 1
            switch conversion {
            case UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "n"):
                faults.append((start, "the argument is an object, which this would take for memory"))
                argumentCount += 1
            case _ where conversions.contains(conversion):
                argumentCount += 1
                if argumentCount > 1 { faults.append((start, "there is one argument, and it is used before this")) }
            default: continue
            }
        }
        return faults
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
