import Bytes
import Console
import JSONText
import WidgetRunning

/// `widget schema`: prints the JSON Schema of a kind of authored file, which editors complete from.
enum SchemaCommand {
    static let command = Command(
        "schema", "print the JSON Schema of an authored file, for editors",
        example: "widget schema scheme > scheme.json",
        positionals: [Positional("NAME", .optional, help: "scheme, service, script or manifest; a list if not given")])

    static func run(_ invocation: Invocation) -> ExitCode {
        guard let name = invocation.arguments.first else {
            return Terminal.print(
                TextTable.text(["NAME", "FILES"], AuthoredSchema.allCases.map { [$0.rawValue, $0.files] }))
        }
        guard let schema = AuthoredSchema(rawValue: name) else {
            let names = AuthoredSchema.allCases.map(\.rawValue)
            let nearest = NearestName.of(name, in: names).map { "did you mean \($0)?" }
            Terminal.complain(
                "no schema is called \(QuotedText.of(name))",
                hints: [
                    nearest ?? "the schemas are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
                ])
            return .misuse
        }
        return Terminal.print(schema.document.json)
    }
}
