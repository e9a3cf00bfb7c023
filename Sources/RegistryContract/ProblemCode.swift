/// The code of a failure that clients are shown. A code is stable: it may be added, never reused.
package enum ProblemCode: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request"
    case headerTooLarge = "header-too-large"
    case uriTooLong = "uri-too-long"
    case timeout
    case unsupportedTransferCoding = "unsupported-transfer-coding"
    case unsupportedVersion = "unsupported-version"
    case unsupportedExpectation = "unsupported-expectation"
    case unsupportedMediaType = "unsupported-media-type"
    case tooLarge = "too-large"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case preconditionFailed = "precondition-failed"
    case rangeUnsatisfiable = "range-unsatisfiable"
    case overloaded
    case draining
    case notReady = "not-ready"
    case `internal`

    // Reading.
    case noSuchBundle = "no-such-bundle"
    case noSuchWidget = "no-such-widget"
    case noSuchRelease = "no-such-release"
    case noSuchChannel = "no-such-channel"
    case noSuchFile = "no-such-file"
    case noSuchBlob = "no-such-blob"
    case noCompatibleRelease = "no-compatible-release"
    case withdrawn
    case pinMismatch = "pin-mismatch"
    case blobDamaged = "blob-damaged"

    // Publishing.
    case unauthorized
    case forbidden
    case tokenExpired = "token-expired"
    case rateLimited = "rate-limited"
    case tooManyUploads = "too-many-uploads"
    case notAZip = "not-a-zip"
    case archiveRefused = "archive-refused"
    case entryRefused = "entry-refused"
    case tooManyFiles = "too-many-files"
    case expansionRefused = "expansion-refused"
    case infoPlistMissing = "info-plist-missing"
    case infoPlistInvalid = "info-plist-invalid"
    case invalidJSON = "invalid-json"
    case policyRefused = "policy-refused"
    case digestMismatch = "digest-mismatch"

    // Writing.
    case identityMismatch = "identity-mismatch"
    case identifierCaseConflict = "identifier-case-conflict"
    case releaseExists = "release-exists"
    case noEarlierRelease = "no-earlier-release"
    case tooManyChannels = "too-many-channels"
    case restoreTooLate = "restore-too-late"
    case notWithdrawn = "not-withdrawn"
    case preconditionRequired = "precondition-required"
    case noSuchToken = "no-such-token"
    case tokenExists = "token-exists"
    case insufficientStorage = "insufficient-storage"

    /// The status of answers with this code.
    package var status: Int {
        switch self {
        case .malformedRequest: 400
        case .headerTooLarge: 431
        case .uriTooLong: 414
        case .timeout: 408
        case .unsupportedTransferCoding: 501
        case .unsupportedVersion: 505
        case .unsupportedExpectation: 417
        case .unsupportedMediaType: 415
        case .tooLarge: 413
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .preconditionFailed: 412
        case .rangeUnsatisfiable: 416
        case .overloaded, .draining, .notReady: 503
        case .unauthorized: 401
        case .forbidden: 403
        case .tokenExpired: 401
        case .rateLimited: 429
        case .tooManyUploads: 503
        case .notAZip: 400
        case .archiveRefused: 422
        case .entryRefused: 422
        case .tooManyFiles: 422
        case .expansionRefused: 422
        case .infoPlistMissing: 422
        case .infoPlistInvalid: 422
        case .invalidJSON: 422
        case .policyRefused: 422
        case .digestMismatch: 400
        case .internal: 500
        case .noSuchBundle, .noSuchWidget, .noSuchRelease, .noSuchChannel, .noSuchFile, .noSuchBlob, .noSuchToken,
            .noCompatibleRelease:
            404
        case .withdrawn, .restoreTooLate: 410
        case .pinMismatch, .identifierCaseConflict, .releaseExists, .noEarlierRelease, .notWithdrawn, .tokenExists,
            .tooManyChannels:
            409
        case .blobDamaged: 503
        case .identityMismatch: 422
        case .preconditionRequired: 428
        case .insufficientStorage: 507
        }
    }

    package var title: String {
        switch self {
        case .malformedRequest: "The request is malformed"
        case .headerTooLarge: "The request's header is too large"
        case .uriTooLong: "The request line is too long"
        case .timeout: "The request took too long to arrive"
        case .unsupportedTransferCoding: "The transfer coding is not supported"
        case .unsupportedVersion: "The HTTP version is not supported"
        case .unsupportedExpectation: "The expectation cannot be met"
        case .unsupportedMediaType: "The content's type is not supported"
        case .tooLarge: "The content is too large"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method is not allowed here"
        case .notAcceptable: "Nothing here is of an acceptable type"
        case .preconditionFailed: "A precondition failed"
        case .rangeUnsatisfiable: "The range lies outside the content"
        case .overloaded: "The server has no room for another connection"
        case .draining: "The server is shutting down"
        case .notReady: "The server is not ready"
        case .unauthorized: "A token is needed"
        case .forbidden: "The token does not allow this"
        case .tokenExpired: "The token has expired"
        case .rateLimited: "Too many requests"
        case .tooManyUploads: "Too many uploads are under way"
        case .notAZip: "This is not a zip archive"
        case .archiveRefused: "The archive is refused"
        case .entryRefused: "An entry of the archive is refused"
        case .tooManyFiles: "There are too many files"
        case .expansionRefused: "The archive expands too far"
        case .infoPlistMissing: "There is no Info.plist"
        case .infoPlistInvalid: "The Info.plist is not usable"
        case .invalidJSON: "A JSON file of the bundle is not valid"
        case .policyRefused: "The bundle does what is not allowed"
        case .digestMismatch: "The digest does not match"
        case .internal: "Something went wrong on the server"
        case .noSuchBundle: "There is no such bundle"
        case .noSuchWidget: "No bundle answers to this widget identifier"
        case .noSuchRelease: "There is no such release"
        case .noSuchChannel: "There is no such channel"
        case .noSuchFile: "There is no such file in the release"
        case .noSuchBlob: "There is no archive with this digest"
        case .noCompatibleRelease: "No release is for this host"
        case .withdrawn: "The release was withdrawn"
        case .pinMismatch: "Another bundle than the pinned one matches"
        case .blobDamaged: "The stored archive is damaged"
        case .identityMismatch: "The bundle is not what the address says"
        case .identifierCaseConflict: "The identifier differs from another in case alone"
        case .releaseExists: "The release exists with other content"
        case .noEarlierRelease: "There is nothing to go back to"
        case .tooManyChannels: "The bundle has too many channels"
        case .restoreTooLate: "The time to restore the release is over"
        case .notWithdrawn: "The release is not withdrawn"
        case .preconditionRequired: "A precondition is required"
        case .noSuchToken: "There is no such token"
        case .tokenExists: "There is a token of that name"
        case .insufficientStorage: "The server has no room left"
        }
    }
}
