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
    case expired
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
    case quotaExceeded = "quota-exceeded"
    case restoreTooLate = "restore-too-late"
    case notWithdrawn = "not-withdrawn"
    case preconditionRequired = "precondition-required"
    case noSuchToken = "no-such-token"
    case tokenExists = "token-exists"
    case ambiguousToken = "ambiguous-token"
    case tokenNotRotated = "token-not-rotated"
    case insufficientStorage = "insufficient-storage"
    case storeRefused = "store-refused"
    case storeUnreachable = "store-unreachable"
    case catalogUnreachable = "catalog-unreachable"
    case readOnly = "read-only"

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
        case .overloaded, .draining, .notReady, .storeRefused, .storeUnreachable, .catalogUnreachable: 503
        case .unauthorized: 401
        case .forbidden, .readOnly, .quotaExceeded: 403
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
        case .withdrawn, .expired, .restoreTooLate: 410
        case .pinMismatch, .identifierCaseConflict, .releaseExists, .noEarlierRelease, .notWithdrawn, .tokenExists,
            .ambiguousToken, .tokenNotRotated, .tooManyChannels:
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
        case .storeRefused: "The store of archives refuses the server"
        case .storeUnreachable: "The store of archives does not answer"
        case .catalogUnreachable: "The registry's catalog cannot be reached"
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
        case .expired: "The release has expired"
        case .pinMismatch: "Another bundle than the pinned one matches"
        case .blobDamaged: "The stored archive is damaged"
        case .identityMismatch: "The bundle is not what the address says"
        case .identifierCaseConflict: "The identifier differs from another in case alone"
        case .releaseExists: "The release exists with other content"
        case .noEarlierRelease: "There is nothing to go back to"
        case .tooManyChannels: "The bundle has too many channels"
        case .quotaExceeded: "The prefix has used up its quota"
        case .restoreTooLate: "The time to restore the release is over"
        case .notWithdrawn: "The release is not withdrawn"
        case .preconditionRequired: "A precondition is required"
        case .noSuchToken: "There is no such token"
        case .tokenExists: "The name of the token was given before"
        case .ambiguousToken: "Several tokens have the name"
        case .tokenNotRotated: "The token was not rotated"
        case .insufficientStorage: "The server has no room left"
        case .readOnly: "The registry is a mirror, which is only read"
        }
    }
}

extension ProblemCode {
    /// The meaning of the problem and the remedy, for the page that explains it.
    package var explanation: String {
        switch self {
        case .malformedRequest:
            "The bytes received are not an HTTP/1.1 request with exactly one meaning. The detail names the rule that "
                + "was broken. Nothing behind the broken request was read, and the connection was closed. Check what "
                + "builds the request, and any proxy on the way."
        case .headerTooLarge:
            "A header field, all of them together, or their number is over the server's limit, which the detail "
                + "names. Large cookies and long tokens are the usual causes. The limits are listed at "
                + "/.well-known/widget-registry."
        case .uriTooLong:
            "The request line is over the server's limit. Move what makes it long into a body, or shorten it."
        case .timeout:
            "The head of a request, or its body, arrived more slowly than the server waits for. Try again on a better "
                + "connection; nothing of the request was used."
        case .unsupportedTransferCoding:
            "Of the transfer codings only chunked is understood. Send the body plainly or in chunks."
        case .unsupportedVersion:
            "This server speaks HTTP/1.1 and HTTP/1.0. Put a proxy in front of it for other versions."
        case .unsupportedExpectation:
            "Of the expectations only 100-continue is understood. Leave the Expect field out."
        case .unsupportedMediaType:
            "The content is of a type, or in a coding, that this route does not take. The detail says what it takes."
        case .tooLarge:
            "The content is larger than this route takes. The detail names the limit, and so does "
                + "/.well-known/widget-registry. What had been sent was not used."
        case .notFound:
            "No route leads to this path. Paths are case-sensitive and take no trailing slash."
        case .methodNotAllowed:
            "The path is right, the method is not. The Allow field of the answer lists the methods that are."
        case .notAcceptable:
            "The Accept field rules out the only type there is, which the detail names. Leave the field out, or add "
                + "that type or */* to it."
        case .preconditionFailed:
            "A condition of the request, such as If-Match, does not hold for what is there now. Fetch it again, and "
                + "repeat the request with the new entity tag if it still makes sense."
        case .rangeUnsatisfiable:
            "The range starts behind the end of the content. The Content-Range field of the answer tells its size."
        case .overloaded:
            "As many connections are open as the server allows, in all or from this address. Close some, or try again "
                + "after the seconds that Retry-After names."
        case .draining:
            "The server is shutting down and takes no new work. Another one is probably taking over: try again "
                + "after the seconds that Retry-After names."
        case .notReady:
            "One of the checks that the answer lists does not pass. Operators: the same checks are in the log."
        case .storeRefused:
            "The server may not use the store in which the registry's archives are, or has found another one in its place. "
                + "Nothing was changed, and the same request may succeed at another server of the registry. Operators: "
                + "/readyz and the log say why."
        case .storeUnreachable:
            "The store in which the registry's archives are does not answer. Nothing was changed. Try again after the "
                + "seconds that Retry-After names; documents, and archives that the server has copies of, can be read "
                + "meanwhile."
        case .catalogUnreachable:
            "The database in which the registry's catalog is does not answer. Nothing was changed. Try again after the "
                + "seconds that Retry-After names; what the server knows from before can be read for a while."
        case .unauthorized:
            "The route takes a bearer token, and the request shows none, or one that is not known. Make a token"
                + " with widgetd token create, and send it as Authorization: Bearer wdg_… . A first start leaves one "
                + "in the file admin-token of the data directory."
        case .forbidden:
            "The token is known, but lacks the scope, or is bound to other bundles or channels. The detail says which. "
                + "Publishing wants the scope promote besides publish where a channel would move in a way that its hosts "
                + "do not expect: a protected channel, promote=force, a share of hosts, a leap of versions. The first "
                + "release of a bundle is exempt, unless its identifier begins with that of a published bundle."
        case .tokenExpired:
            "Make a new token with widgetd token create, and replace the old one where it is used. If the token was rotated, "
                + "use its new secret: the one before works for as long as the rotation said."
        case .rateLimited:
            "More writes, or more failed authentications, came from this address than a minute allows. Retry-"
                + "After says when to continue."
        case .tooManyUploads:
            "Each upload needs room and time on the server, and as many as are allowed are under way. Try again"
                + " after the seconds that Retry-After names."
        case .notAZip:
            "What was sent is not a zip archive: a form sent as an archive, or an error page saved under an "
                + "archive's name, are the usual causes."
        case .archiveRefused:
            "The archive has more than one meaning, damaged records, or more than one bundle. Archives are read"
                + " strictly, so that every reader gets the same files. The detail names rule and place."
        case .entryRefused:
            "One entry has an unsafe name, damaged data, or content that is not what its name says. The detail "
                + "names it."
        case .tooManyFiles:
            "The archive has more entries than the server takes. The limit is at /.well-known/widget-registry."
        case .expansionRefused:
            "The files are larger than the server takes, one alone or all together, or suspiciously much larger"
                + " than their compressed form."
        case .infoPlistMissing:
            "A bundle is a folder with an Info.plist, and there is none where one belongs: X.bundle/Info.plist,"
                + " X.app/Info.plist, Payload/X.app/Info.plist, or at the top."
        case .infoPlistInvalid:
            "The Info.plist cannot be read, or a value in it is not what it has to be. The detail names the "
                + "key."
        case .invalidJSON:
            "A file of the bundle that is named .json is not strict JSON. Path, line and column say where."
        case .policyRefused:
            "The bundle holds predicates, classes or addresses that hosts must not act on, or something that "
                + "strict publishing does not let through. Each is listed in errors."
        case .digestMismatch:
            "What arrived is not what Content-Digest or Repr-Digest announced. Nothing was stored. Send it "
                + "again."
        case .internal:
            "The server failed in a way it should not have. The log has the details under the identifier that the "
                + "answer's instance member repeats. Report it together with that identifier."
        case .noSuchBundle:
            "Nothing was published under this bundle identifier, or you may not see it. Identifiers are "
                + "case-sensitive; the detail names the spelling that would be found, if there is one."
        case .noSuchWidget:
            "A widget identifier finds the longest published bundle identifier that it begins with, letter by letter and "
                + "in the same case. None does. /v1/bundles lists what there is."
        case .noSuchRelease:
            "The bundle has no release with this key. A key is the short version, a tilde and the build: 1.4.0~312."
        case .noSuchChannel:
            "The bundle has no channel of this name. Publishing to a channel makes it."
        case .noSuchFile:
            "The release holds no file at this path. The list of its files is one level up."
        case .noSuchBlob:
            "No release has an archive with this digest. Digests are written as 64 lower-case hexadecimal digits."
        case .noCompatibleRelease:
            "The bundle and its channel exist, but nothing there is for the host that asked: each release asks for a "
                + "newer system or host than os and host say, or is rolled out to other buckets only."
        case .withdrawn:
            "The release was taken back, at the time and for the reason that the answer names. Its archive, files and "
                + "report are not served. Hosts that have it should stop using it."
        case .expired:
            "A rule of the registry's operator has removed what was stored of the release: no channel shows it, none could be "
                + "rolled back to it, and no host was shown it for a day. Hosts that have it may keep it. Its key is not "
                + "used again. Take a later release, or publish the content under a higher version."
        case .pinMismatch:
            "The widget identifier leads to another bundle than the request insists on. A publisher published a longer "
                + "identifier, or the pin is wrong."
        case .blobDamaged:
            "The bytes on the server's disk do not have the digest they were published under. They are kept aside and "
                + "never served. Operators: the log names the archive; publishing the same bundle again replaces it."
        case .identityMismatch:
            "The address of the request and the Info.plist inside the archive name different bundles or versions."
        case .identifierCaseConflict:
            "Two identifiers that differ in case alone would be one folder on many hosts, so only one of them can exist."
        case .releaseExists:
            "A release never changes. The same key with the same content would have been accepted; this content is "
                + "different. Raise CFBundleVersion, or publish to a snapshot channel such as dev, whose keys hold the "
                + "content's digest."
        case .noEarlierRelease:
            "A rollback goes to what the channel showed before: there is nothing left that is not withdrawn, or the release "
                + "that was named was never there. PUT /v1/bundles/{id}/channels/{channel} shows any other."
        case .tooManyChannels:
            "A bundle has a limited number of channels, which /.well-known/widget-registry names. Use one there is, or "
                + "delete one with DELETE /v1/bundles/{id}/channels/{channel}."
        case .quotaExceeded:
            "The operator limits what the bundles of a prefix take up together: the bytes of their archives, their releases, "
                + "or their publications within a day. The detail names the prefix and the limit, and what would make room. "
                + "Stored releases count until their archives are removed: withdrawn ones for as long as they can be "
                + "restored. An archive that several releases of a bundle share counts once. Other prefixes are not "
                + "concerned."
        case .restoreTooLate:
            "A withdrawn release can be restored for as long as the server keeps it, and that time is over."
        case .notWithdrawn:
            "Only what was withdrawn can be restored. This release is not; nothing was changed."
        case .preconditionRequired:
            "Changing a channel needs the entity tag it had when you looked, in If-Match, so that two people who change "
                + "it at the same time notice each other. A channel that does not exist yet has none: If-None-Match: * makes it."
        case .noSuchToken:
            "No token has this name. Tokens are named by the name they were made with, never by their secret."
        case .tokenExists:
            "Names of tokens are not given again, not even after revoking, so that what a bundle tells of its publishers "
                + "never means two. Only tokens that can act on the same bundles count."
        case .ambiguousToken:
            "Tokens for different bundles may share a name. Say which is meant by its prefix: ?prefix=com.acme, and an empty "
                + "one for the token that is good for all bundles."
        case .tokenNotRotated:
            "A token that has expired gets no new secret: make another token. Of two rotations at once one is carried out, "
                + "and a secret that was already replaced rotates nothing: use the new one, or have an administrator rotate "
                + "the token."
        case .readOnly:
            "This registry shows what another one has, and changes nothing. The detail names the other one: publish, promote, "
                + "withdraw and manage there. What is changed there is shown here a moment later."
        case .insufficientStorage:
            "What the server may use of its disk is used up. Reading continues; writing has to wait for its operator."
        }
    }
}
