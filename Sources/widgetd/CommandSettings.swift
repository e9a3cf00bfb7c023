import Configuration
import Console

/// The settings a command runs with.
enum CommandSettings {
    static func read(
        _ invocation: Invocation, environment: [String: String]
    ) throws(ConfigurationError) -> LoadedSettings<Settings> {
        try Settings.load(invocation, environment: environment, readFile: BoundedFile.read)
    }

    /// The settings in force, or `nil` after every problem has been printed.
    static func load(_ invocation: Invocation, environment: [String: String]) -> LoadedSettings<Settings>? {
        do throws(ConfigurationError) {
            return try read(invocation, environment: environment)
        } catch {
            for problem in error.problems {
                Terminal.complain(problem.message, hints: problem.hint.map { [$0] } ?? [])
            }
            return nil
        }
    }
}
