import Arguments
import Console
import Files
import WidgetBuild
import WidgetBundles

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
        let compiled: BundleCompiler
        do throws(BuildError) {
            compiled = try compile(path)
        } catch {
            Terminal.complain(QuotedText.plain("\(error)"), hints: error.hints)
            return .failed
        }
        if !invocation.has("json") {
            let notes = compiled.notes.map { "note    \(QuotedText.plain($0))\n" }.joined()
            guard Terminal.print(notes) == .clean else { return .failed }
        }
        let output = invocation.value("output") ?? "\(compiled.name).zip"
        do throws(FileError) {
            // The archive is made of the compiled folder by the same way as `widget pack`, so both are judged alike.
            let scratch = try ScratchDirectory(in: Directory.temporary)
            let folder = "\(scratch.path)/\(compiled.name).bundle"
            try SourceFolder.write(compiled.files, to: folder)
            return PackCommand.pack(
                folder, to: output, isNamed: invocation.has("output"), asJSON: invocation.has("json"), source: path)
        } catch {
            Terminal.complain(QuotedText.plain("\(error)"))
            return .failed
        }
    }

    static func compile(_ path: String) throws(BuildError) -> BundleCompiler {
        let folder: Directory
        do throws(FileError) {
            folder = try Directory(opening: path)
        } catch {
            throw BuildError("\(error)", path: path, hints: ["`widget new NAME` makes a folder to begin with"])
        }
        let name = path.split(separator: "/").last.map { String($0) } ?? "Widget"
        return try BundleCompiler(try SourceFolder.read(folder), folder: name)
    }
}
