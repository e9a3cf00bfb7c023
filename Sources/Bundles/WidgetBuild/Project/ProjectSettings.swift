internal import WidgetBytes
internal import WidgetFiles

/// Values for the variables of a source's property list, from outside the source folder.
package struct BuildValues: Sendable {
    /// Values that the caller gives. They replace those that the property list says.
    package var name: String?
    package var identifier: String?
    package var version: String?
    package var buildNumber: String?
    /// The project file around the source folder.
    package var project: ProjectSettings?
    /// The first document, if the property list names none.
    package var document: String?

    package init(
        name: String?, identifier: String?, version: String?, buildNumber: String?, project: ProjectSettings?
    ) {
        (self.name, self.identifier, self.version) = (name, identifier, version)
        (self.buildNumber, self.project) = (buildNumber, project)
    }

    /// No values.
    package static let none = BuildValues(name: nil, identifier: nil, version: nil, buildNumber: nil, project: nil)
}

/// The settings that a project file of Xcode has for a source, or why it has none.
package struct ProjectSettings: Sendable {
    enum Content {
        case settings(TargetSettings)
        case unreadable(String)
        case noTarget
    }

    /// The path of the project, seen from the source folder: `../Demo.xcodeproj`.
    let path: String
    let content: Content

    /// Folders above the source in which a project file is looked for.
    private static let levelCount = 3
    private static let itemCount = 10_000
    /// The largest project file or file of settings.
    private static let byteCount = 32 << 20
    private static let file = "project.pbxproj"

    /// Finds the project file beside a source folder, or in a folder above.
    ///
    /// - Parameter sources: the files of the source. No file is looked for if their property list has no variables.
    package static func around(_ path: String, of sources: [String: [UInt8]]) -> ProjectSettings? {
        guard let list = sources["Info.plist"], ManifestSource.hasVariables(list) else { return nil }
        return around(path)
    }

    private static func around(_ path: String) -> ProjectSettings? {
        var parts = resolvedPath(path).utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        var list = ["Info.plist"]
        var steps = ""
        let folder = parts.last ?? ""
        for _ in 0..<levelCount {
            guard let last = parts.popLast() else { return nil }
            list.insert(last, at: 0)
            steps += "../"
            guard let parent = try? Directory(opening: "/" + parts.joined(separator: "/")) else { return nil }
            let found = ProjectSettings.projects(in: parent).map { name in
                ProjectSettings(
                    reading: name, at: steps + name, infoPlist: list.joined(separator: "/"), folder: folder
                ) { read($0, in: parent) }
            }
            if let best = best(of: found) { return best }
        }
        return nil
    }

    /// Reads the project file in the source folder itself, given the folder's files.
    static func inside(_ sources: [String: [UInt8]], folder: String) -> ProjectSettings? {
        let suffix = ".xcodeproj/\(file)"
        let names = sources.keys.filter { $0.hasSuffix(suffix) && $0.utf8.count { $0 == UInt8(ascii: "/") } == 1 }
            .sorted().map { String($0.dropLast(file.count + 1)) }
        let found = names.map { name in
            ProjectSettings(reading: name, at: name, infoPlist: "Info.plist", folder: folder) { sources[$0] }
        }
        return best(of: found)
    }

    /// Returns the project with a target that has the property list, else one with a target of the name, else the first.
    private static func best(of found: [ProjectSettings]) -> ProjectSettings? {
        found.first { $0.target?.hasPropertyList ?? false } ?? found.first { $0.target != nil } ?? found.first
    }

    private init(
        reading name: String, at path: String, infoPlist: String, folder: String, _ read: (String) -> [UInt8]?
    ) {
        self.path = path
        do throws(OpenStepError) {
            let project = try XcodeProject(parsing: read("\(name)/\(ProjectSettings.file)") ?? [], name: name)
            content =
                try project.settings(infoPlist: infoPlist, folder: folder, read: read)
                .map { .settings($0) } ?? .noTarget
        } catch {
            content = .unreadable("\(error)")
        }
    }

    private var target: TargetSettings? {
        if case .settings(let target) = content { target } else { nil }
    }

    private static func projects(in folder: borrowing Directory) -> [String] {
        guard let items = try? folder.items(limit: itemCount) else { return [] }
        return items.filter { $0.name.hasSuffix(".xcodeproj") && $0.status.kind == .directory }.map(\.name)
    }

    /// Returns a file of the project's folder; `nil` for paths that lead out of it, for links, and for large files.
    private static func read(_ path: String, in folder: borrowing Directory) -> [UInt8]? {
        let parts = path.split(separator: "/").map { String($0) }
        guard let name = parts.last, !parts.contains("..") else { return nil }
        guard parts.count > 1 else { return read(file: name, in: folder) }
        guard var directory = try? folder.openDirectory(parts[0]) else { return nil }
        for part in parts.dropFirst().dropLast() {
            guard let next = try? directory.openDirectory(part) else { return nil }
            directory = next
        }
        return read(file: name, in: directory)
    }

    private static func read(file name: String, in folder: borrowing Directory) -> [UInt8]? {
        guard let file = try? folder.openFile(name), let status = try? file.status(), status.kind == .file,
            status.byteCount <= byteCount
        else { return nil }
        return try? file.read(at: 0, count: status.byteCount)
    }
}
