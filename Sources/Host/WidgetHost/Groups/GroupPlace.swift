package import GroupCache
internal import JSONText
internal import WidgetBytes
package import WidgetCore
package import WidgetHosting
internal import WidgetRunning

/// The cache of one widget in a group's folder: shared with the group that its bundle declares, or else its alone.
package struct GroupPlace: CachePlace {
    package let group: CacheGroup
    /// The identifier of the widget, as the writer of its entries.
    private let writer: String

    package init(_ group: CacheGroup, writer: String) {
        self.group = group
        self.writer = writer
    }

    package var denial: CacheRefusal? { nil }

    package func values(of keys: [String], at moment: Double) -> [CacheChange] {
        keys.map { name in
            // A key that is too long has no value; storing one says so.
            guard let key = try? GroupKey(name) else { return CacheChange(name, nil) }
            return CacheChange(name, value(of: key, at: moment))
        }
    }

    private func value(of key: GroupKey, at moment: Double) -> CachedValue? {
        let now = moment + CivilDate.secondsTo2001
        // The clock of a widget that runs is not set, so that of another may be a little ahead.
        guard let entry = group.entry(key), entry.storedAt <= now + group.limits.clockTolerance,
            entry.expires.map({ now < $0 }) ?? true, let json = entry.json
        else { return nil }
        return CachedValue(
            CachedJSON.value(json), storedAt: entry.storedAt - CivilDate.secondsTo2001,
            expires: entry.expires.map { $0 - CivilDate.secondsTo2001 },
            upstream: entry.upstream.map { $0 - CivilDate.secondsTo2001 })
    }

    package func carryOut(_ change: CacheChange, at moment: Double) async throws(CacheRefusal) -> CacheChange? {
        do throws(GroupCacheError) {
            let key = try GroupKey(change.key)
            guard let value = change.value else {
                try await group.remove(key)
                return nil
            }
            let now = moment + CivilDate.secondsTo2001
            var entry = GroupEntry(
                .json(CachedJSON.json(value.value)), storedAt: value.storedAt + CivilDate.secondsTo2001,
                upstream: value.upstream.map { $0 + CivilDate.secondsTo2001 }, writer: writer)
            entry.expires = value.expires.map { $0 + CivilDate.secondsTo2001 }
            switch try await group.store(entry, under: key, at: now) {
            case .stored: return nil
            case .superseded: return CacheChange(change.key, self.value(of: key, at: moment))
            }
        } catch {
            throw CacheRefusal("\(change.key.excerpt) was not stored in the cache: \(error)")
        }
    }
}
