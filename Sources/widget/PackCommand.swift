import Console
import Files
import WidgetBundles
import WidgetIntake

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
        do throws(SourceError) {
            return pack(try BundleSource(opening: path, followsLinks: true), named: path, invocation)
        } catch {
            return CommandFailure(error, source: path).show(asJSON: invocation.has("json"))
        }
    }

    /// - Parameters:
    ///   - name: the folder or archive, as messages call it.
    ///   - replacesOwn: whether an archive that was written here before, of the same bundle, is replaced.
    static func pack(
        _ source: borrowing BundleSource, named name: String, _ invocation: Invocation, replacesOwn: Bool = false
    ) -> ExitCode {
        let given = invocation.value("output")
        do throws(SourceError) {
            let taken = try NamedBundle.take(source, in: ArchiveFile.split(given ?? "./").folder)
            let output = given ?? "\(taken.bundle.name).zip"
            do throws(FileError) {
                let isWritten = try ArchiveFile.write(
                    taken, of: source.status, to: output,
                    replacing: given != nil || replacesOwn && ArchiveFile.isOurs(output, of: taken.bundle))
                guard isWritten else {
                    Terminal.complain(
                        "\(QuotedText.of(output)) is what is to be packed",
                        hints: ["`-o OUT.zip` names another file to write"])
                    return .misuse
                }
            } catch {
                if error.exists {
                    Terminal.complain(
                        "\(QuotedText.of(output)) is there already",
                        hints: ["`-o OUT.zip` names the file to write, and replaces it"])
                } else {
                    Terminal.complain(QuotedText.plain("\(error)"))
                }
                return .failed
            }
            if invocation.has("json") { return Terminal.print(document: taken.report.json) }
            let text = ReportText(taken.report, usesColor: Terminal.isWatched).description
            return Terminal.print("\(text)wrote   \(QuotedText.plain(output))\n")
        } catch {
            return CommandFailure(error, source: name).show(asJSON: invocation.has("json"))
        }
    }
}
