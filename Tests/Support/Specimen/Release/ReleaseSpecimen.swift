import Glibc
import WidgetRegistryClient

/// A host for tests that kill it: `Specimen release REGISTRY CACHE WIDGET BUILTIN ACT…`.
///
/// The acts are `start`, `confirm` and `reject` for the release that was started, `update`, `download` (which lets it become
/// current with the next start) and `hang`. A line says what came of each; the last release is held until the end.
enum ReleaseSpecimen {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count > 4 else { throw StarterError.misuse }
        let client = try WidgetClient(registry: arguments[0], cache: arguments[1])
        let widget = try WidgetID(arguments[2])
        var release: WidgetRelease?
        for act in arguments[4...] {
            switch act {
            case "start":
                release = try await client.start(widget, builtIn: arguments[3])
                say("started \(release?.version ?? "builtIn")")
            case "confirm":
                try await release?.confirm()
                say("confirmed \(release?.version ?? "builtIn")")
            case "reject":
                try await release?.reject()
                say("rejected \(release?.version ?? "builtIn")")
            case "update":
                switch await client.update(widget) {
                case .newData(let new):
                    release = new
                    try await new.begin()
                    say("updated \(new.version ?? "")")
                case .noData(let old): say("unchanged \(old.version ?? "")")
                case .failed(let error, _): say("failed \(error)")
                }
            case "download":
                switch try await client.check(widget) {
                case .available(let offer):
                    try await client.apply(try await client.download(offer), at: .nextStart)
                    say("downloaded \(offer.version)")
                case .downloaded(let waiting): say("waiting \(waiting.version)")
                case .current(let current): say("current \(current.version ?? "")")
                }
            case "hang": try await Task.sleep(for: .seconds(600))
            default: throw StarterError.misuse
            }
        }
    }

    private static func say(_ text: String) {
        // Unbuffered: a process that is killed has said what it did.
        let line = Array("\(text)\n".utf8)
        unsafe line.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = unsafe write(1, base, bytes.count)
        }
    }
}

private enum StarterError: Error { case misuse }
