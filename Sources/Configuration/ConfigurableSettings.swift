package import Arguments

/// A program's settings: one value that holds every default, and the table that describes each key of it.
package protocol ConfigurableSettings: Equatable, Sendable {
    /// The defaults.
    init()

    /// Every key, in the order the documentation lists them.
    static var table: [Setting<Self>] { get }

    /// What is wrong with values that are right alone: the key at fault, and why.
    var contradictions: [(key: String, reason: SettingProblem.Reason)] { get }
}

extension ConfigurableSettings {
    /// The options that `load` understands.
    package static var options: [Option] {
        [Option("config", value: "FILE", help: "the file to read settings from (JSON5); also WIDGETD_CONFIG")]
            + table.compactMap(\.flag)
    }

    /// The settings that are in force: flags over environment over file over defaults.
    ///
    /// Pure but for `readFile`, which reads the settings file and files of secrets.
    ///
    /// - Throws: `ConfigurationError` with every problem of every source.
    package static func load(
        _ invocation: Invocation, environment: [String: String],
        readFile: (_ path: String, _ byteLimit: Int) throws(FileFailure) -> [UInt8]
    ) throws(ConfigurationError) -> LoadedSettings<Self> {
        var loader = SettingsLoader<Self>()
        if let path = invocation.value("config") ?? environment[SettingVariable.file] {
            loader.applyFile(path, readFile: readFile)
        }
        loader.applyEnvironment(environment, readFile: readFile)
        loader.applyFlags(invocation)
        loader.checkTogether()
        guard loader.problems.isEmpty else { throw ConfigurationError(problems: loader.problems) }
        return LoadedSettings(settings: loader.settings, sources: loader.sources, secretFiles: loader.secretFiles)
    }
}
