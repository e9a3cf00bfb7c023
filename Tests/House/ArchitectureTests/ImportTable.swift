/// The imports of each module, as docs/modules.md says them and as Package.swift declares them.
enum ImportTable {
    /// The page of the import table. The drawing of layers is in ARCHITECTURE.md.
    static let page = "docs/modules.md"

    struct Row: Equatable, Sendable {
        /// Modules and programs of this repository, and its C libraries.
        var own: Set<String>
        /// Modules of the system and the toolchain.
        var system: Set<String>
    }

    /// The table under the heading "Who may import whom": module, sentence, imports of ours, imports of the system's.
    static let documented: [String: Row] = {
        var rows: [String: Row] = [:]
        for line in section("## Who may import whom", of: page) {
            let cells = line.split(separator: "|").map { $0.trimmingSpaces }
            guard line.hasPrefix("|"), cells.count == 4, cells[0] != "module", !cells[0].hasPrefix("-") else {
                continue
            }
            rows[cells[0]] = Row(own: names(cells[2]), system: names(cells[3]))
        }
        return rows
    }()

    /// The rows of Package.swift: `module("Name", imports: ["Other"])` and `program(…)` likewise.
    static let declared: [String: Set<String>] = {
        var rows: [String: Set<String>] = [:]
        let pattern = /(?:module|program)\(\s*"([\w-]+)"(?:,\s*imports:\s*\[([^\]]*)\])?/
        for match in Repository.text("Package.swift").matches(of: pattern) {
            rows[String(match.1)] = Set((match.2 ?? "").matches(of: /[\w-]+/).map { String($0.0) })
        }
        return rows
    }()

    /// The C libraries, and those that folders of tests share.
    static let supports: Set<String> = {
        let rows = Repository.text("Package.swift").matches(of: /\bsupport\(\s*"(\w+)"/)
        let libraries = Repository.paths(under: "Sources/C").compactMap { $0.split(separator: "/").dropFirst(2).first }
        return Set(rows.map { String($0.1) } + libraries.map(String.init) + ["Ensemble"])
    }()

    /// The modules that each folder of tests uses, by Package.swift: `testsUse` of a module, `uses` or `use` of other folders.
    static let usedByTests: [String: Set<String>] = {
        var rows: [String: Set<String>] = [:]
        let text = Repository.text("Package.swift")
        let beginnings = text.matches(of: /\b(module|TestFolder|tests)\(\s*(?:name: )?"([\w-]+)"/)
        for (index, match) in beginnings.enumerated() {
            let next = index + 1 < beginnings.count ? beginnings[index + 1].range.lowerBound : text.endIndex
            let row = text[match.range.upperBound..<next]
            let uses = row.firstMatch(of: /(?:testsUse|uses|use): \[([^\]]*)\]/).map { String($0.1) } ?? ""
            let name = String(match.2) + (match.1 == "module" ? "Tests" : "")
            rows[name] = Set(uses.matches(of: /[\w-]+/).map { String($0.0) })
            if match.1 == "module" { rows[name]?.formUnion([String(match.2), "WidgetTestSupport"]) }
        }
        return rows
    }()

    /// The rows of the drawing of layers, from the top. A row begins with the layer's name, which is that of its folder
    /// in `Sources` and in `Tests`.
    private static let drawing: [[String]] = {
        let lines = Repository.text("ARCHITECTURE.md").split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "```") else { return [] }
        return lines[(start + 1)...].prefix { $0 != "```" }.map { $0.matches(of: /\w[\w-]*/).map { String($0.0) } }
    }()

    /// The names of the layers, and of the folders of `Tests` that hold what several test targets use, and the tests of the
    /// whole.
    static let layers: Set<String> = Set(drawing.compactMap(\.first) + ["Support", "House"])

    /// The row of each module in the drawing, counted from the top.
    static let rows: [String: Int] = {
        let words = drawing.enumerated().flatMap { row in row.element.dropFirst().map { ($0, row.offset) } }
        return Dictionary(words) { first, _ in first }
    }()

    /// The layer in whose row of the drawing a module is.
    static func layer(of module: String) -> String? { rows[module].flatMap { drawing[$0].first } }

    static func section(_ heading: String, of path: String) -> [String] {
        let lines = Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(of: heading) else { return [] }
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
    }

    private static func names(_ cell: String) -> Set<String> {
        Set(cell.matches(of: /\w+/).map { String($0.0) }).subtracting(["nothing"])
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
