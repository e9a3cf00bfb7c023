internal import HTTPWire
internal import RegistryContract

/// The routes of the public listener, described once. `/openapi.json` is written from it, and a test compares it with the
/// route table.
enum Contract {
    static let routes = reading + writing + outcomes + service

    private static let unresolved: [ProblemCode] = [
        .malformedRequest, .noSuchWidget, .noSuchChannel, .noCompatibleRelease, .withdrawn, .pinMismatch,
    ]

    private static let reading: [RouteDescription] =
        [
            .reads(
                "/v1/widgets/{widgetIdentifier}", "resolveWidget", ResolutionDocument.self,
                "Where a widget identifier leads",
                ResolveParameters.all, problems: unresolved),
            .sends(
                "/v1/widgets/{widgetIdentifier}/bundle", "downloadWidget", "application/zip",
                "The archive a widget identifier leads to; a Range counts only with If-Range",
                ResolveParameters.all,
                headers: [.contentLocation], redirects: true, problems: unresolved + [.blobDamaged]),
            .sends(
                "/v1/widgets/{widgetIdentifier}/{Name}.zip", "downloadWidgetByName", "application/zip",
                "The same, if the archive's top folder is {Name}.bundle; Name.bundle is taken for Name",
                ResolveParameters.all,
                headers: [.contentLocation], redirects: true, problems: unresolved + [.notFound, .blobDamaged]),
            .sends(
                "/v1/blobs/sha256/{hex}", "downloadBlob", "application/zip", "An archive, for ever the same",
                redirects: true, problems: [.noSuchBlob, .withdrawn, .expired, .blobDamaged]),
            .reads(
                "/v1/bundles", "listBundles", PageDocument<BundleDocument>.self, "Part of the list of bundles",
                BundleListParameters.all, headers: [.link], problems: [.malformedRequest]),
            .reads("/v1/bundles/{id}", "getBundle", BundleDocument.self, "One bundle", problems: [.noSuchBundle]),
            .reads(
                "/v1/bundles/{id}/channels", "listChannels", PageDocument<ChannelDocument>.self,
                "The channels of a bundle",
                problems: [.noSuchBundle]),
            .reads(
                "/v1/bundles/{id}/channels/{channel}", "getChannel", ChannelDocument.self,
                "One channel, with the entity tag that changing it needs", problems: [.noSuchBundle, .noSuchChannel]),
            .reads(
                "/v1/bundles/{id}/releases", "listReleases", PageDocument<ReleaseDocument>.self,
                "Part of a bundle's history, newest first",
                PageParameters.all, headers: [.link], problems: [.malformedRequest, .noSuchBundle]),
            .reads(
                "/v1/bundles/{id}/releases/{key}", "getRelease", ReleaseDocument.self, "One release",
                problems: goneRelease),
            report,
            .reads(
                "/v1/bundles/{id}/releases/{key}/files", "listFiles", PageDocument<FileDocument>.self,
                "The files of a release",
                problems: goneRelease),
            .sends(
                "/v1/bundles/{id}/releases/{key}/files/{path...}", "getFile", "*/*",
                "One file; anything but an image is offered for keeping", headers: [.policy],
                problems: goneRelease + [.noSuchFile, .blobDamaged]),
            .reads(
                "/v1/bundles/{id}/releases/{key}/diff/{otherKey}", "compareReleases", DifferenceDocument.self,
                "What is different between two releases", problems: goneRelease),
            changes,
        ] + pages

    /// The pages that show what was published. Those of people who have signed in do not belong to the interface.
    private static let pages: [RouteDescription] = [
        RouteDescription(
            method: .get, template: "/", name: "startPage", summary: "The catalogue for people", access: .reader,
            parameters: CatalogueParameters.all,
            outcomes: [
                RouteOutcome(
                    .ok, "The page; for application/json, the list of bundles.",
                    [Content("text/html", nil), Content(PageDocument<BundleDocument>.self)]), .notModified,
            ], problems: [.malformedRequest]),
        .shows(
            "/w/{id}", "bundlePage", "A bundle for people", PageParameters.all + DeviceChoice.all,
            problems: [.malformedRequest, .noSuchBundle]),
        .shows("/w/{id}/{key}", "releasePage", "A release for people", problems: goneRelease),
        .shows(
            "/w/{id}/{key}/try", "alonePage", "The widget of a release, alone, for people", AloneChoice.all,
            problems: [.malformedRequest, .notFound] + goneRelease),
        .sends(
            "/w/{id}/{key}/bundle.zip", "pageArchive", "application/zip",
            "The archive of a release, for its own pages, whose readers may have signed in",
            problems: goneRelease + [.blobDamaged]),
        .shows(
            "/w/{id}/{key}/files/{path...}", "filePage", "A file of a release for people",
            problems: goneRelease + [.noSuchFile, .blobDamaged]),
        .shows(
            "/w/{id}/compare/{key}/{otherKey}", "comparePage", "Two releases of a bundle, compared for people",
            problems: goneRelease),
        .shows(
            "/w/{id}/{key}/still/{part}", "still", "A still of a screen, or what it is made of", as: "*/*",
            problems: goneRelease + [.noSuchFile]),
        RouteDescription(
            method: .get, template: "/embed/{widgetIdentifier}", name: "embedPage",
            summary: "A widget alone, which the browser runs, for frames and WebViews", access: .reader,
            parameters: EmbedParameters.all,
            outcomes: [
                RouteOutcome(
                    .ok, "The page.", [Content("text/html", nil)], headers: [.entityTag, .cacheControl, .ancestors]),
                .notModified,
            ], problems: unresolved),
        .shows(
            "/w/{id}/feed.atom", "bundleFeed", "The releases of a bundle", as: "application/atom+xml",
            problems: [.noSuchBundle]),
        .shows(
            "/feed.atom", "releaseFeed", "New releases of all bundles", as: "application/atom+xml",
            problems: [.notFound]),
        RouteDescription(
            method: .get, template: "/api", name: "interfacePage", summary: "This document for people", access: .anyone,
            outcomes: [RouteOutcome(.ok, "The page.", [Content("text/html", nil)]), .notModified]),
        RouteDescription(
            method: .get, template: "/docs", name: "documentsPage", summary: "The documents for people, listed",
            access: .anyone,
            outcomes: [RouteOutcome(.ok, "The page.", [Content("text/html", nil)]), .notModified]),
        RouteDescription(
            method: .get, template: "/docs/{document}", name: "documentPage", summary: "A document for people",
            access: .anyone,
            outcomes: [RouteOutcome(.ok, "The page.", [Content("text/html", nil)]), .notModified],
            problems: [.notFound]),
    ]

    private static let report = RouteDescription(
        method: .get, template: "/v1/bundles/{id}/releases/{key}/report", name: "getReport",
        summary: "A release with what was checked, kept, left out and warned about", access: .reader,
        outcomes: [
            RouteOutcome(
                .ok, "A release with its report; or, for text/plain, the lines that widget report prints.",
                [Content(ReleaseDocument.self), Content("text/plain", nil)], headers: [.entityTag, .cacheControl]),
            .notModified,
        ],
        problems: goneRelease)

    private static let goneRelease: [ProblemCode] = [.noSuchBundle, .noSuchRelease, .withdrawn, .expired]

    private static let changes = RouteDescription(
        method: .get, template: "/v1/changes", name: "listChanges",
        summary: "What has changed, in order: a page, or events as they happen", access: .reader,
        parameters: ChangeListParameters.all + [.lastEventID],
        outcomes: [
            RouteOutcome(
                .ok,
                "Part of the feed; or, for text/event-stream, all of it from there on: id is a change's tag, data "
                    + "the Change.",
                [Content(PageDocument<ChangeDocument>.self), Content("text/event-stream", nil)],
                headers: [.link]),
            .notModified,
        ],
        problems: [.malformedRequest])

    private static let service: [RouteDescription] = [
        .reads(
            "/.well-known/widget-registry", "introduce", WellKnownDocument.self,
            "What this registry is, allows and keeps",
            access: .anyone),
        RouteDescription(
            method: .get, template: "/openapi.json", name: "describe", summary: "This document", access: .anyone,
            outcomes: [RouteOutcome(.ok, "This document.", [Content("application/json", nil)]), .notModified]),
        RouteDescription(
            method: .get, template: "/problems", name: "listProblems", summary: "The problems there are",
            access: .anyone, outcomes: [RouteOutcome(.ok, "The list.", explanation), .notModified]),
        RouteDescription(
            method: .get, template: "/problems/{code}", name: "explainProblem", summary: "What a problem means",
            access: .anyone, outcomes: [RouteOutcome(.ok, "The explanation.", explanation), .notModified],
            problems: [.notFound]),
        .reads(
            "/v1", "introduceVersion", WellKnownDocument.self, "The same as /.well-known/widget-registry",
            access: .anyone),
        RouteDescription(
            method: .get, template: "/livez", name: "isAlive", summary: "Whether the process is alive", access: .anyone,
            outcomes: [RouteOutcome(.ok, "It is.", [Content(HealthDocument.self)])]),
        RouteDescription(
            method: .get, template: "/readyz", name: "isReady", summary: "Whether to send requests here",
            access: .anyone, outcomes: [RouteOutcome(.ok, "It is.", [Content(ReadinessDocument.self)])],
            problems: [.notReady]),
    ]

    // MARK: Outcomes

    static let outcomes: [RouteDescription] = [
        RouteDescription(
            method: .post, template: OutcomeRoutes.reporting, name: "reportOutcomes",
            summary:
                "Takes what happened to releases on a device, if the registry counts that; nothing is written before "
                + "the answer", access: .anyone,
            content: Content(
                "application/json", "text/plain", schema: OutcomeReportsDocument.schema, isRequired: false),
            outcomes: [RouteOutcome(.accepted, "It was taken; this does not say that any of it is counted.")],
            problems: [.notFound, .noSuchWidget]),
        .reads(
            "/v1/bundles/{id}/releases/{key}/outcomes", "getOutcomes", OutcomeCountsDocument.self,
            "What hosts have reported of a release, by channel and day", access: .bearer,
            problems: [.noSuchBundle, .noSuchRelease]),
    ]

    private static let explanation = [Content("text/plain", nil), Content("text/html", nil)]

    // MARK: Writing

    static let writing: [RouteDescription] = [
        .writes(
            .post, "/v1/bundles", "publish", scope: "publish",
            "Publishes a bundle; its Info.plist says which and what version. Some channels want the scope promote, too",
            publishing, takes: upload, answers: published, problems: refusedBundle),
        .writes(
            .put, "/v1/bundles", "publishUnnamed", scope: "publish", "The same, for curl -T without a name", publishing,
            takes: upload, answers: published, problems: refusedBundle),
        .writes(
            .put, "/v1/bundles/{id}", "publishFile", scope: "publish",
            "The same, for curl -T; the last part of the path is any file's name, what is inside decides",
            [.fileName] + publishing, takes: upload, answers: published, problems: refusedBundle),
        .writes(
            .put, "/v1/bundles/{id}/releases/{key}", "publishAsserting", scope: "publish",
            "The same, refused if the Info.plist says otherwise", publishing, takes: upload, answers: published,
            problems: refusedBundle + [.identityMismatch]),
        .writes(
            .delete, "/v1/bundles/{id}/releases/{key}", "withdraw", scope: "withdraw", "Takes a release back",
            WithdrawOptions.all, takes: Content(WithdrawDocument.self, isRequired: false),
            answers: [release], problems: [.invalidJSON, .noSuchBundle, .noSuchRelease, .withdrawn]),
        .writes(
            .post, "/v1/bundles/{id}/releases/{key}/restore", "restore", scope: "promote",
            "Undoes a withdrawal, which shows the release again",
            answers: [release], problems: [.noSuchBundle, .noSuchRelease, .notWithdrawn, .expired, .restoreTooLate]),
        .writes(
            .put, "/v1/bundles/{id}/channels/{channel}", "setChannel", scope: "promote", "Decides what a channel shows",
            [.ifMatch, .ifNoneMatch], takes: Content(ChannelSettingDocument.self), answers: [channel],
            problems: changedChannel + [.preconditionRequired, .tooManyChannels]),
        .writes(
            .delete, "/v1/bundles/{id}/channels/{channel}", "deleteChannel", scope: "promote",
            "Deletes a channel; its releases stay", [.ifMatch], answers: [RouteOutcome(.noContent, "It is deleted.")],
            problems: [.noSuchBundle, .noSuchChannel, .preconditionFailed, .preconditionRequired]),
        .writes(
            .post, "/v1/bundles/{id}/channels/{channel}/rollback", "rollBack", scope: "promote",
            "Goes back to what a channel showed before", RollbackOptions.all + [.ifMatch],
            takes: Content(RollbackDocument.self, isRequired: false), answers: [channel],
            problems: changedChannel + [.noEarlierRelease]),
        .writes(
            .get, "/v1/tokens", "listTokens", scope: "admin", "All tokens, without their secrets",
            answers: [RouteOutcome(.ok, "The tokens.", [Content(PageDocument<TokenDocument>.self)])], problems: []),
        .writes(
            .post, "/v1/tokens", "createToken", scope: "admin", "Makes a token; its secret is shown this once",
            takes: Content(TokenRequestDocument.self),
            answers: [RouteOutcome(.created, "The token and its secret.", [Content(TokenDocument.self)])],
            problems: [.invalidJSON, .malformedRequest, .tokenExists]),
        .writes(
            .post, "/v1/tokens/{name}/rotate", "rotateToken", scope: "admin",
            "Gives a token another secret, shown this once; a token without the scope rotates itself",
            RotateOptions.all,
            answers: [RouteOutcome(.ok, "The token and its new secret.", [Content(TokenDocument.self)])],
            problems: [.malformedRequest, .noSuchToken, .ambiguousToken, .tokenNotRotated]),
        .writes(
            .delete, "/v1/tokens/{name}", "revokeToken", scope: "admin", "Makes a token worthless, from now on",
            [RevokeOptions.prefix.described],
            answers: [
                RouteOutcome(
                    .ok, "It is, and there is no other with every right.", [Content(RevocationDocument.self)]),
                RouteOutcome(.noContent, "It is."),
            ], problems: [.malformedRequest, .noSuchToken, .ambiguousToken]),
        .reads(
            RegistryPath.audit, "listAudit", PageDocument<AuditDocument>.self, "Accepted acts, newest first",
            AuditListParameters.all, access: .scope("admin"), headers: [.link],
            problems: [.malformedRequest, .unauthorized, .tokenExpired, .forbidden, .rateLimited]),
    ]

    private static let publishing = PublishOptions.all + [.contentDigest, .reprDigest]
    private static let upload = Content(
        "application/zip", "application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data",
        schema: nil)
    private static let published = [
        RouteOutcome(
            .created,
            "A release was made, and is visible. For text/plain, the lines that widget publish prints.",
            [Content(ReleaseDocument.self), Content("text/plain", nil)], headers: [.location]),
        RouteOutcome(
            .ok, "The same content was there already, or this is a dry run, which dryRun then says.",
            [Content(ReleaseDocument.self), Content("text/plain", nil)]),
    ]
    private static let release = RouteOutcome(
        .ok, "The release as it is now.", [Content(ReleaseDocument.self)])
    private static let channel = RouteOutcome(
        .ok, "The channel as it is now.", [Content(ChannelDocument.self)], headers: [.entityTag])

    private static let refusedBundle: [ProblemCode] = [
        .malformedRequest, .unsupportedMediaType, .tooLarge, .insufficientStorage, .tooManyUploads, .digestMismatch,
        .notAZip, .archiveRefused, .entryRefused, .tooManyFiles, .expansionRefused, .infoPlistMissing,
        .infoPlistInvalid, .invalidJSON, .policyRefused, .identifierCaseConflict, .releaseExists, .withdrawn,
        .expired, .tooManyChannels, .quotaExceeded,
    ]
    private static let changedChannel: [ProblemCode] = [
        .malformedRequest, .invalidJSON, .noSuchBundle, .noSuchRelease, .noSuchChannel, .withdrawn,
        .expired, .preconditionFailed,
    ]
}
