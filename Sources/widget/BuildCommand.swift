import Console
import WidgetIntake

/// `widget build`: compiles a bundle's source and writes its canonical archive.
enum BuildCommand {
    static let command = Command(
        "build", "compile a bundle's source and write its archive",
        example: "widget build Notes -o Notes.zip",
        options: [
            Option("output", letter: "o", value: "OUT.zip", help: "the archive to write; NAME.zip here if not given"),
            Option("json", help: "print the report as JSON"),
        ],
        positionals: [Positional("DIR", help: "a folder with storyboards, models, images and schemes")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        do throws(SourceError) {
            // Built and packed bundles are judged alike, because both are taken in the same way.
            let source = try BundleSource(compiling: path)
            if !invocation.has("json") {
                guard Terminal.print(NamedBundle.notes(source)) == .clean else { return .failed }
            }
            return PackCommand.pack(source, named: path, invocation, replacesOwn: true)
        } catch {
            return CommandFailure(error, source: path).show(asJSON: invocation.has("json"))
        }
    }
}
