private import FoundationEssentials
internal import Glibc
internal import Synchronization
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
            // A folder has no contents.
            files[name] = FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
        }
        return files
    }

    /// True if this run writes the files that tests forge, instead of comparing them.
    package static var isWritten: Bool {
        // The environment is not changed while tests run.
        unsafe getenv("WIDGET_WRITE_CORPUS") != nil
    }

    /// The folder that holds `Package.swift`, the first one above this file.
    package static let repositoryRoot: String = {
        var components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        repeat {
            components.removeLast()
            let package = components.joined(separator: "/") + "/Package.swift"
            if FileManager.default.fileExists(atPath: package) { break }
        } while components.count > 1
        return components.joined(separator: "/")
    }()
}

/// Outside samples that may lie beside the repository; tests that use them are skipped without them.
package enum Samples {
    /// `WIDGET_SAMPLES`, or the folder beside the repository.
    package static let directory: String = {
        // The environment is not changed while tests run, and the text is copied at once.
        if let path = unsafe getenv("WIDGET_SAMPLES") { return unsafe String(cString: path) }
        return "\(Corpus.repositoryRoot)/../shared/samples"
    }()

    package static var exist: Bool { unsafe access(directory + "/WidgetDemo.zip", R_OK) == 0 }

    package static func bytes(_ name: String) throws -> [UInt8] {
        guard let stream = unsafe fopen("\(directory)/\(name)", "r") else { throw Missing(name: name) }
        defer { unsafe fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, stream)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    package struct Missing: Error {
        package var name: String
    }
}

extension Samples {
    /// True if the demo archive exists and can be unpacked.
    package static var canBeUnpacked: Bool { exist && ExternalTool("unzip") != nil }

    /// A file of the demo bundle, by its name inside the bundle.
    package static func demo(_ name: String) throws -> [UInt8] {
        guard let bytes = demoFiles?["WidgetDemo.bundle/\(name)"] else { throw Missing(name: name) }
        return bytes
    }

    private static let demoFiles = contents(of: "WidgetDemo")

    /// The files of an archive, which is unpacked once for all tests.
    private static func contents(of name: String) -> [String: [UInt8]]? {
        unpacked.withLock { unpacked in
            if let known = unpacked[name] { return known }
            let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let arguments = ["-q", "\(directory)/\(name).zip", "-d", folder]
            guard ExternalTool("unzip")?.output(arguments) != nil else { return nil }
            unpacked[name] = Corpus.tree(at: folder)
            return unpacked[name]
        }
    }

    private static let unpacked = Mutex<[String: [String: [UInt8]]]>([:])
}

extension Samples {
    /// The sources of the framework's samples, as their authors left them.
    package static let originals = ["WidgetDemo", "TwitterDemo", "WidgetHostDemo"]

    /// True if the sources of all of them exist and can be unpacked.
    package static var originalsExist: Bool {
        canBeUnpacked && originals.allSatisfy { unsafe access("\(directory)/\($0)-source.zip", R_OK) == 0 }
    }

    /// Unpacks the source of one into a folder.
    ///
    /// - Returns: the path of the source folder.
    package static func unpack(_ name: String, into folder: String) throws -> String {
        guard let files = contents(of: "\(name)-source") else { throw Missing(name: name) }
        for (path, bytes) in files {
            let file = "\(folder)/\(path)"
            try FileWork.makeFolder(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]))
            try FileWork.write(bytes, to: file)
        }
        return "\(folder)/\(name)-source"
    }
}

/// A compiled storyboard with one screen, which a bundle can begin with.
package enum FirstScreenFiles {
    package static let all = all(in: "")

    /// - Parameter folder: where the storyboard is, with a slash at its end.
    package static func all(in folder: String) -> [(String, [UInt8])] {
        Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/screens").sorted { $0.key < $1.key }
            .map { (folder + $0.key, $0.value) }
    }
}
