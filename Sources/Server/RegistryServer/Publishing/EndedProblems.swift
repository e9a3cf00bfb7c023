internal import JSONText
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The problems of releases that rules of the operator have removed, or do not let in.
extension ProblemCatalogue {
    static func expired(_ bundle: String, _ key: String, _ expiry: Expiry) -> Problem {
        let at = Timestamp.text(expiry.at)
        return problem(
            .expired,
            "\(bundle) \(key) expired at \(at) by the operator's rule \(quoted(expiry.rule)). Take a later release, or publish "
                + "the content under a higher version.",
            [Problem.Member("bundleIdentifier", bundle), Problem.Member("release", key), Problem.Member("at", at)])
    }

    /// The problem of a release that is gone; `nil` for one that can be read.
    static func gone(_ release: Release) -> Problem? {
        if let withdrawal = release.withdrawal { return withdrawn(release.bundleIdentifier, release.key, withdrawal) }
        return release.expiry.map { expired(release.bundleIdentifier, release.key, $0) }
    }

    static func quotaExceeded(_ breach: QuotaBreach) -> Problem {
        var members = [
            Problem.Member("prefix", breach.prefix.description), Problem.Member("measure", breach.measure.rawValue),
            Problem.Member("limit", breach.limit), Problem.Member("actual", breach.used),
        ]
        if let next = breach.next { members.append(Problem.Member("at", Timestamp.text(next))) }
        if !breach.bundles.isEmpty {
            var writer = JSONWriter()
            writer.array { writer in
                for bundle in breach.bundles {
                    ProblemDocument.Usage(
                        bundle.bundle.identifier, releases: bundle.usage.releases, bytes: bundle.usage.bytes
                    ).write(to: &writer)
                }
            }
            members.append(Problem.Member("bundles", document: writer.bytes))
        }
        return problem(.quotaExceeded, QuotaWords.detail(breach), members)
    }
}

/// A quota that is used up, in words.
enum QuotaWords {
    static func detail(_ breach: QuotaBreach) -> String {
        let name = breach.prefix.text.isEmpty ? "The registry" : breach.prefix.text
        var sentences: [String]
        switch breach.measure {
        case .bytes:
            sentences = [
                "\(name) takes up \(ByteCountText.of(breach.used)), and its quota is \(ByteCountText.of(breach.limit)): this "
                    + "archive of \(ByteCountText.of(breach.added)) would exceed it."
            ]
        case .releases:
            sentences = [
                "\(name) has \(GalleryText.count(breach.used, "stored release")), and its quota is \(breach.limit)."
            ]
        case .publications:
            let next = breach.next.map { " There is room for one at \(Timestamp.text($0))." } ?? ""
            return
                "\(name) has had \(GalleryText.count(breach.used, "publication")) within a day, and its quota is \(breach.limit).\(next)"
        }
        if !breach.bundles.isEmpty {
            let named = breach.bundles.prefix(mostNamed).map {
                "\($0.bundle.identifier) (\(GalleryText.count($0.usage.releases, "release")), \(ByteCountText.of($0.usage.bytes)))"
            }
            let rest = breach.bundles.count - named.count
            sentences.append("Most is of \(named.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "").")
        }
        return (sentences + relief(breach)).joined(separator: " ")
    }

    private static let mostNamed = 3

    /// The steps that would make room.
    private static func relief(_ breach: QuotaBreach) -> [String] {
        var steps: [String] = []
        if breach.unshown.releases > 0 {
            steps.append(
                "On no channel: \(breach.unshown.releases) of their oldest releases (\(ByteCountText.of(breach.unshown.bytes))). "
                    + "Withdraw those that no host needs, which makes room once they cannot be restored any more. Sooner the "
                    + "operator makes room: with a higher limit, or with a rule of retention.rules that lets them expire."
            )
        }
        if breach.withdrawn.releases > 0 {
            steps.append(
                "Withdrawn: \(breach.withdrawn.releases) (\(ByteCountText.of(breach.withdrawn.bytes))), which make room when "
                    + "they cannot be restored any more.")
        }
        return steps.isEmpty ? ["Ask the operator of the registry for more."] : steps
    }
}
