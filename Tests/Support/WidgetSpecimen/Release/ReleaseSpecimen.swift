import Glibc
import ReleaseSupport
import WidgetRegistryClient

/// A host for tests that kill it: `Specimen release REGISTRY CACHE WIDGET BUILTIN ACT…`.
///
/// A line says what came of each act. After `stay`, the last one, it keeps its release until its standard input ends.
enum ReleaseSpecimen {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count > 4 else { throw StarterError.misuse }
        let client = try WidgetClient(registry: arguments[0], cache: arguments[1])
        let widget = try WidgetID(arguments[2])
        let acts = arguments[4...].filter { $0 != "stay" }
        let release = try await ReleaseHost(client, widget, builtIn: arguments[3]).perform(acts, say: say)
        guard arguments.last == "stay" else { return }
        withExtendedLifetime(release) {
            // The test holds the other end, and writes nothing.
            var byte: UInt8 = 0
            _ = unsafe read(STDIN_FILENO, &byte, 1)
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
