internal import Addresses
import Arguments
import Logging

/// Fills settings from one source after the other and collects every problem on the way.
struct SettingsLoader {
    /// The most bytes of a settings file.
    static let fileByteLimit = 1_024 * 1_024
    /// The most bytes of a file that holds a secret.
    static let secretFileByteLimit = 8 * 1_024

    typealias ReadFile = (_ path: String, _ byteLimit: Int) throws(FileFailure) -> [UInt8]

    var settings = Settings()
    var sources: [String: SettingSource] = [:]
    /// The files that secrets were read from, by their keys.
    var secretFiles: [String: String] = [:]
    var problems: [SettingProblem] = []

    mutating func refuse(_ reason: SettingProblem.Reason, _ source: SettingSource) {
        problems.append(SettingProblem(reason: reason, source: source))
    }

    mutating func apply(_ found: FoundValue, to setting: Setting, from source: SettingSource) {
        guard setting.apply(found, &settings) else {
            let shown = setting.isSecret ? Secret.mask : shown(found, refusedBy: setting)
            refuse(.wrongValue(key: setting.path, found: shown, expectation: setting.expectation), source)
            return
        }
        sources[setting.path] = source
    }

    /// Of a list, the first entry that would be refused alone.
    private func shown(_ found: FoundValue, refusedBy setting: Setting) -> String {
        guard case .array(let entries) = found else { return found.shown }
        var scratch = settings
        let culprit = entries.first { !setting.apply($0, &scratch) }
        return culprit.map { "a list with \($0.shown)" } ?? found.shown
    }

    mutating func applyFlags(_ invocation: Invocation) {
        for setting in Setting.all {
            guard let flag = setting.flag, invocation.has(flag.name) else { continue }
            let values = invocation.values(flag.name).map { FoundValue.text($0) }
            guard let last = values.last else { continue }
            apply(values.count == 1 ? last : .array(values), to: setting, from: .flag(flag.name))
        }
    }

    /// What only the whole can show.
    mutating func checkTogether() {
        for address in settings.adminListen where settings.listen.contains(address) {
            // Port 0 is a different free port each time.
            if case .tcp(_, port: 0) = address { continue }
            refuse(.sameAddress(address.description), sources["adminListen"] ?? .default)
        }
    }
}
