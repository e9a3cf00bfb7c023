/// A reference from a test to something that the documents number.
struct Citation: Sendable {
    /// The words as they are cited: "§3.2", "case 20", "defect 11", "A7".
    var name: String
    /// The document that has to define it, and a word for the definition there.
    var document: String
    var path: String
    var line: Int
}

/// The numbered things that tests cite, and where each is defined:
///
/// | cited as | defined in |
/// |---|---|
/// | §N, §N.M | docs/http.md, a heading; "NAME.md §N" means docs/NAME.md |
/// | case N, defect N | docs/widgetkit.md, a row under the heading "Cases" or "Defects" |
/// | A1 to A15 | docs/threats.md, a row |
/// | D1 to D50, I1 to I10 | docs/faults.md, a row or a sentence |
/// | D1 to D57 and defect N, with a colon, in WidgetsTests | Tests/Corpus/parity/declarative.tsv, a row |
/// | C1 to C20, U1 to U9, with a colon | docs/updates.md, a row |
///
/// Public standards are cited by their name before the section ("RFC 9112 §6.3"), and are not looked up.
enum Citations {
    static let threats = "docs/threats.md"
    static let faults = "docs/faults.md"
    static let updates = "docs/updates.md"
    static let framework = "docs/widgetkit.md"
    static let declarative = "Tests/Corpus/parity/declarative.tsv"
    static let contract = "docs/http.md"

    /// Every citation in the names, suites and comments of the tests, and in the programs of `Tests/Faults`.
    static let all: [Citation] = {
        let programs = Repository.paths(under: "Tests/Faults").filter { !$0.hasSuffix(".c") && !$0.hasSuffix(".swift") }
        let scripts = programs.flatMap { citations(in: lines(of: Repository.text($0)), $0) }
        // This module cites nothing: it is about citing.
        let tests = Repository.tests.filter { $0.module != "ArchitectureTests" }
        return tests.flatMap { citations(in: prose(of: $0.text), $0.path) } + scripts
    }()

    /// The names that a document defines, spelled as they are cited.
    static func definitions(in document: String) -> Set<String> {
        let text = Repository.text(document)
        var names = Set(text.matches(of: #/(?m)^#+ (\d+(?:\.\d+)*)\.? /#).map { "§\($0.1)" })
        switch document {
        case framework:
            names.formUnion(rows(of: text, under: "Cases").map { "case \($0)" })
            names.formUnion(rows(of: text, under: "Defects").map { "defect \($0)" })
        case threats: names.formUnion(text.matches(of: /(?m)^\| (A\d+) \|/).map { String($0.1) })
        case updates: names.formUnion(text.matches(of: /(?m)^\| ([CU]\d+) \|/).map { String($0.1) })
        case declarative: names.formUnion(text.matches(of: /(?m)^(D\d+|defect \d+)\t/).map { String($0.1) })
        case faults:
            for match in text.matches(of: /\b([DI])(\d+)(?:–[DI](\d+))?/) {
                let first = Int(match.2) ?? 0
                let last = match.3.flatMap { Int($0) } ?? first
                for number in first...max(first, last) { names.insert("\(match.1)\(number)") }
            }
        default: break
        }
        return names
    }

    private static func rows(of text: String, under heading: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("## ") && $0.hasSuffix(" \(heading)") }) else {
            return []
        }
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.compactMap { $0.prefixMatch(of: /\| (\d+) \|/).map { String($0.1) } }
    }
}

// MARK: - What of a file is prose

extension Citations {
    /// A line's text for readers, with its number in the file.
    struct Prose {
        var line: Int
        var text: String
    }

    static func lines(of text: String) -> [Prose] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Prose(line: $0.offset + 1, text: String($0.element)) }
    }

    /// The comments of a Swift file, the names of its tests and suites, and the invariants that its checks complain of.
    static func prose(of text: String) -> [Prose] {
        lines(of: text).compactMap { line in
            let code = line.text.drop { $0 == " " }
            if code.hasPrefix("//") {
                return Prose(line: line.line, text: String(code.drop { $0 == "/" || $0 == " " }))
            }
            guard code.contains("`") || code.contains("//") || code.contains("\"") else { return nil }
            var parts = code.matches(of: /`([^`]+)`/).map { String($0.1) }.filter { $0.contains(" ") }
            parts += code.matches(of: /@(?:Suite|Test)\("([^"]+)"/).map { String($0.1) }
            parts += code.matches(of: /"(I\d+)(?:"|:)/).map { String($0.1) }
            if let comment = code.firstRange(of: " // ") { parts.append(String(code[comment.upperBound...])) }
            return parts.isEmpty ? nil : Prose(line: line.line, text: parts.joined(separator: " | "))
        }
    }
}

// MARK: - Citations in prose

extension Citations {
    static func citations(in prose: [Prose], _ path: String) -> [Citation] {
        var found: [Citation] = []
        var before = Prose(line: 0, text: "")
        for line in prose {
            // A sentence may break before its section's number.
            let context = before.line == line.line - 1 ? before.text : ""
            found += sections(in: line, after: context, path)
            found += numbers(in: line, path)
            before = line
        }
        return found
    }

    private static func sections(in line: Prose, after context: String, _ path: String) -> [Citation] {
        guard line.text.contains("§") else { return [] }
        let text = context + " " + line.text
        let start = text.index(text.startIndex, offsetBy: context.count + 1)
        var found: [Citation] = []
        // The source of the section before, for lists such as "RFC 9112 §2, §3.2 and §5".
        var last: Source?
        var end = text.startIndex
        for match in text.matches(of: /§(\d+(?:\.\d+)*)/) {
            let gap = text[end..<match.range.lowerBound]
            let continues = gap.wholeMatch(of: /(?:,| and| or| to|–| |\()+/) != nil
            let source = continues ? last ?? Source(before: gap) : Source(before: gap)
            (last, end) = (source, match.range.upperBound)
            guard match.range.lowerBound >= start, case .document(let document) = source else { continue }
            found.append(Citation(name: "§\(match.1)", document: document, path: path, line: line.line))
        }
        return found
    }

    /// The text that a section belongs to.
    private enum Source {
        case standard
        case document(String)

        /// The source that the words before a section's number name.
        init(before text: Substring) {
            let standard = /(?:RFC \d+|XML \d\.\d|PNG|POSIX[-.\d]*|Unicode|UAX #\d+|UTS #\d+|ISO [-\/\d]+)[,:]? ?\(?/
            let named = text.matches(of: /([a-z]+)\.md \(?/).last
            if text.matches(of: standard).last?.range.upperBound == text.endIndex {
                self = .standard
            } else if let named, named.range.upperBound == text.endIndex {
                self = .document("docs/\(named.1).md")
            } else {
                self = .document(Citations.contract)
            }
        }
    }

    private static func numbers(in line: Prose, _ path: String) -> [Citation] {
        var found: [Citation] = []
        // Screens in Swift have the rows of the system that they are compared with.
        if path.hasPrefix("Tests/Engine/WidgetsTests/") {
            return line.text.matches(of: /\b(D\d+|defect \d+):/).map {
                Citation(name: String($0.1), document: declarative, path: path, line: line.line)
            }
        }
        func add(_ name: String, _ document: String) {
            found.append(Citation(name: name, document: document, path: path, line: line.line))
        }
        if line.text.contains("case ") || line.text.contains("cases ") || line.text.contains("efect") {
            let pattern = /\b([Cc]ase|[Dd]efect)s? ((?:\d+(?:, | and |, and |–| to )?)+)/
            for match in line.text.matches(of: pattern) {
                for number in match.2.matches(of: /\d+/) { add("\(match.1.lowercased()) \(number.0)", framework) }
            }
        }
        for match in line.text.matches(of: /\b([ADI])(\d{1,2})\b/) {
            add("\(match.1)\(match.2)", match.1 == "A" ? threats : faults)
        }
        for match in line.text.matches(of: /\b([CU]\d{1,2}):/) { add(String(match.1), updates) }
        return found
    }
}
