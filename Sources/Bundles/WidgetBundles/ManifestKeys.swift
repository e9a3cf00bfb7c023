package import JSONText

extension BundleManifest {
    /// The keys that a registry reads, with their laws. Other keys are the business of hosts.
    static let keys: [JSONSchema.Member] = [
        JSONSchema.Member(
            "CFBundleIdentifier", lawful(identifierPattern).with(.length(atMost: longestIdentifier)),
            "the bundle's identifier: at least two labels of letters, digits and hyphens, joined by dots"),
        JSONSchema.Member(
            "CFBundleShortVersionString", lawful(versionPattern).with(.initial(.text(defaultShortVersion))),
            "the version shown to people"),
        JSONSchema.Member(
            "CFBundleVersion", lawful(versionPattern).with(.initial(.text(defaultBuild))), "the number of the build"),
        JSONSchema.Member("CFBundleName", shown, "the bundle's name, and that of its archive's folder"),
        JSONSchema.Member("CFBundleDisplayName", shown, "the name shown to people"),
        JSONSchema.Member("CFBundleExecutable", .text, "the file with the program, which is always stripped"),
        JSONSchema.Member("MinimumOSVersion", lawful(versionPattern), "the oldest system that runs the widget"),
        JSONSchema.Member("WidgetHostMinimumVersion", lawful(versionPattern), "the oldest host that runs the widget"),
        JSONSchema.Member(
            "WidgetDocument", shown.with(.initial(.text(standardDocument))),
            "the first document of a data-driven widget, whose first screen it is"),
    ]

    /// The names of these keys. With two values of one of them, readers would not agree on the bundle's identity.
    static let decisiveKeys = Set(keys.map { $0.name })

    /// The description of `Info.plist` as JSON.
    package static let schema = JSONSchemaDocument(
        "Info.plist of a widget bundle",
        JSONSchema.object(keys).with(.required(["CFBundleIdentifier"]))
            .described("the information property list, as JSON; other keys are kept and not read"))

    private static let label = "[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?"
    private static let identifierPattern = "\(label)(?:\\.\(label))+"
    private static let versionPattern = "[0-9A-Za-z._+-]{1,64}"

    /// A text that keeps a law, or has variables that a build replaces.
    private static func lawful(_ pattern: String) -> JSONSchema {
        JSONSchema.text.with(.pattern("^(?:\(pattern)|.*\\$[({].+[)}].*)$"))
    }

    private static let shown = JSONSchema.text.with(
        .length(atMost: ManifestFault.longestText), .pattern(#"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"#))
}
