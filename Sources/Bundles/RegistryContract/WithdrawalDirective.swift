package import WidgetBytes

/// The duty of hosts that have a release which was withdrawn.
package enum WithdrawalDirective: String, CaseIterable, Sendable {
    /// They may show it until there is another one.
    case keep
    /// They show nothing of the widget.
    case stop
    /// They show the bundle that they were built with, or nothing if they have none.
    case builtIn

    package static let schema = Schema.word(allCases.map(\.rawValue))

    /// The words for a sentence: `keep, stop or builtIn`.
    package static let choice = "keep, stop or builtIn"

    /// The word in documents; `nil` for the directive that every release has that was withdrawn without one.
    package var written: String? { self == .keep ? nil : rawValue }
}

/// A withdrawn release that hosts must not continue to show.
package struct WithdrawnReleaseDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "WithdrawnRelease"
    package static let about = "A withdrawn release that hosts must not continue to show."

    /// More of them are not listed: hosts with older releases have found one that is listed, or another release.
    package static let mostListed = 100

    package var release = ""
    /// Of its files, by which hosts know it.
    package var content = Digest(repeating: 0)
    package var directive = WithdrawalDirective.stop.rawValue
    package var reason: String?

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("release", &release, as: .releaseKey)
        try walker.member("content", &content, "Of the files, however they are packed.")
        try walker.member(
            "directive", &directive, as: WithdrawalDirective.schema,
            "To show nothing (stop), or the bundle that the host was built with (builtIn).")
        try walker.optional("reason", &reason)
    }

    package static let example: WithdrawnReleaseDocument = {
        var document = WithdrawnReleaseDocument()
        document.release = "1.0~3"
        document.content = Digest(repeating: 0x66)
        document.reason = "crashes on launch"
        return document
    }()
}
