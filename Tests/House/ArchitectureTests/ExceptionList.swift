/// A list under `Tests/Corpus/house` of the names that are exempt from a rule, each under the reason why.
///
/// A line that begins with `# ` is a reason. Each line below it is a name, which a colon and a note may follow.
struct ExceptionList {
    struct Row {
        var name: String
        var note: String

        var line: String { note.isEmpty ? name : "\(name): \(note)" }
    }

    /// The heading of the names that the tree needs and the list had no reason for when it was rewritten.
    static let unexplained = "Without a reason yet"

    let path: String
    private(set) var sections: [(reason: String, rows: [Row])] = []

    init(_ file: String) {
        path = "Tests/Corpus/house/\(file).txt"
        for line in Repository.text(path).split(separator: "\n") {
            if line.hasPrefix("# ") {
                sections.append((String(line.dropFirst(2)), []))
            } else if !sections.isEmpty {
                let end = line.firstRange(of: ": ")
                let row = Row(
                    name: String(line[..<(end?.lowerBound ?? line.endIndex)]),
                    note: end.map { String(line[$0.upperBound...]) } ?? "")
                sections[sections.count - 1].rows.append(row)
            }
        }
    }

    var names: Set<String> { Set(sections.flatMap { $0.rows.map(\.name) }) }

    /// The rows that still wait for a reason.
    var unexplained: [Row] { sections.first { $0.reason == Self.unexplained }?.rows ?? [] }

    /// Compares the list with the names that the rule finds, or rewrites it: rows that still apply stay where they are,
    /// and new ones go under the last heading.
    ///
    /// - Returns: The complaints, each with what to do.
    func complaints(found: [String: String]) throws -> [String] {
        guard !Repository.rewritesLists else {
            try rewrite(found)
            return []
        }
        let missing = found.keys.filter { !names.contains($0) }.sorted()
        let needless = names.filter { found[$0] == nil }.sorted()
        return missing.map { "\($0) is not in \(path): change the file, or add it under its reason" }
            + needless.map { "\($0) does not need its line in \(path): remove it, or run \(Repository.rewriting)" }
    }

    private func rewrite(_ found: [String: String]) throws {
        var result = sections.map { section in
            (reason: section.reason, rows: section.rows.filter { found[$0.name] != nil })
        }
        let added = found.keys.filter { !names.contains($0) }.sorted().map { Row(name: $0, note: found[$0] ?? "") }
        if let last = result.firstIndex(where: { $0.reason == Self.unexplained }) {
            result[last].rows += added
        } else {
            result.append((Self.unexplained, added))
        }
        let texts = result.filter { !$0.rows.isEmpty }.map { section in
            (["# \(section.reason)"] + section.rows.map(\.line)).joined(separator: "\n") + "\n"
        }
        try Repository.write(texts.joined(separator: "\n"), to: path)
    }
}
