internal import WidgetCore
internal import WidgetEngine
internal import WidgetRender
internal import WidgetSurroundings

/// The stream to a page: what has changed since the last write, and never a queue.
extension Viewing {
    package func follow(after number: Int?, _ sink: any PartSink) async {
        await turns.turn {
            guard ending == nil else { return }
            stream = ViewingStream(sink: sink, base: number.flatMap { history[$0] })
            await flush()
        }
    }

    package func unfollow(_ sink: any PartSink) {
        if stream?.sink === sink { stream = nil }
    }

    /// The stream has room again.
    package func drained() async { await widgetHasChanged() }

    func widgetHasChanged() async { await turns.turn { await flush() } }

    /// Writes the difference between what the browser has and what is now, unless that has to wait.
    func flush() async {
        guard ending == nil, let sink = stream?.sink else { return }
        let pause = 1 / max(limits.changesPerSecond, 0.001)
        let wait = lastWrite.map { pause - clock.now.seconds(since: $0) } ?? 0
        guard wait <= 1e-6 else { return flushLater(wait) }
        guard sink.pendingByteCount < limits.pendingByteCount else { return flushLater(limits.retryPause) }
        let (view, status) = await present()
        guard ending == nil, let stream, stream.sink === sink else { return }

        guard let (operations, base) = next(after: stream.base, echoed: stream.echoed, view, status) else { return }
        self.stream?.base = base
        self.stream?.echoed = lastSerial
        lastWrite = clock.now
        sink.write(base.number, json(operations))
    }

    /// The changes since a view, for a page that asks for them; `nil` if nothing has changed.
    ///
    /// - Parameter number: the view that the page shows.
    package func change(since number: Int?) async throws(LiveRefusal) -> (number: Int, operations: [UInt8])? {
        guard !turns.isFull else { throw .tooFast(retryAfter: 1) }
        return try await turns.turn { () throws(LiveRefusal) in
            guard ending == nil else { throw .over }
            let (view, status) = await present()
            guard ending == nil else { throw .over }
            let base = number.flatMap { history[$0] }
            guard let (operations, now) = next(after: base, echoed: lastSerial, view, status) else { return nil }
            return (now.number, json(operations))
        }
    }

    private func json(_ operations: [PageOperation]) -> [UInt8] {
        PageOperation.json(place.options.isContained ? operations.map { $0.contained() } : operations)
    }

    /// The operations that lead from a view to the present one, and the moment after them; `nil` if nothing leads there.
    ///
    /// - Parameter echoed: the serial that the page knows of.
    private func next(
        after known: ViewingMoment?, echoed: Int, _ view: View, _ status: LiveStatus
    ) -> (operations: [PageOperation], base: ViewingMoment)? {
        let number = history.lastNumber + 1
        let printer = printer(for: number)
        var (operations, moment) = change(of: known, to: view, printer)
        operations += status.changes(from: known?.status, letter: printer.options.letter)
        operations += placing(after: known?.status, status, view)
        operations += refocusing(after: known?.page, operations, view)
        // The root of the page, its sheets and its pictures are of another look.
        if isTurned { operations.append(.go(place.page)) }
        // The line about the page counts: a browser that has missed it comes back with the number from before.
        let isNew = !operations.isEmpty
        let isOwed = lastSerial > 0 || isNew
        if isOwed, lastSerial > echoed { operations.insert(.echo(lastSerial), at: 0) }
        guard !operations.isEmpty else {
            history.settle(at: history.lastNumber)
            return nil
        }
        let base: ViewingMoment
        if isNew || known == nil {
            base = ViewingMoment(number: number, page: moment, program: program, status: status)
            history.add(base)
        } else {
            let shown = known?.number ?? number
            base = ViewingMoment(number: shown, page: moment, program: program, status: status)
        }
        history.settle(at: base.number)
        return (operations, base)
    }

    /// The operations that show a revealed element once, and tell a page again where it is.
    private func placing(after known: LiveStatus?, _ status: LiveStatus, _ view: View) -> [PageOperation] {
        var operations: [PageOperation] = []
        if owesPlace { operations.append(.status(["depth": "\(status.depth)"])) }
        owesPlace = false
        if let revealed = status.revealed, revealed.number > shownNumber {
            // A page that was loaded with it has it in its address.
            let isAnchored = revealed.number <= known?.revealed?.number ?? 0
            shownNumber = revealed.number
            if !isAnchored, let name = name(of: revealed, in: view) { operations.append(.show(name)) }
        }
        return operations
    }

    /// The focus of a field that a form refuses and that the widget had focused before, as the browser has left it by then.
    private func refocusing(
        after known: PageMoment?, _ operations: [PageOperation], _ view: View
    ) -> [PageOperation] {
        defer { owesFocus = false }
        guard owesFocus, let known, known.hasFocus, view.alerts.isEmpty,
            !operations.contains(where: { if case .focus = $0 { true } else { false } })
        else { return [] }
        var refused: ViewKey?
        view.visit { node in
            if node.isTrue(.focused), node.isTrue(.invalid) { refused = node.key }
            return refused == nil
        }
        return refused.map { [.focus(place.options.letter + PageKey.text($0))] } ?? []
    }

    /// The operations that make the present page of the one that the browser has.
    private func change(
        of base: ViewingMoment?, to view: View, _ printer: PagePrinter
    ) -> ([PageOperation], PageMoment) {
        if let base, base.program.planned === program.planned, !history.isBeyondLimit {
            let change = printer.change(from: base.page, to: view, windows: windows, program.assets)
            keep(change.pictures)
            let operations = change.operations.filter { !isKnownFocus($0, since: base.number, printer) }
            return (operations + corrections(since: base.number, view, operations, printer), change.moment)
        }
        if history.isBeyondLimit { history.forgetTyped() }
        let blank = printer.moment(Viewing.blank, NoAssets()).moment
        let change = printer.change(from: blank, to: view, windows: windows, program.assets)
        keep(change.pictures)
        return (sheet(since: base, change.moment) + change.operations, change.moment)
    }

    /// True for the focus of a control because a person has typed into it. By now the person may be elsewhere.
    private func isKnownFocus(_ operation: PageOperation, since number: Int, _ printer: PagePrinter) -> Bool {
        guard case .focus(let address) = operation else { return false }
        return history.typed(since: number).keys.contains { printer.options.letter + PageKey.text($0) == address }
    }

    /// A screen that no widget has, so that any other is all new.
    private static let blank = View(
        screen: "", title: "", root: ViewNode(ViewKey(screen: -1, node: 0), .screen))

    /// The rules of another program, which the page of the one before lacks, and those that are gone.
    private func sheet(since base: ViewingMoment?, _ moment: PageMoment) -> [PageOperation] {
        var rules: [String: String?] = [:]
        for name in base?.page.rules.keys.sorted() ?? [] where moment.rules[name] == nil {
            rules.updateValue(nil, forKey: name)
        }
        let sheet = program.planned.sheet
        // A page that nothing is known of may be one of another program.
        if sheet.file != base?.program.planned.sheet.file {
            // Its rules come before those of the viewing, which are put in the order of their names.
            rules["!program"] = String(decoding: sheet.bytes, as: UTF8.self)
        }
        return rules.isEmpty ? [] : [.rules(rules)]
    }

    /// The values of controls that the widget has not taken as they were typed.
    private func corrections(
        since number: Int, _ view: View, _ operations: [PageOperation], _ printer: PagePrinter
    ) -> [PageOperation] {
        let typed = history.typed(since: number)
        if typed.isEmpty || operations.contains(where: { if case .whole = $0 { true } else { false } }) { return [] }
        var corrections: [PageOperation] = []
        for node in elements.nodes(Set(typed.keys), of: view) {
            guard let value = typed[node.key], !node.shows(value) else { continue }
            let own = printer.value(of: node, in: view).filter { !operations.contains($0) }
            corrections += own.isEmpty ? Viewing.emptied(node, printer) : own
        }
        return corrections
    }

    /// A secret is not part of a page, but that the widget has emptied its field is.
    private static func emptied(_ node: ViewNode, _ printer: PagePrinter) -> [PageOperation] {
        guard node.isTrue(.isSecure), node.text(.text).isEmpty else { return [] }
        let address = printer.options.letter + PageKey.text(node.key)
        return [.set(address, [PageProperty("value", .none)])]
    }

    private func flushLater(_ seconds: Double) {
        guard later == nil else { return }
        later = LiveThreads.begin { [weak self, clock] in
            await clock.sleep(for: seconds)
            guard !Task.isCancelled else { return }
            await self?.retry()
        }
    }

    private func retry() async {
        later = nil
        await widgetHasChanged()
    }
}
