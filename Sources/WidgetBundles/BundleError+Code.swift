internal import Zip

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
            report.stripped.map {
                Detail(code: $0.rule.rawValue, path: $0.path, detail: "\($0.kind.rawValue), stripped")
            }
                + report.warnings.map { Detail(code: $0.code.rawValue, path: $0.path, detail: $0.detail) }
                + report.findings.map(Detail.init)
        default: []
        }
    }
}

extension BundleError.Detail {
    fileprivate init(_ finding: Finding) {
        self.init(
            code: finding.code, path: finding.path,
            detail: "line \(finding.line), column \(finding.column): \(finding.detail)")
    }
}
