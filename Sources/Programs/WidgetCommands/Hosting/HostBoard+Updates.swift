import PageServer
import RegistryClient
import WidgetContract
import WidgetCore
import WidgetHost
import WidgetHosting
import WidgetLive
import WidgetRender
import WidgetRunning

/// Updates of a host's widgets: of their programs, from files and registries, and of their data.
extension HostBoard {
    /// Takes over a newer program, and then newer data. The line in the slot says what came of it.
    func refresh(_ letter: String) async {
        guard let slot = slots[letter] else { return }
        guard let running = slot.running else {
            if case .failed = slot.phase { await load(letter) }
            return
        }
        guard await renew(letter) == .noData else { return }
        let result = await running.widget.update()
        let data = await running.widget.snapshot().data
        change(letter) { slot in
            slot.updates = data.counts
            slot.note = note(result, revision: data.revision)
        }
    }

    /// Takes over a newer program, if there is one.
    ///
    /// - Parameter isQuiet: true if only a change or a failure is said.
    @discardableResult
    private func renew(_ letter: String, isQuiet: Bool = false) async -> HostedWidgets.Update {
        guard let slot = slots[letter], let identifier = slot.identifier, let running = slot.running else {
            return .noData
        }
        let outcome = await hosted.update(identifier)
        switch outcome {
        case .newData(let revision):
            await running.shown.take(
                LiveProgram(running.widget.program, NamedPictures(hosted.pictures(of: identifier))))
            for held in slots[letter]?.running?.viewings ?? [] { await held.viewing?.renew() }
            change(letter) { $0.note = "\(clock()): newData, revision \(revision) of the widget" }
        case .noData:
            if !isQuiet { change(letter) { $0.note = "\(clock()): noData, the widget is the newest" } }
        case .failed(let error): change(letter) { $0.note = "\(clock()): failed, \(error)" }
        }
        return outcome
    }

    private func note(_ result: DataUpdateResult, revision: Int) -> String {
        switch result {
        case .newData: "\(clock()): newData, revision \(revision) of the data"
        case .noData: "\(clock()): noData"
        case .failed(let failure): "\(clock()): failed, \(failure)"
        }
    }

    /// Says what has come of an update that the widget has begun by itself.
    func look(at letter: String) async {
        guard let running = slots[letter]?.running else { return }
        let data = await running.widget.snapshot().data
        guard let known = slots[letter]?.updates, data.counts.updates != known.updates else { return }
        let result: DataUpdateResult
        if data.counts.newData > known.newData {
            result = .newData
        } else if data.counts.failed > known.failed, let failure = data.failure {
            result = .failed(failure)
        } else {
            result = .noData
        }
        change(letter) { slot in
            slot.updates = data.counts
            slot.note = note(result, revision: data.revision)
        }
    }

    /// Follows an event of a slot's watch.
    func take(_ event: WatchEvent, _ letter: String) async {
        guard let slot = slots[letter] else { return }
        switch event {
        case .revision:
            if slot.running != nil {
                await renew(letter, isQuiet: true)
            } else if case .failed = slot.phase {
                await load(letter)
            }
        case .failed(let error):
            guard slot.running != nil else { return }
            change(letter) { $0.note = "\(clock()): failed, \(error)" }
        case .gone:
            guard slot.running != nil else { return }
            change(letter) { $0.note = "\(clock()): failed, it is gone; the last version continues to run" }
        case .attention: return
        }
    }
}

/// The widgets of a host as other programs are shown them.
extension HostBoard: ServedWidgets {
    func widget(_ identifier: String) async -> ServedLookup {
        let found = slots.values.first { slot in
            if slot.identifier == identifier { return true }
            if case .registry(identifier) = slot.file.origin { return true }
            return false
        }
        guard let slot = found else { return .unknown }
        guard let running = slot.running else {
            switch slot.phase {
            case .failed(let reason): return .absent(reason)
            case .waiting: return .absent("The widget has not been loaded.")
            case .loading, .running: return .absent("The widget is being loaded.")
            }
        }
        let snapshot = await running.widget.snapshot()
        let policy = await running.widget.program.terms.policy
        return .running(
            ServedWidget(
                program: running.shown.program, view: snapshot.view, data: snapshot.data, interval: policy.interval))
    }

    func update(_ identifier: String) async -> DataUpdateResult? {
        guard let widget = slots.values.first(where: { $0.identifier == identifier })?.running?.widget else {
            return nil
        }
        return await widget.update()
    }
}
