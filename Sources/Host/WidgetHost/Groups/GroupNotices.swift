package import GroupCache
package import RegistryClient
package import WidgetSurroundings

/// Notices of changes in a group's cache, by this process or another: a host updates the widgets that show what has
/// changed, without polling.
package struct GroupNotices: Sendable {
    private let path: String
    private let timing: WatchTiming
    private let world: World

    package init(_ group: CacheGroup, timing: WatchTiming = WatchTiming(), in world: World = .machine) {
        path = group.entriesPath
        self.timing = timing
        self.world = world
    }

    /// The names of the files that have changed, as ``GroupKey/fileName`` has them; changes of one moment are one
    /// element. The sequence begins with the next change after this call, and ends with its task.
    package var changes: AsyncStream<Set<String>> {
        let events = LocalWatch(path, timing: timing, in: world).events(since: LocalSnapshot(at: path))
        return AsyncStream { continuation in
            let task = Task(executorPreference: world.threads.tasks) {
                for await event in events {
                    guard case .revision(_, _, let changes) = event else { continue }
                    let names = Set(changes.added + changes.changed + changes.removed).filter { $0.hasSuffix(".json") }
                    if !names.isEmpty { continuation.yield(names) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
