internal import HTTPWire

extension Contract {
    static let writing: [RouteDescription] = [
        .writes(
            .post, "/v1/bundles", "publish", scope: "publish",
            "Publishes a bundle; its Info.plist says which and what version",
            publishing, takes: upload, answers: published, problems: refusedBundle),
        .writes(
            .put, "/v1/bundles/{FileName}.zip", "publishFile", scope: "publish", "The same, for curl -T", publishing,
            takes: upload, answers: published, problems: refusedBundle),
        .writes(
            .put, "/v1/bundles/{id}/releases/{key}", "publishAsserting", scope: "publish",
            "The same, refused if the Info.plist says otherwise", publishing, takes: upload, answers: published,
            problems: refusedBundle + [.identityMismatch]),
        .writes(
            .delete, "/v1/bundles/{id}/releases/{key}", "withdraw", scope: "withdraw", "Takes a release back",
            [.reason],
            answers: [release], problems: [.noSuchBundle, .noSuchRelease, .withdrawn]),
        .writes(
            .post, "/v1/bundles/{id}/releases/{key}/restore", "restore", scope: "withdraw", "Undoes a withdrawal",
            answers: [release], problems: [.noSuchBundle, .noSuchRelease, .notWithdrawn, .restoreTooLate]),
        .writes(
            .put, "/v1/bundles/{id}/channels/{channel}", "setChannel", scope: "promote", "Decides what a channel shows",
            [.ifMatch], takes: Content("application/json", .shape(.channelSetting)), answers: [channel],
            problems: changedChannel + [.preconditionRequired, .tooManyChannels]),
        .writes(
            .post, "/v1/bundles/{id}/channels/{channel}/rollback", "rollBack", scope: "promote",
            "Goes back to what a channel showed before", [.ifMatchOptional],
            takes: Content("application/json", schema: .shape(.rollback), isRequired: false), answers: [channel],
            problems: changedChannel + [.noEarlierRelease]),
        .writes(
            .get, "/v1/tokens", "listTokens", scope: "admin", "All tokens, without their secrets",
            answers: [Outcome(.ok, "The tokens.", [Content("application/json", .shape(.tokenPage))])], problems: []),
        .writes(
            .post, "/v1/tokens", "createToken", scope: "admin", "Makes a token; its secret is shown this once",
            takes: Content("application/json", .shape(.tokenRequest)),
            answers: [Outcome(.created, "The token and its secret.", [Content("application/json", .shape(.token))])],
            problems: [.invalidJSON, .malformedRequest, .tokenExists]),
        .writes(
            .delete, "/v1/tokens/{name}", "revokeToken", scope: "admin", "Makes a token worthless, from now on",
            answers: [Outcome(.noContent, "It is.")], problems: [.noSuchToken]),
    ]

    private static let publishing: [Parameter] = [
        .channel, .rollout, .dryRun, .strict, .promote, .contentDigest, .reprDigest,
    ]
    private static let upload = Content(
        "application/zip", "application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data",
        schema: nil)
    private static let published = [
        Outcome(
            .created, "A release was made, and is visible.", [Content("application/json", .shape(.release))],
            headers: [.location]),
        Outcome(
            .ok, "The same content was there already, or this is a dry run.",
            [Content("application/json", .shape(.release))]),
    ]
    private static let release = Outcome(
        .ok, "The release as it is now.", [Content("application/json", .shape(.release))])
    private static let channel = Outcome(
        .ok, "The channel as it is now.", [Content("application/json", .shape(.channel))], headers: [.entityTag])

    private static let refusedBundle: [ProblemCode] = [
        .malformedRequest, .unsupportedMediaType, .tooLarge, .insufficientStorage, .tooManyUploads, .digestMismatch,
        .notAZip, .archiveRefused, .entryRefused, .tooManyFiles, .expansionRefused, .infoPlistMissing,
        .infoPlistInvalid, .invalidJSON, .policyRefused, .identifierCaseConflict, .releaseExists, .withdrawn,
        .tooManyChannels,
    ]
    private static let changedChannel: [ProblemCode] = [
        .malformedRequest, .invalidJSON, .noSuchBundle, .noSuchRelease, .noSuchChannel, .withdrawn,
        .preconditionFailed,
    ]
}
