/// Findings of one kind in one file, which commands, reports and pages show as one line.
package struct FindingLine: Hashable, Sendable {
    /// The finding with the line's sentence.
    package let first: Finding
    /// The others, which add their places.
    package private(set) var others: [Finding] = []

    /// The most places of other findings in a line.
    private static let placeCount = 8

    private struct Kind: Hashable {
        let severity: Finding.Severity
        let code: Finding.Code
        let file: String
    }

    private init(_ first: Finding) { self.first = first }

    /// The lines for findings, errors first, each finding once. Lines keep the order of their first findings.
    package static func of(_ findings: some Sequence<Finding>) -> [FindingLine] {
        var lines: [FindingLine] = []
        var places: [Kind: Int] = [:]
        var known: Set<Finding> = []
        for finding in findings where known.insert(finding).inserted {
            let kind = Kind(severity: finding.severity, code: finding.code, file: finding.place?.file ?? "")
            if let place = places[kind] {
                lines[place].others.append(finding)
            } else {
                places[kind] = lines.count
                lines.append(FindingLine(finding))
            }
        }
        return lines.filter { $0.severity == .error } + lines.filter { $0.severity == .warning }
    }

    package var severity: Finding.Severity { first.severity }

    package var all: [Finding] { [first] + others }

    package var count: Int { others.count + 1 }

    /// The place of the first, its sentence and its code, and the places of the others.
    package var text: String { first.located + rest }

    /// The number of the others and their places, behind a comma; empty without others.
    package var rest: String {
        guard !others.isEmpty else { return "" }
        var seen: Set<String> = []
        let places = others.compactMap { other -> String? in
            let place = FindingLine.place(of: other)
            return place.isEmpty || !seen.insert(place).inserted ? nil : place
        }
        let shown = places.prefix(FindingLine.placeCount).joined(separator: ", ")
        let listed = shown.isEmpty ? "" : ": \(shown)\(places.count > FindingLine.placeCount ? ", …" : "")"
        return ", and \(others.count) more there\(listed)"
    }

    private static func place(of finding: Finding) -> String {
        let place = finding.place?.insideFile ?? ""
        guard let value = finding.value, !value.isEmpty else { return place }
        return place.isEmpty ? value : "\(place) \(value)"
    }

    /// The remedies, each once, the first one's first.
    package var hints: [String] {
        var seen: Set<String> = []
        return all.compactMap { $0.hint }.filter { seen.insert($0).inserted }.prefix(FindingLine.hintCount)
            .map { $0 }
    }

    /// The most remedies of a line.
    private static let hintCount = 3

    /// The numbers of errors and warnings in words; empty without any.
    package static func counts(of findings: some Sequence<Finding>) -> String {
        var (errors, warnings) = (0, 0)
        for finding in findings {
            if finding.severity == .error { errors += 1 } else { warnings += 1 }
        }
        return [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }
}
