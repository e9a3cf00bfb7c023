internal import JSONText

/// A place in a bundle's declarative files that a host would act on and should not, or might not understand.
package struct Finding: Equatable, Sendable {
    package enum Severity: String, Sendable {
        /// The bundle is refused.
        case error
        /// The bundle is kept, unless publishing is strict.
        case warning
    }

    /// Stable, for programs; `detail` is for people.
    package var code: String
    package var severity: Severity
    /// The path of the file inside the bundle's folder.
    package var path: String
    /// 0 for a finding about the file as a whole.
    package var line: Int
    package var column: Int
    package var detail: String

    package init(code: String, severity: Severity, path: String, line: Int, column: Int, detail: String) {
        self.code = code
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.detail = detail
    }

    /// The code of the finding that a bundle has no screen to begin with.
    package static let noInterfaceCode = FindingCode.noInterface.rawValue
    /// The code of the finding that the screens of a bundle could not be looked at.
    package static let unreviewedCode = FindingCode.unreviewed.rawValue

    /// Makes a finding about the bundle as a whole.
    init(_ code: FindingCode, path: String, _ detail: String) {
        self.init(code: code.rawValue, severity: code.severity, path: path, line: 0, column: 0, detail: detail)
    }
}

/// The codes of findings in scheme and service files. A code is added, never reused.
enum FindingCode: String, CaseIterable {
    // Declarations that reach arbitrary code on a host, or stop it.
    case predicateSyntax = "predicate-syntax"
    case predicateFunction = "predicate-function"
    case predicateCast = "predicate-cast"
    case predicateArgument = "predicate-argument"
    case formatArgument = "format-argument"
    case resultChain = "result-chain"
    case serviceURL = "service-url"
    case urlCredentials = "url-credentials"
    case lineBreak = "line-break"

    // Names that a host may not know, and unwise declarations.
    case unknownClass = "unknown-class"
    case unknownSelector = "unknown-selector"
    case unknownTransformer = "unknown-transformer"
    case unknownKey = "unknown-key"
    case keyPath = "key-path"
    case plainHTTP = "plain-http"
    case privateAddress = "private-address"
    case slowPattern = "slow-pattern"
    case schemeName = "scheme-name"
    case unknownObject = "unknown-object"
    case appAddress = "app-address"

    // Places of a property list or strings file that their author probably meant otherwise.
    case repeatedKey = "repeated-key"
    case needlessBackslash = "needless-backslash"
    case smallU = "small-u"
    case shortNumber = "short-number"
    case singleQuotes = "single-quotes"
    case repeatedMark = "repeated-mark"

    // Faults of the bundle as a whole.
    case noInterface = "no-interface"
    case sources

    // Of a registry that looks at screens.
    case unreviewed

    var severity: Finding.Severity {
        switch self {
        case .predicateSyntax, .predicateFunction, .predicateCast, .predicateArgument, .formatArgument, .resultChain,
            .serviceURL, .urlCredentials, .lineBreak:
            .error
        case .unknownClass, .unknownSelector, .unknownTransformer, .unknownKey, .keyPath, .plainHTTP, .privateAddress,
            .slowPattern, .schemeName, .unknownObject, .appAddress, .repeatedKey, .needlessBackslash, .smallU,
            .shortNumber, .singleQuotes, .repeatedMark, .noInterface, .sources, .unreviewed:
            .warning
        }
    }
}

/// Places in the text of a JSON string, as offsets in its document.
enum StringPlace {
    /// Returns the document's offset for an offset in the text; escapes make the two differ.
    static func offset(ofText textOffset: Int, in span: JSONSpan, of bytes: [UInt8]) -> Int {
        let end = min(span.range.upperBound, bytes.count)
        var index = span.offset + 1
        var passed = 0
        while passed < textOffset, index < end {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                passed += 1
                continue
            }
            guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "u") else {
                index += 2
                passed += 1
                continue
            }
            let unit = hexadecimal(bytes, from: index + 2, to: end)
            switch unit {
            case 0xD800...0xDBFF:
                // Skips the low surrogate too, which the reader requires.
                index += 12
                passed += 4
            default:
                index += 6
                passed += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
            }
        }
        return min(index, end)
    }

    private static func hexadecimal(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        guard start + 4 <= end else { return 0 }
        return bytes[start..<start + 4].reduce(0) { value, byte in
            let digit = byte < 0x3A ? Int(byte) - 0x30 : Int(byte | 0x20) - 0x57
            return value << 4 | digit & 15
        }
    }
}

extension Finding {
    /// Advice for a bundle without a screen to begin with.
    package static let firstScreenHints = [
        "`initialViewController=\"ID\"` in the first line of Main.storyboard names the screen to begin with",
        "`--entry NAME` of `run` and `render` begins with another storyboard",
    ]

    /// The words before a suggestion at the end of a finding's sentence.
    private static let suggestion = "; did you mean "

    /// The place, the sentence and the code, and the suggestion as a hint.
    package var spoken: (text: String, hints: [String]) {
        let place = line == 0 ? path : "\(path):\(line):\(column)"
        var sentence = detail[...]
        var hints = code == Finding.noInterfaceCode ? Finding.firstScreenHints : []
        if sentence.hasSuffix("?"), let start = detail.ranges(of: Finding.suggestion).last {
            sentence = detail[..<start.lowerBound]
            hints = [String(detail[start.lowerBound...].dropFirst("; ".count))]
        }
        return ("\(place): \(sentence) [\(code)]", hints)
    }
}
