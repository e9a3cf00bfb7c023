package import HTTPWire
package import JSONText
package import RegistryContract
package import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
package import WidgetHTTPServer
package import WidgetRegistry
internal import WidgetZip

/// Turns the refusals of every module into problems. Each switch is exhaustive: a new refusal does not compile
/// until it has its problem.
package enum ProblemCatalogue {
    package static func problem(
        _ code: ProblemCode, _ detail: String, _ members: [Problem.Member] = []
    ) -> Problem {
        Problem(code: code.rawValue, title: code.title, status: code.httpStatus, detail: detail, members: members)
    }

    /// A parameter of a query with a value that it does not take.
    package static func unreadable(_ error: UnreadableParameter) -> Problem {
        problem(
            .malformedRequest,
            "The parameter \(error.name) has to be \(error.expectation), not \(quoted(String(error.text.prefix(100))))."
        )
    }

    /// A refusal of the protocol engine.
    package static func problem(_ refusal: Refusal) -> Problem {
        switch refusal {
        case .malformed(let malformation):
            return problem(.malformedRequest, malformation.rawValue)
        case .requestLineTooLong(let limit):
            return limited(.uriTooLong, "The request line is longer than \(limit) bytes.", limit)
        case .fieldTooLong(let limit):
            return limited(.headerTooLarge, "A header field is longer than \(limit) bytes.", limit)
        case .headTooLong(let limit):
            return limited(.headerTooLarge, "The header fields together are longer than \(limit) bytes.", limit)
        case .tooManyFields(let limit):
            return limited(.headerTooLarge, "There are more than \(limit) header fields.", limit)
        case .unsupportedVersion:
            return problem(.unsupportedVersion, "Use HTTP/1.1.")
        case .unsupportedTransferCoding:
            return problem(.unsupportedTransferCoding, "Use chunked, or send a Content-Length.")
        case .unsupportedExpectation:
            return problem(.unsupportedExpectation, "Only 100-continue can be expected here.")
        case .unsupportedMediaType(let accepted):
            return problem(.unsupportedMediaType, "This route takes \(accepted), without a content coding.")
        case .contentTooLarge(let limit, let announced):
            return limited(
                .tooLarge, "The content is larger than the \(limit) bytes this route takes.", limit, announced)
        case .headTooSlow:
            return problem(.timeout, "The request's head did not arrive in time.")
        case .contentTooSlow:
            return problem(.timeout, "The content arrived too slowly.")
        case .rangeUnsatisfiable(let size):
            return problem(
                .rangeUnsatisfiable, "The content has \(size) bytes.", [Problem.Member("actual", size)])
        case .preconditionFailed:
            return problem(.preconditionFailed, "The representation is not the one the request's condition names.")
        case .notAcceptable(let available):
            return problem(
                .notAcceptable,
                "The answer would be \(available), which Accept rules out; leave that out, or add */* to it.")
        case .noRoute:
            return problem(
                .notFound,
                "No route leads to this path; check its spelling against /openapi.json. Bundles are published at "
                    + "/v1/bundles/, widgets are read at /v1/widgets/.")
        case .methodNotAllowed(let allowed):
            return problem(.methodNotAllowed, "The path is right, the method is not. Allowed here: \(allowed).")
        case .tooManyConnections:
            return retriable(.overloaded, "Too many connections are open; try again shortly.")
        case .draining:
            return retriable(.draining, "The server is shutting down; try again shortly.")
        case .internalFailure:
            return problem(.internal, "The server's log tells more under this answer's instance.")
        }
    }

    private static func limited(
        _ code: ProblemCode, _ detail: String, _ limit: Int, _ actual: Int? = nil
    ) -> Problem {
        problem(code, detail, [Problem.Member("limit", limit)] + (actual.map { [Problem.Member("actual", $0)] } ?? []))
    }

    private static func retriable(_ code: ProblemCode, _ detail: String) -> Problem {
        var problem = problem(code, detail)
        problem.fields.add("Retry-After", 1)
        return problem
    }

    /// A refusal of the registry, or its failure.
    package static func problem(_ error: RegistryError) -> Problem {
        switch error {
        case .noSuchBundle(let identifier, let spelling):
            return problem(
                .noSuchBundle,
                "There is no bundle \(quoted(identifier))\(hint(spelling)) /v1/bundles lists those there are.")
        case .noSuchWidget(let identifier, let spelling):
            return problem(
                .noSuchWidget,
                "No published bundle identifier is the beginning of \(quoted(identifier))\(hint(spelling)) /v1/bundles lists "
                    + "those there are; check the spelling, or publish it.")
        case .noSuchRelease(let bundle, let key):
            return problem(
                .noSuchRelease,
                "\(bundle) has no release \(quoted(key)); /v1/bundles/\(bundle)/releases lists those it has.")
        case .noSuchChannel(let bundle, let channel):
            return problem(
                .noSuchChannel,
                "\(bundle) has no channel \(quoted(channel)); /v1/bundles/\(bundle)/channels lists those it has.")
        case .noCompatibleRelease(let bundle, let channel):
            return problem(
                .noCompatibleRelease,
                "Nothing on channel \(quoted(channel)) of \(bundle) is for this host: it asks for newer versions, or is "
                    + "not rolled out this far.")
        case .withdrawn(let bundle, let key, let withdrawal):
            return withdrawn(bundle, key, withdrawal)
        case .expired(let bundle, let key, let expiry):
            return expired(bundle, key, expiry)
        case .keyExpired(let bundle, let key, let stored, let offered, let expiry):
            guard stored != offered else { return expired(bundle, key, expiry) }
            return problem(
                .releaseExists,
                "\(bundle) \(key) was published with other content and has expired; its key is not used again. Raise "
                    + "CFBundleVersion, or publish to a snapshot channel such as dev.",
                [Problem.Member("stored", stored.hex), Problem.Member("offered", offered.hex)])
        case .quotaExceeded(let breach):
            return quotaExceeded(breach)
        case .nothingLeft(let bundle, let key, let withdrawal, let others):
            var problem = withdrawn(bundle, key, withdrawal)
            if let list = WithdrawnReleaseDocument.list(others) {
                var writer = JSONWriter()
                list.write(to: &writer)
                problem.members.append(Problem.Member("withdrawn", document: writer.bytes))
            }
            return problem
        case .pinMismatch(let matched, let pin):
            return problem(
                .pinMismatch,
                "The identifier leads to \(matched), not to \(pin). Ask for a widget identifier of \(pin), or pin "
                    + "\(matched).")
        case .noSuchBlob(let digest):
            return problem(.noSuchBlob, "There is no archive with the digest \(digest.hex).")
        case .damagedBlob(let digest):
            var problem = problem(
                .blobDamaged, "The stored archive is not what was published; it has been taken aside and is not served."
            )
            problem.fields.add("Retry-After", 60)
            problem.reason = "the blob \(digest.hex) was damaged, and is in quarantine"
            return problem
        case .identityMismatch(let expected, let found):
            return problem(
                .identityMismatch,
                "The address names \(quoted(expected)), the Info.plist inside says \(quoted(found)). Correct one of them, or "
                    + "POST to /v1/bundles, where the Info.plist alone decides.")
        case .identifierCaseConflict(let existing, let offered):
            return problem(
                .identifierCaseConflict,
                "\(offered) differs from the published \(existing) in case alone. Publish it as \(existing), or under "
                    + "another name.")
        case .releaseExists(let bundle, let key, let stored, let offered):
            return problem(
                .releaseExists,
                "\(bundle) \(key) is published with other content. Raise CFBundleVersion, or publish to a snapshot "
                    + "channel such as dev.",
                [Problem.Member("stored", stored.hex), Problem.Member("offered", offered.hex)])
        case .keyWithdrawn(let bundle, let key, let stored, let offered, let withdrawal):
            guard stored != offered else {
                var problem = withdrawn(bundle, key, withdrawal)
                problem.detail += " Or raise CFBundleVersion and publish that."
                return problem
            }
            return problem(
                .releaseExists,
                "\(bundle) \(key) was published with other content and withdrawn; its key is not used again. Raise "
                    + "CFBundleVersion, or publish to a snapshot channel such as dev.",
                [Problem.Member("stored", stored.hex), Problem.Member("offered", offered.hex)])
        case .invalidChannelName(let name):
            return problem(
                .malformedRequest,
                "\(quoted(name)) is not a channel's name: \(ChannelName.law)")
        case .channelCaseConflict(let existing, let offered):
            return problem(
                .malformedRequest,
                "\(quoted(offered)) differs from the channel \(quoted(existing)) in case alone. Name that, or give the new "
                    + "channel another name.")
        case .invalidRollout(let rollout):
            return problem(
                .malformedRequest,
                "A rollout is a number of basis points from 0 to \(Rollout.bucketCount), not \(rollout).",
                [Problem.Member("limit", Rollout.bucketCount), Problem.Member("actual", rollout)])
        case .invalidValue(let name, let reason):
            return problem(.malformedRequest, "The value of \(name) cannot be used: \(reason).")
        case .noEarlierRelease(let bundle, let channel):
            return problem(
                .noEarlierRelease,
                "Channel \(quoted(channel)) of \(bundle) has shown nothing else that is not withdrawn. Name a release in "
                    + "{\"to\": …}, or put one there.")
        case .neverShown(let bundle, let channel, let key):
            return problem(
                .noEarlierRelease,
                "Channel \(quoted(channel)) of \(bundle) has never shown \(quoted(key)), so it cannot go back to it. "
                    + "PUT \(RegistryPath.channel(bundle, channel)) shows it there.")
        case .channelNotGranted(let channel, let author, let channels):
            return problem(
                .forbidden,
                "The token \(author) is limited to \(channels.count == 1 ? "the channel" : "the channels") "
                    + "\(channels.joined(separator: ", ")), and this would change \(quoted(channel)). Use a token for that "
                    + "channel; to publish, ?channel=\(channels.first ?? "beta") names another.")
        case .withdrawalNotGranted(let key, let channel, let author, let channels):
            return problem(
                .forbidden,
                "The token \(author) is limited to \(channels.count == 1 ? "the channel" : "the channels") "
                    + "\(channels.joined(separator: ", ")), and channel \(quoted(channel)) shows \(key) or can be rolled back "
                    + "to it. Use a token for that channel.")
        case .promotionNeeded(let need, let author, let bundle, let channel):
            return problem(
                .forbidden,
                "\(reason(need, bundle, quoted(channel))) That wants the scope promote, which the token \(author) does "
                    + "not have. \(need.advice)")
        case .tooManyChannels(let bundle, let limit):
            return problem(
                .tooManyChannels,
                "\(bundle) has \(limit) channels, as many as one may have. Use one of them, or delete one.",
                [Problem.Member("limit", limit)])
        case .restoreTooLate(let bundle, let key, let until):
            return problem(
                .restoreTooLate,
                "\(bundle) \(key) could be restored until \(Timestamp.text(until)). Publish the content under a new version."
            )
        case .notWithdrawn(let bundle, let key):
            return problem(.notWithdrawn, "\(bundle) \(key) is not withdrawn; there is nothing to restore.")
        case .preconditionFailed(let channel):
            guard let channel else {
                return problem(
                    .preconditionFailed,
                    "The channel does not exist, so nothing can match its entity tag. If-None-Match: * makes it.")
            }
            return problem(
                .preconditionFailed,
                "Channel \(quoted(channel.name)) has changed since: it shows \(channel.release), sequence "
                    + "\(channel.sequence). Fetch it again, and repeat the change with its new entity tag if it still makes "
                    + "sense.")
        case .preconditionRequired:
            return problem(
                .preconditionRequired,
                "Send If-Match with the ETag of the channel as you last saw it, so that no change is lost; or "
                    + "If-None-Match: * to make a channel that does not exist yet.")
        case .noSuchToken(let name):
            return problem(.noSuchToken, "There is no token called \(quoted(name)).")
        case .tokenExists(let name):
            return problem(
                .tokenExists,
                "The name \(quoted(name)) was given to a token before, and no name is given twice, not even after "
                    + "revoking. Choose another, such as \(quoted("\(name.prefix(60))-2")).")
        case .ambiguousToken(let name, let prefixes):
            let known = prefixes.map { $0.isEmpty ? "all bundles" : quoted($0) }.joined(separator: ", ")
            return problem(
                .ambiguousToken,
                "Several tokens are called \(quoted(name)): for \(known). Say which with ?prefix=, which is empty for "
                    + "all bundles.")
        case .expiredToken(let name, let time):
            return problem(
                .tokenNotRotated,
                "The token \(quoted(name)) expired at \(Timestamp.text(time)), and a new secret would not change that. Make "
                    + "another token.")
        case .rotatedToken(let name):
            return problem(
                .tokenNotRotated,
                "The token \(quoted(name)) has another secret since. Use the new one; if it is lost, an administrator can "
                    + "rotate the token.")
        case .outOfSpace:
            return problem(
                .insufficientStorage, "The server has no room for this. Try again when its operator has made some.")
        case .storage(let error) where error.isOutOfSpace:
            return problem(.outOfSpace)
        case .storage(let error) where error.isOutOfDescriptors:
            var problem = problem(.overloaded, "The server has too many files open; try again shortly.")
            problem.fields.add("Retry-After", 2)
            return problem
        case .underWay(let task):
            var problem = problem(
                .overloaded, "Work on the whole store is under way (\(task.rawValue)); try again later.")
            problem.fields.add("Retry-After", 30)
            return problem
        case .unreachable(let reason):
            var problem = problem(
                .storeUnreachable, "The store of archives does not answer. Nothing was changed; try again in a moment.")
            problem.reason = reason
            problem.fields.add("Retry-After", 5)
            return problem
        case .storeRefused(let reason), .otherStore(let reason):
            var problem = problem(
                .storeRefused,
                "The store of archives refuses this server, which its operator has to mend: /readyz says why. Nothing was "
                    + "changed; another server of the registry may do it.")
            problem.reason = reason
            problem.fields.add("Retry-After", 30)
            return problem
        case .unavailable(let error):
            var problem = problem(
                .catalogUnreachable,
                "The registry's catalog cannot be reached at present. Nothing was changed; try again shortly.")
            problem.reason = "\(error)"
            problem.fields.add("Retry-After", 5)
            return problem
        case .storage(let error): return failure(error.description)
        case .database(let error): return failure("\(error)")
        case .locked, .damaged, .newerStore, .staleCatalog, .unfinished, .invalidBackup, .interrupted, .outOfMemory:
            return failure("\(error)")
        }
    }

    private static func reason(_ need: PromotionNeed, _ bundle: String, _ channel: String) -> String {
        switch need {
        case .protected: "Channel \(channel) is protected, and \(bundle) has been published before."
        case .force: "promote=force puts a release on channel \(channel) of \(bundle) regardless of what it shows."
        case .share:
            "Channel \(channel) of \(bundle) shows a release, and rollout would show this one to a part of its hosts."
        case .rollout(let shown):
            "Channel \(channel) of \(bundle) shows \(shown) to a part of its hosts, which this release would end."
        case .leap(let shown, let key):
            "\(key) is a leap from \(shown), which channel \(channel) of \(bundle) shows or showed within a week: a number "
                + "of the version or build is more than a hundred above twice what it was, and would hide all later "
                + "releases that count on."
        case .lower(let shown):
            "\(shown), which channel \(channel) of \(bundle) showed last, was withdrawn, and this release is lower."
        case .channelCount(let count): "\(bundle) has \(count) channels, and \(channel) is not one of them."
        case .takeover(let shorter):
            "\(bundle) would be a new bundle, and its identifier continues that of \(shorter ?? "another published one"). "
                + "Widgets called \(bundle), and those whose names begin so, would be taken from that bundle: the longest "
                + "identifier counts."
        }
    }

    /// A failure with a reason that only the log and the owner see.
    private static func failure(_ reason: String) -> Problem {
        var problem = problem(Refusal.internalFailure)
        problem.reason = reason
        return problem
    }

    static func withdrawn(_ bundle: String, _ key: String, _ withdrawal: Withdrawal) -> Problem {
        let at = Timestamp.text(withdrawal.at)
        let reason = withdrawal.reason.isEmpty ? "" : ": \(withdrawal.reason)"
        return problem(
            .withdrawn,
            "\(bundle) \(key) was withdrawn at \(at)\(reason). Take another release, or have its publisher restore it with "
                + "POST \(RegistryPath.restore(bundle, key)).",
            [
                Problem.Member("bundleIdentifier", bundle), Problem.Member("release", key), Problem.Member("at", at),
                Problem.Member("reason", withdrawal.reason),
            ] + (withdrawal.directive.written.map { [Problem.Member("directive", $0)] } ?? []))
    }

    private static func hint(_ spelling: String?) -> String {
        guard let spelling else { return "." }
        return ". Case matters: \(quoted(spelling)) would be found."
    }

    /// A text from a client, cut short and in quotation marks.
    static func quoted(_ text: String) -> String {
        "\u{201C}\(text.unicodeScalars.count > 300 ? String(text.prefix(299)) + "…" : text)\u{201D}"
    }

    /// The problem of a bundle that was refused.
    package static func problem(_ error: BundleError) -> Problem {
        if case .file(let file) = error.reason { return problem(RegistryError.storage(file)) }
        if case .archive(let zip) = error.reason, case .file(let file) = zip.reason {
            return problem(RegistryError.storage(file))
        }
        guard let code = ProblemCode(error.code) else { return problem(.internalFailure) }
        var members: [Problem.Member] = []
        if let limit = error.limit { members.append(Problem.Member("limit", limit)) }
        if let path = error.path { members.append(Problem.Member("path", path)) }
        if let offset = error.offset { members.append(Problem.Member("offset", offset)) }
        if let line = error.line { members.append(Problem.Member("line", line)) }
        if let column = error.column { members.append(Problem.Member("column", column)) }
        let details = error.details
        if !details.isEmpty {
            members.append(
                Problem.Member(
                    "errors", details.map { .init(code: $0.code, path: $0.path, detail: $0.detail) }))
        }
        return problem(code, "\(error). \(error.remedy)", members)
    }

    /// A document in a request's body that the route does not take.
    package static func problem(_ error: JSONError) -> Problem {
        problem(
            .malformedRequest, "The body is not the JSON this route takes: \(error).",
            [Problem.Member("line", error.line), Problem.Member("column", error.column)])
    }

    /// A form that is not one file.
    package static func problem(_ mistake: FormReader.Mistake) -> Problem {
        switch mistake {
        case .noBoundary:
            problem(
                .malformedRequest,
                "The form's Content-Type names no usable boundary; let the client write it, as curl -F does.")
        case .partHeadTooLong(let limit):
            problem(
                .malformedRequest, "The head of a part of the form is longer than \(limit) bytes.",
                [Problem.Member("limit", limit)])
        case .partHeadUnreadable:
            problem(
                .malformedRequest,
                "A part of the form does not say what it is: its Content-Disposition is missing or unreadable.")
        case .field(let name):
            problem(
                .malformedRequest,
                "The form has a field \"\(name.prefix(80))\" that is not a file. A file has an @ before its name: curl -F "
                    + "bundle=@WidgetDemo.zip; channel, rollout and the like belong into the query, for example ?channel=beta."
            )
        case .fieldsTooLong(let limit):
            problem(
                .malformedRequest, "The fields of the form have more than \(limit) bytes together, or are too many.",
                [Problem.Member("limit", limit)])
        case .noFile:
            problem(
                .malformedRequest, "The form has no file; send one, for example with: curl -F bundle=@WidgetDemo.zip")
        case .severalFiles: problem(.malformedRequest, "The form has more than one file; publish one bundle at a time.")
        case .truncated: problem(.malformedRequest, "The form ends before its last boundary; send it again.")
        }
    }
}

extension ProblemCode {
    /// The status of answers with this code; a test holds every code against those that are sent.
    package var httpStatus: Status { Status(rawValue: status) ?? .internalServerError }
}

extension PromotionNeed {
    /// The sentence with the publisher's next step.
    fileprivate var advice: String {
        switch self {
        case .protected:
            "Publish to another channel, such as ?channel=beta, which is made if it is not there, and have the release "
                + "promoted from there; or use a token with publish and promote."
        case .force: "Leave promote=force out, or use a token with publish and promote."
        case .share: "Leave rollout out, or use a token with publish and promote."
        case .rollout: "Have the rollout finished or rolled back, or use a token with publish and promote."
        case .leap:
            "Correct CFBundleShortVersionString or CFBundleVersion; if it is meant, use a token with publish and promote."
        case .lower: "Raise the version, or use a token with publish and promote."
        case .takeover:
            "Choose an identifier that does not begin with one of a published bundle, or use a token with publish and "
                + "promote for the first release."
        case .channelCount: "Correct the channel's name, have one deleted, or use a token with publish and promote."
        }
    }
}

extension ProblemCode {
    /// The code of a bundle's refusal; `nil` for a failure of the server.
    package init?(_ code: BundleError.Code) {
        switch code {
        case .notAZip: self = .notAZip
        case .archiveRefused: self = .archiveRefused
        case .entryRefused: self = .entryRefused
        case .tooLarge: self = .tooLarge
        case .tooManyFiles: self = .tooManyFiles
        case .expansionRefused: self = .expansionRefused
        case .infoPlistMissing: self = .infoPlistMissing
        case .infoPlistInvalid: self = .infoPlistInvalid
        case .invalidJSON: self = .invalidJSON
        case .policyRefused: self = .policyRefused
        case .internal: return nil
        }
    }
}

extension BundleError {
    /// The limit that was reached, if that is the reason.
    fileprivate var limit: Int? {
        switch reason {
        case .tooLargeToRead(let limit), .tooManyFiles(let limit), .tooManyEntries(let limit): return limit
        case .archive(let error):
            if case .limitReached(_, let limit) = error.reason { return limit }
            return nil
        case .noBundle, .severalBundles, .besideBundle, .unnamedBundle, .unusableName, .unsafePath, .infoPlistMissing,
            .infoPlist, .infoPlistNotDictionary, .infoPlistKey, .disguised, .misnamed, .format, .plist, .json,
            .policy, .notStrict, .notCanonical, .notAFile, .nameNotUTF8, .file, .outOfMemory:
            return nil
        }
    }
}
