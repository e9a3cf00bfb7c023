import Foundation
import Testing
import WidgetBundles
import WidgetBytes

@testable import WidgetIntake

/// Goal: the documents of a program become a bundle like any other. Method: documents beside folders with and without
/// files.
@Suite final class `The documents of a program` {
    private let package = FileManager.default.temporaryDirectory.appending(path: "package-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: package) }

    private func write(_ name: String, _ text: String) throws {
        let file = package.appending(path: "Bundle/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private static func manifest(_ more: String = "") -> String {
        """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Given</string>
        <key>CFBundleName</key><string>Given</string>\(more)</dict></plist>
        """
    }

    private func taken(_ names: String...) throws -> (bundle: WidgetBundle, paths: AuthoredPaths) {
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, Array("[]".utf8)) })
        let documents = ProgramDocuments(
            identifier: "com.example.Counter", name: "Counter", first: names.first ?? "", files: files)
        let taken = try BundleSource(documents: documents, of: package.path).take()
        return (taken.bundle, taken.paths)
    }

    @Test func `get a property list if they come without one`() throws {
        let taken = try taken("First", "Second")
        #expect(taken.bundle.manifest.identifier == "com.example.Counter" && taken.bundle.name == "Counter")
        #expect(taken.bundle.files.map(\.path) == ["First.widgets.json", "Info.plist", "Second.widgets.json"])
        #expect(taken.paths.source(of: "First.widgets.json") == "\(package.path)/First.widgets.json")
    }

    @Test func `are added to the files of the folder Bundle`() throws {
        try write("Info.plist", Self.manifest())
        try write("services/events.json", "{}")
        let taken = try taken("Main")
        #expect(taken.bundle.manifest.identifier == "com.example.Given")
        #expect(taken.bundle.files.map(\.path) == ["Info.plist", "Main.widgets.json", "services/events.json"])
        #expect(taken.paths.source(of: "services/events.json") == "\(package.path)/Bundle/services/events.json")
        #expect(taken.paths.source(of: "/elsewhere/Main.swift") == "/elsewhere/Main.swift")
    }

    @Test func `have no file of the folder under the name of one of them`() throws {
        try write("Info.plist", Self.manifest())
        try write("Main.widgets.json", "[]")
        let error = #expect(throws: SourceError.self) { _ = try taken("Main") }
        #expect("\(String(describing: error))".contains("the program has a screen of the same name"))
    }

    @Test(arguments: ["../Main", "a/b", "", ".hidden", "a b"])
    func `have names that files can have`(name: String) {
        let error = #expect(throws: SourceError.self) { _ = try taken("Main", name) }
        #expect("\(String(describing: error))".contains("no file can be called so"))
    }
}
