import FoundationEssentials

/// The repository this test was built from.
enum Repository {
    /// Two folders above this file's own.
    static let top: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/")
    }()

    /// Every Swift file under `Sources`.
    static let sources: [SourceFile] = swiftFiles(under: "Sources")

    /// The folders under `Sources` that hold Swift.
    static let modules: [String] = Set(sources.map(\.module)).sorted()

    static func text(_ path: String) -> String {
        (try? String(contentsOfFile: "\(top)/\(path)", encoding: .utf8)) ?? ""
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(top)/\(path)")
    }

    static func swiftFiles(under folder: String) -> [SourceFile] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(top)/\(folder)")) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map {
            SourceFile(path: "\(folder)/\($0)", text: text("\(folder)/\($0)"))
        }
    }
}
