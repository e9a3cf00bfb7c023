internal import WidgetBytes

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
        /// Files of settings read for one target, and for all of them.
        var settingsFileCount = 16
        var allSettingsFileCount = 256
        /// Bytes of a file of settings.
        var settingsFileByteCount = 1 << 20
        /// Targets in which a property list is looked for.
        var targetCount = 256
        /// Configurations of a project or target.
        var configurationCount = 64
        /// Bytes of the names and values of settings, for all targets together.
        var layeredByteCount = 64 << 20
    }

    private struct Layer {
        var file: String?
        var settings: [String: String]
    }

    /// The files of settings that were read, each once, and the bytes that may still be layered.
    private struct Reading {
        var files: [String: (values: [String: String], included: [String])] = [:]
        var byteCount: Int
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
    func settings(
        infoPlist: String, folder: String, read: (String) -> [UInt8]?
    ) throws(OpenStepError) -> TargetSettings? {
        var known: Set<String> = []
        var reading = Reading(byteCount: limits.layeredByteCount)
        var (first, named) = (TargetSettings?.none, TargetSettings?.none)
        var count = 0
        for id in (project["targets"]?.list ?? []).lazy.compactMap(\.text) {
            guard let target = objects[id], target["name"]?.text != nil, known.insert(id).inserted else { continue }
            count += 1
            guard count <= limits.targetCount else {
                throw fault("it has more than \(limits.targetCount) targets")
            }
            let settings = settings(of: target, &reading, read)
            guard reading.byteCount >= 0 else {
                throw fault("the settings of its targets exceed \(limits.layeredByteCount >> 20) MiB")
            }
            let list = XcodeProject.normal(settings.expanded(settings["INFOPLIST_FILE"] ?? "").text)
            let found = TargetSettings(
                target: settings["TARGET_NAME"] ?? "", settings: settings, hasPropertyList: list == infoPlist)
            if found.hasPropertyList { return found }
            if first == nil { first = found }
            if named == nil, found.target == folder { named = found }
        }
        return named ?? (count == 1 ? first : nil)
    }

    private func fault(_ sentence: String) -> OpenStepError {
        OpenStepError(sentence: sentence, position: TextPosition(line: 1, column: 1))
    }

    private func settings(
        of target: OpenStepValue, _ reading: inout Reading, _ read: (String) -> [UInt8]?
    ) -> BuildSettings {
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
            let layer = layer(of: owner, &reading)
            settings.layer(["CONFIGURATION": "Release"], upTo: &reading.byteCount)
            if let file = layer.file {
                for values in values(file, &reading, read) { settings.layer(values, upTo: &reading.byteCount) }
            }
            settings.layer(layer.settings, upTo: &reading.byteCount)
        }
        return settings
    }

    /// The settings of a project or target in its configuration for releases.
    private func layer(of owner: OpenStepValue, _ reading: inout Reading) -> Layer {
        let list = owner["buildConfigurationList"]?.text.flatMap { objects[$0] }
        let configurations = (list?["buildConfigurations"]?.list ?? []).prefix(limits.configurationCount)
            .compactMap { $0.text.flatMap { objects[$0] } }
        let standard = list?["defaultConfigurationName"]?.text
        let chosen =
            configurations.first { $0["name"]?.text == "Release" }
            ?? configurations.first { $0["name"]?.text == standard } ?? configurations.first
        var layer = Layer(
            file: chosen?["baseConfigurationReference"]?.text.flatMap { path(of: $0) }, settings: [:])
        for (name, value) in chosen?["buildSettings"]?.members ?? [:] where !name.contains("[") {
            let text = value.text ?? (value.list ?? []).compactMap(\.text).joined(separator: " ")
            reading.byteCount -= name.utf8.count + text.utf8.count
            guard reading.byteCount >= 0 else { break }
            layer.settings[name] = text
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
    private func values(
        _ path: String, _ reading: inout Reading, _ read: (String) -> [UInt8]?
    ) -> [[String: String]] {
        var layers: [[String: String]] = []
        var pending = [path]
        var count = 0
        while let path = pending.popLast(), count < limits.settingsFileCount {
            count += 1
            if reading.files[path] == nil, reading.files.count < limits.allSettingsFileCount {
                let bytes = read(path).flatMap { $0.count <= limits.settingsFileByteCount ? $0 : nil }
                reading.files[path] = BuildSettings.parse(bytes ?? [])
            }
            guard let (values, included) = reading.files[path] else { continue }
            layers.append(values)
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            pending += included.prefix(limits.settingsFileCount).map {
                XcodeProject.normal(folder.isEmpty ? $0 : "\(folder)/\($0)")
            }
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
