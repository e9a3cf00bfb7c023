internal import Bytes
internal import Files
package import RegistryContract
package import WidgetBundles

/// Widgets on the disk of a host: one folder for each widget identifier, shared by any number of processes.
///
///     installation             who this is, for rollouts
///     archives/SHA256.zip      verified archives, from which updates borrow what has not changed
///     partial/SHA256           archives that are on their way
///     widgets/ID/state.json    which release is current, which one it replaced
///     widgets/ID/SHA256/Name.bundle/…
///
/// Nothing here is believed because it is here: a state that cannot be read is no state, an archive or a release
/// whose digest is wrong is none. Locks are held for the moment in which a state is read, changed and replaced.
package final class WidgetCache: Sendable {
    package let path: String
    /// A name for this installation that says nothing about it.
    package let installation: String
    package let limits: CacheLimits
    let bundleLimits: BundleLimits
    let archives: Directory
    let partial: Directory
    let widgets: Directory
    let root: Directory

    static let folderMode: UInt32 = 0o700
    static let fileMode: UInt32 = 0o600
    private static let installationName = "installation"

    /// Opens the cache in that folder, and makes it if there is none.
    package init(
        at path: String, limits: CacheLimits = CacheLimits(), bundleLimits: BundleLimits = BundleLimits()
    ) throws(FetchError) {
        self.path = path
        self.limits = limits
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
            for record in state.records {
                if let release = sound(record, of: widget, in: folder, state) { return release }
            }
            // Another process may have swapped releases meanwhile; if not, there is none.
            let now = try folder.state()
            if now == state { return nil }
            state = now
        }
    }

    /// The release if it is what was installed, held so that it stays.
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
            let deadline = ContinuousClock.now + limits.lockPatience
            while true {
                let folder = try widgets.createDirectory(widget.text, mode: WidgetCache.folderMode)
                if try folder.tryLock(), try widgets.status(of: widget.text).isSameFile(as: try folder.status()) {
                    return WidgetFolder(folder)
                }
                guard ContinuousClock.now < deadline else { break }
                try? await Task.sleep(for: WidgetCache.lockPause)
                if Task.isCancelled { break }
            }
        } catch {
            throw FetchError(error)
        }
        throw FetchError(.busy)
    }

    static let lockPause = Duration.milliseconds(5)

    /// Reads who this is, or decides it: whoever comes first decides for all.
    private static func installation(in root: borrowing Directory) throws(FileError) -> String {
        var isBroken = false
        while true {
            switch try known(in: root) {
            case .some(let text) where isName(text): return text
            case .some: isBroken = true
            case .none: break
            }
            let staged = try StagedFile(in: root)
            // Tells it from what a crash has left.
            _ = try staged.file.tryLock()
            let name = Hex.string(try RandomBytes.make(16, for: root.path))
            try staged.file.write(Array((name + "\n").utf8), at: 0)
            do throws(FileError) {
                try staged.commit(as: installationName, replacing: isBroken, mode: fileMode)
            } catch {
                // Somebody else was first, or took it for a leftover before it was locked.
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

/// How large a cache may grow, and how long it waits for other processes.
package struct CacheLimits: Equatable, Sendable {
    /// Bytes of everything in it. What is in use stays even when that is more.
    package var byteCount = 512 << 20
    /// How long a lock is waited for that another process holds.
    package var lockPatience = Duration.seconds(60)
    /// How long a broken-off download is kept to be gone on with.
    package var partialAge = Duration.seconds(7 * 24 * 3_600)

    package init() {}
}
