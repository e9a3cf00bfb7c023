package import RegistryContract
package import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
package import WidgetSurroundings

/// Widgets on the disk of a host: one folder for each widget identifier, shared by any number of processes.
///
///     installation             the installation's name, for rollouts
///     archives/SHA256.zip      verified archives, from which updates take unchanged files
///     partial/SHA256           archives that are on their way
///     widgets/ID/state.json    which release is current, which one it replaced
///     widgets/ID/SHA256/Name.bundle/…
///
/// The contents are verified before use: an unreadable state, or an archive or a release with a wrong digest, counts as
/// missing. Locks are held only while a state is read, changed and replaced.
package final class WidgetCache: Sendable {
    package let path: String
    /// A name for this installation that says nothing about it.
    package let installation: String
    package let limits: CacheLimits
    /// True if outcomes of releases are noted, to be reported.
    package let notesOutcomes: Bool
    let clock: any Clock
    let bundleLimits: BundleLimits
    let archives: Directory
    let partial: Directory
    let widgets: Directory
    let root: Directory

    static let folderMode: UInt32 = 0o700
    static let fileMode: UInt32 = 0o600
    private static let installationName = "installation"

    /// Opens the cache in a folder, and creates it if necessary.
    package init(
        at path: String, limits: CacheLimits = CacheLimits(), bundleLimits: BundleLimits = BundleLimits(),
        notesOutcomes: Bool = false, in world: World = .machine
    ) throws(FetchError) {
        self.path = path
        clock = world.clock
        self.limits = limits
        self.notesOutcomes = notesOutcomes
        self.bundleLimits = bundleLimits
        do throws(FileError) {
            let root = try Directory(creating: path, mode: WidgetCache.folderMode)
            archives = try root.createDirectory("archives", mode: WidgetCache.folderMode)
            partial = try root.createDirectory("partial", mode: WidgetCache.folderMode)
            widgets = try root.createDirectory("widgets", mode: WidgetCache.folderMode)
            installation = try WidgetCache.installation(in: root)
            self.root = root
        } catch {
            throw FetchError(error)
        }
    }

    /// The release of a widget that is there and sound: the current one, else the one before it.
    package func installed(_ widget: WidgetIdentifier) throws(FetchError) -> InstalledRelease? {
        guard let folder = try existing(widget) else { return nil }
        var state = try folder.state()
        while true {
            for record in state.usable {
                if let release = sound(record, of: widget, in: folder, state) { return release }
            }
            // Another process may have swapped releases meanwhile; if not, no release is sound.
            let now = try folder.state()
            if now == state { return nil }
            state = now
        }
    }

    /// The release if it is unchanged since it was installed, held so that it stays.
    func sound(
        _ record: InstalledRecord, of widget: WidgetIdentifier, in folder: borrowing WidgetFolder, _ state: WidgetState
    ) -> InstalledRelease? {
        // Held before it is read, so that it is not removed in between.
        guard let release = folder.hold(record),
            let files = ReleaseFolder.verified(record, in: release, limits: bundleLimits)
        else { return nil }
        let mustUpdate = state.current.map { $0.isMandatory && $0.digest != record.digest } ?? false
        return InstalledRelease(widget, record, files: files, folder: release, mustUpdate: mustUpdate)
    }

    /// Removes everything that is known of a widget.
    package func remove(_ widget: WidgetIdentifier) throws(FetchError) {
        guard try existing(widget) != nil else { return }
        do throws(FileError) {
            try widgets.removeTree(widget.text)
        } catch {
            throw FetchError(error)
        }
    }

    /// The widget's folder, if there is one.
    func existing(_ widget: WidgetIdentifier) throws(FetchError) -> WidgetFolder? {
        do throws(FileError) {
            return WidgetFolder(try widgets.openDirectory(widget.text))
        } catch {
            if error.isMissing { return nil }
            throw FetchError(error)
        }
    }

    /// The widget's folder, locked against other processes that want to change it.
    func locked(_ widget: WidgetIdentifier) async throws(FetchError) -> WidgetFolder {
        do throws(FileError) {
            let deadline = clock.moment(after: limits.lockPatience)
            while true {
                let folder = try widgets.createDirectory(widget.text, mode: WidgetCache.folderMode)
                if try folder.tryLock(), try widgets.status(of: widget.text).isSameFile(as: try folder.status()) {
                    return WidgetFolder(folder)
                }
                guard clock.now < deadline else { break }
                await clock.sleep(for: WidgetCache.lockPause)
                if Task.isCancelled { break }
            }
        } catch {
            throw FetchError(error)
        }
        // Another process is not to blame for a wait that was given up here.
        throw FetchError(Task.isCancelled ? .cancelled : .busy)
    }

    static let lockPause = Duration.milliseconds(5)

    /// Reads the installation's name, or creates it. The first process to do so decides for all.
    private static func installation(in root: borrowing Directory) throws(FileError) -> String {
        var isBroken = false
        while true {
            switch try known(in: root) {
            case .some(let text) where isName(text): return text
            case .some: isBroken = true
            case .none: break
            }
            let staged = try StagedFile(in: root)
            // Distinguishes it from a crash's leftover.
            _ = try staged.file.tryLock()
            let name = Hex.string(try RandomBytes.make(16, for: root.path))
            try staged.file.write(Array((name + "\n").utf8), at: 0)
            do throws(FileError) {
                try staged.commit(as: installationName, replacing: isBroken, mode: fileMode)
            } catch {
                // Another process was first, or took the file for a leftover before it was locked.
                guard error.exists && !isBroken || error.isMissing else { throw error }
            }
        }
    }

    private static func known(in root: borrowing Directory) throws(FileError) -> String? {
        do throws(FileError) {
            let bytes = try root.openFile(installationName).read(at: 0, count: 64)
            return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { Hex.lowercaseValue(of: $0) != nil }
    }
}

/// The largest size of a cache, and its longest wait for other processes.
package struct CacheLimits: Equatable, Sendable {
    /// The bytes of the whole cache. Files in use stay even beyond that.
    package var byteCount = 512 << 20
    /// The longest wait for a lock that another process holds.
    package var lockPatience = Duration.seconds(60)
    /// The time for which an interrupted download is kept, to be continued.
    package var partialAge = Duration.seconds(7 * 24 * 3_600)

    package init() {}
}

extension WidgetCache {
    /// The stored state of a widget.
    func state(of widget: WidgetIdentifier) throws(FetchError) -> WidgetState {
        guard let folder = try existing(widget) else { return WidgetState() }
        return try folder.state()
    }

    /// Changes the stored state of a widget under its lock.
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
    /// The same archive may be on several channels, under another key on each.
    func reinstate(
        _ candidate: ReleaseCandidate, of resolution: ResolutionDocument, as widget: WidgetIdentifier,
        _ notes: AnswerNotes, isWaiting: Bool
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
        record.registry = notes.sequence.registry
        try notes.requireFresh(state)
        guard let release = sound(record, of: widget, in: folder, WidgetState()) else { return nil }
        let superseded = isWaiting ? wait(&state, for: record, notes) : swap(&state, to: record, notes)
        try replace(state, in: folder)
        removeBeginnings(superseded)
        return release
    }

    /// Makes a finished release current. Until the state is replaced, the one before it is; from then on, this one.
    ///
    /// - Parameters:
    ///   - files: the files written there, verified while they were written.
    ///   - isWaiting: true for a release that its host makes current later.
    func install(
        _ staged: consuming ScratchDirectory, _ files: [ReleaseFolder.File], as record: InstalledRecord,
        of widget: WidgetIdentifier, _ notes: AnswerNotes, isWaiting: Bool
    ) async throws(FetchError) -> InstalledRelease {
        let folder = try await locked(widget)
        var state = try folder.state()
        try notes.requireFresh(state)
        let superseded = isWaiting ? wait(&state, for: record, notes) : swap(&state, to: record, notes)
        note(.installed, of: record, in: &state)
        // Another process may have been first; the release that it runs is left alone.
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
        // Held before other processes can see it and could remove it.
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
        _ record: InstalledRecord, of widget: WidgetIdentifier, isMandatory: Bool, _ notes: AnswerNotes
    ) async throws(FetchError) {
        var superseded: [Digest] = []
        try await change(widget) { (state) throws(FetchError) in
            try notes.requireFresh(state)
            if state.current?.digest == record.digest {
                state.current?.isMandatory = isMandatory
                // Another registry may offer the same files; from now on they are its own.
                state.current?.registry = notes.sequence.registry
            }
            superseded = state.endBeginnings(with: record.digest)
            notes.remember(in: &state, isHere: true)
        }
        removeBeginnings(superseded)
    }

    /// - Returns: the archives whose beginnings the release supersedes.
    func swap(_ state: inout WidgetState, to record: InstalledRecord, _ notes: AnswerNotes) -> [Digest] {
        state.makeCurrent(record)
        notes.remember(in: &state, isHere: true)
        return state.endBeginnings(with: record.digest)
    }

    /// Keeps a release that its host makes current later.
    private func wait(_ state: inout WidgetState, for record: InstalledRecord, _ notes: AnswerNotes) -> [Digest] {
        state.starts.waiting = WaitingRelease(record: record)
        notes.remember(in: &state, isHere: true)
        return state.endBeginnings(with: record.digest)
    }

    func replace(_ state: WidgetState, in folder: borrowing WidgetFolder) throws(FetchError) {
        do throws(FileError) {
            try folder.replaceState(with: state)
        } catch {
            throw FetchError(error)
        }
    }
}
