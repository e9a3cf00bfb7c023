package import JSONText
package import WidgetFiles
package import WidgetFindings
package import WidgetPlist
package import WidgetZip

/// The reason why a bundle was refused or could not be processed, and the place.
package struct BundleError: Error, Equatable, Sendable {
    /// Each case has one sentence for publishers.
    package enum Reason: Equatable, Sendable {
        case archive(ZipError)

        // Layout.
        case noBundle
        case tooManyEntries(limit: Int)
        case severalBundles(first: String, second: String)
        case besideBundle
        case unnamedBundle
        case unusableName(String)
        case unsafePath(ZipName.Hazard)

        // The information dictionary.
        case infoPlistMissing
        case infoPlist(PlistError)
        case infoPlistNotDictionary
        case infoPlistKey(String, ManifestFault)

        // Content.
        case disguised(name: ContentKind, content: ContentKind)
        /// A picture under the name of another kind.
        case misnamed(ContentKind, KnownPicture)
        case format(ContentKind, FormatFault)
        case plist(ContentKind, PlistError)
        case json(JSONError)
        case tooLargeToRead(limit: Int)

        // Verdicts on the whole.
        case policy([Finding])
        case notStrict(BundleReport)
        /// The archive is sound, but not in the form that registries write.
        case notCanonical(String)

        // Folders.
        case notAFile
        case tooManyFiles(limit: Int)
        case nameNotUTF8

        // Failures, not refusals.
        case file(FileError)
        case outOfMemory
    }

    package var reason: Reason
    /// The path of the file at fault in the publisher's input; safe to print.
    package var path: String?
    /// The offset in the archive, or in the file at `path` when its content is at fault.
    package var offset: Int?
    package var line: Int?
    package var column: Int?
    /// A file near the place of a missing one.
    var neighbour: String?
    /// A remedy for this archive alone, more specific than the reason's.
    var hint: String?

    init(_ reason: Reason, path: String? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// Returns a copy with more details.
    func with(_ change: (inout BundleError) -> Void) -> BundleError {
        var copy = self
        change(&copy)
        return copy
    }

    package init(_ error: ZipError) {
        self.init(.archive(error), path: error.entry, offset: error.offset)
    }

    /// True if the disk was full.
    package var isOutOfSpace: Bool {
        switch reason {
        case .file(let error): error.isOutOfSpace
        case .archive(let error): error.isOutOfSpace
        default: false
        }
    }

    /// True if the bundle is to blame, rather than the machine.
    package var isRefusal: Bool { code != .internal }
}

extension BundleError {
    /// The stable code of a refusal, which the registry's problem documents use, too.
    package enum Code: String, Equatable, Sendable {
        case notAZip = "not-a-zip"
        case archiveRefused = "archive-refused"
        case entryRefused = "entry-refused"
        case tooLarge = "too-large"
        case tooManyFiles = "too-many-files"
        case expansionRefused = "expansion-refused"
        case infoPlistMissing = "info-plist-missing"
        case infoPlistInvalid = "info-plist-invalid"
        case invalidJSON = "invalid-json"
        case policyRefused = "policy-refused"
        case `internal`
    }

    package var code: Code {
        switch reason {
        case .archive(let error): BundleError.code(of: error)
        case .noBundle, .infoPlistMissing: .infoPlistMissing
        case .severalBundles, .notCanonical: .archiveRefused
        case .besideBundle, .unsafePath, .disguised, .misnamed, .format, .plist, .notAFile, .nameNotUTF8: .entryRefused
        case .unnamedBundle, .unusableName, .infoPlist, .infoPlistNotDictionary, .infoPlistKey: .infoPlistInvalid
        case .json: .invalidJSON
        case .tooLargeToRead: .tooLarge
        case .tooManyFiles, .tooManyEntries: .tooManyFiles
        case .policy, .notStrict: .policyRefused
        case .file, .outOfMemory: .internal
        }
    }

    private static func code(of error: ZipError) -> Code {
        switch error.reason {
        case .missingEndRecord: .notAZip
        case .limitReached(let name, _): code(of: name)
        case .producesTooMuch: .expansionRefused
        case .unsafeName, .duplicateName, .fileIsAlsoDirectory, .notAFile, .typeContradictsName, .directoryHasData,
            .corruptStream, .streamTruncated, .dataAfterStream, .producesTooLittle, .checksumMismatch:
            .entryRefused
        case .truncatedEndRecord, .trailingData, .prependedData, .gap, .overlap, .recordOutOfBounds, .wrongSignature,
            .truncatedDirectory, .directoryMisplaced, .entryCountMismatch, .multipleDisks, .zip64Missing,
            .zip64Misplaced, .zip64RecordLength, .zip64Disagrees, .zip64ExtraLength, .numberTooLarge, .headersDisagree,
            .descriptorOnStored, .descriptorMissing, .descriptorDisagrees, .encrypted, .strongEncryption, .patchData,
            .enhancedDeflate, .maskedHeaders, .unknownFlags, .unsupportedMethod, .unsupportedVersion,
            .extraDoesNotDivide, .extraRepeated, .unicodePathDisagrees, .commentNotPlain, .storedSizesDiffer:
            .archiveRefused
        case .file, .deflate, .outOfMemory, .changedWhileRead, .rewriteDiffers: .internal
        }
    }

    private static func code(of limit: ZipLimits.Name) -> Code {
        switch limit {
        case .archiveByteCount: .tooLarge
        case .entryCount: .tooManyFiles
        case .expandedByteCount, .entryByteCount, .ratio: .expansionRefused
        case .pathByteCount, .pathDepth, .componentByteCount: .entryRefused
        case .extraByteCount, .commentByteCount: .archiveRefused
        }
    }

    /// One fault, for lists of several.
    package struct Detail: Equatable, Sendable {
        package var code: String
        package var path: String
        package var detail: String
    }

    /// All faults, when there are several.
    package var details: [Detail] {
        switch reason {
        case .policy(let findings): findings.map(Detail.init)
        case .notStrict(let report):
            report.findings.map(Detail.init)
                + report.warnings.map {
                    Detail(code: $0.code.rawValue, path: $0.path, detail: "\($0.detail): \($0.code.remedy)")
                }
                + report.stripped.map {
                    Detail(
                        code: $0.rule.rawValue, path: $0.path,
                        detail: "\($0.kind.rawValue), stripped: \($0.rule.remedy)")
                }
        default: []
        }
    }
}

extension BundleError.Detail {
    fileprivate init(_ finding: Finding) {
        let position = finding.place.map { $0.line == 0 ? "" : "line \($0.line), column \($0.column): " } ?? ""
        self.init(code: finding.code.rawValue, path: finding.place?.file ?? "", detail: position + finding.detail)
    }
}

extension BundleError {
    /// Wraps the failure of a file that a program opened itself.
    package init(_ error: FileError) {
        self.init(.file(error))
    }
}

extension BundleError: CustomStringConvertible {
    /// One line for people: the file, the place in it, the sentence.
    package var description: String {
        var place = path ?? ""
        if let line { place += ":\(line)\(column.map { ":\($0)" } ?? "")" }
        return place.isEmpty ? sentence : "\(place): \(sentence)"
    }

    /// The fault, without its place.
    package var sentence: String {
        switch reason {
        case .archive(let error): "the archive is refused: \(error.reason)"
        case .noBundle:
            "there is no bundle in it; \(hint ?? "put everything into one folder whose name ends in .bundle")"
        case .severalBundles(let first, let second): "there are two bundles in it, \(first) and \(second)"
        case .tooManyEntries(let limit): "its files and the folders they are in are more than \(limit)"
        case .besideBundle: "nothing may lie beside the bundle's folder"
        case .unnamedBundle: "the bundle's folder has no name before its extension"
        case .unusableName(let name): "a folder cannot be named \"\(name)\" on every system; change CFBundleName"
        case .unsafePath(let hazard): "its path is not safe on every system: it \(hazard)"
        case .infoPlistMissing: neighbour.map { "Info.plist is missing beside \($0)" } ?? "the bundle has no Info.plist"
        case .infoPlist(let error): "Info.plist cannot be read: \(error)"
        case .infoPlistNotDictionary: "Info.plist is not a dictionary"
        case .infoPlistKey(let key, let fault): "\(key) \(fault)"
        case .disguised(let name, let content): "its name says \(name.rawValue), its content is \(content.rawValue)"
        case .misnamed(_, let picture):
            "it is \(picture)" + (picture.nameExtension.map { "; name it `.\($0)`" } ?? ", which bundles do not hold")
        case .format(let kind, let fault): "it is not a sound \(kind.rawValue) file: \(fault.reason)"
        case .plist(let kind, let error): "it is not a sound \(kind.rawValue) file: \(error.reason)"
        case .json(let error): "\(error.reason)"
        case .tooLargeToRead(let limit): "files of this kind may have \(limit) bytes at most"
        case .policy(let findings):
            findings.count == 1 ? findings[0].detail : "\(findings.count) findings do not allow to run this bundle"
        case .notStrict(let report):
            "strict: \(report.stripped.count) stripped, \(report.warnings.count + report.findings.count) warnings"
        case .notCanonical(let what): "no registry serves such an archive: \(what)"
        case .notAFile: "it is neither a file nor a folder; links are not followed"
        case .tooManyFiles(let limit): "the folder holds more than \(limit) files and folders"
        case .nameNotUTF8: "its name is not UTF-8"
        case .file(let error): "\(error)"
        case .outOfMemory: "there is not enough memory"
        }
    }
}

extension BundleError {
    /// Advice for the publisher.
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
        case .misnamed(let kind, let picture):
            picture.nameExtension.map {
                "Rename the file, and all that refers to it, so that the name ends in .\($0); then pack and publish the bundle again."
            } ?? "Export it as \(kind.rawValue); then pack and publish the bundle again."
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
    /// Advice for a file that strict publishing refuses.
    var remedy: String {
        switch self {
        case .noise: "remove it; zip -X and git archive leave such files out"
        case .executable, .codeFolder: "remove it, hosts run no code of a bundle"
        case .signature, .packaging: "remove it, it says nothing about what hosts get"
        case .nestedBundle: "remove it, or publish it as a separate bundle"
        case .nestedArchive: "remove it, or put in what it holds"
        case .activeContent: "remove it, or turn it into an image or text of the bundle"
        case .notAllowed:
            "remove it, or publish without strict; the patterns that are kept are at /.well-known/widget-registry"
        }
    }
}

extension BundleWarning.Code {
    /// Advice for a warning that strict publishing refuses.
    var remedy: String {
        switch self {
        case .versionDefaulted: "add CFBundleShortVersionString to Info.plist"
        case .buildDefaulted: "add CFBundleVersion to Info.plist"
        case .nameDefaulted: "add CFBundleName to Info.plist"
        case .separatorsReplaced: "pack with a tool that writes slashes, such as widget pack"
        case .nameNormalized: "rename the file, or pack with widget pack"
        case .nameNotMarked: "pack with a tool that marks names as UTF-8, such as widget pack"
        case .fromXcodeArchive: "zip the application alone"
        case .olderThanChannel: "raise the version, or promote it"
        case .newChannel: "publish without strict if the name is meant; widget channel delete removes it"
        case .quotaNear: "withdraw what no host needs, or ask the registry's operator"
        }
    }
}
