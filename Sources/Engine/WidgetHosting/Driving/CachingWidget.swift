internal import WidgetContract
internal import WidgetCore
internal import WidgetRunning

/// The cache of a widget that runs: its values come from the host's, and its changes go there.
extension RunningWidget {
    /// The keys that its program uses, for hosts that hold their entries.
    package var cachedKeys: [String] { driver.instance.program.cachedKeys }

    /// Takes the values of the host's cache over.
    func recallCache() {
        let keys = cachedKeys
        guard let place = traffic?.place, !keys.isEmpty else { return }
        if let denial = place.denial { notice = "\(denial)" }
        let known = driver.instance.store.cache
        let values = place.values(of: keys, at: driver.now)
        let news = known.news(in: traffic?.unsaved.newer(values) ?? values)
        if !news.changes.isEmpty { driver.send(.cached(news.changes)) }
    }

    /// Tells the widget that others have changed the cache. Values that it did not know are a push: it is updated.
    package func cacheChanged() {
        guard !isStopped, let traffic else { return }
        // Its own changes are newer than what the host has.
        guard traffic.task == nil else {
            self.traffic?.hasNews = true
            return
        }
        let known = driver.instance.store.cache
        let values = traffic.place.values(of: cachedKeys, at: driver.now)
        let news = known.news(in: self.traffic?.unsaved.newer(values) ?? values)
        guard !news.changes.isEmpty else { return }
        driver.send(.cached(news.changes))
        if news.isShown { handle(.trigger(.push)) }
        follow()
    }

    /// Uses another cache from now on: that of the groups that its program declares.
    func use(_ place: any CachePlace) {
        if traffic == nil { traffic = CacheTraffic(place) } else { traffic?.place = place }
    }

    /// Begins to carry out the changes of the cache that the widget has made.
    func keepCache() {
        let changes = driver.takeCacheChanges()
        guard traffic != nil else { return }
        for change in changes { traffic?.add(change) }
        guard traffic?.task == nil, traffic?.waiting.isEmpty == false else { return }
        traffic?.task = Task { await carryOutChanges() }
    }

    private func carryOutChanges() async {
        while let traffic, let change = traffic.waiting.first {
            self.traffic?.waiting.removeFirst()
            do throws(CacheRefusal) {
                let newer = try await traffic.place.carryOut(change, at: driver.now)
                self.traffic?.unsaved.forget(change.key)
                if let newer { recall(newer) }
            } catch {
                if self.traffic?.unsaved.keep(change, of: traffic.place, at: driver.now) == true {
                    notice = "\(error); the widget has it until it ends"
                } else {
                    notice = "\(error)"
                    recall(CacheChange(change.key, nil))
                }
                ring()
            }
        }
        traffic?.task = nil
        if traffic?.hasNews == true {
            traffic?.hasNews = false
            cacheChanged()
        }
        noteRest()
    }

    /// Takes over the value that the host has in place of the widget's, unless it has been changed again.
    private func recall(_ change: CacheChange) {
        guard !isStopped, traffic?.waiting.contains(where: { $0.key == change.key }) != true else { return }
        driver.send(.cached([change]))
        follow()
    }
}
