internal import Bytes
internal import Files
package import HTTPServer
internal import HTTPWire
package import Registry
internal import RegistryContract

extension ProblemCatalogue {
    /// A refusal of the registry, or its failure.
    package static func problem(_ error: RegistryError) -> Problem {
        switch error {
        case .noSuchBundle(let identifier, let spelling):
            return problem(.noSuchBundle, "There is no bundle \(quoted(identifier))\(hint(spelling))")
        case .noSuchWidget(let identifier, let spelling):
            return problem(
                .noSuchWidget,
                "No published bundle identifier is the beginning of \(quoted(identifier))\(hint(spelling))")
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
                problem.detail +=
                    " To have it back, POST to /v1/bundles/\(bundle)/releases/\(key)/restore; else raise CFBundleVersion."
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
                "\(quoted(name)) is no channel's name: \(ChannelName.law)")
        case .invalidRollout(let rollout):
            return problem(
                .malformedRequest, "A rollout is a number of basis points from 0 to \(Rollout.bucketCount), not \(rollout).",
                [Problem.Member("limit", Rollout.bucketCount), Problem.Member("actual", rollout)])
        case .invalidValue(let name, let reason):
            return problem(.malformedRequest, "The value of \(name) cannot be used: \(reason).")
        case .noEarlierRelease(let bundle, let channel):
            return problem(
                .noEarlierRelease,
                "Channel \(quoted(channel)) of \(bundle) has shown nothing else that is not withdrawn. Name a release in "
                    + "{\"to\": …}, or put one there.")
        case .tooManyChannels(let bundle, let limit):
            return problem(
                .tooManyChannels, "\(bundle) has \(limit) channels, as many as one may have. Use one of them.",
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
                return problem(.preconditionFailed, "The channel does not exist, so nothing can match its entity tag.")
            }
            return problem(
                .preconditionFailed,
                "Channel \(quoted(channel.name)) has changed since: it shows \(channel.release), sequence "
                    + "\(channel.sequence). Fetch it again, and repeat the change with its new entity tag if it still makes "
                    + "sense.")
        case .preconditionRequired:
            return problem(
                .preconditionRequired,
                "Send If-Match with the ETag of the channel as you last saw it, so that nobody's change is lost.")
        case .noSuchToken(let name):
            return problem(.noSuchToken, "There is no token called \(quoted(name)).")
        case .tokenExists(let name):
            return problem(
                .tokenExists, "There is a token called \(quoted(name)). Revoke it first, or choose another name.")
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
        case .storage(let error): return failure(error.description)
        case .database(let error): return failure("\(error)")
        case .locked, .damaged, .newerStore, .staleCatalog, .unfinished, .invalidBackup, .interrupted, .outOfMemory:
            return failure("\(error)")
        }
    }

    /// A failure whose reason only the log and the owner are shown.
    private static func failure(_ reason: String) -> Problem {
        var problem = problem(Refusal.internalFailure)
        problem.reason = reason
        return problem
    }

    static func withdrawn(_ bundle: String, _ key: String, _ withdrawal: Withdrawal) -> Problem {
        let at = Timestamp.text(withdrawal.at)
        let reason = withdrawal.reason.isEmpty ? "" : ": \(withdrawal.reason)"
        return problem(
            .withdrawn, "\(bundle) \(key) was withdrawn at \(at)\(reason).",
            [
                Problem.Member("bundleIdentifier", bundle), Problem.Member("release", key), Problem.Member("at", at),
                Problem.Member("reason", withdrawal.reason),
            ])
    }

    private static func hint(_ spelling: String?) -> String {
        guard let spelling else { return "." }
        return ". Case matters: \(quoted(spelling)) would be found."
    }

    /// What a client wrote, cut short and marked as its words.
    static func quoted(_ text: String) -> String {
        "\u{201C}\(text.unicodeScalars.count > 300 ? String(text.prefix(299)) + "…" : text)\u{201D}"
    }
}
