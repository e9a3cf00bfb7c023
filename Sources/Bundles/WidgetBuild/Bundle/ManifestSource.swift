internal import WidgetBytes
internal import WidgetPlist

/// The property list of a source, completed: variables are replaced, and missing keys get the usual values.
struct ManifestSource {
    let name: String
    let bytes: [UInt8]
    private(set) var notes: [String] = []

    private static let path = "Info.plist"

    /// Keys that name the bundle, which must not have two values.
    private static let decisiveKeys: Set<String> = [
        "CFBundleIdentifier", "CFBundleName", "CFBundleShortVersionString", "CFBundleVersion",
    ]

    /// Returns true if a property list has variables, in either form of property lists.
    static func hasVariables(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst()).contains {
            $0 == UInt8(ascii: "$") && ($1 == UInt8(ascii: "(") || $1 == UInt8(ascii: "{"))
        }
    }

    /// - Parameters:
    ///   - sources: the files of the source folder.
    ///   - folder: the name of the source folder.
    ///   - errors: a record of the faults that do not hide others. With any, the bytes are of no use.
    init(
        _ sources: [String: [UInt8]], folder: String, values: BuildValues, recording errors: BuildErrors
    ) throws(BuildError) {
        guard let source = sources[ManifestSource.path] else { throw ManifestSource.missing(sources) }
        let reading = try rethrowing(try PlistReading(parsing: source, decisive: ManifestSource.decisiveKeys)) {
            (error: PlistError) in
            BuildError("\(error.reason)", path: ManifestSource.path, at: error.position)
        }
        notes = reading.notes.map { "\(ManifestSource.path):\($0.position): \($0.subject)" }
        guard let list = reading.value.dictionary else {
            throw BuildError("the property list is not a dictionary", path: ManifestSource.path)
        }
        var variables = ManifestVariables(values, project: .inside(sources, folder: folder) ?? values.project, folder)
        var members: [String: PlistValue] = [:]
        for (key, value) in list.members { members[key] = variables.replaced(in: value) }
        notes += variables.notes
        for error in variables.errors { errors.note(error) }
        for (key, value) in [
            ("CFBundleIdentifier", values.identifier), ("CFBundleName", values.name),
            ("CFBundleShortVersionString", values.version), ("CFBundleVersion", values.buildNumber),
        ] {
            if let value { members[key] = .string(value) }
        }
        if let document = values.document, members["WidgetDocument"] == nil {
            members["WidgetDocument"] = .string(document)
        }
        if members["CFBundleIdentifier"].map({ $0.string == "" }) ?? true {
            // One that a setting leaves empty has the setting's error alone.
            if variables.errors.isEmpty {
                errors.note(
                    BuildError(
                        "CFBundleIdentifier is missing", path: ManifestSource.path,
                        hints: ["add it, such as com.example.Weather, or give one with `--identifier`"]))
            }
            members["CFBundleIdentifier"] = variables.errors.isEmpty ? nil : .string("com.example.Unknown")
        }
        name = members["CFBundleName"]?.string ?? folder
        if name.isEmpty || name.hasPrefix(".") || name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(0) {
            errors.note(
                BuildError(
                    "the bundle cannot be called \"\(name)\"", path: ManifestSource.path,
                    hints: ["CFBundleName is also the name of a folder"]))
        }
        for (key, value) in [
            ("CFBundleDevelopmentRegion", "en"), ("CFBundleInfoDictionaryVersion", "6.0"), ("CFBundleName", name),
            ("CFBundlePackageType", "BNDL"), ("CFBundleShortVersionString", "1.0"), ("CFBundleVersion", "1"),
            ("MinimumOSVersion", "10.0"),
        ] where members[key] == nil {
            members[key] = .string(value)
            if ["CFBundleShortVersionString", "CFBundleVersion"].contains(key) {
                notes.append("Info.plist: \(key) is missing; it is \(value) now")
            }
        }
        guard let complete = PlistDictionary(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) else {
            throw BuildError("a key of the property list is given twice", path: ManifestSource.path)
        }
        bytes = PlistValue.dictionary(complete).encodedBinary()
    }

    /// Says where the property list is, when the source folder is that of a whole project.
    private static func missing(_ sources: [String: [UInt8]]) -> BuildError {
        let elsewhere = sources.keys.filter { $0.hasSuffix("/\(path)") }.sorted()
        guard let first = elsewhere.first else {
            return BuildError(
                "there is no Info.plist", path: path,
                hints: ["`widget new NAME` writes a source with everything a bundle needs"])
        }
        return BuildError(
            "there is no Info.plist", path: path,
            hints: ["\(first) is there: build the folder it is in; further sources have to be in that folder"])
    }
}

/// The variables of a property list, and notes about the values that are used.
private struct ManifestVariables {
    private var settings: BuildSettings
    private let folder: String
    /// Variables that have a value after the folder alone.
    private var guessed: Set<String> = []
    private let project: ProjectSettings?
    private var used: [String: String] = [:]
    /// Texts that were left out, in the order of the property list: variables without a value, and unknown modifiers.
    private var unknown: [String] = []
    private var known: Set<String> = []
    private var further = 0
    private var cut: String?
    private(set) var errors: [BuildError] = []
    private let limits = Limits()
    /// The bytes that may still be read and written for variables.
    private var workLeft: Int

    private struct Limits {
        /// Bytes that are read and written to replace the variables of all texts.
        var workByteCount = 32 << 20
        /// Notes about variables without a value.
        var noteCount = 20
    }

    /// The options that set a variable's value.
    private static let options = [
        "PRODUCT_BUNDLE_IDENTIFIER": "--identifier", "PRODUCT_NAME": "--name", "MARKETING_VERSION": "--version",
        "CURRENT_PROJECT_VERSION": "--build-number",
    ]

    init(_ values: BuildValues, project: ProjectSettings?, _ folder: String) {
        self.folder = folder
        self.project = project
        workLeft = limits.workByteCount
        settings = BuildSettings([
            "TARGET_NAME": folder, "PRODUCT_NAME": folder, "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
            "PRODUCT_BUNDLE_IDENTIFIER": "com.example.$(PRODUCT_NAME:rfc1034identifier)",
            "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)", "PRODUCT_BUNDLE_PACKAGE_TYPE": "BNDL",
            "DEVELOPMENT_LANGUAGE": "en", "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1",
        ])
        guessed = ["PRODUCT_NAME", "PRODUCT_BUNDLE_IDENTIFIER", "MARKETING_VERSION", "CURRENT_PROJECT_VERSION"]
        if case .settings(let found)? = project?.content {
            settings.layer(found.settings)
            guessed.subtract(found.settings.values.keys)
        }
        for (name, value) in [
            ("PRODUCT_NAME", values.name), ("PRODUCT_BUNDLE_IDENTIFIER", values.identifier),
            ("MARKETING_VERSION", values.version), ("CURRENT_PROJECT_VERSION", values.buildNumber),
        ] {
            guard let value else { continue }
            settings.layer(BuildSettings([name: value]))
            guessed.remove(name)
        }
    }

    /// Replaces the variables in all texts of a value. The depth is that of the property list, which is bounded.
    mutating func replaced(in value: PlistValue) -> PlistValue {
        switch value {
        case .string(let text): return .string(replaced(in: text))
        case .array(let values): return .array(values.map { replaced(in: $0) })
        case .dictionary(let list):
            let members = list.members.map { ($0, replaced(in: $1)) }
            return PlistDictionary(members).map { .dictionary($0) } ?? value
        case .data, .date, .integer, .largeInteger, .real, .boolean, .uid: return value
        }
    }

    private mutating func replaced(in text: String) -> String {
        guard workLeft > 0, ManifestSource.hasVariables(Array(text.utf8)) else { return text }
        let expansion = settings.expanded(text)
        workLeft -= expansion.work
        for name in expansion.used where used[name] == nil {
            let value = settings.expanded("$(\(name))")
            workLeft -= value.work
            used[name] = value.text
        }
        if workLeft <= 0 {
            errors.append(
                error(
                    "its variables need more than \(limits.workByteCount >> 20) MiB of text",
                    hint: "use fewer of them, or shorter ones"))
        }
        for name in expansion.unknown { note(name, "has no value; it is left out") }
        for name in expansion.unknownModifiers {
            note(
                "the modifier \(ShownText.plain(name, limit: ShownText.usualLimit))", "is not known; it changes nothing"
            )
        }
        for name in expansion.tooLong where known.insert(name).inserted {
            errors.append(
                error(
                    "the value of $(\(name)) is longer than \(BuildSettings.longestText) bytes",
                    hint: "shorten the setting in \(project?.path ?? "the project file")"))
        }
        if expansion.isCut, cut == nil { cut = expansion.used.last ?? expansion.unknown.last ?? "" }
        return expansion.text
    }

    private func error(_ sentence: String, hint: String) -> BuildError {
        BuildError(sentence, path: "Info.plist", hints: [hint])
    }

    private mutating func note(_ name: String, _ fate: String) {
        guard known.insert(name).inserted else { return }
        if unknown.count < limits.noteCount { unknown.append("\(name) \(fate)") } else { further += 1 }
    }

    var notes: [String] {
        var notes: [String] = []
        if !used.isEmpty {
            switch project?.content {
            case .settings(let found)?:
                notes.append(
                    "Info.plist: its variables have the values of \(project?.path ?? ""), target \(found.target)")
            case .unreadable(let reason)?:
                notes.append("Info.plist: \(project?.path ?? "") is not used: \(reason)")
            case .noTarget?:
                notes.append("Info.plist: \(project?.path ?? "") is not used: no target of it has this Info.plist")
            case nil: break
            }
        }
        for (name, value) in used.sorted(by: { $0.key < $1.key }) where guessed.contains(name) {
            let option = ManifestVariables.options[name].map { "; `\($0)` or a project file says another" } ?? ""
            notes.append("Info.plist: $(\(name)) is \(value) now\(option)")
        }
        for sentence in unknown { notes.append("Info.plist: \(sentence)") }
        if further > 0 { notes.append("Info.plist: \(further) further variables have no value; they are left out") }
        if let cut {
            let name = cut.isEmpty ? "" : ": $(\(cut))"
            notes.append("Info.plist: a text with too many or too long variables is cut\(name)")
        }
        return notes
    }
}
