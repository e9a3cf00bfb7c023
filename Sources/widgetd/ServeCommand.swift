import Arguments
import Configuration

/// `widgetd serve`: the flags it takes, which every command that needs the same settings takes too.
enum ServeCommand {
    static let options = Settings.options

    /// The settings in force, or `nil` after every problem has been printed.
    static func load(_ invocation: Invocation, environment: [String: String]) -> LoadedSettings? {
        do throws(ConfigurationError) {
            return try Settings.load(invocation, environment: environment, readFile: BoundedFile.read)
        } catch {
            for problem in error.problems {
                Terminal.complain(problem.message, hints: problem.hint.map { [$0] } ?? [])
            }
            return nil
        }
    }
}
