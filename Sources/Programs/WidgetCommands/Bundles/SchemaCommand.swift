import JSONText
import WidgetBytes
import WidgetConsole
import WidgetHost
import WidgetHosting
import WidgetRender
import WidgetRunning

/// `widget schema`: prints the JSON Schema of a kind of authored file, which editors complete from, or of a document that
/// hosts read.
enum SchemaCommand {
    static let command = Command(
        "schema", "print the JSON Schema of an authored file, or of frames",
        example: "widget schema scheme > scheme.json",
        positionals: [
            Positional(
                "NAME", .optional,
                help: "scheme, service, script, manifest, document, page or frames; else a list")
        ])

    private static let frames = (name: PrintedForm.frames.name, files: "what `widget render --as frames` prints")

    static func run(_ invocation: Invocation) -> ExitCode {
        guard let name = invocation.arguments.first else {
            return invocation.terminal.print(
                TextTable.text(
                    ["NAME", "FILES"],
                    AuthoredSchema.allCases.map { [$0.rawValue, $0.files] }
                        + [[PageFile.schemaName, PageFile.schemaFiles], [frames.name, frames.files]]))
        }
        if name == PageFile.schemaName { return invocation.terminal.print(PageFile.schema.json) }
        if name == frames.name { return invocation.terminal.print(ViewFrames.schema.json) }
        guard let schema = AuthoredSchema(rawValue: name) else {
            let names = AuthoredSchema.allCases.map(\.rawValue) + [PageFile.schemaName, frames.name]
            let nearest = NearestName.of(name, in: names).map { "did you mean \($0)?" }
            invocation.terminal.complain(
                "no schema is called \(QuotedText.of(name))",
                hints: [
                    nearest ?? "the schemas are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
                ])
            return .misuse
        }
        return invocation.terminal.print(schema.document.json)
    }
}
