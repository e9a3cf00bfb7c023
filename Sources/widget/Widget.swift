import Arguments
import Console
import Glibc

/// The publisher's and host's program: arguments in, exit code out.
enum Widget {
    static let command = Command(
        "widget", "make, pack, inspect and check widget bundles", version: Version.text,
        example: "widget inspect WidgetDemo.zip",
        subcommands: [
            NewCommand.command, BuildCommand.command, PackCommand.command, InspectCommand.command,
            StructureCommand.command, PredicateCommand.command,
        ])

    static func main() -> Never {
        // A reader that goes away is a failed write, never a sudden end that leaves files behind.
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitCode {
        do throws(ArgumentsError) {
            switch try command.parse(arguments) {
            case .help(let text): return Terminal.print(text)
            case .version(let text): return Terminal.print(text + "\n")
            case .run(let invocation): return run(invocation)
            }
        } catch {
            Terminal.complain(error.message, hints: error.hints)
            return .misuse
        }
    }

    private static func run(_ invocation: Invocation) -> ExitCode {
        switch invocation.command {
        case ["new"]: NewCommand.run(invocation)
        case ["build"]: BuildCommand.run(invocation)
        case ["pack"]: PackCommand.run(invocation)
        case ["inspect"]: InspectCommand.run(invocation)
        case ["predicate"]: PredicateCommand.run(invocation)
        default: StructureCommand.run(invocation)
        }
    }
}
