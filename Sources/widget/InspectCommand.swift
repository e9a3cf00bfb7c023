import Arguments
import Console
import Files
import JSONText
import WidgetBundles

/// `widget inspect`: what is in a bundle, and what would become of it.
enum InspectCommand {
    static let command = Command(
        "inspect", "show what is in a bundle, and what would become of it",
        example: "widget inspect WidgetDemo.zip",
        options: [Option("json", help: "print the same facts as JSON")],
        positionals: [Positional("DIR|ZIP", help: "a bundle's folder, or an archive of it")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        let asJSON = invocation.has("json")
        do throws(BundleError) {
            let taken = try BundleSource.take(path)
            let outline = try taken.bundle.outline(readingFrom: taken.archive)
            guard asJSON else {
                let report = ReportText(taken.report, usesColor: Terminal.isWatched)
                return Terminal.print("\(identity(taken.bundle))\(outline)\(report)")
            }
            var writer = JSONWriter()
            writer.object { writer in
                writer.key("bundle")
                write(taken.bundle, to: &writer)
                writer.key("outline")
                outline.write(to: &writer)
                writer.key("report")
                taken.report.write(to: &writer)
            }
            return Terminal.print(writer.finish())
        } catch {
            return Refusal.show(error, source: path, asJSON: asJSON)
        }
    }

    private static func identity(_ bundle: WidgetBundle) -> String {
        let manifest = bundle.manifest
        var text = "bundle  \(manifest.identifier) \(manifest.shortVersion) (\(manifest.build))\n"
        if let name = manifest.displayName ?? manifest.name { text += "name    \(QuotedText.plain(name))\n" }
        if let version = manifest.minimumOSVersion { text += "needs   iOS \(QuotedText.plain(version))\n" }
        return text
    }

    private static func write(_ bundle: WidgetBundle, to writer: inout JSONWriter) {
        let manifest = bundle.manifest
        writer.object { writer in
            writer.member("identifier", manifest.identifier)
            writer.member("version", manifest.shortVersion)
            writer.member("build", manifest.build)
            writer.member("folder", bundle.folder)
            if let name = manifest.displayName ?? manifest.name { writer.member("name", name) }
            if let version = manifest.minimumOSVersion { writer.member("minimumOSVersion", version) }
            if let version = manifest.minimumHostVersion { writer.member("minimumHostVersion", version) }
        }
    }
}
