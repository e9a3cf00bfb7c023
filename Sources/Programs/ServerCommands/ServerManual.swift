import LocalStore
package import WidgetConfiguration
package import WidgetConsole

/// The facts of a server for its manual page, which are made of its settings.
package enum ServerManual {
    /// - Parameters:
    ///   - purpose: the first paragraph: how it is started, and where it keeps what.
    ///   - settings: all that the program has.
    ///   - data: what lies in its data directory.
    package static func facts<Root>(
        of program: String, _ purpose: String, _ settings: [Setting<Root>], data: String
    ) -> ManualFacts {
        var variables: [ManualFacts.Row] = [
            ("WIDGETD_CONFIG", "the file of settings, where --config does not name one")
        ]
        for setting in settings { variables.append((setting.environmentName, setting.meaning)) }
        for setting in settings where setting.isSecret {
            variables.append(("\(setting.environmentName)_FILE", "a file that holds the value of the variable"))
        }
        variables.append(("WIDGETD_NOTIFY_FD", "a descriptor to which lines about the start and the end are written"))
        return ManualFacts(
            description: [
                purpose,
                "Each setting has a key in a file and a variable of the environment, and some have a flag. A flag beats the "
                    + "variable, which beats the file, which beats the default. `--config FILE` names the file, which is "
                    + "JSON5. The key limits.upload is { limits: { upload: \"64MiB\" } } there, and WIDGETD_LIMITS_UPLOAD in "
                    + "the environment. `\(program) check` prints every key with its value and where that came from, and names "
                    + "what is wrong. SIGHUP reads the settings again.",
                "A running server has the whole manual at /docs: /docs/configuration has every setting with its values, and "
                    + "/docs/operating is for who runs a registry.",
            ],
            variables: variables,
            files: [
                ("./data", data),
                (StoreDirectory.adminTokenPath(at: "./data"), "the owner's token, made at the first start"),
                ("/etc/widgetd/widgetd.json5", "the settings of the service that packages install"),
                (
                    "share/doc/widgetd/config/widgetd.json5",
                    "every setting with its default, to be copied; below the folder of a release, or the prefix"
                ),
            ],
            exitCodes: [.clean, .failed, .misuse, .damagedStore])
    }
}
