internal import Bytes

/// The settings of one target of a project.
struct TargetSettings: Sendable {
    var target: String
    var settings: BuildSettings
    /// True if the target names the property list, and was not chosen by its name.
    var hasPropertyList: Bool
}

/// A project file of Xcode, read for the settings that property lists have as variables.
struct XcodeProject {
    struct Limits {
        /// Groups around a file.
        var groupDepth = 64
        /// Files of settings read for one target.
        var settingsFileCount = 16
    }

    private struct Layer {
        var file: String?
        var settings: [String: String]
    }

    private let objects: [String: OpenStepValue]
    private let project: OpenStepValue
    private let limits = Limits()
    /// The group of each file and group, by their ids.
    private var groups: [String: String] = [:]
    /// The project's name: that of its file without the ending.
    private let name: String

    /// - Parameter name: the name of the project's folder, `NAME.xcodeproj`.
    init(parsing bytes: [UInt8], name: String) throws(OpenStepError) {
        let root = try OpenStepParser.parse(bytes)
        guard let objects = root["objects"]?.members, let id = root["rootObject"]?.text, let project = objects[id]
        else {
            throw OpenStepError(
                sentence: "this is not a project file of Xcode", position: TextPosition(line: 1, column: 1))
        }
        (self.objects, self.project) = (objects, project)
        self.name = name.hasSuffix(".xcodeproj") ? String(name.dropLast(".xcodeproj".count)) : name
        for (id, object) in objects {
            for child in object["children"]?.list ?? [] { if let child = child.text { groups[child] = id } }
        }
    }

    /// The settings of the target that has a property list.
    ///
    /// - Parameters:
    ///   - infoPlist: the path of the property list in the project's folder.
    ///   - folder: the name of the source folder, which may be a target's.
    ///   - read: returns a file by its path in the project's folder.
    /// - Returns: `nil` if no target has the property list or the name, and there are several.
    func settings(infoPlist: String, folder: String, read: (String) -> [UInt8]?) -> TargetSettings? {
        let targets = (project["targets"]?.list ?? []).compactMap { $0.text.flatMap { objects[$0] } }
            .filter { $0["name"]?.text != nil }
        var built: [TargetSettings] = []
        for target in targets {
            let settings = settings(of: target, read)
            let list = XcodeProject.normal(settings.expanded(settings["INFOPLIST_FILE"] ?? "").text)
            let found = TargetSettings(
                target: settings["TARGET_NAME"] ?? "", settings: settings, hasPropertyList: list == infoPlist)
            if found.hasPropertyList { return found }
            built.append(found)
        }
        return built.first { $0.target == folder } ?? (built.count == 1 ? built.first : nil)
    }

    private func settings(of target: OpenStepValue, _ read: (String) -> [UInt8]?) -> BuildSettings {
        let targetName = target["name"]?.text ?? ""
        let product = target["productType"]?.text ?? ""
        let isApp = product.hasSuffix(".application")
        var settings = BuildSettings([
            "SRCROOT": ".", "PROJECT_DIR": ".", "SOURCE_ROOT": ".", "PROJECT_NAME": name, "TARGET_NAME": targetName,
            "PRODUCT_NAME": target["productName"]?.text ?? targetName,
            "EXECUTABLE_NAME": "$(EXECUTABLE_PREFIX)$(PRODUCT_NAME)$(EXECUTABLE_SUFFIX)",
            "EXECUTABLE_PREFIX": "", "EXECUTABLE_SUFFIX": "",
            "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
            "PRODUCT_BUNDLE_PACKAGE_TYPE": isApp ? "APPL" : "BNDL",
            "DEVELOPMENT_LANGUAGE": project["developmentRegion"]?.text ?? "en",
        ])
        for owner in [project, target] {
            let layer = layer(of: owner)
            settings.layer(["CONFIGURATION": "Release"])
            if let file = layer.file {
                for values in XcodeProject.values(file, limits, read) { settings.layer(values) }
            }
            settings.layer(layer.settings)
        }
        return settings
    }

    /// The settings of a project or target in its configuration for releases.
    private func layer(of owner: OpenStepValue) -> Layer {
        let list = owner["buildConfigurationList"]?.text.flatMap { objects[$0] }
        let configurations = (list?["buildConfigurations"]?.list ?? []).compactMap { $0.text.flatMap { objects[$0] } }
        let standard = list?["defaultConfigurationName"]?.text
        let chosen =
            configurations.first { $0["name"]?.text == "Release" }
            ?? configurations.first { $0["name"]?.text == standard } ?? configurations.first
        var layer = Layer(
            file: chosen?["baseConfigurationReference"]?.text.flatMap { path(of: $0) }, settings: [:])
        for (name, value) in chosen?["buildSettings"]?.members ?? [:] where !name.contains("[") {
            layer.settings[name] = value.text ?? (value.list ?? []).compactMap(\.text).joined(separator: " ")
        }
        return layer
    }

    /// The path of a file in the project's folder, through the groups around it.
    private func path(of id: String) -> String? {
        var parts: [String] = []
        var next: String? = id
        for _ in 0..<limits.groupDepth {
            guard let id = next, let object = objects[id] else { break }
            if let path = object["path"]?.text { parts.append(path) }
            switch object["sourceTree"]?.text {
            case "<group>", nil: next = groups[id]
            case "SOURCE_ROOT": next = nil
            default: return nil
            }
        }
        return parts.isEmpty ? nil : XcodeProject.normal(parts.reversed().joined(separator: "/"))
    }

    /// The values of a file of settings, after those of the files that it includes.
    private static func values(
        _ path: String, _ limits: Limits, _ read: (String) -> [UInt8]?
    ) -> [[String: String]] {
        var layers: [[String: String]] = []
        var pending = [path]
        var count = 0
        while let path = pending.popLast(), count < limits.settingsFileCount {
            count += 1
            guard let bytes = read(path) else { continue }
            let (values, included) = BuildSettings.parse(bytes)
            layers.append(values)
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            pending += included.map { normal(folder.isEmpty ? $0 : "\(folder)/\($0)") }
        }
        return layers.reversed()
    }

    /// Returns the path without steps that lead nowhere.
    static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
