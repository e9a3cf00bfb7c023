internal import WidgetBytes
internal import WidgetPlist

/// A bundle's identity, read from its information dictionary.
package struct BundleManifest: Equatable, Sendable {
    /// `CFBundleIdentifier`.
    package let identifier: String
    /// `CFBundleShortVersionString`, the version shown to people.
    package let shortVersion: String
    /// `CFBundleVersion`, the number of the build.
    package let build: String
    /// `CFBundleName`.
    package let name: String?
    package let displayName: String?
    /// `CFBundleExecutable`: the file that is always stripped.
    package let executable: String?
    package let minimumOSVersion: String?
    package let minimumHostVersion: String?
    /// `WidgetDocument`: the first document of a data-driven widget.
    package let document: String?

    /// The name for people.
    package var shownName: String? { displayName ?? name }

    /// The name of the first document where the manifest names no other.
    package static let standardDocument = "Main\(documentEnding)"
    /// The end of the names of documents.
    package static let documentEnding = ".widgets.json"

    /// The key of this bundle's release.
    package var releaseKey: String { "\(shortVersion)~\(build)" }

    static let defaultShortVersion = "1.0"
    static let defaultBuild = "1"

    /// Reads the dictionary's keys; a missing version gets a default and a warning.
    init(_ root: PlistValue, path: String, warnings: inout [BundleWarning]) throws(BundleError) {
        guard let dictionary = root.dictionary else { throw BundleError(.infoPlistNotDictionary, path: path) }
        let keys = Keys(dictionary: dictionary, path: path)
        guard let identifier = try keys.string("CFBundleIdentifier") else {
            throw keys.error("CFBundleIdentifier", .missing)
        }
        guard BundleManifest.isIdentifier(identifier) else { throw keys.error("CFBundleIdentifier", .notAnIdentifier) }
        self.identifier = identifier
        let shortVersion = try keys.version("CFBundleShortVersionString")
        let build = try keys.version("CFBundleVersion")
        if shortVersion == nil {
            warnings.append(
                BundleWarning(
                    .versionDefaulted, path: path,
                    detail: "CFBundleShortVersionString is absent; \(BundleManifest.defaultShortVersion) is used"))
        }
        if build == nil {
            warnings.append(
                BundleWarning(
                    .buildDefaulted, path: path,
                    detail: "CFBundleVersion is absent; \(BundleManifest.defaultBuild) is used"))
        }
        self.shortVersion = shortVersion ?? BundleManifest.defaultShortVersion
        self.build = build ?? BundleManifest.defaultBuild
        name = try keys.text("CFBundleName")
        displayName = try keys.text("CFBundleDisplayName")
        executable = try keys.string("CFBundleExecutable")
        minimumOSVersion = try keys.version("MinimumOSVersion")
        minimumHostVersion = try keys.version("WidgetHostMinimumVersion")
        document = try keys.text("WidgetDocument")
    }

    /// Returns the faults of all keys, of which reading a dictionary throws the first.
    static func faults(in root: PlistValue, path: String) -> [BundleError] {
        guard let dictionary = root.dictionary else { return [BundleError(.infoPlistNotDictionary, path: path)] }
        let keys = Keys(dictionary: dictionary, path: path)
        var faults: [BundleError] = []
        func read(_ check: () throws(BundleError) -> Void) {
            do throws(BundleError) { try check() } catch { faults.append(error) }
        }
        read { () throws(BundleError) in
            guard let identifier = try keys.string("CFBundleIdentifier") else {
                throw keys.error("CFBundleIdentifier", .missing)
            }
            guard isIdentifier(identifier) else { throw keys.error("CFBundleIdentifier", .notAnIdentifier) }
        }
        for key in ["CFBundleShortVersionString", "CFBundleVersion", "MinimumOSVersion", "WidgetHostMinimumVersion"] {
            read { () throws(BundleError) in _ = try keys.version(key) }
        }
        for key in ["CFBundleName", "CFBundleDisplayName", "WidgetDocument"] {
            read { () throws(BundleError) in _ = try keys.text(key) }
        }
        read { () throws(BundleError) in
            guard try keys.string("CFBundleExecutable")?.lowercased() != "info.plist" else {
                throw keys.error("CFBundleExecutable", .namesInfoPlist)
            }
        }
        return faults
    }

    /// The limit on the bytes of a bundle's identifier.
    package static let longestIdentifier = 155

    /// At least two labels of letters, digits and hyphens, joined by dots; no label begins or ends with a hyphen.
    package static func isIdentifier(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= longestIdentifier else { return false }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                label.first?.isLetterOrDigit == true && label.last?.isLetterOrDigit == true
                    && label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
            }
    }

    /// 1 to 64 letters, digits, and `. _ + -`.
    package static func isVersion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
    }

    /// The dictionary, with errors for its faults.
    private struct Keys {
        let dictionary: PlistDictionary
        let path: String

        func error(_ key: String, _ fault: ManifestFault) -> BundleError {
            BundleError(.infoPlistKey(key, fault), path: path)
        }

        func string(_ key: String) throws(BundleError) -> String? {
            guard let value = dictionary[key] else { return nil }
            guard let text = value.string else { throw error(key, .notAString) }
            return text
        }

        func version(_ key: String) throws(BundleError) -> String? {
            guard let text = try string(key) else { return nil }
            guard BundleManifest.isVersion(text) else { throw error(key, .notAVersion) }
            return text
        }

        /// Returns text that others will be shown: bounded, and without characters that rearrange or hide their
        /// surroundings.
        func text(_ key: String) throws(BundleError) -> String? {
            guard let text = try string(key) else { return nil }
            guard text.unicodeScalars.count <= ManifestFault.longestText else { throw error(key, .tooLong) }
            guard text.unicodeScalars.allSatisfy(ManifestFault.isHarmless) else {
                throw error(key, .controlCharacter)
            }
            return text
        }
    }
}

/// A fault in a value of the information dictionary.
package enum ManifestFault: Equatable, Sendable, CustomStringConvertible {
    case missing
    case notAString
    case notAnIdentifier
    case notAVersion
    case tooLong
    case controlCharacter
    case namesInfoPlist

    static let longestText = 128

    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format:
            // Joiners are part of words and emoji; marks and overrides rearrange their surroundings.
            return scalar.value == 0x200C || scalar.value == 0x200D
        default: return true
        }
    }

    package var description: String {
        switch self {
        case .missing: "is missing"
        case .notAString: "is not a string"
        case .notAnIdentifier:
            "is not an identifier: at least two labels of A-Z a-z 0-9 and hyphens, joined by dots, such as com.example.Notes, 155 bytes at most"
        case .notAVersion: "is not a version: 1 to 64 of A-Z a-z 0-9 . _ + -"
        case .tooLong: "is longer than \(ManifestFault.longestText) characters"
        case .controlCharacter: "holds a control or direction character"
        case .namesInfoPlist: "names Info.plist, which cannot be left out"
        }
    }
}
