extension BundleError {
    /// The sentence that tells a publisher what to do.
    package var remedy: String {
        switch reason {
        case .archive: archiveRemedy
        case .noBundle: "Pack the folder and send that, for example with: zip -r WidgetDemo.zip WidgetDemo.bundle."
        case .severalBundles(let first, _):
            "Publish them one at a time: zip -r One.zip \(first)."
        case .besideBundle: "Pack the bundle's folder alone: \(hint ?? "zip -r WidgetDemo.zip WidgetDemo.bundle")."
        case .unnamedBundle: "Give the folder a name, such as WidgetDemo.bundle."
        case .unusableName: "Correct the bundle's Info.plist and publish it again."
        case .unsafePath: "Rename it and pack the bundle again."
        case .infoPlistMissing:
            hint
                ?? "Put the bundle's Info.plist there and pack it again; a template is in every widget that widget new makes."
        case .infoPlistKey(let key, .notAVersion):
            "Write a version such as 1.4.0 for \(key), or leave the key out; then pack and publish the bundle again."
        case .infoPlistKey("CFBundleIdentifier", _):
            "Write an identifier such as com.example.Weather for CFBundleIdentifier; then pack and publish the bundle again."
        case .infoPlist, .infoPlistNotDictionary, .infoPlistKey: "Correct the bundle's Info.plist and publish it again."
        case .disguised(let name, _):
            "Remove the file from the bundle, or put a real \(name.rawValue) file in its place, then pack and publish again."
        case .format, .plist: "Export the file again, or remove it; then pack and publish the bundle again."
        case .json: "Correct the file and publish the bundle again."
        case .tooLargeToRead, .tooManyEntries, .tooManyFiles: BundleError.leavingOut
        case .policy, .notStrict:
            "Each entry of errors says what to change; widget inspect shows the same without a server."
        case .notCanonical, .notAFile, .nameNotUTF8:
            "Pack the bundle again, for example with widget pack; nothing was stored."
        case .file, .outOfMemory: "Nothing was stored."
        }
    }

    private static let leavingOut =
        "Leave out what the bundle does not need; the limits are at /.well-known/widget-registry."

    private var archiveRemedy: String {
        switch code {
        case .notAZip: "Send the zip archive itself as the body."
        case .tooLarge, .tooManyFiles, .expansionRefused: BundleError.leavingOut
        case .internal: "Nothing was stored."
        default: "Pack the bundle again, for example with widget pack; nothing was stored."
        }
    }
}

extension StripRule {
    /// What to do about a file that strict publishing does not let through.
    var remedy: String {
        switch self {
        case .noise: "remove it; zip -X and git archive leave such files out"
        case .executable, .codeFolder: "remove it, hosts run no code of a bundle"
        case .signature, .packaging: "remove it, it says nothing about what hosts get"
        case .nestedBundle: "remove it, or publish it as a bundle of its own"
        case .nestedArchive: "remove it, or put in what it holds"
        case .activeContent: "remove it, or turn it into an image or text of the bundle"
        case .notAllowed:
            "remove it, or publish without strict; the patterns that are kept are at /.well-known/widget-registry"
        }
    }
}

extension BundleWarning.Code {
    /// What to do about something that strict publishing does not let through.
    var remedy: String {
        switch self {
        case .versionDefaulted: "add CFBundleShortVersionString to Info.plist"
        case .buildDefaulted: "add CFBundleVersion to Info.plist"
        case .nameDefaulted: "add CFBundleName to Info.plist"
        case .separatorsReplaced: "pack with a tool that writes slashes, such as widget pack"
        case .nameNormalized: "rename the file, or pack with widget pack"
        case .fromXcodeArchive: "zip the application alone"
        case .olderThanChannel: "raise the version, or promote it"
        case .newChannel: "publish without strict if the name is meant; widget channel delete removes it"
        }
    }
}
