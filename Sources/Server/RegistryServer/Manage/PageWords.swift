internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

extension Caller {
    /// The problem by which a page refuses a change. Its words are for people at a form: they name no field of a request.
    func pageProblem(_ error: RegistryError) -> Problem {
        var problem = problem(error)
        if let words = PageWords.detail(error) { problem.detail = words }
        return problem
    }

    /// Throws the problem of a token that is limited to other channels.
    func requireOnPage(channel: String) throws(Problem) {
        try rethrowing(as: pageProblem) { () throws(RegistryError) in
            try channelRights().require(channel, of: name)
        }
    }
}

/// Refusals whose usual words are about requests, in the words of pages.
enum PageWords {
    /// - Returns: `nil` for errors whose words are right on pages too.
    static func detail(_ error: RegistryError) -> String? {
        switch error {
        case .noSuchBundle(let identifier, _):
            "This token is for no bundle called \(ProblemCatalogue.quoted(identifier))."
        case .noSuchRelease(let bundle, let key):
            key.isEmpty
                ? "Choose the release that is meant."
                : "\(bundle) has no release \(ProblemCatalogue.quoted(key)) any more, or never had it."
        case .noSuchChannel(let bundle, let channel):
            "\(bundle) has no channel \(ProblemCatalogue.quoted(channel)) any more, or never had it."
        case .noEarlierRelease(_, let channel):
            "There is nothing to roll \(channel) back to: it has shown no other release that is there. Promote "
                + "another release instead, or delete the channel."
        case .withdrawn(let bundle, let key, let withdrawal), .nothingLeft(let bundle, let key, let withdrawal, _):
            "\(gone(bundle, key, withdrawal)) Choose another release, or restore it first."
        case .expired(let bundle, let key, let expiry):
            "\(bundle) \(key) expired on \(GalleryText.moment(expiry.at)), by a rule of the registry's operator. Choose another "
                + "release."
        case .keyWithdrawn(let bundle, let key, let stored, let offered, let withdrawal) where stored == offered:
            "\(gone(bundle, key, withdrawal)) Restore it on the bundle's page, or raise CFBundleVersion and publish that."
        case .channelNotGranted(let channel, let author, let channels):
            "The token \(author) is limited to \(channels.count == 1 ? "the channel" : "the channels") "
                + "\(channels.joined(separator: ", ")), and this would change \(ProblemCatalogue.quoted(channel)). Choose "
                + "\(channels.count == 1 ? "that channel" : "one of them"), or sign in with a token for \(channel)."
        case .promotionNeeded(let need, let author, let bundle, let channel):
            "\(reason(need, bundle, channel)) That wants the scope promote, which the token \(author) does not have. "
                + advice(need)
        case .preconditionFailed(let channel):
            channel.map {
                "Someone else has made a change since this page asked. \($0.name) shows \(GalleryText.shown($0)) now."
            } ?? "Someone else has deleted the channel since this page asked."
        default: nil
        }
    }

    private static func gone(_ bundle: String, _ key: String, _ withdrawal: Withdrawal) -> String {
        let reason = withdrawal.reason.isEmpty ? "" : ": \(withdrawal.reason)"
        return "\(bundle) \(key) was withdrawn on \(GalleryText.moment(withdrawal.at))\(reason)."
    }

    private static func reason(_ need: PromotionNeed, _ bundle: String, _ channel: String) -> String {
        switch need {
        case .protected: "The channel \(channel) is protected, and \(bundle) has been published before."
        case .force: "This would put the release on \(channel) although that shows a higher version."
        case .share: "The channel \(channel) shows a release, and this would show another one to a part of its hosts."
        case .rollout(let shown):
            "The channel \(channel) shows \(shown) to a part of its hosts, which this release would end."
        case .leap(let shown, let key):
            "\(key) is a leap from \(shown), which \(channel) shows or showed within a week, and would hide all later "
                + "releases that count on."
        case .lower(let shown): "\(shown), which \(channel) showed last, was withdrawn, and this release is lower."
        case .channelCount(let count): "\(bundle) has \(count) channels, and \(channel) is not one of them."
        case .takeover(let shorter):
            "\(bundle) would be a new bundle whose identifier continues that of \(shorter ?? "another published one"), "
                + "and would take widgets from it."
        }
    }

    private static func advice(_ need: PromotionNeed) -> String {
        let other = "or sign in with a token that has publish and promote."
        return switch need {
        case .protected:
            "Publish to another channel, such as beta, which is made if it is not there, and have the release promoted from "
                + "there; \(other)"
        case .force: "Leave the box for higher versions empty, \(other)"
        case .share: "Give it to all hosts, which is 100, \(other)"
        case .rollout: "Have the rollout finished or rolled back, \(other)"
        case .leap: "Correct CFBundleShortVersionString or CFBundleVersion; if it is meant, sign in with such a token."
        case .lower: "Raise the version, \(other)"
        case .channelCount: "Correct the channel's name, have one deleted, \(other)"
        case .takeover: "Choose another identifier, \(other)"
        }
    }
}
