import Foundation
import Testing
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetPackages

/// Goal: a package is built with the toolchain of the user, and what goes wrong is said. Method: a toolchain that is a
/// script.
@Suite final class `A package` {
    private let folder: URL
    private let toolchain: FakeToolchain

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "package-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        toolchain = try FakeToolchain(in: folder, making: URL(filePath: "/bin/true"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func builder(_ variables: [String: String]? = nil, product: String? = nil) -> PackageBuilder {
        PackageBuilder(toolchain.package, product: product, environment: variables ?? ["SWIFT": toolchain.path])
    }

    @Test func `is a folder with a manifest`() throws {
        #expect(PackageBuilder.isPackage(toolchain.package))
        #expect(!PackageBuilder.isPackage(folder.path))
        #expect(!PackageBuilder.isPackage("\(toolchain.package)/Package.swift"))
        #expect(!PackageBuilder.isPackage("\(folder.path)/nowhere"))
    }

    @Test func `is built by the toolchain that SWIFT names, or that the search path has`() throws {
        let steps = PrintedLines()
        let built = try builder().build { steps.add($0) }
        #expect(built.path == "\(toolchain.package)/.build/debug/Counter" && built.name == "Counter")
        #expect(steps.lines.contains("[1/2] Compiling Counter Counter.swift"))
        let place = URL(filePath: toolchain.path).deletingLastPathComponent().path
        _ = try builder(["PATH": "/nowhere:\(place)"]).build { _ in }
        #expect(throws: PackageError.noToolchain(name: "swift")) { try builder(["PATH": "/nowhere"]).build { _ in } }
        #expect(throws: PackageError.noToolchain(name: "/none")) { try builder(["SWIFT": "/none"]).build { _ in } }
    }

    @Test func `has another mark after a build that makes another program, and only then`() throws {
        let builder = builder()
        let first = try builder.build { _ in }
        #expect(try builder.build { _ in }.mark == first.mark)
        try toolchain.behave("other")
        #expect(try builder.build { _ in }.mark != first.mark)
    }

    @Test func `with a fault is not built`() throws {
        try toolchain.behave("fault")
        let error = #expect(throws: PackageError.self) { try builder().build { _ in } }
        #expect(
            error?.description
                == "\(toolchain.package)/\(FakeToolchain.source):1:1: error: cannot find 'fault' in scope")
    }

    @Test func `has every line that its toolchain prints, also of both streams at once`() throws {
        let printing = PrintingToolchain(toolchain)
        let builder = PackageBuilder(
            toolchain.package, environment: ["SWIFT": toolchain.path], programs: printing)
        let error = #expect(throws: PackageError.self) { try builder.build { _ in } }
        guard case .notBuilt(let log) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(Set(log.lines) == Set((0..<PrintingToolchain.lineCount).map { "line \($0)" }) && !log.isCut)
        #expect(log.lines.count == PrintingToolchain.lineCount)
    }

    @Test func `has the program that is asked for`() throws {
        #expect(throws: PackageError.unknownProduct("Other", known: ["Counter"])) {
            try builder(product: "Other").build { _ in }
        }
    }

    @Test func `is asked for its programs again when its manifest has changed`() throws {
        let builder = builder()
        _ = try builder.build { _ in }
        let two = try FakeToolchain(
            in: folder, making: URL(filePath: "/bin/true"), programs: ["Counter", "Other"])
        try two.write("Package.swift", "// swift-tools-version: 6.1\n")
        #expect(throws: PackageError.severalProducts(["Counter", "Other"])) { try builder.build { _ in } }
    }

    @Test func `names its sources by their paths in it`() throws {
        let names = SourceNames(of: toolchain.package)
        #expect(names.name("\(toolchain.package)/\(FakeToolchain.source)") == FakeToolchain.source)
        #expect(names.name("Counter/Counter.swift") == FakeToolchain.source)
        #expect(names.name("Other/File.swift") == "Other/File.swift")
        #expect(names.name("/usr/lib/File.swift") == "/usr/lib/File.swift")
    }
}

/// A toolchain whose build prints from several threads at once, and fails.
private struct PrintingToolchain: Programs {
    static let lineCount = 2_000
    private let toolchain: FakeToolchain

    init(_ toolchain: FakeToolchain) { self.toolchain = toolchain }

    func run(_ path: String, _ arguments: [String], onLine: @Sendable (String) -> Void) -> Bool? {
        guard arguments.contains("--product") else {
            let (text, isClean) = toolchain.answer(to: arguments)
            onLine(text)
            return isClean
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in stride(from: thread, to: PrintingToolchain.lineCount, by: 8) { onLine("line \(number)") }
        }
        return false
    }

    func begin(_ path: String, onLine: @escaping @Sendable (String) -> Void) -> Int32? { nil }
}
