import FoundationEssentials

/// A Swift file of the repository, as text.
struct SourceFile: Sendable {
    /// From the repository's top.
    var path: String
    var text: String
    /// The text without comments and without what stands between quotes, so that words in it are code.
    var code: String
    /// The modules it imports.
    var imports: Set<String>

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = CodeScanner.code(of: text)
        imports = SourceFile.imports(of: text)
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder under `Sources` that the file is in.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count }

    private static func imports(of text: String) -> Set<String> {
        let line = /\s*(?:@\w+ )*(?:\w+ )?import (?:(?:struct|class|enum|func) )?(\w+)(?:\.\w+)?\s*/
        let candidates = text.split(separator: "\n").filter { $0.contains("import ") }
        return Set(candidates.compactMap { $0.wholeMatch(of: line).map { String($0.1) } })
    }
}
