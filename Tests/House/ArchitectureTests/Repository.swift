import FoundationEssentials

/// The repository that this test was built from.
enum Repository {
    /// The folder three levels above this file's.
    static let top: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        return parts.joined(separator: "/")
    }()

    /// Every Swift file under `Sources`, without those that replace others where the engine is WebAssembly.
    static let sources: [SourceFile] = swiftFiles(under: "Sources").filter { !$0.path.hasPrefix(standIns) }

    /// The folder of the files that only WebAssembly is made of.
    static let standIns = "Sources/Wasm/"

    /// Every Swift file under `Tests`.
    static let tests: [SourceFile] = swiftFiles(under: "Tests")

    /// The folders under `Sources` that hold Swift.
    static let modules: [String] = Set(sources.map(\.module)).sorted()

    /// True if this run rewrites the lists under `Tests/Corpus/house` from the tree as it is, as `WIDGET_WRITE_CORPUS`
    /// asks of all tests that keep a corpus.
    static let rewritesLists = ProcessInfo.processInfo.environment["WIDGET_WRITE_CORPUS"] != nil

    static let rewriting = "WIDGET_WRITE_CORPUS=1 ONLY=Architecture swift test"

    static func text(_ path: String) -> String {
        (try? String(contentsOfFile: "\(top)/\(path)", encoding: .utf8)) ?? ""
    }

    static func write(_ text: String, to path: String) throws {
        try text.write(toFile: "\(top)/\(path)", atomically: true, encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(top)/\(path)")
    }

    static func swiftFiles(under folder: String) -> [SourceFile] {
        paths(under: folder).filter { $0.hasSuffix(".swift") }.map { SourceFile(path: $0, text: text($0)) }
    }

    /// The files below a folder, from the repository's top, without the samples of `Tests/Corpus`.
    static func paths(under folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(top)/\(folder)")) ?? []
        return names.sorted().map { "\(folder)/\($0)" }.filter { !$0.hasPrefix("Tests/Corpus/") }
    }
}

/// A Swift file of the repository, as text.
struct SourceFile: Sendable {
    /// The path from the repository's top.
    var path: String
    var text: String
    /// The text without comments and quoted text: what is left is code.
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

    /// The module, program or test target that the file belongs to.
    var module: String {
        let folder = SourceFile.moduleFolder(of: path)
        return folder.count < path.split(separator: "/").count ? folder.last.map(String.init) ?? "" : ""
    }

    /// The folder of a file's module: the first one below `Sources` or `Tests` that is not a layer's.
    static func moduleFolder(of path: String) -> ArraySlice<Substring> {
        let parts = path.split(separator: "/")
        return parts.prefix(parts.count > 1 && ImportTable.layers.contains(String(parts[1])) ? 3 : 2)
    }

    /// The number of lines. The line break at the end begins no further line.
    var lineCount: Int {
        text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + (text.isEmpty || text.hasSuffix("\n") ? 0 : 1)
    }

    private static func imports(of text: String) -> Set<String> {
        // What is further in belongs to a text.
        let line = /\s{0,4}(?:@\w+ )*(?:\w+ )?import (?:(?:struct|class|enum|func) )?(\w+)(?:\.\w+)?\s*/
        let candidates = text.split(separator: "\n").filter { $0.contains("import ") }
        return Set(candidates.compactMap { $0.wholeMatch(of: line).map { String($0.1) } })
    }
}
