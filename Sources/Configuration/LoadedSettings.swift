internal import Arguments

/// Settings, and where each value came from.
package struct LoadedSettings<Root: ConfigurableSettings>: Equatable, Sendable {
    package var settings: Root
    private var sources: [String: SettingSource]
    private var secretFiles: [String: String]

    init(settings: Root, sources: [String: SettingSource], secretFiles: [String: String] = [:]) {
        self.settings = settings
        self.sources = sources
        self.secretFiles = secretFiles
    }

    /// The file that a secret was read from, if it was.
    package func secretFile(of path: String) -> String? { secretFiles[path] }

    package func source(of path: String) -> SettingSource {
        sources[path] ?? .default
    }

    /// One line per key: `key = value   # source`; secrets are masked.
    package var report: String {
        Root.table.map { setting in
            let source = QuotedText.plain(source(of: setting.path).description)
            return "\(setting.path) = \(setting.shown(in: settings))   # \(source)\n"
        }.joined()
    }
}
