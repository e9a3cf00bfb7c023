import Foundation
import Testing
import WidgetTestSupport

/// Goal: what the articles show compiles. Method: every listing of Swift in them is given to the compiler, with the
/// modules of this build.
@Suite(.part(.compilers)) struct `The listings of the articles` {
    /// The catalogues of the libraries, and the document about hosting.
    static let articles: [String] = {
        let root = Corpus.repositoryRoot
        let catalogues = Corpus.tree(at: "\(root)/Sources/Host").keys.filter {
            $0.contains(".docc/") && $0.hasSuffix(".md")
        }
        return ["docs/hosting.md"] + catalogues.sorted().map { "Sources/Host/\($0)" }
    }()

    /// Names that listings may use without declaring them, as a reader would have them by then.
    private static let context = """
        _ client: WidgetClient, _ clock: WidgetID, _ release: WidgetRelease, _ session: WidgetSession,
        _ configuration: WidgetConfiguration, _ page: WidgetPage, _ registry: String, _ cache: String, _ token: String,
        _ fields: [(name: String, value: String)], _ show: (WidgetRelease) -> Void, _ log: (String) -> Void,
        _ draw: @escaping @Sendable (String) -> Void
        """
    private static let imports = ["WidgetRegistryClient", "WidgetRuntime", "WidgetPages", "WidgetEmbedding", "Widgets"]

    private static func listings(of article: String) throws -> [String] {
        let text = try String(contentsOf: URL(filePath: "\(Corpus.repositoryRoot)/\(article)"), encoding: .utf8)
        return text.matches(of: /(?ms)^```swift\n(.*?)^```/).map { String($0.1) }
    }

    @Test func `There are articles, and they have listings`() throws {
        #expect(Self.articles.count >= 8)
        #expect(try Self.articles.flatMap { try Self.listings(of: $0) }.count >= 12)
    }

    @Test(arguments: articles) func `Every listing of an article compiles`(article: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "listings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var bodies: [String] = []
        for (number, listing) in try Self.listings(of: article).enumerated() {
            // A manifest and a program are whole files.
            if listing.contains("PackageDescription") || listing.contains("@main") {
                let file = folder.appending(path: "Whole\(number).swift").path
                try Data(listing.utf8).write(to: URL(filePath: file))
                let manifests = listing.contains("PackageDescription") ? try Self.manifestModules() : []
                let result = Toolchain.run(
                    "swiftc", ["-typecheck", "-parse-as-library", file] + manifests + SymbolGraph.moduleArguments)
                #expect(result.status == 0, "\(article), listing \(number + 1):\n\(result.text)\n\(listing)")
                continue
            }
            let lines = listing.split(separator: "\n", omittingEmptySubsequences: false)
            let body = lines.filter { !$0.hasPrefix("import ") }.map { "    \($0)" }.joined(separator: "\n")
            bodies.append("func listing\(number + 1)(\(Self.context)) async throws {\n\(body)\n}\n")
        }
        guard !bodies.isEmpty else { return }
        let text = Self.imports.map { "import \($0)\n" }.joined() + bodies.joined(separator: "\n")
        let file = folder.appending(path: "Listings.swift").path
        try Data(text.utf8).write(to: URL(filePath: file))
        let result = Toolchain.run(
            "swiftc", ["-typecheck", "-swift-version", "6", "-parse-as-library", file] + SymbolGraph.moduleArguments)
        #expect(result.status == 0, "\(article):\n\(result.text)")
    }

    private static func manifestModules() throws -> [String] {
        let found = Toolchain.run("sh", ["-c", "readlink -f \"$(command -v swiftc)\""])
        let compiler = URL(filePath: found.text.split(separator: "\n").first.map(String.init) ?? "")
        let folder = compiler.deletingLastPathComponent().deletingLastPathComponent()
        return ["-I", folder.appending(path: "lib/swift/pm/ManifestAPI").path, "-package-description-version", "6.2"]
    }

    // MARK: - Catalogues

    @Test(arguments: ["WidgetPages", "WidgetRegistryClient", "WidgetRuntime"])
    func `A catalogue names only symbols that exist`(library: String) throws {
        let names = Set(try SymbolGraph.libraries.flatMap { try SymbolGraph(of: $0).symbols.map(\.name) })
        let folder = "\(Corpus.repositoryRoot)/Sources/Host/\(library)/\(library).docc"
        let pages = Corpus.tree(at: folder).filter { $0.key.hasSuffix(".md") }
        try #require(!pages.isEmpty)
        for (page, bytes) in pages {
            for match in String(decoding: bytes, as: UTF8.self).matches(of: /(?:^|[^`])``([^`\n]+)``(?!`)/) {
                let path = match.1.split(separator: "/").filter { !SymbolGraph.libraries.contains(String($0)) }
                let name = path.joined(separator: ".")
                #expect(name.isEmpty || names.contains(name), "\(library)/\(page) names \(match.1)")
            }
        }
    }
}
