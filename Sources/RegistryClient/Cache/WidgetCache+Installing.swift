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
            $0.digest == candidate.digest && $0.contentDigest == candidate.contentDigest
                && $0.bundleIdentifier == resolution.bundleIdentifier
        }
        guard var record = known else { return nil }
        record.release = candidate.release
        record.channel = resolution.channel
        record.isMandatory = resolution.isMandatory
        try news.requireFresh(state)
        guard let release = sound(record, of: widget, in: folder, WidgetState()) else { return nil }
        let superseded = swap(&state, to: record, news)
        try replace(state, in: folder)
        removeBeginnings(superseded)
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
        let superseded = swap(&state, to: record, news)
        // Another process may have been here first; what it runs from is left alone.
        if let release = sound(record, of: widget, in: folder, WidgetState()) {
            try replace(state, in: folder)
            removeBeginnings(superseded)
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
        removeBeginnings(superseded)
        return InstalledRelease(widget, record, files: files, folder: held, mustUpdate: false)
    }

    /// Remembers that the current release is still what the registry offers.
    ///
    /// - Parameter record: of that release.
    func confirm(
        _ record: InstalledRecord, of widget: WidgetIdentifier, isMandatory: Bool, _ news: News
    ) async throws(FetchError) {
        var superseded: [Digest] = []
        try await change(widget) { (state) throws(FetchError) in
            try news.requireFresh(state)
            if state.current?.digest == record.digest { state.current?.isMandatory = isMandatory }
            superseded = state.endBeginnings(with: record.digest)
            news.remember(in: &state, giving: record)
        }
        removeBeginnings(superseded)
    }

    /// - Returns: the archives whose beginnings the release supersedes.
    private func swap(_ state: inout WidgetState, to record: InstalledRecord, _ news: News) -> [Digest] {
        if let current = state.current, current.digest != record.digest { state.previous = current }
        if state.previous?.digest == record.digest { state.previous = nil }
        state.current = record
        news.remember(in: &state, giving: record)
        return state.endBeginnings(with: record.digest)
    }

    private func replace(_ state: WidgetState, in folder: borrowing WidgetFolder) throws(FetchError) {
        do throws(FileError) {
            try folder.replaceState(with: state)
        } catch {
            throw FetchError(error)
        }
    }
}
