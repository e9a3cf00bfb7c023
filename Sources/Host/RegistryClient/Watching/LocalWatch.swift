internal import Dispatch
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
package import WidgetSurroundings

/// Watches a bundle that its author works on: its folder, or an archive of it.
///
/// The system notifies of changes in the folder above it and in all folders below. A notification is only a reason to
/// compare snapshots, so a lost one costs a moment and no change. A file may be written over, replaced, removed and
/// made anew, or not exist yet.
package struct LocalWatch: Sendable {
    private let path: String
    private let timing: WatchTiming
    private let world: World
    private let skipsHidden: Bool

    /// - Parameter skipsHidden: true if names that begin with a dot are not looked at, as a package's own `.build`.
    package init(
        _ path: String, skipsHidden: Bool = false, timing: WatchTiming = WatchTiming(), in world: World = .machine
    ) {
        self.path = path
        self.skipsHidden = skipsHidden
        self.timing = timing
        self.world = world
    }

    /// A new sequence for each caller, beginning with the present state.
    package var events: AsyncStream<WatchEvent> { events(since: nil) }

    /// A new sequence for each caller, of the changes after a snapshot. The snapshot is revision 1, and only later ones
    /// are reported.
    ///
    /// A caller that reads the files takes the snapshot first. So no change is missed between reading and watching.
    package func events(since snapshot: LocalSnapshot?) -> AsyncStream<WatchEvent> {
        AsyncStream(bufferingPolicy: .unbounded) { continuation in
            let task = Task(executorPreference: world.threads.tasks) {
                await run(since: snapshot) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(since snapshot: LocalSnapshot?, _ tell: (WatchEvent) -> Void) async {
        let bell = Bell(timing, world.clock)
        tell(.attention(bell.isNotified ? .notified : .polling))
        var seen = snapshot?.prints
        var isGone = false
        var revision = snapshot == nil ? 0 : 1
        var failure: FetchError?
        while !Task.isCancelled {
            do throws(FetchError) {
                let files = try LocalFiles(at: path, skipsHidden: skipsHidden)
                // Files made in a new folder before it was watched show in the second snapshot.
                if bell.listen(in: files.folders) { continue }
                if let now = files.prints {
                    let changes = FileChanges(from: seen, to: now)
                    if seen == nil || isGone || !changes.isEmpty || failure != nil {
                        revision += 1
                        tell(.revision(revision, .local(path: path), changes))
                    }
                    (seen, isGone, failure) = (now, false, nil)
                } else if !isGone {
                    isGone = true
                    tell(.gone)
                }
            } catch {
                if failure != error { tell(.failed(error)) }
                failure = error
            }
            await bell.next()
            await timing.settle(world.clock) { bell.count }
        }
        await bell.cancel()
    }
}

/// The state of a bundle's files at one moment, which a watch compares later states with.
package struct LocalSnapshot: Sendable {
    fileprivate let prints: [String: LocalFiles.Print]?

    /// Takes a snapshot. It is empty when the files cannot be read; a watch reports why.
    package init(at path: String, skipsHidden: Bool = false) {
        prints = (try? LocalFiles(at: path, skipsHidden: skipsHidden))?.prints
    }
}

/// Rings when the system tells that something has happened, and every so often anyway.
private final class Bell {
    private let rings: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let counter = Guarded(0)
    private let known = Guarded(Set<String>())
    /// Emptied when the descriptor is given back.
    private let watch: Guarded<SharedWatch?>
    private let source: (any DispatchSourceRead)?
    private let queue = DispatchQueue(label: "widget.watch")
    /// Left when the source looks at the descriptor no more.
    private let closing = DispatchGroup()
    private let timer: Alarm

    var isNotified: Bool { source != nil }
    var count: Int { counter.withLock { $0 } }

    init(_ timing: WatchTiming, _ clock: any Clock) {
        (rings, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Without notices, looking is all there is.
        let watch = Guarded(timing.listens ? try? SharedWatch() : nil)
        self.watch = watch
        let (ring, counter, queue, closing) = (ring, counter, queue, closing)
        source = watch.withLock { $0?.watch.number }.map { number in
            let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
            closing.enter()
            source.setEventHandler {
                guard (try? watch.withLock { $0 }?.watch.drain()) == true else { return }
                counter.withLock { $0 += 1 }
                ring.yield()
            }
            // The descriptor outlives the source that looks at it.
            source.setCancelHandler {
                watch.withLock { $0 = nil }
                closing.leave()
            }
            return source
        }
        timer = clock.call(every: max(source == nil ? timing.filePoll : timing.recheck, .milliseconds(1))) {
            ring.yield()
        }
        source?.resume()
    }

    func next() async {
        for await _ in rings { return }
    }

    /// Listens in these folders; those that cannot be listened to are looked at.
    ///
    /// - Returns: whether one of them is new.
    func listen(in folders: [String]) -> Bool {
        guard let watch = watch.withLock({ $0 }) else { return false }
        for folder in folders { try? watch.watch.add(folder) }
        return known.withLock { known in
            let isNew = !known.isSuperset(of: folders)
            known = Set(folders)
            return isNew
        }
    }

    /// Ends it, and returns once the descriptor is given back.
    func cancel() async {
        ring.finish()
        source?.cancel()
        await withCheckedContinuation { continuation in closing.notify(queue: queue) { continuation.resume() } }
        timer.cancel()
    }
}

/// A watch that its event handler and its owner refer to.
private final class SharedWatch: Sendable {
    let watch: DirectoryWatch

    init() throws(FileError) { watch = try DirectoryWatch() }
}

/// A snapshot of a folder or an archive, detailed enough to detect changes.
struct LocalFiles {
    struct Print: Equatable, Sendable {
        var inode: UInt64
        var byteCount: Int
        var modification: Duration

        init(_ status: FileStatus) {
            inode = status.inode
            byteCount = status.byteCount
            modification = status.modification
        }
    }

    /// By path inside the folder, or by name for an archive; `nil` when nothing is there.
    private(set) var prints: [String: Print]?
    /// The folders to watch: the one above, and all below.
    private(set) var folders: [String]

    private static let limits = BundleLimits()

    /// Reads one level at a time, and stops at the number of files and the depth that a bundle may have.
    init(at path: String, skipsHidden: Bool = false) throws(FetchError) {
        let (parent, name) = LocalFiles.split(path)
        folders = [parent]
        do throws(FileError) {
            let status = try Directory(opening: parent).status(of: name)
            // A link to a folder is followed, because the caller has named it.
            let isFolder = status.kind == .directory || status.kind == .link && (try? Directory(opening: path)) != nil
            guard isFolder else {
                prints = [name: Print(status)]
                return
            }
        } catch {
            if error.isMissing { return }
            throw FetchError(error)
        }
        var found: [String: Print] = [:]
        var pending = [""]
        while let inside = pending.popLast(), folders.count <= LocalFiles.limits.entryCount {
            let place = inside.isEmpty ? path : "\(path)/\(inside)"
            let items: [Directory.Item]
            do throws(FileError) {
                items = try Directory(opening: place).items(limit: LocalFiles.limits.entryCount) ?? []
            } catch {
                // Gone since it was listed.
                if error.isMissing { continue }
                throw FetchError(error)
            }
            folders.append(place)
            for item in items where !skipsHidden || !item.name.hasPrefix(".") {
                let path = inside.isEmpty ? item.name : "\(inside)/\(item.name)"
                if item.status.kind != .directory {
                    found[path] = Print(item.status)
                } else if path.utf8.count(where: { $0 == 0x2F }) < LocalFiles.limits.pathDepth {
                    pending.append(path)
                }
            }
        }
        prints = found
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        var trimmed = path[...]
        while trimmed.utf8.count > 1, trimmed.last == "/" { trimmed = trimmed.dropLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return (".", String(trimmed)) }
        let folder = trimmed[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(trimmed[trimmed.index(after: slash)...]))
    }
}
