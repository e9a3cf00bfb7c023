import JSONText
import WidgetBytes
import WidgetConsole
import WidgetDocuments

/// `widget kinds`: prints the kinds of elements that documents can use, with their properties and samples.
enum KindsCommand {
    static let command = Command(
        "kinds", "list the kinds of elements of documents, or describe some of them",
        example: "widget kinds table",
        options: [
            Option("json", help: "print the descriptions as JSON"),
            Option("markdown", help: "print them as Markdown"),
            Option("schema", help: "print the JSON Schema of documents, as `widget schema document` does"),
        ],
        positionals: [
            Positional(
                "KIND", .any, choices: KindRegistry.standard.specs.map { Choice($0.name, $0.about) },
                help: "the kinds to describe; all if not given")
        ])

    static func run(_ invocation: Invocation) -> ExitCode {
        let registry = KindRegistry.standard
        var specs: [KindSpec] = []
        for name in invocation.arguments {
            guard let spec = registry.spec(name) else {
                invocation.terminal.complain("no kind is called \(QuotedText.of(name))", hints: [registry.hint(name)])
                return .misuse
            }
            specs.append(spec)
        }
        let forms = ["json", "markdown", "schema"].filter { invocation.has($0) }
        guard forms.count < 2 else {
            invocation.terminal.complain(
                "--\(forms[0]) and --\(forms[1]) ask for different forms", hints: ["give one of them"])
            return .misuse
        }
        let chosen = specs.isEmpty ? registry.specs : specs
        switch forms.first {
        case "json": return invocation.terminal.print(KindHelp.json(chosen))
        case "markdown": return invocation.terminal.print(KindHelp.markdown(chosen))
        case "schema": return invocation.terminal.print(DocumentSchema.document(chosen).json)
        default:
            guard specs.isEmpty else { return invocation.terminal.print(KindHelp.markdown(specs)) }
            return invocation.terminal.print(
                TextTable.text(["KIND", "MEANING"], registry.specs.map { [$0.name, $0.about] }))
        }
    }
}
