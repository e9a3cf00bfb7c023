internal import HTTPWire

/// Everything the public listener answers, described once. `/openapi.json` is written from it, and a test holds it
/// against the route table.
enum Contract {
    static let routes = reading + writing + service

    private static let resolving: [Parameter] = [.channel, .os, .host, .pin, .have, .bucket]
    private static let unresolved: [ProblemCode] = [
        .malformedRequest, .noSuchWidget, .noSuchChannel, .noCompatibleRelease, .withdrawn, .pinMismatch,
    ]

    private static let reading: [RouteDescription] = [
        .reads(
            "/v1/widgets/{widgetIdentifier}", "resolveWidget", .resolution, "Where a widget identifier leads",
            resolving,
            problems: unresolved),
        .sends(
            "/v1/widgets/{widgetIdentifier}/bundle", "downloadWidget", "application/zip",
            "The archive a widget identifier leads to; a Range counts only with If-Range", resolving,
            headers: [.contentLocation], problems: unresolved + [.blobDamaged]),
        .sends(
            "/v1/widgets/{widgetIdentifier}/{Name}.zip", "downloadWidgetByName", "application/zip",
            "The same, if the archive's top folder has that name", resolving,
            headers: [.contentLocation], problems: unresolved + [.notFound, .blobDamaged]),
        .sends(
            "/v1/blobs/sha256/{hex}", "downloadBlob", "application/zip", "An archive, for ever the same",
            problems: [.noSuchBlob, .withdrawn, .blobDamaged]),
        .reads(
            "/v1/bundles", "listBundles", .bundlePage, "Part of the list of bundles",
            [.prefix, .text, .withChannel, .limit, .cursor], headers: [.link], problems: [.malformedRequest]),
        .reads("/v1/bundles/{id}", "getBundle", .bundle, "One bundle", problems: [.noSuchBundle]),
        .reads(
            "/v1/bundles/{id}/channels", "listChannels", .channelPage, "The channels of a bundle",
            problems: [.noSuchBundle]),
        .reads(
            "/v1/bundles/{id}/channels/{channel}", "getChannel", .channel,
            "One channel, with the entity tag that changing it needs", problems: [.noSuchBundle, .noSuchChannel]),
        .reads(
            "/v1/bundles/{id}/releases", "listReleases", .releasePage, "Part of a bundle's history, newest first",
            [.limit, .cursor], headers: [.link], problems: [.malformedRequest, .noSuchBundle]),
        .reads(
            "/v1/bundles/{id}/releases/{key}", "getRelease", .release, "One release", problems: goneRelease),
        .reads(
            "/v1/bundles/{id}/releases/{key}/report", "getReport", .release,
            "A release with what was checked, kept, left out and warned about", problems: goneRelease),
        .reads(
            "/v1/bundles/{id}/releases/{key}/files", "listFiles", .filePage, "The files of a release",
            problems: goneRelease),
        .sends(
            "/v1/bundles/{id}/releases/{key}/files/{path...}", "getFile", "*/*",
            "One file; anything but an image is offered for keeping", headers: [.policy],
            problems: goneRelease + [.noSuchFile, .blobDamaged]),
        .reads(
            "/v1/bundles/{id}/releases/{key}/diff/{otherKey}", "compareReleases", .difference,
            "What is different between two releases", problems: goneRelease),
        changes,
        RouteDescription(
            method: .get, template: "/", name: "startPage", summary: "A page of bundles for people", access: .reader,
            parameters: [.limit, .cursor],
            outcomes: [Outcome(.ok, "The page.", [Content("text/html", nil)]), .notModified]),
    ]

    private static let goneRelease: [ProblemCode] = [.noSuchBundle, .noSuchRelease, .withdrawn]

    private static let changes = RouteDescription(
        method: .get, template: "/v1/changes", name: "listChanges",
        summary: "What has changed, in order: a page, or events as they happen", access: .reader,
        parameters: [.since, .changeLimit, .lastEventID],
        outcomes: [
            Outcome(
                .ok,
                "Part of the feed; or, for text/event-stream, all of it from there on: id is a change's tag, data "
                    + "the Change.",
                [Content("application/json", .shape(.changePage)), Content("text/event-stream", nil)],
                headers: [.link]),
            .notModified,
        ],
        problems: [.malformedRequest])

    private static let service: [RouteDescription] = [
        .reads(
            "/.well-known/widget-registry", "introduce", .wellKnown, "What this registry is, allows and keeps",
            access: .anyone),
        RouteDescription(
            method: .get, template: "/openapi.json", name: "describe", summary: "This document", access: .anyone,
            outcomes: [Outcome(.ok, "This document.", [Content("application/json", nil)]), .notModified]),
        RouteDescription(
            method: .get, template: "/problems/{code}", name: "explainProblem", summary: "What a problem means",
            access: .anyone, outcomes: [Outcome(.ok, "The explanation.", [Content("text/plain", nil)]), .notModified],
            problems: [.notFound]),
        RouteDescription(
            method: .get, template: "/livez", name: "isAlive", summary: "Whether the process is alive", access: .anyone,
            outcomes: [Outcome(.ok, "It is.", [Content("application/json", .shape(.health))])]),
        RouteDescription(
            method: .get, template: "/readyz", name: "isReady", summary: "Whether to send requests here",
            access: .anyone, outcomes: [Outcome(.ok, "It is.", [Content("application/json", .shape(.readiness))])],
            problems: [.notReady]),
    ]
}
