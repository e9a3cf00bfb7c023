private import FoundationEssentials
internal import Glibc
internal import Testing

/// Sample files under `Tests/Corpus`, whose folder and name say what must happen to them.
package struct Corpus: Sendable, CustomTestStringConvertible {
    /// The file's name. Up to its first dot it is the outcome, then what is special about the sample.
    package let name: String
    package let bytes: [UInt8]

    package var outcome: String { String(name.prefix { $0 != "." }) }

    package var testDescription: String { name }

    /// The samples of one folder, such as `json/refuse`, in the order of their names.
    package static func files(in folder: String) -> [Corpus] {
        let path = "\(repositoryRoot)/Tests/Corpus/\(folder)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(path)/\(name)").map { Corpus(name: name, bytes: [UInt8]($0)) }
        }
    }

    /// All files below a folder, by their paths in it.
    package static func tree(at path: String) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
            // A folder has no contents of its own.
            files[name] = FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
        }
        return files
    }

    /// Whether this run writes the files that tests keep in step with what they forge, instead of comparing them.
    package static var isWritten: Bool {
        // The environment is not changed while tests run.
        unsafe getenv("WIDGET_WRITE_CORPUS") != nil
    }

    /// The folder that holds `Package.swift`, found from this file's own place in it.
    package static var repositoryRoot: String {
        var components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        components.removeLast(3)
        return components.joined(separator: "/")
    }
}
