internal import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetFiles
package import WidgetRunning

/// A widget that a script drives, over a network and a cache that answer in their own time.
package struct ScriptRun {
    private var player: ScriptPlayer
    private let network: any WidgetNetwork
    private var cache: (any CachePlace)?
    private var unsaved = UnsavedChanges()

    /// - Parameters:
    ///   - records: the store that ``save()`` writes to.
    ///   - cache: the host's cache; without one, cached values live as long as the run.
    ///   - print: prints a snapshot; by default as `text` does.
    ///   - text: prints the screen, for expectations to look in and for the message when one fails.
    package init(
        _ instance: WidgetInstance, network: any WidgetNetwork, records: RecordStore? = nil,
        cache: (any CachePlace)? = nil,
        print: ((View) -> String)? = nil, text: @escaping (View) -> String
    ) {
        player = ScriptPlayer(
            instance, records: records, media: { path throws(WidgetError) in try MediaFile.read(path) }, print: print,
            text: text)
        self.network = network
        self.cache = cache
    }

    package var driver: WidgetDriver { player.driver }
    package var instance: WidgetInstance { player.instance }
    package mutating func view() -> View { player.view() }

    /// Called with the screen when the widget has settled: after its start, and after each step.
    package var settled: ((View) -> Void)? {
        get { player.settled }
        set { player.settled = newValue }
    }

    /// Called with the screen while a request is being sent.
    package var progressed: ((View) -> Void)? {
        get { player.progressed }
        set { player.progressed = newValue }
    }

    /// The pictures that snapshots have printed, and the screen of a form that refused a step unexpectedly.
    package var output: String { player.output }

    /// Takes down the steps that succeed, if they are recorded.
    package var recorder: ScriptRecorder? {
        get { player.recorder }
        set { player.recorder = newValue }
    }

    /// Sentences about actions since the last call that sent nothing, because they lacked an authorization.
    package mutating func takeNotices() -> [String] { player.takeNotices() }

    package mutating func takeHostRequests() -> [HostRequest] { player.takeHostRequests() }

    /// Saves the changes since the last save that succeeded. When it fails, they are still to be saved.
    package mutating func save() throws(WidgetError) { try player.save() }

    /// Starts the widget and plays the steps.
    package mutating func play(_ script: EventScript) async throws(WidgetError) {
        recallCache()
        player.begin(script)
        try await perform()
    }

    /// Plays more steps with the same widget.
    package mutating func `continue`(with script: EventScript) async throws(WidgetError) {
        player.continue(with: script)
        try await perform()
    }

    /// Begins again, with the records and settings that the run began with.
    package mutating func restart() async {
        player.restart()
        await settle()
    }

    /// Continues with another program.
    ///
    /// - Parameters:
    ///   - native: the widget whose program it is, if its closures are to run.
    ///   - cache: the host's cache for this program; `nil`: the one from before.
    package mutating func replace(
        _ program: Program, native: NativeProgram? = nil, cache: (any CachePlace)? = nil
    ) async {
        if let cache { self.cache = cache }
        player.replace(program, native: native)
        recallCache()
        player.settleAlone()
        await settle()
    }

    /// Counts programs that could not be read. The present one continues.
    package mutating func refuse(times: Int) { player.refuse(times: times) }

    /// The age and state of its data. Its beginning is an update, and all that it asks on the way belongs to it.
    package var data: DataStatus { player.data }

    // MARK: - From need to need

    private mutating func perform() async throws(WidgetError) {
        while let need = try player.next() { await fulfil(need) }
    }

    /// The same where no step is played that could fail.
    private mutating func settle() async {
        while let need = try? player.next() { await fulfil(need) }
    }

    private mutating func fulfil(_ need: ScriptPlayer.Need) async {
        switch need {
        case .answer(let outgoing):
            let sent = Guarded([Double]())
            let outcome = await network.outcome(of: outgoing) { step in sent.withLock { $0.append(step) } }
            if let mishap = network.takeNotice() { player.note(mishap) }
            player.answer(outgoing, outcome, progress: sent.withLock { $0 })
        case .keep(let change): await keep(change)
        }
    }

    private mutating func recallCache() {
        let keys = instance.program.cachedKeys
        guard let cache, !keys.isEmpty else { return }
        if let denial = cache.denial { player.note("\(denial)") }
        player.recall(unsaved.newer(cache.values(of: keys, at: driver.now)))
    }

    private mutating func keep(_ change: CacheChange) async {
        guard let cache else { return }
        do throws(CacheRefusal) {
            let newer = try await cache.carryOut(change, at: driver.now)
            unsaved.forget(change.key)
            if let newer { player.recall([newer]) }
        } catch {
            if unsaved.keep(change, of: cache, at: driver.now) {
                player.note("\(error); the widget has it until it ends")
            } else {
                player.note("\(error)")
                player.recall([CacheChange(change.key, nil)])
            }
        }
    }
}

extension MediaFile {
    package static func read(_ path: String) throws(WidgetError) -> Media {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // A file of another kind is not read.
        _ = try kind(of: name)
        return try media(
            named: name,
            try rethrowing(as: WidgetError.file) { () throws(FileError) in
                let file = try FileDescriptor.reading(path)
                return try file.read(at: 0, count: min(try file.status().byteCount, largest + 1))
            })
    }
}
