import Foundation
import Testing
import WidgetTestSupport

/// Goal: a property that a widget lacks does not compile. Method: the compiler checks small files against the built
/// module, and its errors are compared with the lines that are wrong on purpose.
struct `The compiler` {
    /// Lines with an error, and words of the message, if they matter.
    private static let wrong: [(line: String, says: String)] = [
        (#"LabelWidget("a").onSelect(.back)"#, "onSelect"), (#"SpacerWidget().padding(4)"#, "padding"),
        (#"ButtonWidget("a").placeholder("b")"#, "placeholder"), (#"LabelWidget("a").secureTextEntry()"#, ""),
        (#"DividerWidget().font(.body)"#, ""), (#"ImageWidget(named: "a").spacing(3)"#, ""),
        (#"VStackWidget().axis(.both)"#, ""), (#"LabelWidget("a").enabled(true)"#, ""),
        (#"TableCellWidget("a").title("b")"#, ""), (#"SwitchWidget("a").pattern("b")"#, ""),
        (#"LabelWidget("a").onSwipeLeft { _ in }"#, "have no swipes"),
        (#"LabelWidget("a").with { _, _ in }"#, "NativeWidget"), (#"LabelWidget("a").safeArea(true)"#, "safe area"),
        (#"LabelWidget(3)"#, ""), (#"ButtonWidget("a").onTap(.set($count, to: "text"))"#, ""),
        (#"ButtonWidget("a").enabled($count)"#, ""), (#"ForEach($people, key: \.age) { LabelWidget($0.name) }"#, ""),
        (#"LabelWidget($people.name)"#, ""), (#"TextFieldWidget($count)"#, ""),
    ]

    private static let right = [
        #"LabelWidget("a").onTap(.set($count, to: $count + 1)).font(.title1).padding(4).onAppear { _ in }"#,
        #"ForEach($people, key: \.name) { person in TableCellWidget(person.name).onSelect(.back) }"#,
    ]

    private static let head = [
        "import Widgets", "struct Human: Codable, Sendable { var name = \"\" }", "struct Screens: WidgetView {",
        "@State var count = 0", "@State var people: [Human] = []",
        "func widget(_ context: WidgetContext) -> any Widget { LabelWidget(\"\") }",
    ]

    @Test func `refuses properties that a widget lacks, and says why for names that users know`() throws {
        let lines = Self.wrong.enumerated().map { "var w\($0): any Widget { \($1.line) }" }
        let errors = try Self.errors(of: (Self.head + lines + ["}"]).joined(separator: "\n"))
        for (place, expected) in Self.wrong.enumerated() {
            let messages = errors[Self.head.count + place + 1] ?? []
            #expect(!messages.isEmpty, "\(expected.line) compiles")
            #expect(messages.contains { $0.contains(expected.says) } || expected.says.isEmpty, "\(messages)")
        }
        #expect(errors.keys.allSatisfy { $0 > Self.head.count }, "\(errors)")
    }

    @Test func `defect 22: Screens are built with braces, and import one module`() throws {
        let lines = Self.right.enumerated().map { "var w\($0): any Widget { \($1) }" }
        let errors = try Self.errors(of: (Self.head + lines + ["}"]).joined(separator: "\n"))
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `defect 21: The screens of the documents compile`() throws {
        let page = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/declarative.md", encoding: .utf8)
        let blocks = page.matches(of: /(?s)```swift\n(.*?)```/).map { String($0.1) }
        #expect(blocks.count >= 3)
        let errors = try Self.errors(of: blocks.joined(separator: "\n"))
        #expect(errors.isEmpty, "\(errors)")
    }

    /// The folder of the built modules, beside the tests.
    private static var modules: String? {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return [folder.path, "\(Corpus.repositoryRoot)/.build/debug"].map { "\($0)/Modules" }.first {
            FileManager.default.fileExists(atPath: "\($0)/Widgets.swiftmodule")
        }
    }

    /// The messages of errors in a file, by their lines.
    private static func errors(of source: String) throws -> [Int: [String]] {
        let modules = try #require(Self.modules, "the module is beside the tests")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Screens.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        // A module that was built for tests asks for the modules of C that it uses itself.
        let libraries = try FileManager.default.contentsOfDirectory(atPath: "\(Corpus.repositoryRoot)/Sources/C")
            .map { "\(Corpus.repositoryRoot)/Sources/C/\($0)/module.modulemap" }
            .filter { FileManager.default.fileExists(atPath: $0) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Tool.path(of: "swiftc"), "the toolchain is there"))
        process.arguments =
            ["-typecheck", "-parse-as-library", "-I", modules]
            + libraries.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [file.path]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var errors: [Int: [String]] = [:]
        for match in text.matches(of: /(?:Screens\.swift|<unknown>):(\d+)(?::\d+)?: error: ([^\n]*)/) {
            if let line = Int(match.1) { errors[line, default: []].append(String(match.2)) }
        }
        return errors
    }
}
