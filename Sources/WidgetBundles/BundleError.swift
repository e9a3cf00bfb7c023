package import Files
package import JSONText
package import Plist
package import Zip

/// Why a bundle was refused, or could not be processed, and where.
package struct BundleError: Error, Equatable, Sendable {
    /// One case for each sentence a publisher could be told.
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
        case format(ContentKind, FormatFault)
        case plist(ContentKind, PlistError)
        case json(JSONError)
        case tooLargeToRead(limit: Int)

        // Verdicts on the whole.
        case policy([Finding])
        case notStrict(BundleReport)
        /// A registry writes archives in another form.
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
    /// The file it is about, by its path in what was handed in; text safe to print.
    package var path: String?
    /// Where in the archive, or in the file at `path` when its content is at fault.
    package var offset: Int?
    package var line: Int?
    package var column: Int?
    /// A file that lies where one is missing.
    var neighbour: String?
    /// The remedy for just this archive, where more is known of it than the reason says.
    var hint: String?

    init(_ reason: Reason, path: String? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The same with more said of it.
    func with(_ change: (inout BundleError) -> Void) -> BundleError {
        var copy = self
        change(&copy)
        return copy
    }

    package init(_ error: ZipError) {
        self.init(.archive(error), path: error.entry, offset: error.offset)
    }

    /// Whether there was no room on the disk.
    package var isOutOfSpace: Bool {
        switch reason {
        case .file(let error): error.isOutOfSpace
        case .archive(let error): error.isOutOfSpace
        default: false
        }
    }

    /// Whether the bundle is to blame, rather than the machine.
    package var isRefusal: Bool { code != .internal }
}

extension BundleError {
    /// The stable word for a refusal; the registry's problem documents use the same ones.
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
        case .besideBundle, .unsafePath, .disguised, .format, .plist, .notAFile, .nameNotUTF8: .entryRefused
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

    /// One thing that is wrong, for lists of several.
    package struct Detail: Equatable, Sendable {
        package var code: String
        package var path: String
        package var detail: String
    }

    /// Everything that is wrong, when that is more than one thing.
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
        let place = finding.line == 0 ? "" : "line \(finding.line), column \(finding.column): "
        self.init(code: finding.code, path: finding.path, detail: place + finding.detail)
    }
}

extension BundleError {
    /// The failure of a file that a program opened itself.
    package init(_ error: FileError) {
        self.init(.file(error))
    }
}

extension BundleError: CustomStringConvertible {
    /// One line for a person: the file, the place in it, the sentence.
    package var description: String {
        var place = path ?? ""
        if let line { place += ":\(line)\(column.map { ":\($0)" } ?? "")" }
        return place.isEmpty ? sentence : "\(place): \(sentence)"
    }

    /// What is wrong, without where.
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
