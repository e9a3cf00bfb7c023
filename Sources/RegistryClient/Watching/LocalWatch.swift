internal import Bytes
internal import Dispatch
internal import Files
package import Transfers

/// Watches a bundle that somebody works on: its folder, or an archive of it.
///
/// The system tells of changes in the folder above it and in all folders below. What it tells is only a reason to
/// look: what has changed is found by comparing, so a lost notice costs a moment and no change. A file that is replaced,
/// removed and made anew, or not there yet is all the same to it.
package struct LocalWatch: Sendable {
    private let path: String
    private let timing: WatchTiming
    private let clock: any TransferClock

    package init(_ path: String, timing: WatchTiming = WatchTiming(), clock: any TransferClock = SystemClock()) {
        self.path = path
        self.timing = timing
        self.clock = clock
    }

    /// Begins anew for each that asks, with what there is.
    package var events: AsyncStream<WatchEvent> {
        AsyncStream(bufferingPolicy: .unbounded) { continuation in
            let task = Task {
                await run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(_ tell: (WatchEvent) -> Void) async {
        let bell = Bell(timing)
        tell(.attention(bell.isTold ? .told : .looking))
        var seen: [String: LocalFiles.Print]?
        var isGone = false
        var revision = 0
        var failure: FetchError?
        while !Task.isCancelled {
            do throws(FetchError) {
                let files = try LocalFiles(at: path)
                // What was made in a folder before it was listened to shows at the second look.
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
            await timing.settle(clock) { bell.count }
        }
        bell.cancel()
    }
}

/// Rings when the system tells that something has happened, and every so often anyway.
private final class Bell {
    private let rings: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let counter = Guarded(0)
    private let known = Guarded(Set<String>())
    private let watch: SharedWatch?
    private let source: (any DispatchSourceRead)?
    private let timer: any DispatchSourceTimer

    var isTold: Bool { watch != nil }
    var count: Int { counter.withLock { $0 } }

    init(_ timing: WatchTiming) {
        let queue = DispatchQueue(label: "widget.watch")
        (rings, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Without notices, looking is all there is.
        let watch = timing.listens ? try? SharedWatch() : nil
        self.watch = watch
        let (ring, counter) = (ring, counter)
        source = watch.map { watch in
            let source = DispatchSource.makeReadSource(fileDescriptor: watch.watch.number, queue: queue)
            source.setEventHandler {
                guard (try? watch.watch.drain()) == true else { return }
                counter.withLock { $0 += 1 }
                ring.yield()
            }
            // The descriptor outlives the source that looks at it.
            source.setCancelHandler { _ = watch }
            return source
        }
        timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = Bell.interval(watch == nil ? timing.look : timing.glance)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler { ring.yield() }
        source?.resume()
        timer.resume()
    }

    func next() async {
        for await _ in rings { return }
    }

    /// Listens in these folders; those that cannot be listened to are looked at.
    ///
    /// - Returns: whether one of them is new.
    func listen(in folders: [String]) -> Bool {
        guard let watch else { return false }
        for folder in folders { try? watch.watch.add(folder) }
        return known.withLock { known in
            let isNew = !known.isSuperset(of: folders)
            known = Set(folders)
            return isNew
        }
    }

    func cancel() {
        source?.cancel()
        timer.cancel()
        ring.finish()
    }

    private static func interval(_ duration: Duration) -> DispatchTimeInterval {
        let (seconds, attoseconds) = duration.components
        return .milliseconds(max(1, Int(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)))
    }
}

/// A watch that its event handler and its owner refer to.
private final class SharedWatch: Sendable {
    let watch: DirectoryWatch

    init() throws(FileError) { watch = try DirectoryWatch() }
}
