import Console
import JSONText
import WidgetCore
import WidgetIntake
import WidgetRender
import WidgetRunning

/// What a bundle would do if it ran: its screens with their mediators, its services, and what is wrong with them.
struct ProgramOutline: CustomStringConvertible {
    private let program: Program?
    /// Why it would not run.
    private let refusal: String?

    init(_ taken: borrowing TakenBundle) {
        do throws(WidgetError) {
            program = try BundleReading.program(of: taken)
            refusal = nil
        } catch {
            program = nil
            refusal = "\(error)"
        }
    }

    private var scenes: [Scene] { (program?.scenes ?? [:]).values.sorted { $0.name < $1.name } }

    /// What was noticed when the program was read, and the pictures it names that the bundle does not have.
    private var diagnostics: [Diagnostic] {
        guard let program else { return [] }
        var found = program.diagnostics
        guard let images = program.images else { return found }
        for node in scenes.flatMap(\.nodes) where node.kind == .image || node.kind == .button {
            for name in [PropertyName.image, .placeholderImage] {
                guard let picture = node[name]?.literal?.string, !picture.isEmpty, !picture.hasPrefix("http"),
                    !images.contains(picture)
                else { continue }
                let diagnostic = Diagnostic(
                    .warning, .unknownImage, "The bundle has no picture called \(picture.excerpt)",
                    at: node[name]?.place ?? node.place)
                if !found.contains(diagnostic) { found.append(diagnostic) }
            }
        }
        return found
    }

    private static func bindings(_ scene: Scene) -> Int {
        let bound = scene.nodes.reduce(0) { $0 + $1.properties.count { $0.expression.literal == nil } }
        return bound
            + scene.reactions.count { reaction in
                reaction.steps.contains { if case .assign(.property, _) = $0 { true } else { false } }
            }
    }

    var description: String {
        guard let program else { return QuotedText.plain("runs    not: \(refusal ?? "")") + "\n" }
        var text = ""
        for scene in scenes {
            let parts = [
                scene.sources.map(\.id), scene.actions.map(\.id), scene.statuses.map(\.id),
            ].map { $0.joined(separator: " ") }
            text +=
                QuotedText.plain(
                    "runs    \(scene.identifier ?? scene.name): \(ProgramOutline.bindings(scene)) bindings") + "\n"
            for (name, list) in zip(["sources", "actions", "statuses"], parts) where !list.isEmpty {
                text += QuotedText.plain("        \(name) \(list)") + "\n"
            }
        }
        for service in program.services.values.sorted(by: { $0.name < $1.name }) {
            text +=
                QuotedText.plain("service \(service.name): \(service.actions.keys.sorted().joined(separator: " "))")
                + "\n"
        }
        for diagnostic in diagnostics {
            text += QuotedText.plain("\(diagnostic.severity.rawValue) \(diagnostic)") + "\n"
        }
        return text
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let refusal { writer.member("refusal", refusal) }
            writer.key("screens")
            writer.array { writer in
                for scene in scenes {
                    writer.object { writer in
                        writer.member("name", scene.identifier ?? scene.name)
                        writer.member("bindings", ProgramOutline.bindings(scene))
                        for (name, ids) in [
                            ("sources", scene.sources.map(\.id)), ("actions", scene.actions.map(\.id)),
                            ("statuses", scene.statuses.map(\.id)),
                        ] {
                            writer.key(name)
                            writer.array { for id in ids { $0.string(id) } }
                        }
                    }
                }
            }
            writer.key("services")
            writer.object { writer in
                for service in (program?.services ?? [:]).values.sorted(by: { $0.name < $1.name }) {
                    writer.key(service.name)
                    writer.array { for name in service.actions.keys.sorted() { $0.string(name) } }
                }
            }
            writer.key("diagnostics")
            writer.array { for diagnostic in diagnostics { ViewJSON.write(diagnostic, to: &$0) } }
        }
    }
}
