internal import GroupCache
internal import WidgetHosting
internal import WidgetRunning
internal import WidgetSurroundings

/// Follows the groups of a host's widgets, and notifies the widgets whose entries others have changed. Each group is
/// watched once, while a widget of it is mounted.
final actor GroupWatch {
    private struct Member {
        var widget: RunningWidget
        /// The files of the entries that it uses.
        var names: Set<String>
    }

    private struct Watched {
        var members: [String: Member] = [:]
        var task: Task<Void, Never>
    }

    private var groups: [String: Watched] = [:]
    private let world: World

    init(in world: World) { self.world = world }

    /// Notifies a widget from now on of changes of its keys.
    func add(_ widget: RunningWidget, _ identifier: String, keys: [GroupKey], in group: CacheGroup) {
        let member = Member(widget: widget, names: Set(keys.map(\.fileName)))
        if groups[group.path] != nil {
            groups[group.path]?.members[identifier] = member
            return
        }
        let changes = GroupNotices(group, in: world).changes
        let path = group.path
        groups[path] = Watched(
            members: [identifier: member],
            task: Task(executorPreference: world.threads.tasks) { [weak self] in
                for await names in changes { await self?.notify(path, names) }
            })
    }

    func remove(_ identifier: String) {
        for path in groups.keys {
            guard groups[path]?.members.removeValue(forKey: identifier) != nil,
                groups[path]?.members.isEmpty == true
            else { continue }
            groups.removeValue(forKey: path)?.task.cancel()
        }
    }

    private func notify(_ path: String, _ names: Set<String>) async {
        for member in groups[path]?.members.values.map({ $0 }) ?? [] where !member.names.isDisjoint(with: names) {
            await member.widget.cacheChanged()
        }
    }

    deinit { for group in groups.values { group.task.cancel() } }
}
