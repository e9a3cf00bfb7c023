import WidgetRegistryClient
import WidgetRuntime

/// A host on the command line: `CommandLineHost [REGISTRY]` shows a widget, and taps what each line of the input names.
@main struct CommandLineHost {
    static func main() async throws {
        let registry = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
        let client = try WidgetClient(registry: registry, cache: ".widgets/cache")
        let counter = try WidgetID("com.example.Counter-1")

        // What works is shown at once; a newer release takes its place while the widget runs.
        let release = try await client.start(counter, builtIn: "Counter.bundle")
        var configuration = WidgetConfiguration()
        configuration.dataFolder = ".widgets/data"
        let session = try await WidgetSession(release, configuration: configuration)
        try await release.confirm()
        let updates = Task {
            for await case .release(let next) in client.events(of: counter, since: release) {
                do { if try await session.replace(with: next) { try await next.confirm() } } catch {
                    try await next.reject(because: error)
                }
            }
        }

        print(await session.screen().text())
        while let name = readLine(), !name.isEmpty {
            do { try await session.tap(name) } catch { print("\(error)", error.hint.map { "(\($0))" } ?? "") }
            print(await session.screen().text())
        }
        updates.cancel()
        await session.stop()
    }
}
