/// A document of the contract: its name, what it is, what it looks like, and one of its kind.
struct Shape: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case resolution = "Resolution"
        case candidate = "Candidate"
        case bundle = "Bundle"
        case channel = "Channel"
        case channelSetting = "ChannelSetting"
        case rollback = "Rollback"
        case release = "Release"
        case withdrawal = "Withdrawal"
        case report = "Report"
        case file = "File"
        case difference = "Difference"
        case change = "Change"
        case token = "Token"
        case tokenRequest = "TokenRequest"
        case bundlePage = "BundlePage"
        case channelPage = "ChannelPage"
        case releasePage = "ReleasePage"
        case filePage = "FilePage"
        case changePage = "ChangePage"
        case tokenPage = "TokenPage"
        case wellKnown = "WellKnown"
        case health = "Health"
        case readiness = "Readiness"
        case problem = "Problem"
    }

    let name: Name
    let about: String
    let schema: Schema
    /// JSON text.
    let example: String

    init(_ name: Name, _ about: String, _ members: [Schema.Member], example: String) {
        self.name = name
        self.about = about
        schema = .object(members)
        self.example = example
    }
}
