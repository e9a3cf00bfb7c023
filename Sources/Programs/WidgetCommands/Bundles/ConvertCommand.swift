import WidgetBuild
import WidgetBytes
import WidgetConsole
import WidgetFiles

/// `widget convert`: screens as text become a storyboard, and a storyboard becomes screens as text.
enum ConvertCommand {
    private enum Form: String, CaseIterable {
        case screens, storyboard

        /// The form that a file has by its name.
        init?(ofFile path: String) {
            guard let dot = path.lastIndex(of: "."),
                let form = Form(rawValue: path[path.index(after: dot)...].lowercased())
            else { return nil }
            self = form
        }
    }

    static let command = Command(
        "convert", "turn screens as text into a storyboard, or the other way",
        example: "widget convert Main.screens -o Main.storyboard",
        options: [
            Option("output", letter: "o", value: "OUT", help: "the file to write or replace; printed if not given"),
            Option(
                "to", value: "FORM", choices: ["screens", "storyboard"],
                help: "screens or storyboard; the other form than FILE's if not given"),
            Option("drop", help: "leave out what screens as text cannot say, and list it"),
        ],
        positionals: [Positional("FILE", help: "NAME.screens or NAME.storyboard")])

    /// The largest file that is read; the parsers of both forms have lower limits.
    private static let byteCount = 16 << 20

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        do throws(CommandFailure) {
            return try convert(path, invocation)
        } catch {
            return error.show(on: invocation.terminal, asJSON: false)
        }
    }

    private static func convert(_ path: String, _ invocation: Invocation) throws(CommandFailure) -> ExitCode {
        guard let form = Form(ofFile: path) else {
            throw .misuse(
                "\(path) is not a file that can be converted",
                hints: ["name a file that ends in .screens or .storyboard"])
        }
        var target: Form = form == .screens ? .storyboard : .screens
        if let wanted = invocation.value("to") {
            guard let known = Form(rawValue: wanted) else {
                throw .misuse("--to is \(wanted)", hints: ["it can be screens or storyboard"])
            }
            target = known
        }
        let bytes = try read(path)
        var left: [BuildError] = []
        let converted: [UInt8]
        do throws(BuildFailure) {
            switch (form, target) {
            case (.screens, .storyboard): converted = try ScreenNotation.storyboard(bytes, path: path)
            case (.screens, .screens): converted = try ScreenNotation.normalForm(bytes, path: path)
            case (.storyboard, .storyboard): converted = bytes
            case (.storyboard, .screens):
                let reading = try ScreenNotation.screens(storyboard: bytes, path: path)
                (converted, left) = (reading.bytes, reading.left)
            }
        } catch {
            throw .build(error)
        }
        if let failure = BuildFailure(left) {
            guard invocation.has("drop") else {
                invocation.terminal.complain(
                    QuotedText.plain(
                        "\(path) has \(left.count) part\(left.count == 1 ? "" : "s") that screens as text cannot say"),
                    details: failure.lines.map(QuotedText.plain),
                    hints: ["keep the storyboard, or leave these parts out with --drop"])
                return .failed
            }
            for line in failure.lines { invocation.terminal.warn(QuotedText.plain("left out: \(line)")) }
        }
        guard let output = invocation.value("output") else { return invocation.terminal.print(converted) }
        do throws(FileError) {
            let (folder, name) = ArchiveFile.split(output)
            try Directory(opening: folder).replaceFile(name, with: converted)
        } catch {
            throw .failed("\(error)", hints: [])
        }
        return invocation.terminal.print("wrote   \(QuotedText.plain(output))\n")
    }

    private static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let failed = { (error: FileError) in CommandFailure.failed("\(error)", hints: []) }
        let file = try rethrowing(try FileDescriptor.readingNamed(path), as: failed)
        let status = try rethrowing(try file.status(), as: failed)
        guard status.byteCount <= byteCount else {
            throw .failed("\(path) has more than \(byteCount >> 20) MiB", hints: [])
        }
        return try rethrowing(try file.read(at: 0, count: status.byteCount), as: failed)
    }
}
