internal import WidgetBytes
internal import WidgetConsole
internal import WidgetLogging

/// Fills settings from one source after the other and collects every problem on the way.
struct SettingsLoader<Root: ConfigurableSettings> {
    /// The most bytes of a settings file.
    static var fileByteLimit: Int { 1_024 * 1_024 }
    /// The most bytes of a file that holds a secret.
    static var secretFileByteLimit: Int { 8 * 1_024 }

    typealias ReadFile = (_ path: String, _ byteLimit: Int) throws(FileFailure) -> [UInt8]

    var settings = Root()
    var sources: [String: SettingSource] = [:]
    /// The files that secrets were read from, by their keys.
    var secretFiles: [String: String] = [:]
    var problems: [SettingProblem] = []
    private(set) var removedUses: [RemovedSetting.Use] = []

    private let table = Root.table
    private let settingsByVariable: [String: Setting<Root>]
    /// Settings by the group they are in (`""` or `limits.`) and their name there.
    private let settingsByGroup: [String: [String: Setting<Root>]]
    private let removedByPath: [String: RemovedSetting]
    private let removedByVariable: [String: RemovedSetting]

    init() {
        settingsByVariable = Dictionary(
            table.map { ($0.environmentName, $0) }, uniquingKeysWith: { first, _ in first })
        var groups: [String: [String: Setting<Root>]] = [:]
        for setting in table {
            let cut = setting.path.lastIndex(of: ".").map { setting.path.index(after: $0) } ?? setting.path.startIndex
            groups[String(setting.path[..<cut]), default: [:]][String(setting.path[cut...])] = setting
        }
        settingsByGroup = groups
        removedByPath = Dictionary(Root.removed.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        removedByVariable = Dictionary(
            Root.removed.map { (SettingVariable.name(of: $0.path), $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func refuse(_ reason: SettingProblem.Reason, _ source: SettingSource) {
        problems.append(SettingProblem(reason: reason, source: source))
    }

    mutating func apply(_ found: FoundValue, to setting: Setting<Root>, from source: SettingSource) {
        guard setting.apply(found, &settings) else {
            let shown = setting.isSecret ? Secret.mask : shown(found, refusedBy: setting)
            refuse(.wrongValue(key: setting.path, found: shown, expectation: setting.expectation), source)
            return
        }
        sources[setting.path] = source
    }

    /// Of a list, the first entry that would be refused alone.
    private func shown(_ found: FoundValue, refusedBy setting: Setting<Root>) -> String {
        guard case .array(let entries) = found else { return found.shown }
        var scratch = settings
        let culprit = entries.first { !setting.apply($0, &scratch) }
        return culprit.map { "a list with \($0.shown)" } ?? found.shown
    }

    mutating func applyFlags(_ invocation: Invocation) {
        for setting in table {
            guard let flag = setting.flag, invocation.has(flag.name) else { continue }
            let values = invocation.values(flag.name).map { FoundValue.text($0) }
            guard let last = values.last else { continue }
            apply(values.count == 1 ? last : .array(values), to: setting, from: .flag(flag.name))
        }
    }

    /// Refuses values that are only wrong together.
    mutating func checkTogether() {
        for (key, reason) in settings.contradictions { refuse(reason, sources[key] ?? .default) }
    }
}

// MARK: The environment

extension SettingsLoader {
    mutating func applyEnvironment(_ environment: [String: String], readFile: ReadFile) {
        // In alphabetical order, so that the same mistakes always give the same text.
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            guard name.hasPrefix(SettingVariable.prefix), name != SettingVariable.file else { continue }
            let source = SettingSource.environment(name)
            if let setting = settingsByVariable[name] {
                apply(.text(value), to: setting, from: source)
            } else if let setting = settingOfSecretFile(name) {
                if environment[setting.environmentName] != nil {
                    refuse(.givenTwice(other: setting.environmentName), source)
                } else {
                    applySecretFile(value, to: setting, from: source, readFile: readFile)
                }
            } else if let removed = removedByVariable[name] {
                removedUses.append(RemovedSetting.Use(setting: removed, source: source))
            } else if !Self.isServiceLink(name, value) {
                refuse(.unknownVariable(nearest: nearestVariable(name)), source)
            }
        }
    }

    private mutating func applySecretFile(
        _ path: String, to setting: Setting<Root>, from source: SettingSource, readFile: ReadFile
    ) {
        do throws(FileFailure) {
            var bytes = try readFile(path, Self.secretFileByteLimit)
            // One line's end, as editors and `echo` leave it.
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            apply(.text(String(decoding: bytes, as: UTF8.self)), to: setting, from: source)
            secretFiles[setting.path] = path
        } catch {
            refuse(.unreadable(error), source)
        }
    }

    private func settingOfSecretFile(_ name: String) -> Setting<Root>? {
        guard name.hasSuffix(SettingVariable.secretFileSuffix) else { return nil }
        let setting = settingsByVariable[String(name.dropLast(SettingVariable.secretFileSuffix.count))]
        return setting?.isSecret == true ? setting : nil
    }

    /// Returns true if a container platform set the variable because a service in the same namespace is called
    /// `widgetd`.
    ///
    /// `WIDGETD_PORT` is one only if it holds a URL; a number in it is a setting, which must not be ignored.
    private static func isServiceLink(_ name: String, _ value: String) -> Bool {
        let rest = name.dropFirst(SettingVariable.prefix.count)
        if rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || rest.hasPrefix("SERVICE_PORT_") { return true }
        if rest == "PORT" { return ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) } }
        return rest.hasPrefix("PORT_")
    }

    private func nearestVariable(_ name: String) -> String? {
        let prefix = SettingVariable.prefix
        if name == prefix + "PORT" || name == prefix + "HOST" { return prefix + "LISTEN" }
        var known = settingsByVariable.keys.sorted() + [SettingVariable.file]
        known += table.filter(\.isSecret).map { $0.environmentName + SettingVariable.secretFileSuffix }
        // Without the prefix: it is long, and would make everything near.
        let names = known.map { String($0.dropFirst(prefix.count)) }
        return NearestName.of(String(name.dropFirst(prefix.count)), in: names).map { prefix + $0 }
    }
}

// MARK: The file

extension SettingsLoader {
    mutating func applyFile(_ path: String, readFile: ReadFile) {
        do throws(FileFailure) {
            let bytes = try readFile(path, Self.fileByteLimit)
            applyFile(path, bytes)
        } catch {
            refuse(.unreadable(error), .file(path, line: nil))
        }
    }

    private mutating func applyFile(_ path: String, _ bytes: [UInt8]) {
        do throws(JSON5Error) {
            let root = try JSON5Reader.read(bytes)
            guard case .object(let members) = root.value else {
                refuse(.notAGroup(key: "", found: root.found.shown), .file(path, line: root.line))
                return
            }
            applyMembers(members, of: "", in: path)
        } catch {
            refuse(.invalidSyntax(column: error.column, expectation: error.expectation), .file(path, line: error.line))
        }
    }

    /// Goes down only into groups that the table knows, so the table bounds the depth.
    private mutating func applyMembers(_ members: [JSON5Member], of group: String, in path: String) {
        var seen: Set<String> = []
        for member in members {
            let key = group + member.key
            let source = SettingSource.file(path, line: member.line)
            let isNew = seen.insert(member.key).inserted
            if let removed = removedByPath[key] {
                removedUses.append(RemovedSetting.Use(setting: removed, source: source))
            } else if let setting = settingsByGroup[group]?[member.key] {
                guard isNew else {
                    refuse(.repeatedKey(key), source)
                    continue
                }
                apply(member.node.found, to: setting, from: source)
            } else if settingsByGroup[key + "."] != nil {
                guard isNew else {
                    refuse(.repeatedKey(key), source)
                    continue
                }
                guard case .object(let members) = member.node.value else {
                    refuse(.notAGroup(key: key, found: member.node.found.shown), source)
                    continue
                }
                applyMembers(members, of: key + ".", in: path)
            } else {
                refuse(.unknownKey(key, nearest: nearestPath(key)), source)
            }
        }
    }

    /// The probable key: the nearest path, else the path with the nearest last name in any group.
    private func nearestPath(_ key: String) -> String? {
        let paths = table.map(\.path)
        if let path = NearestName.of(key, in: paths) { return path }
        let names = paths.map(Self.ownName)
        return NearestName.of(Self.ownName(key), in: names).flatMap { name in paths.first { Self.ownName($0) == name } }
    }

    private static func ownName(_ path: String) -> String {
        String(path.split(separator: ".").last ?? "")
    }
}

/// A value as a source gave it, before its setting has judged it.
indirect enum FoundValue: Equatable, Sendable {
    /// From a flag or a variable, where everything is text.
    case text(String)
    /// From a file, where kinds are visible.
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case null
    case array([FoundValue])
    case object

    /// Text of either origin.
    var characters: String? {
        switch self {
        case .text(let text), .string(let text): text
        default: nil
        }
    }

    /// A whole number, also when it is written `1e3` in a file or as digits in a variable.
    var wholeNumber: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .text(let text): FoundValue.digits(text)
        default: nil
        }
    }

    /// A number made of ASCII digits only: no sign, no space.
    static func digits(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// The value's text in messages.
    var shown: String {
        switch self {
        case .text(let text), .string(let text): QuotedText.of(text)
        case .integer(let number): String(number)
        case .number(let number): number.description
        case .boolean(let answer): String(answer)
        case .null: "null"
        case .array: "a list"
        case .object: "a group of settings"
        }
    }
}
