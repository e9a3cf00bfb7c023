import Configuration
import Console

@testable import widgetd

/// The documentation of the settings, made from the table of settings.
///
/// `SNAPSHOTS=rewrite swift test --filter WidgetdTests` writes it to `config/`.
enum SampleText {
    static let defaults = Settings()

    /// The rows of `config/README.md`.
    static var table: String {
        let head =
            "| key | variable | flag | kind | values | default | SIGHUP | meaning |\n|---|---|---|---|---|---|---|---|\n"
        return head
            + Settings.table.map { setting in
                let cells = [
                    code(setting.path), code(setting.environmentName), setting.flag.map { code("--" + $0.name) } ?? "",
                    setting.kind, setting.range, code(setting.literal(in: defaults)), setting.isReloadable ? "yes" : "",
                    setting.meaning,
                ]
                return "| " + cells.joined(separator: " | ") + " |\n"
            }.joined()
    }

    /// `config/widgetd.json5`.
    static var file: String {
        var text = """
            // Every setting of widgetd with its default, commented out: the server does the same without this file.
            // Values come from flags, else from the environment, else from a file like this one, else they are these.
            // `widgetd check --config FILE` says whether a file is right and what would be in force.
            {

            """
        var group: Substring = ""
        for setting in Settings.table {
            let parts = setting.path.split(separator: ".")
            let newGroup = parts.count > 1 ? parts[0] : ""
            if newGroup != group {
                if !group.isEmpty { text += "  },\n\n" }
                if !newGroup.isEmpty { text += "  \(newGroup): {\n" }
                group = newGroup
            }
            text += entry(setting, indent: group.isEmpty ? "  " : "    ")
        }
        text += (group.isEmpty ? "" : "  },\n") + "}\n"
        return text.replacing("\n\n  },", with: "\n  },").replacing("\n\n}", with: "\n}")
    }

    private static func entry(_ setting: Setting<Settings>, indent: String) -> String {
        let name = setting.path.split(separator: ".").last ?? ""
        var facts = [setting.kind + (setting.range.isEmpty ? "" : ": " + setting.range), setting.environmentName]
        if setting.isSecret { facts.append(setting.environmentName + "_FILE") }
        if let flag = setting.flag { facts.append("--" + flag.name) }
        facts.append(setting.isReloadable ? "follows SIGHUP" : "needs a restart")
        return """
            \(indent)// \(setting.meaning)
            \(indent)// (\(facts.joined(separator: "; ")))
            \(indent)// \(name): \(setting.literal(in: defaults)),


            """
    }

    private static func code(_ text: String) -> String { "`\(text)`" }
}
