import JSONText
import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetContract
import WidgetCore
import WidgetFindings
import WidgetHosting
import WidgetIntake
import WidgetPredicates
import WidgetRunning

/// `widget links`: lists the links that a widget declares, or follows one.
enum LinksCommand {
    static let command = Command(
        "links", "list the links of a widget, or follow one",
        example: "widget links Events.bundle acme://events/5",
        options: [
            Option("json", help: "print the links, or the outcome, as JSON"),
            Option("entry", value: "NAME", help: "the document or storyboard to begin with; Main if not given"),
            PackageSubject.option,
        ],
        positionals: [
            Positional("DIR|ZIP", help: "a bundle's folder or its source's, a package, an archive, or a document"),
            Positional("URL", .optional, help: "the address to follow; lists the links if not given"),
        ])

    static func run(_ invocation: Invocation) -> ExitCode {
        let output = CommandOutput(invocation)
        do throws(CommandFailure) {
            let path = invocation.arguments.first ?? ""
            let (program, native, paths) = try program(at: path, invocation)
            let faults = program.diagnostics.filter { [.deadLink, .hiddenLink].contains($0.code) }
            BundleComplaints(BundleComplaint.of(faults, in: paths, of: path)).show(on: output.terminal)
            guard invocation.arguments.count > 1 else { return list(program, output) }
            return follow(invocation.arguments[1], program, native, output)
        } catch {
            return error.show(on: output.terminal, asJSON: output.asJSON)
        }
    }

    private static func program(
        at path: String, _ invocation: Invocation
    ) throws(CommandFailure) -> (Program, NativeProgram?, AuthoredPaths) {
        let opened = try NamedBundle.opened(path, PackageSubject(path, invocation))
        let taken = try rethrowing(
            try NamedBundle.take(opened.source, on: invocation.terminal), as: { CommandFailure($0, source: path) })
        do throws(WidgetError) {
            let (program, native) = try BundleReading.read(
                taken, opened.code, entryPoint: invocation.value("entry") ?? "Main")
            return (program, native, taken.paths)
        } catch {
            throw .failed("\(path): \(error)", hints: error.hints)
        }
    }

    // MARK: - The list

    private static func list(_ program: Program, _ output: CommandOutput) -> ExitCode {
        let links = program.terms.links
        let rows = links.map { link in
            [link.name, link.pattern.description, link.route.map(LinksCommand.words) ?? "the host follows it"]
                .map(QuotedText.plain)
        }
        return output.print(
            { writer in
                writer.object { writer in
                    writer.key("links")
                    writer.array { writer in
                        for link in links { write(link, program.termPlaces["links.\(link.name)"], to: &writer) }
                    }
                }
            },
            links.isEmpty ? "the widget declares no links\n" : TextTable.text(["LINK", "PATTERN", "LEADS TO"], rows))
    }

    private static func words(_ route: LinkRoute) -> String {
        let parameters = route.pattern.parts.map(\.name).filter {
            $0 != route.reveal?.part || route.parameters[$0] != nil
        }
        .map { route.parameters[$0] ?? $0 }
        var text = route.entry
        if !parameters.isEmpty { text += " with \(parameters.joined(separator: ", "))" }
        if let reveal = route.reveal {
            text += ", the row of \(reveal.list) whose \(reveal.keyPath.joined(separator: ".")) is \(reveal.part)"
        }
        return text
    }

    private static func write(_ link: DeclaredLink, _ place: Place?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", link.name)
            writer.member("pattern", link.pattern.description)
            writer.key("parts")
            writer.array { writer in
                for part in link.pattern.parts {
                    writer.object { writer in
                        writer.member("name", part.name)
                        writer.member("type", part.type.rawValue)
                        if let parameter = link.route?.parameters[part.name] { writer.member("parameter", parameter) }
                    }
                }
            }
            if let route = link.route { writer.member("scene", route.entry) }
            if let reveal = link.route?.reveal {
                writer.key("reveal")
                writer.object { writer in
                    writer.member("list", reveal.list)
                    writer.member("key", reveal.keyPath.joined(separator: "."))
                    writer.member("part", reveal.part)
                }
            }
            if let place {
                writer.member("file", place.file)
                if place.line > 0 {
                    writer.member("line", place.line)
                    writer.member("column", place.column)
                }
            }
        }
    }

    // MARK: - One link

    /// Seconds of the widget's time in which a row is awaited.
    private static let patience = 20.0

    private static func follow(
        _ address: String, _ program: Program, _ native: NativeProgram?, _ output: CommandOutput
    ) -> ExitCode {
        var driver = WidgetDriver(WidgetInstance(program, native: native), clock: .script)
        let destination: LinkDestination
        switch program.terms.router.destination(of: address) {
        case .failure(let error): return show(.notFound(reason: "\(error)"), address, nil, program, output)
        case .success(let found): destination = found
        }
        var (result, visit) = driver.follow(destination)
        if result == .pending {
            _ = driver.settle(within: patience)
            result = driver.result(of: visit)
        }
        return show(result, address, destination, program, output)
    }

    private static func show(
        _ result: LinkResult, _ address: String, _ destination: LinkDestination?, _ program: Program,
        _ output: CommandOutput
    ) -> ExitCode {
        let (word, reason): (String, String?) =
            switch result {
            case .handled: ("handled", nil)
            case .pending: ("pending", "its list comes from a server, which this command does not ask")
            case .notFound(let reason): ("notFound", reason)
            }
        let link = destination.flatMap { found in program.terms.links.first { $0.route == found.route } }
        let parameters = (destination?.parameters ?? [:]).sorted { $0.key < $1.key }
        var text = QuotedText.plain(address) + ": \(word)"
        if let reason { text += ", \(QuotedText.plain(reason))" }
        text += "\n"
        if let destination, let link {
            text += QuotedText.plain("link \(link.name) leads to \(words(destination.route))") + "\n"
            for (name, value) in parameters {
                text += "  \(QuotedText.plain(name)) is \(QuotedText.of(value.shown))\n"
            }
        }
        let printed = output.print(
            { writer in
                writer.object { writer in
                    writer.member("result", word)
                    if let reason { writer.member("reason", reason) }
                    if let link { writer.member("link", link.name) }
                    if let destination { writer.member("scene", destination.route.entry) }
                    if destination != nil {
                        writer.key("parameters")
                        writer.object { writer in
                            for (name, value) in parameters { writer.member(name, value.shown) }
                        }
                    }
                }
            }, text)
        guard printed == .clean else { return printed }
        if case .notFound = result { return .failed }
        return .clean
    }
}
