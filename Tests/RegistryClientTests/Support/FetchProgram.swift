import ConformanceSupport
import Foundation
import RegistryClient
import RegistryContract
import TestSupport

/// `widget fetch` as a process of its own, with a cache that outlives it.
struct FetchProgram {
    let registry: Registry
    let cache: String
    var widget = "com.example.Sample-1"

    var environment: [String: String] {
        ["WIDGET_SERVER": registry.url, "WIDGET_CACHE": cache, "PATH": "/usr/bin:/bin"]
    }

    /// Starts it, and leaves it to the caller.
    func start() throws -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = BuiltProgram("widget").url
        process.arguments = ["fetch", widget]
        process.environment = BuiltProgram.environment(environment)
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        return process
    }

    func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try BuiltProgram("widget").run(["fetch", widget] + arguments, environment: environment)
    }

    /// What is there to be run, as a host sees it that starts now.
    func installed() throws -> InstalledRelease? {
        try WidgetCache(at: cache).installed(try WidgetIdentifier(widget))
    }

    /// What crashes have left in staging.
    var staged: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: cache)) ?? []).filter { $0.contains(".staged-") }
    }

    private var folder: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(cache)/widgets/\(widget)")) ?? []
    }

    /// Whether a release of the widget is being made, or was when a process ended.
    var isStaging: Bool { folder.contains { $0.hasPrefix(".staged-") } }

    /// The releases in their place, named after their digests.
    var releaseCount: Int { folder.count { $0.utf8.count == 64 } }
}
