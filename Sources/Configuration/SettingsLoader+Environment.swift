import Arguments

extension SettingsLoader {
    /// The variable that names the settings file where no flag can be given; it is not a setting itself.
    static let fileVariable = Setting.environmentPrefix + "CONFIG"

    private static let secretFileSuffix = "_FILE"

    mutating func applyEnvironment(_ environment: [String: String], readFile: ReadFile) {
        // In alphabetical order, so that the same mistakes always give the same text.
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            guard name.hasPrefix(Setting.environmentPrefix), name != SettingsLoader.fileVariable else { continue }
            let source = SettingSource.environment(name)
            if let setting = SettingsLoader.settingsByVariable[name] {
                apply(.text(value), to: setting, from: source)
            } else if let setting = SettingsLoader.settingOfSecretFile(name) {
                if environment[setting.environmentName] != nil {
                    refuse(.givenTwice(other: setting.environmentName), source)
                } else {
                    applySecretFile(value, to: setting, from: source, readFile: readFile)
                }
            } else if !SettingsLoader.isServiceLink(name, value) {
                refuse(.unknownVariable(nearest: SettingsLoader.nearestVariable(name)), source)
            }
        }
    }

    private mutating func applySecretFile(
        _ path: String, to setting: Setting, from source: SettingSource, readFile: ReadFile
    ) {
        do throws(FileFailure) {
            var bytes = try readFile(path, SettingsLoader.secretFileByteLimit)
            // One line's end, as editors and `echo` leave it.
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            apply(.text(String(decoding: bytes, as: UTF8.self)), to: setting, from: source)
            secretFiles[setting.path] = path
        } catch {
            refuse(.unreadable(error), source)
        }
    }

    private static let settingsByVariable = Dictionary(
        Setting.all.map { ($0.environmentName, $0) }, uniquingKeysWith: { first, _ in first })

    private static func settingOfSecretFile(_ name: String) -> Setting? {
        guard name.hasSuffix(secretFileSuffix) else { return nil }
        let setting = settingsByVariable[String(name.dropLast(secretFileSuffix.count))]
        return setting?.isSecret == true ? setting : nil
    }

    /// Whether a container platform set the variable because a service in the same namespace is called `widgetd`.
    ///
    /// `WIDGETD_PORT` is one only if it holds a URL; a number in it is somebody's wish, which would go unheard.
    private static func isServiceLink(_ name: String, _ value: String) -> Bool {
        let rest = name.dropFirst(Setting.environmentPrefix.count)
        if rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || rest.hasPrefix("SERVICE_PORT_") { return true }
        if rest == "PORT" { return ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) } }
        return rest.hasPrefix("PORT_")
    }

    private static func nearestVariable(_ name: String) -> String? {
        let prefix = Setting.environmentPrefix
        if name == prefix + "PORT" || name == prefix + "HOST" { return prefix + "LISTEN" }
        var known = settingsByVariable.keys.sorted() + [fileVariable]
        known += Setting.all.filter(\.isSecret).map { $0.environmentName + secretFileSuffix }
        // Without the prefix: it is long, and would make everything near.
        let names = known.map { String($0.dropFirst(prefix.count)) }
        return NearestName.of(String(name.dropFirst(prefix.count)), in: names).map { prefix + $0 }
    }
}
