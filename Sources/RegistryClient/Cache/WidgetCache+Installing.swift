internal import Bytes
internal import Files
internal import RegistryContract

extension WidgetCache {
    /// What is remembered of a widget.
    func state(of widget: WidgetIdentifier) throws(FetchError) -> WidgetState {
        guard let folder = try existing(widget) else { return WidgetState() }
        return try folder.state()
    }

    /// Changes what is remembered of a widget, while nobody else does.
    func change(
        _ widget: WidgetIdentifier, _ body: (inout WidgetState) throws(FetchError) -> Void
    ) async throws(FetchError) {
        let folder = try await locked(widget)
        let before = try folder.state()
        folder.sweep(keeping: before)
        var state = before
        try body(&state)
        guard state != before else { return }
        do throws(FileError) {
            try folder.replaceState(with: state)
        } catch {
            throw FetchError(error)
        }
    }

    /// A folder to make a release in. Leftovers of crashes go first.
    func stage(_ widget: WidgetIdentifier) async throws(FetchError) -> ScratchDirectory {
        let folder = try await locked(widget)
        folder.sweep(keeping: try folder.state())
        do throws(FileError) {
            return try folder.stage()
        } catch {
            throw FetchError(error)
        }
    }

    /// Makes a release current that lies there already, because it is or was before; `nil` if it does not.
    ///
    /// The same archive may be on several channels, under a key of its own on each.
    func reinstate(
        _ candidate: ReleaseCandidate, of resolution: ResolutionDocument, as widget: WidgetIdentifier, _ news: News
    ) async throws(FetchError) -> InstalledRelease? {
        let folder = try await locked(widget)
        var state = try folder.state()
        let known = state.records.first {
            $0.digest == candidate.digest && $0.bundleIdentifier == resolution.bundleIdentifier
        }
        guard var record = known else { return nil }
        record.release = candidate.release
        record.channel = resolution.channel
        try news.requireFresh(state)
        guard let release = sound(record, of: widget, in: folder, WidgetState()) else { return nil }
        swap(&state, to: record, news)
        try replace(state, in: folder)
        return release
    }

    /// Makes a finished release current. Until the state is replaced, the one before it is; from then on, this one.
    ///
    /// - Parameter files: what was written there, proven while it was written.
    func install(
        _ staged: consuming ScratchDirectory, _ files: [ReleaseFolder.File], as record: InstalledRecord,
        of widget: WidgetIdentifier, _ news: News
    ) async throws(FetchError) -> InstalledRelease {
        let folder = try await locked(widget)
        var state = try folder.state()
        try news.requireFresh(state)
        swap(&state, to: record, news)
        // Another process may have been here first; what it runs from is left alone.
        if let release = sound(record, of: widget, in: folder, WidgetState()) {
            try replace(state, in: folder)
            return release
        }
        do throws(FileError) {
            try folder.place(staged, as: record)
        } catch {
            throw FetchError(error)
        }
        // Held before anything that could remove it is told of it.
        guard let held = folder.hold(record) else { throw FetchError(.notKept) }
        try replace(state, in: folder)
        folder.sweep(keeping: state)
        return InstalledRelease(widget, record, files: files, folder: held, mustUpdate: false)
    }

    private func swap(_ state: inout WidgetState, to record: InstalledRecord, _ news: News) {
        if let current = state.current, current.digest != record.digest { state.previous = current }
        if state.previous?.digest == record.digest { state.previous = nil }
        state.current = record
        state.mandatory = nil
        news.remember(in: &state)
    }

    private func replace(_ state: WidgetState, in folder: borrowing WidgetFolder) throws(FetchError) {
        do throws(FileError) {
            try folder.replaceState(with: state)
        } catch {
            throw FetchError(error)
        }
    }
}

/// What a registry's answer says besides the release, to be remembered once that is there.
struct News: Sendable {
    var sequence: WidgetState.Sequence
    /// `nil` when the answer had none.
    var validator: WidgetState.Validator?

    /// A channel's state may jump this far and no further: a registry that is not itself could make it end otherwise.
    private static let longestJump = 1 << 32

    /// Refuses a state of the channel from before the one that was seen.
    func requireFresh(_ state: WidgetState) throws(FetchError) {
        guard let seen = state.sequence(sequence.registry, sequence.bundleIdentifier, sequence.channel) else { return }
        guard sequence.number >= seen else {
            throw FetchError(.staleSequence(seen: seen, offered: sequence.number))
        }
        guard sequence.number - seen <= News.longestJump else {
            throw FetchError(.sequenceJump(seen: seen, offered: sequence.number))
        }
    }

    func remember(in state: inout WidgetState) {
        state.remember(sequence)
        state.validator = validator
    }
}
