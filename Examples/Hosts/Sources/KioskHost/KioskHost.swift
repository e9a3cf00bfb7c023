import Glibc
import WidgetRegistryClient
import WidgetRuntime

/// A host that has to show something in every case, by the loop of `docs/hosting.md`. It prints a line for each step:
///
///     KioskHost --registry URL --cache FOLDER --built-in BUNDLE
///         [--widget ID] [--data FOLDER] [--pin BUNDLE] [--former URL]
@main struct KioskHost {
    static func main() async {
        do { try await run(Options(CommandLine.arguments.dropFirst())) } catch {
            step("error", "\(error)")
            exit(2)
        }
    }

    /// Prints a step of the loop, at once.
    static func step(_ name: String, _ text: String) {
        print(name, text)
        fflush(nil)
    }

    static func run(_ options: Options) async throws {
        var clientOptions = ClientOptions()
        clientOptions.pin = options.pin
        let client = try WidgetClient(registry: options.registry, cache: options.cache, options: clientOptions)
        let clock = try WidgetID(options.widget)
        let builtIn = options.builtIn
        var settings = WidgetConfiguration()
        settings.dataFolder = options.data
        settings.formerRegistries = options.former
        let configuration = settings

        @Sendable func begin() async throws -> (release: WidgetRelease, session: WidgetSession) {
            let release = try await client.start(clock, builtIn: builtIn)
            step("start", name(release) + (release.isTrial ? ", on trial" : ""))
            do {
                let session = try await WidgetSession(release, configuration: configuration)
                await show(session)
                try? await release.confirm()
                step("confirm", name(release))
                return (release, session)
            } catch {
                step("error", "\(name(release)): \(error)")
                if try await release.reject(because: error) { return try await begin() }
                let spare = client.builtIn(clock, at: builtIn)
                step("start", name(spare))
                return (spare, try await WidgetSession(spare, configuration: configuration))
            }
        }

        var shown = try? await begin()
        if shown == nil { step("nothing", "may be shown") }
        for await event in client.events(of: clock, since: shown?.release) {
            report(event)
            switch event {
            case .release(let next):
                guard let session = shown?.session else {
                    shown = try? await begin()
                    continue
                }
                do {
                    try await session.replace(with: next)
                    await show(session)
                    try await next.confirm()
                    step("confirm", name(next))
                } catch {
                    let isRejected = try? await next.reject(because: error)
                    step(isRejected == true ? "reject" : "error", "\(name(next)): \(error)")
                }
            case .withdrawn:
                await shown?.session.stop()
                shown = try? await begin()
                if shown == nil { step("nothing", "may be shown") }
            case .failed, .gone: continue
            }
        }
    }

    private static func report(_ event: ReleaseEvent) {
        switch event {
        case .release(let next): step("release", name(next))
        case .withdrawn(let reason): step("withdrawn", "\(reason)")
        case .failed(let error): step("failed", "\(error.code): \(error)")
        case .gone: step("gone", "the registry no longer has the widget")
        }
    }

    private static func name(_ release: WidgetRelease) -> String { release.version ?? "the built-in bundle" }

    /// Prints the first line of the screen.
    private static func show(_ session: WidgetSession) async {
        let words = await session.screen().text().split(separator: "\n").map { $0.split(separator: " ") }
        step("show", words.first { !$0.isEmpty }?.joined(separator: " ") ?? "an empty screen")
    }
}
