package import WidgetConsole

/// A program's settings: one value that holds every default, and the table that describes each key of it.
package protocol ConfigurableSettings: Equatable, Sendable {
    /// The defaults.
    init()

    /// Every key, in the order the documentation lists them.
    static var table: [Setting<Self>] { get }

    /// The keys of earlier versions that are ignored.
    static var removed: [RemovedSetting] { get }

    /// Contradictions between values that are right alone: the key at fault, and the reason.
    var contradictions: [(key: String, reason: SettingProblem.Reason)] { get }
}

extension ConfigurableSettings {
    package static var removed: [RemovedSetting] { [] }

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
        return LoadedSettings(
            settings: loader.settings, sources: loader.sources, secretFiles: loader.secretFiles,
            removed: loader.removedUses)
    }
}

/// Settings, and the source of each value.
package struct LoadedSettings<Root: ConfigurableSettings>: Equatable, Sendable {
    package var settings: Root
    private var sources: [String: SettingSource]
    private var secretFiles: [String: String]
    /// The keys of earlier versions that the sources have.
    package let removed: [RemovedSetting.Use]

    init(
        settings: Root, sources: [String: SettingSource], secretFiles: [String: String] = [:],
        removed: [RemovedSetting.Use] = []
    ) {
        self.settings = settings
        self.sources = sources
        self.secretFiles = secretFiles
        self.removed = removed
    }

    /// The file that a secret was read from, if it was.
    package func secretFile(of path: String) -> String? { secretFiles[path] }

    package func source(of path: String) -> SettingSource {
        sources[path] ?? .default
    }

    /// Settings that are made of these, with the sources of their values.
    package func map<Other: ConfigurableSettings>(_ make: (Root) -> Other) -> LoadedSettings<Other> {
        LoadedSettings<Other>(
            settings: make(settings), sources: sources, secretFiles: secretFiles, removed: removed)
    }

    /// One line per key: `key = value   # source`; secrets are masked.
    package var report: String {
        Root.table.map { setting in
            let source = QuotedText.plain(source(of: setting.path).description)
            return "\(setting.path) = \(setting.shown(in: settings))   # \(source)\n"
        }.joined()
    }
}

/// The settings that a reload would change, at once or after a restart.
package struct SettingsChange<Root: ConfigurableSettings>: Equatable, Sendable {
    /// Keys with values that come into force at once.
    package let applied: [String]
    /// Keys with values that wait for a restart.
    package let needingRestart: [String]
    /// The old settings with the new values of the applied keys.
    package let settings: Root

    package init(from old: Root, to new: Root) {
        let changed = Root.table.filter { !$0.isEqual(old, new) }
        var settings = old
        for setting in changed where setting.isReloadable { setting.copy(new, &settings) }
        applied = changed.filter(\.isReloadable).map(\.path)
        needingRestart = changed.filter { !$0.isReloadable }.map(\.path)
        self.settings = settings
    }
}

/// The source of a value.
package enum SettingSource: Equatable, Sendable {
    case `default`
    /// The path as it was given, and the line if there is one.
    case file(String, line: Int?)
    case environment(String)
    case flag(String)
}

extension SettingSource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .default: "default"
        case .file(let path, let line): path + (line.map { ":\($0)" } ?? "")
        case .environment(let name): name
        case .flag(let name): "--" + name
        }
    }
}
