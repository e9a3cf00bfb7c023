import ConformanceSupport
import Foundation
import ReleaseSupport
import WidgetBytes
import WidgetFiles
import WidgetRegistryClient
import WidgetTestSupport

/// A host with a cache, a built-in bundle, and a registry as it is built.
final class StartScene {
    static let identifier = "com.example.Clock"

    let registry: Registry
    let scratch: ScratchDirectory
    let widget: WidgetID

    init(_ settings: [String: String] = [:]) throws {
        registry = try Registry(settings)
        scratch = try ScratchDirectory(in: Directory.temporary)
        widget = try WidgetID("\(Self.identifier)-1")
        try Data(BundleForge(Self.identifier, "0.1", text: "built in").archive).write(to: URL(filePath: builtIn))
    }

    var builtIn: String { "\(scratch.path)/BuiltIn.zip" }
    var cache: String { "\(scratch.path)/cache" }

    func client(_ change: (inout ClientOptions) -> Void = { _ in }) throws -> WidgetClient {
        var options = ClientOptions()
        change(&options)
        return try WidgetClient(registry: registry.url, cache: cache, options: options)
    }

    /// Publishes `1.NUMBER~1`.
    func publish(_ number: Int) throws {
        try registry.publish(BundleForge(Self.identifier, "1.\(number)", text: "number \(number)"))
    }

    func withdraw(_ number: Int, _ query: String) throws -> WireAnswer {
        try registry.write("DELETE", "/v1/bundles/\(Self.identifier)/releases/1.\(number)~1?reason=crashes\(query)")
    }

    /// A host in a process of this kind, with the acts of its run; with `stay` as the last, it lives until it is killed.
    func process(_ acts: String...) -> ChildProcess {
        let child = ChildProcess()
        child.executableURL = BuiltProgram("WidgetSpecimen").url
        child.arguments = ["release", registry.url, cache, "\(widget)", builtIn] + acts
        child.standardInput = .pipe(Pipe())
        child.standardOutput = .nothing
        return child
    }

    /// The version that a host in this process starts, which says nothing of it and has ended then.
    func started() async throws -> String {
        try await client().start(widget, builtIn: builtIn).version ?? "built in"
    }

    /// Runs a host in this process to its end, which it has without a word, as one that crashes does.
    ///
    /// - Returns: what it says of its acts.
    func host(_ acts: String...) async throws -> [String] {
        var lines: [String] = []
        try await ReleaseHost(client(), widget, builtIn: builtIn).perform(acts) { lines.append($0) }
        return lines
    }

    /// Runs a host in a process to its end.
    func run(_ acts: String...) throws -> BuiltProgram.Result {
        try BuiltProgram("WidgetSpecimen").run(["release", registry.url, cache, "\(widget)", builtIn] + acts)
    }
}
