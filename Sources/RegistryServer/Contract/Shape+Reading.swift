extension Shape {
    /// The documents that reading answers with.
    static let reading: [Shape] = [
        Shape(
            .resolution,
            "Where a widget identifier leads. The same for every host: which candidate is a host's own, its "
                + "bucket decides.",
            [
                .member("widgetIdentifier", .widgetIdentifier),
                .member(
                    "bundleIdentifier", .bundleIdentifier,
                    "The longest published one that the widget identifier begins with."),
                .member("channel", .channelName),
                .member(
                    "sequence", .count,
                    "Rises with every change of the channel; a host refuses a lower one than it has seen."),
                .member("upToDate", .boolean, "Whether the archive named in have is every candidate's."),
                .member("mandatory", .boolean, "Whether to update before the older release is run again."),
                .member("salt", .text, "Goes into the computation of a host's bucket."),
                .member("candidates", .list(.shape(.candidate)), "In the order of their buckets."),
            ], example: Example.resolution),
        Shape(
            .candidate, "A release, and the hosts it is for.",
            [
                .member("buckets", .row(.basisPoints, count: 2), "From the first up to, and without, the second."),
                .member("release", .releaseKey),
                .member("sha256", .digest, "Of the archive."),
                .member("content", .digest, "Of the files, however they are packed."),
                .member("size", .count, "Bytes of the archive."),
                .member("name", .text, "The archive's top folder without its ending."),
                .member("url", .text, "Where the archive is, for ever."),
                .member("published", .time),
                .member("minimumOSVersion", .orNull(.version)),
                .member("minimumHostVersion", .orNull(.version)),
                .member("files", .list(.shape(.file))),
            ], example: Example.candidate),
        Shape(
            .file, "A file of a release, and where its data stands in the archive.",
            [
                .member("path", .text, "Inside the bundle's folder."),
                .member("size", .count),
                .member("sha256", .digest),
                .member("offset", .count, "Of the data in the archive, for a Range request."),
                .member("compressedSize", .count),
                .member("method", .word(["deflate", "stored"])),
            ], example: Example.file),
        Shape(
            .bundle, "What there is of a bundle.",
            [
                .member("bundleIdentifier", .bundleIdentifier),
                .member("name", .text),
                .member("latest", .orNull(.releaseKey), "The highest release that is not withdrawn."),
                .member("releases", .count, "How many there are, withdrawn ones included."),
                .member("channels", .list(.shape(.channel))),
            ], example: Example.bundle),
        Shape(
            .channel, "A named pointer from a bundle to what it shows.",
            [
                .member("channel", .channelName),
                .member("release", .releaseKey),
                .member("rollout", .basisPoints, "How many of 10000 buckets get the release."),
                .optional("base", .releaseKey, "What the other buckets get."),
                .member("mandatory", .boolean),
                .member("sequence", .count),
                .member("salt", .text),
                .member("changedAt", .time),
            ], example: Example.channel),
        Shape(
            .release, "One accepted upload of a bundle. It never changes, but for its channels and its withdrawal.",
            [
                .member("bundleIdentifier", .bundleIdentifier),
                .member("release", .releaseKey),
                .member("shortVersion", .version),
                .member("build", .version),
                .member("name", .text),
                .member("sha256", .digest),
                .member("content", .digest),
                .member("size", .count),
                .member("published", .time),
                .member("publishedBy", .text),
                .member("channels", .list(.channelName), "Those that show it."),
                .optional("withdrawn", .shape(.withdrawal)),
                .member("url", .text),
                .optional("changed", .boolean, "On publishing: whether this made the release."),
                .optional("report", .shape(.report), "On publishing, and where it is asked for."),
            ], example: Example.release),
        Shape(
            .withdrawal, "That a release was taken back.",
            [.member("at", .time), .member("reason", .text)], example: Example.withdrawal),
        Shape(
            .difference, "What is different between two releases.",
            [
                .member("bundleIdentifier", .bundleIdentifier),
                .member("from", .releaseKey),
                .member("to", .releaseKey),
                .member("added", .list(.shape(.file))),
                .member("removed", .list(.shape(.file))),
                .member(
                    "changed",
                    .list(
                        .object([
                            .member("path", .text), .member("from", .shape(.file)), .member("to", .shape(.file)),
                        ]))),
                .member("unchanged", .count, "How many files are the same."),
                .member(
                    "transferBytes", .count,
                    "What a host that has the first fetches of the second's archive, file by file."),
                .member("size", .count, "Bytes of the second's archive."),
            ], example: Example.difference),
        Shape(
            .change, "A line of the feed.",
            [
                .member("tag", .count, "Its place; rises with each change."),
                .member("at", .time),
                .member("kind", .word(["publish", "promote", "rollback", "withdraw", "restore"])),
                .member("bundleIdentifier", .bundleIdentifier),
                .member("release", .releaseKey),
                .optional("channel", .channelName, "The channel that moved."),
                .optional("sequence", .count),
                .member("by", .text),
            ], example: Example.change),
        page(.bundlePage, of: .bundle, "Bundles in the order of their identifiers.", example: Example.bundle),
        page(.channelPage, of: .channel, "All channels of a bundle.", example: Example.channel),
        page(.releasePage, of: .release, "Releases, the newest first; withdrawn ones too.", example: Example.release),
        page(.filePage, of: .file, "All files of a release.", example: Example.file),
        page(.changePage, of: .change, "Changes in their order.", example: Example.change),
    ]

    static func page(_ name: Name, of item: Name, _ about: String, example: String) -> Shape {
        Shape(
            name, about,
            [
                .member("items", .list(.shape(item))),
                .optional("next", .text, "The cursor of the part that follows; absent at the end."),
            ], example: Example.page(of: example))
    }
}
