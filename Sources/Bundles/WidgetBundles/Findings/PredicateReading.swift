internal import WidgetFindings
internal import WidgetPredicates

/// The facts in a predicate's text that a host should know before it acts on it. Offsets are in UTF-8 bytes.
struct PredicateReading: Equatable {
    struct Problem: Equatable {
        var code: Finding.Code
        var offset: Int
        var detail: String
        var hint: String?
    }

    /// A part of the text to which other rules apply.
    struct Part: Equatable {
        var text: String
        var offset: Int
    }

    private(set) var problems: [Problem] = []
    private(set) var keyPaths: [Part] = []
    /// Regular expressions, the right sides of `MATCHES`.
    private(set) var patterns: [Part] = []

    /// - Parameter format: the text; the framework takes an empty one for a missing predicate.
    init(_ format: String) {
        guard !format.isEmpty else { return }
        let (tree, errors) = SyntaxTree.examine(format)
        problems = errors.map { error in
            Problem(
                code: PredicateReading.code(of: error.code), offset: error.offset,
                detail: "\(error)", hint: error.hint)
        }
        guard let tree else { return }
        let bytes = Array(format.utf8)
        for node in tree.nodes {
            switch node.kind {
            case .keyPath(let base, _): keyPaths.append(PredicateReading.keyPath(node, base, tree, bytes))
            case .comparison(let comparison) where comparison.operation == .matches:
                let pattern = tree[comparison.right]
                guard case .constant(let literal) = pattern.kind, case .string(let text) = literal.value else {
                    continue
                }
                patterns.append(Part(text: text, offset: pattern.span.offset + 1))
            default: continue
            }
        }
    }

    /// Returns the key path as written, so that places in it are places in the text. The part before its first dot may
    /// be a value of any kind.
    private static func keyPath(
        _ node: SyntaxNode, _ base: SyntaxNode.ID?, _ tree: SyntaxTree, _ bytes: [UInt8]
    ) -> Part {
        var start = node.span.offset
        if let base, tree[base].kind != .subject {
            start = bytes[tree[base].span.end..<node.span.end].firstIndex(of: UInt8(ascii: ".")) ?? start
        }
        return Part(text: String(decoding: bytes[start..<node.span.end], as: UTF8.self), offset: start)
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
struct FormatText {
    /// The key paths behind `$`, each with its offset in UTF-8 bytes.
    private(set) var keyPaths: [(text: String, offset: Int)] = []
    /// Conversions that take an argument, with their faults.
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

    /// Finds conversions without a suitable argument. The only argument is an object: the first conversion may print
    /// it, a second has no argument, and one that reads a C string or writes through a pointer must not meet it.
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
