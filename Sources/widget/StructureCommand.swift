import Bytes
import Console
import Files
import JSONText
import Zip

/// `widget structure`: the archive layer alone, without any rule about bundles.
enum StructureCommand {
    static let command = Command(
        "structure", "say whether an archive has exactly one reading",
        example: "widget structure WidgetDemo.zip --json",
        options: [Option("json", help: "print the answer as JSON")],
        positionals: [Positional("ZIP", help: "the archive")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let asJSON = invocation.has("json")
        do throws(ZipError) {
            let entries = try entries(of: invocation.arguments.first ?? "")
            return asJSON
                ? Terminal.print(document: ArchiveTree.json(entries)) : Terminal.print(ArchiveTree.text(entries))
        } catch {
            guard error.isRefusal else {
                Terminal.complain(QuotedText.plain("\(error)"))
                return .failed
            }
            let printed =
                asJSON
                ? Terminal.print(document: ArchiveRefusal.json(error)) : Terminal.print(ArchiveRefusal.verdict(error))
            return printed == .clean ? .failed : printed
        }
    }

    /// The bar is gone before anything is printed.
    private static func entries(of path: String) throws(ZipError) -> [ArchiveTree.Entry] {
        let file = try rethrowing(try FileDescriptor.readingNamed(path), as: { ZipError(.file($0)) })
        var bar = ProgressBar("reading")
        return try ArchiveTree.entries(of: file) { bar.show($0, of: $1) }
    }
}
