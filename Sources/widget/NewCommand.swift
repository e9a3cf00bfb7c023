import Console
import Files
import WidgetBuild

/// `widget new`: a bundle's source to begin with.
enum NewCommand {
    static let command = Command(
        "new", "write the source of a bundle to begin with",
        example: "widget new Notes",
        positionals: [Positional("NAME", help: "the folder to make, and the bundle's name")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let name = invocation.arguments.first ?? ""
        guard let starter = Starter(named: name) else {
            Terminal.complain(
                "\(QuotedText.of(name)) cannot name a bundle",
                hints: ["letters, digits, hyphens and underscores, a letter first, at most 64"])
            return .misuse
        }
        do throws(FileError) {
            if try exists(name) {
                Terminal.complain(
                    "\(QuotedText.of(name)) is there already", hints: ["choose another name, or remove it"])
                return .failed
            }
            try SourceFolder.write(starter.files, to: name)
        } catch {
            Terminal.complain(QuotedText.plain("\(error)"))
            return .failed
        }
        let files = starter.files.map { "wrote   \(name)/\($0.path)\n" }.joined()
        return Terminal.print("\(files)next    widget build \(name)\n")
    }

    private static func exists(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try Directory(opening: ".").status(of: name)
            return true
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }
}
