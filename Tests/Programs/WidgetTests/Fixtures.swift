import CommandSupport
import Foundation
import WidgetCommands
import WidgetSurroundings
import WidgetTestSupport

/// The program `widget`.
enum Program {
    static let called = CalledProgram("widget") { await Widget.run($0, on: $1, in: $2) }
    /// The program in a process, for what only a process has.
    static let built = BuiltProgram("widget")

    /// Runs it in this process.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, input: String = "",
        isWatched: Bool = false, mask: UInt32? = nil, programs: (any Programs)? = nil
    ) throws -> BuiltProgram.Result {
        try called.run(
            arguments, environment: environment, in: folder, input: input, isWatched: isWatched, mask: mask,
            programs: programs)
    }
}

/// A browser without scripts, in front of `widget run --http`.
enum PageClient {
    /// - Returns: the answer with its head.
    static func ask(_ port: UInt16, _ request: String, _ body: String = "") throws -> String {
        let connection = try RawConnection(port: port)
        connection.send(
            "\(request) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nConnection: close\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return String(decoding: connection.receiveToEnd().bytes, as: UTF8.self)
    }
}

/// A folder of a test's own, removed when the test is over.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "widget-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appending(path: name))) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// The smallest bundle, as an archive.
enum SampleBundle {
    static let info = Array(
        """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Sample</string>\
        <key>CFBundleName</key><string>Sample</string><key>CFBundleShortVersionString</key><string>1.0</string>\
        <key>CFBundleVersion</key><string>1</string></dict></plist>
        """.utf8)

    static func archive(_ files: [(String, String)] = []) -> [UInt8] {
        let all = [("Info.plist", info)] + files.map { ($0.0, Array($0.1.utf8)) }
        return ZipForge(all.map { .init(Array("Sample.bundle/\($0.0)".utf8), $0.1) }).build().bytes
    }

    /// One that reaches for the host.
    static let evil = archive([
        ("Feed.json", "{\"Feed\": {\"elements\": {\"a\": {\"bindings\": [\n{\"predicateFormat\": \"a = %@\"}]}}}}")
    ])
}

/// The samples that are kept as sources, found by listing, so that none is forgotten.
enum SampleSources {
    static let folder = "\(Corpus.repositoryRoot)/Bundles"

    static let names: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/Info.plist") }.sorted()
    }()
}
