/// The file of words: `[de]` begins the section of a language, and `back = Zurück` is a line in it.
package struct WordFile: Sendable {
    /// A line that is neither empty, nor a remark, nor the beginning of a section, nor a word of it.
    package struct Fault: Error, Equatable, Sendable {
        package let line: Int
        package let text: String
    }

    /// The tags of the sections, in their order.
    package let languages: [String]
    /// The lines of each section that have words.
    private let sections: [String: [Substring]]
    package let faults: [Fault]

    /// The file of this module.
    package static let shared = WordFile(String(decoding: PackageResources.words_txt, as: UTF8.self))

    package init(_ text: String) {
        var (languages, faults): ([String], [Fault]) = ([], [])
        var sections: [String: [Substring]] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                languages.append(String(line.dropFirst().dropLast()))
            } else if let language = languages.last, line.contains(" = ") {
                sections[language, default: []].append(line)
            } else {
                faults.append(Fault(line: number + 1, text: String(line)))
            }
        }
        self.languages = languages
        self.sections = sections
        self.faults = faults
    }

    /// The names and texts of a section as they are written; `nil` for a language without one.
    package func lines(_ language: String) -> [(name: String, text: String)]? {
        sections[language]?.compactMap { line in
            let halves = line.split(separator: " = ", maxSplits: 1)
            return halves.count == 2 ? (String(halves[0]), String(halves[1])) : nil
        }
    }

    /// The words of a language.
    func texts(_ language: String) -> [SystemWord: String]? {
        lines(language).map { lines in
            Dictionary(lines.compactMap { line in SystemWord(rawValue: line.name).map { ($0, line.text) } }) { $1 }
        }
    }
}
