import Arguments
import Console
import Files
import WidgetBundles

/// `widget pack`: strips a bundle and writes its canonical archive, offline.
enum PackCommand {
    static let command = Command(
        "pack", "strip a bundle and write its canonical archive",
        example: "widget pack Build/Greeting.app -o Greeting.zip",
        options: [
            Option("output", letter: "o", value: "OUT.zip", help: "the archive to write; NAME.zip here if not given"),
            Option("json", help: "print the report as JSON"),
        ],
        positionals: [Positional("DIR|ZIP", help: "a bundle's folder, or an archive of it")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        return pack(
            path, to: invocation.value("output"), isNamed: invocation.has("output"), asJSON: invocation.has("json"),
            source: path)
    }

    /// - Parameter source: what messages call the folder or archive.
    static func pack(_ path: String, to given: String?, isNamed: Bool, asJSON: Bool, source: String) -> ExitCode {
        do throws(BundleError) {
            let taken = try BundleSource.take(path, output: given ?? "./")
            let output = given ?? "\(taken.bundle.name).zip"
            do throws(FileError) {
                guard try ArchiveFile.write(taken, to: output, replacing: isNamed) else {
                    Terminal.complain(
                        "\(QuotedText.of(output)) is what is to be packed",
                        hints: ["`-o OUT.zip` names another file to write"])
                    return .misuse
                }
            } catch {
                let hints = error.exists ? ["`-o OUT.zip` names the file to write, and replaces it"] : []
                Terminal.complain(QuotedText.plain("\(error)"), hints: hints)
                return .failed
            }
            if asJSON { return Terminal.print(document: taken.report.json) }
            let text = ReportText(taken.report, usesColor: Terminal.isWatched).description
            return Terminal.print("\(text)wrote   \(QuotedText.plain(output))\n")
        } catch {
            return Refusal.show(error, source: source, asJSON: asJSON)
        }
    }
}
