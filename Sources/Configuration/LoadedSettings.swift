package import Arguments

/// Settings, and where each value came from.
package struct LoadedSettings: Equatable, Sendable {
    package var settings: Settings
    private var sources: [String: SettingSource]
    private var secretFiles: [String: String]

    init(settings: Settings, sources: [String: SettingSource], secretFiles: [String: String] = [:]) {
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
        Setting.all.map { setting in
            let source = QuotedText.plain(source(of: setting.path).description)
            return "\(setting.path) = \(setting.shown(in: settings))   # \(source)\n"
        }.joined()
    }
}

extension Settings {
    /// The options that `load` understands.
    package static let options: [Option] =
        [Option("config", value: "FILE", help: "the file to read settings from (JSON5); also WIDGETD_CONFIG")]
        + Setting.all.compactMap(\.flag)

    /// The settings that are in force: flags over environment over file over defaults.
    ///
    /// Pure but for `readFile`, which reads the settings file and files of secrets.
    ///
    /// - Throws: `ConfigurationError` with every problem of every source.
    package static func load(
        _ invocation: Invocation, environment: [String: String],
        readFile: (_ path: String, _ byteLimit: Int) throws(FileFailure) -> [UInt8]
    ) throws(ConfigurationError) -> LoadedSettings {
        var loader = SettingsLoader()
        if let path = invocation.value("config") ?? environment[SettingsLoader.fileVariable] {
            loader.applyFile(path, readFile: readFile)
        }
        loader.applyEnvironment(environment, readFile: readFile)
        loader.applyFlags(invocation)
        loader.checkTogether()
        guard loader.problems.isEmpty else { throw ConfigurationError(problems: loader.problems) }
        return LoadedSettings(settings: loader.settings, sources: loader.sources, secretFiles: loader.secretFiles)
    }
}
