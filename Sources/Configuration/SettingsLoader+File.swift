import Arguments

extension SettingsLoader {
    mutating func applyFile(_ path: String, readFile: ReadFile) {
        do throws(FileFailure) {
            let bytes = try readFile(path, SettingsLoader.fileByteLimit)
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
            if let setting = SettingsLoader.settingsByGroup[group]?[member.key] {
                guard isNew else {
                    refuse(.repeatedKey(key), source)
                    continue
                }
                apply(member.node.found, to: setting, from: source)
            } else if SettingsLoader.settingsByGroup[key + "."] != nil {
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
                refuse(.unknownKey(key, nearest: SettingsLoader.nearestPath(key)), source)
            }
        }
    }

    /// Settings by the group they are in (`""` or `limits.`) and their name there.
    private static let settingsByGroup: [String: [String: Setting]] = {
        var groups: [String: [String: Setting]] = [:]
        for setting in Setting.all {
            let cut = setting.path.lastIndex(of: ".").map { setting.path.index(after: $0) } ?? setting.path.startIndex
            groups[String(setting.path[..<cut]), default: [:]][String(setting.path[cut...])] = setting
        }
        return groups
    }()

    /// The key that was meant: the nearest path, else the one whose own name is nearest, wherever it stands.
    static func nearestPath(_ key: String) -> String? {
        let paths = Setting.all.map(\.path)
        if let path = NearestName.of(key, in: paths) { return path }
        let names = paths.map(ownName)
        return NearestName.of(ownName(key), in: names).flatMap { name in paths.first { ownName($0) == name } }
    }

    private static func ownName(_ path: String) -> String {
        String(path.split(separator: ".").last ?? "")
    }
}
