package import RegistryContract
internal import WidgetBytes
internal import WidgetFiles

/// The release for a start of a widget.
package enum ReleaseStart: Sendable {
    /// A release that was started and confirmed before.
    case confirmed(InstalledRelease)
    /// A release that was never confirmed. It is confirmed, or the next start goes back to the release before it.
    case trial(InstalledRelease)
    /// Nothing here can be started.
    case nothing(Absence)

    package enum Absence: Equatable, Sendable {
        /// No release was downloaded.
        case neverInstalled
        /// All releases that are here are damaged.
        case damaged
        /// The releases that were tried were not confirmed.
        case failed
        /// The registry has withdrawn the release, with this directive.
        case withdrawn(WithdrawalDirective, reason: String)
    }

    package var release: InstalledRelease? {
        switch self {
        case .confirmed(let release), .trial(let release): release
        case .nothing: nil
        }
    }
}

extension WidgetState {
    /// Makes a release that is here the current one.
    mutating func makeCurrent(_ record: InstalledRecord) {
        if let current, current.digest != record.digest { previous = current }
        if previous?.digest == record.digest { previous = nil }
        current = record
        starts.waiting = nil
    }

    /// Goes back to the last confirmed release, because the current one was started and not confirmed.
    mutating func goBack() {
        guard let failed = starts.trial else { return }
        starts.trial = nil
        starts.fail(failed)
        if current?.contentDigest == failed { current = starts.confirmed }
        if previous?.contentDigest == failed || previous?.digest == current?.digest { previous = nil }
    }

    /// Confirms a release that is current; or one that is not any more, while nothing that came after it was confirmed.
    mutating func confirm(_ record: InstalledRecord) {
        let content = record.contentDigest
        let isCurrent = current?.contentDigest == content
        let isEarlier = previous?.contentDigest == content || starts.trial == content
        let isProven = current.map { starts.isConfirmed($0) } ?? false
        guard isCurrent || isEarlier && !isProven && !starts.hasFailed(content) else { return }
        starts.confirmed = isCurrent ? current : record
        if isCurrent || starts.trial == content { starts.trial = nil }
        starts.forgive(content)
    }

    /// The directive about a release, if its registry has withdrawn it.
    func withdrawal(of record: InstalledRecord) -> KnownWithdrawal? {
        starts.withdrawal.flatMap { $0.content == record.contentDigest ? $0 : nil }
    }
}

extension WidgetCache {
    /// Chooses the release for a start of a widget, without asking a registry.
    ///
    /// A release that becomes current with the next start becomes so here. The start of a release that was never confirmed
    /// is noted on the disk before it is handed out, so that a start that ends the process is known to the next one. Starts
    /// in other processes that are still being tried share the trial.
    package func start(_ widget: WidgetIdentifier) async throws(FetchError) -> ReleaseStart {
        guard try existing(widget) != nil else { return .nothing(.neverInstalled) }
        let folder = try await locked(widget)
        let before = try folder.state()
        var state = before
        let trials = try rethrowing(as: FetchError.init) { () throws(FileError) in
            try folder.directory.createDirectory(WidgetFolder.trialName, mode: WidgetCache.folderMode)
        }
        let isAlone = try rethrowing(as: FetchError.init) { () throws(FileError) in try trials.tryLock() }
        if isAlone {
            noteGoingBack(in: &state)
            state.goBack()
        }
        if let waiting = state.starts.waiting, waiting.moment != nil { state.makeCurrent(waiting.record) }
        let start = choose(&state, widget, folder, isAlone: isAlone)
        if let release = start.release { note(.started, of: release.record, in: &state) }
        guard case .trial(let release) = start else {
            if state != before { try replace(state, in: folder) }
            return start
        }
        try replace(state, in: folder)
        return .trial(try held(release, by: trials))
    }

    private func choose(
        _ state: inout WidgetState, _ widget: WidgetIdentifier, _ folder: borrowing WidgetFolder, isAlone: Bool
    ) -> ReleaseStart {
        var found = false
        for record in [state.current, state.starts.confirmed].compactMap({ $0 }) {
            found = true
            // A trial in another process has not ended; a content that has failed is not tried again.
            guard !state.starts.hasFailed(record.contentDigest),
                let release = sound(record, of: widget, in: folder, state)
            else { continue }
            if let withdrawal = state.withdrawal(of: record) {
                let directive = WithdrawalDirective(rawValue: withdrawal.directive) ?? .keep
                guard directive == .keep else { return .nothing(.withdrawn(directive, reason: withdrawal.reason)) }
            }
            guard state.starts.isConfirmed(record) else {
                state.starts.trial = record.contentDigest
                return .trial(release)
            }
            if state.current?.digest != record.digest { state.makeCurrent(record) }
            return .confirmed(release)
        }
        if found { return .nothing(.damaged) }
        return .nothing(state.starts.hasFailures ? .failed : .neverInstalled)
    }

    private func held(
        _ release: InstalledRelease, by trials: consuming Directory
    ) throws(FetchError) -> InstalledRelease {
        do throws(FileError) {
            try trials.lock(exclusively: false)
        } catch {
            throw FetchError(error)
        }
        return InstalledRelease(release, triedBy: HeldDirectory(trials))
    }

    /// Begins the trial of a release that was handed out by an update and is shown at once.
    package func beginTrial(of release: InstalledRelease) async throws(FetchError) -> InstalledRelease {
        let widget = release.widgetIdentifier
        let folder = try await locked(widget)
        var state = try folder.state()
        guard state.current?.contentDigest == release.record.contentDigest, !state.starts.isConfirmed(release.record)
        else { return release }
        let trials = try rethrowing(as: FetchError.init) { () throws(FileError) in
            try folder.directory.createDirectory(WidgetFolder.trialName, mode: WidgetCache.folderMode)
        }
        state.starts.trial = release.record.contentDigest
        note(.started, of: release.record, in: &state)
        try replace(state, in: folder)
        return try held(release, by: trials)
    }

    /// Notes that a release was started and works. From now on, later releases that fail go back to it. A word that comes
    /// after a newer release was confirmed, or after this one was rejected, changes nothing.
    package func confirmStart(of release: InstalledRelease) async throws(FetchError) {
        try await change(release.widgetIdentifier) { (state) throws(FetchError) in
            state.confirm(release.record)
            if state.starts.isConfirmed(release.record) { note(.confirmed, of: release.record, in: &state) }
        }
    }

    /// Notes that a start has not taken place, for a reason that has nothing to do with the release: it counts neither for
    /// the release nor against it.
    package func forgetStart(of release: InstalledRelease) async throws(FetchError) {
        guard try state(of: release.widgetIdentifier).starts.trial == release.record.contentDigest else { return }
        try await change(release.widgetIdentifier) { (state) throws(FetchError) in
            if state.starts.trial == release.record.contentDigest { state.starts.trial = nil }
        }
    }

    /// Notes that a release was started and does not work: the next start goes back, and it is not offered again.
    package func rejectStart(
        of release: InstalledRelease, because reason: OutcomeReason = .app
    ) async throws(FetchError) {
        try await change(release.widgetIdentifier) { (state) throws(FetchError) in
            note(.rejected, of: release.record, because: reason, in: &state)
            state.starts.trial = release.record.contentDigest
            state.goBack()
        }
    }

    /// Lets releases that have failed be offered again.
    package func forgiveStarts(of widget: WidgetIdentifier) async throws(FetchError) {
        guard try existing(widget) != nil else { return }
        try await change(widget) { (state) throws(FetchError) in
            state.starts.forgive()
            // The next question is answered with all of the release's facts again.
            state.validator = nil
        }
    }

    /// Sets the moment at which a downloaded release becomes current.
    package func schedule(
        _ release: InstalledRelease, at moment: ApplicationMoment
    ) async throws(FetchError) {
        try await change(release.widgetIdentifier) { (state) throws(FetchError) in
            guard state.starts.waiting?.record.contentDigest == release.record.contentDigest else {
                throw FetchError(.noLongerWaiting)
            }
            state.starts.waiting?.moment = moment
        }
    }

    /// True if the release has been started and confirmed.
    package func isConfirmed(_ release: InstalledRelease) throws(FetchError) -> Bool {
        try state(of: release.widgetIdentifier).starts.isConfirmed(release.record)
    }

    /// The registry's directive about the current release of a widget; `nil` if it may be shown.
    package func withdrawal(
        of widget: WidgetIdentifier
    ) throws(FetchError) -> (directive: WithdrawalDirective, reason: String)? {
        let state = try state(of: widget)
        guard let current = state.current, let known = state.withdrawal(of: current),
            let directive = WithdrawalDirective(rawValue: known.directive), directive != .keep
        else { return nil }
        return (directive, known.reason)
    }

    /// Makes the downloaded release current, if it is this one that waits.
    package func apply(
        _ widget: WidgetIdentifier, as release: InstalledRelease
    ) async throws(FetchError) -> InstalledRelease? {
        guard try state(of: widget).starts.waiting?.record.contentDigest == release.record.contentDigest else {
            return nil
        }
        return try await apply(widget)
    }

    /// Makes the downloaded release current.
    ///
    /// - Parameter due: decides by the moment that its host has chosen, `nil` if it has chosen none.
    /// - Returns: `nil` if no release waits, or if it is not due.
    package func apply(
        _ widget: WidgetIdentifier, if due: (ApplicationMoment?) -> Bool = { _ in true }
    ) async throws(FetchError) -> InstalledRelease? {
        guard try existing(widget) != nil else { return nil }
        let folder = try await locked(widget)
        var state = try folder.state()
        guard let waiting = state.starts.waiting, due(waiting.moment) else { return nil }
        guard let release = sound(waiting.record, of: widget, in: folder, WidgetState()) else {
            state.starts.waiting = nil
            state.validator = nil
            try replace(state, in: folder)
            throw FetchError(.notKept)
        }
        state.makeCurrent(waiting.record)
        try replace(state, in: folder)
        return release
    }

    /// The downloaded release that is not current yet.
    package func waiting(_ widget: WidgetIdentifier) throws(FetchError) -> InstalledRelease? {
        guard let folder = try existing(widget), let waiting = try folder.state().starts.waiting else { return nil }
        return sound(waiting.record, of: widget, in: folder, WidgetState())
    }
}
