internal import RegistryContract
internal import WidgetBytes

/// A registry's directives about releases of a bundle that it has withdrawn.
struct OfferedWithdrawals: Equatable, Sendable {
    var bundleIdentifier: String
    /// The newest first. Releases that may be kept are not among them.
    var releases: [WithdrawnReleaseDocument]

    init(_ resolution: ResolutionDocument) {
        bundleIdentifier = resolution.bundleIdentifier
        releases = resolution.withdrawn ?? []
    }

    init(bundleIdentifier: String, releases: [WithdrawnReleaseDocument]) {
        self.bundleIdentifier = bundleIdentifier
        self.releases = releases
    }
}

extension FetchError {
    /// The directives that a registry gives where it has nothing else to offer; `nil` for another error.
    var withdrawals: OfferedWithdrawals? {
        guard case .problem(let problem) = reason, problem.isOne(of: .withdrawn) else { return nil }
        return problem.withdrawals
    }
}

extension WidgetCache {
    /// Remembers the directive about the release that is here, until the registry says otherwise.
    func obey(_ withdrawals: OfferedWithdrawals?, about widget: WidgetIdentifier) async throws(FetchError) {
        guard let withdrawals, try existing(widget) != nil else { return }
        let wanted = withdrawals.directive(for: try state(of: widget))
        guard try state(of: widget).starts.withdrawal != wanted else { return }
        try await change(widget) { (state) throws(FetchError) in
            state.starts.withdrawal = withdrawals.directive(for: state)
        }
    }
}

extension OfferedWithdrawals {
    /// The directive about the current release of a widget; `nil` if it may be shown.
    func directive(for state: WidgetState) -> KnownWithdrawal? {
        guard let current = state.current else { return state.starts.withdrawal }
        // Another bundle answers for the widget now; it says nothing about this one.
        guard current.bundleIdentifier == bundleIdentifier else { return state.starts.withdrawal }
        guard let found = releases.first(where: { $0.content == current.contentDigest }),
            found.directive != WithdrawalDirective.keep.rawValue
        else { return nil }
        return KnownWithdrawal(
            content: current.contentDigest, directive: found.directive, reason: found.reason ?? "")
    }
}
