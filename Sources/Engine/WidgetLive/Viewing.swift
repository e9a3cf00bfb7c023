internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetEngine
package import WidgetHosting
internal import WidgetRender
internal import WidgetRunning
package import WidgetSurroundings

/// A widget on a page of one person: the running widget, what the page showed of it last, and the stream of its changes.
package actor Viewing: LivePart {
    nonisolated let source: any LiveSource
    nonisolated let clock: any Clock
    nonisolated let limits: LiveLimits
    let widget: RunningWidget
    private(set) var place: LivePlace
    let files: LiveFiles
    private let notify: @Sendable (LiveEnding) -> Void
    var program: LiveProgram
    var history: ViewingHistory
    var windows: [ViewKey: Int] = [:]
    private var allowance: EventAllowance
    private(set) var lastSerial = 0
    var stream: ViewingStream?
    /// The moment of the last write, and the wait for the next one.
    var lastWrite: ContinuousClock.Instant?
    var later: Task<Void, Never>?
    private var listening: Task<Void, Never>?
    /// The address that the widget wants to open, until the next act.
    private var address: String?
    /// True once a switch has changed how the whole page looks, until that is printed.
    private(set) var isTurned = false
    /// The reason why it has taken the place of another, until the next act that is not typing.
    private var beginning: String?
    /// True once a whole page was printed, which says what has failed.
    private var isLoadedAgain = false
    /// True until the next act, if it was begun by a link, whose row may not have come yet.
    private var isOpening = false
    /// True if a browser has gone back, and the widget has not: the next change says again where it is.
    var owesPlace = false
    /// True once a form was refused, until the next change: its field takes the focus from the button that was pressed.
    var owesFocus = false
    /// The numbers of the last revealed item that a whole page, and that the stream has shown.
    private var anchoredNumber = 0
    /// The first row that a page without script had of a list that keeps its end, when more rows were asked for: they come
    /// before it, and the next page is read from there.
    private var rowBefore: ViewKey?
    private var widenedNumber = 0
    var shownNumber = 0
    private(set) var ending: LiveEnding?
    /// The end of the answers that the first page waits for, and those that pages without script are loaded again for.
    private var awaiting = FirstAnswers()
    /// The pictures of the network that it shows, and the pages that wait for them.
    var pictures: NetworkPictures
    var pictureWaits = WidgetWaits<Bool>()
    let turns = TurnQueue()
    private var sizeCountdown = 0
    /// Bytes of acts since the last measurement.
    private var unmeasuredByteCount = 0

    /// Views between two measurements.
    private static let sizeInterval = 16
    /// Measuring takes as long as there are bytes: for each so many, it is left out for one more view.
    private static let bytesPerView = 16_384

    /// - Parameters:
    ///   - files: gets the sheets and pictures of its pages.
    ///   - notify: called when it has ended.
    package init(
        of source: any LiveSource, _ widget: RunningWidget, at place: LivePlace, _ limits: LiveLimits,
        _ clock: any Clock, _ files: LiveFiles, _ notify: @escaping @Sendable (LiveEnding) -> Void
    ) {
        self.source = source
        self.widget = widget
        self.limits = limits
        self.clock = clock
        self.place = place
        self.files = files
        self.notify = notify
        program = source.program
        history = ViewingHistory(limits)
        pictures = NetworkPictures(limits)
        allowance = EventAllowance(limits, at: clock.now)
        awaiting.begin(at: clock.now)
    }

    /// - Parameters:
    ///   - reason: why it has taken the place of another.
    ///   - link: leads to the screen that is shown first; one that leads nowhere is answered by a sentence.
    package func begin(_ reason: String? = nil, opening link: String? = nil) async {
        beginning = reason
        // A widget that others show as well has revealed items before.
        shownNumber = await widget.place.revealed?.number ?? 0
        await source.begin(widget)
        if let link {
            isOpening = await widget.leads(to: link)
            if !isOpening {
                let sentence = SystemWords(place.options.locale)[.linkLost]
                beginning = beginning.map { "\($0) \(sentence)" } ?? sentence
            }
        }
        let changes = widget.changes
        listening = LiveThreads.begin { [weak self] in
            for await _ in changes { await self?.widgetHasChanged() }
        }
    }

    // MARK: - Pages

    package func ready() async {
        guard ending == nil, awaiting.beginWait() else { return }
        let end = clock.moment(after: limits.firstPageSeconds)
        _ = await widget.answered(within: limits.firstPageSeconds, on: clock)
        await waitForPictures(until: end)
    }

    package func printed() async throws(LiveRefusal) -> PrintedPart {
        guard !turns.isFull else { throw .tooFast(retryAfter: 1) }
        return try await turns.turn { () throws(LiveRefusal) in
            guard ending == nil else { throw .over }
            // Asked first: the view of a widget with all answers has them.
            let isAnswered = await widget.isAnswered
            if isLoadedAgain { retryPictures() }
            isLoadedAgain = true
            let (view, status) = await present()
            guard ending == nil else { throw .over }
            var part = printed(view, status)
            part.bench = place.bench
            place.bench?.last = nil
            isTurned = false
            part.isAwaiting = awaiting.isOpen(isAnswered && pictures.isSettled, limits, at: clock.now)
            part.anchor = anchor(of: status, in: view) ?? rowBefore.map { place.options.letter + PageKey.text($0) }
            rowBefore = nil
            return part
        }
    }

    /// The name of the element that was revealed, if no page has shown that yet.
    private func anchor(of status: LiveStatus, in view: View) -> String? {
        guard let revealed = status.revealed, revealed.number > max(anchoredNumber, shownNumber),
            let name = name(of: revealed, in: view)
        else { return nil }
        anchoredNumber = revealed.number
        return name
    }

    /// The name of a revealed element on the page.
    func name(of revealed: RevealedPlace, in view: View) -> String? {
        view.revealed(revealed).map { place.options.letter + PageKey.text($0.key) }
    }

    private func printed(_ view: View, _ status: LiveStatus) -> PrintedPart {
        let printer = printer(for: history.lastNumber + 1)
        let number: Int
        if let last = history.last, !history.hasTyped, last.program.planned === program.planned, last.status == status,
            printer.change(from: last.page, to: view, windows: windows, program.assets).operations.isEmpty
        {
            number = last.number
        } else {
            number = history.lastNumber + 1
        }
        let printed = self.printer(for: number)
        let (moment, page) = printed.moment(view, windows: windows, program.assets)
        let files = keep(page.pictures)
        history.settle(at: number)
        let shown = ViewingMoment(number: number, page: moment, program: program, status: status)
        // A page that is loaded again has its own rules and rows, and not those that changes have brought to another.
        if history.last?.number == number { history.replaceLast(by: shown) } else { history.add(shown) }
        let sheet = ViewingSheet.text(printed.options, for: [page])
        history.setSheet(sheet, of: number)
        var part = PrintedPart(number, page, of: printed.title(of: view), sheet: sheet, status, printed.options)
        part.files = [program.planned.sheet.file] + files
        part.remarks = page.remarks
        return part
    }

    /// The sheet of a page that was printed; `nil` for one that is long gone.
    package func sheet(_ number: Int) -> String? { history[number]?.sheet }

    func printer(for number: Int) -> PagePrinter {
        PagePrinter(program.planned, place.options(for: number, of: program.planned))
    }

    /// Keeps the pictures of a page, those of the network among them, and the sheet of its program.
    ///
    /// - Returns: the names of the pictures, sorted.
    @discardableResult
    func keep(_ own: [String: [UInt8]]) -> [String] {
        let (sheet, fetched) = (program.planned.sheet, pictures.names)
        files.add(own.merging([sheet.file: sheet.bytes]) { first, _ in first }, keeping: fetched)
        return Set(own.keys).union(fetched).sorted()
    }

    /// The present view, and the line about it. A viewing that has grown too large ends.
    func present() async -> (View, LiveStatus) {
        let snapshot = await widget.snapshot()
        if source.opensAddresses { await open(await widget.takeAddresses(), isTouched: false) }
        sizeCountdown -= 1
        if sizeCountdown < 0 { await measure(snapshot.view) }
        widen(for: snapshot.place.revealed, in: snapshot.view)
        let lost = isOpening && snapshot.isLinkLost ? snapshot.view.words[.linkLost] : nil
        let sentences = [beginning, lost].compactMap { $0 }
        let reason = sentences.isEmpty ? nil : sentences.joined(separator: " ")
        var status = LiveStatus(snapshot, beginning: reason, address: address)
        if place.bench != nil { status.findings = source.findings(in: snapshot.view) }
        return (pictured(snapshot.view), status)
    }

    /// Ends a viewing that has grown too large by acts, even if its page is not asked for.
    private func grow(by byteCount: Int) async {
        unmeasuredByteCount += byteCount
        sizeCountdown -= 1
        guard sizeCountdown < 0 || unmeasuredByteCount > limits.viewingByteCount / 8, ending == nil else { return }
        await measure(await widget.snapshot().view)
    }

    private func measure(_ view: View) async {
        let viewSize = ViewingSize.byteCount(of: view)
        history.keep(viewByteCount: viewSize)
        let size = viewSize + ViewingSize.byteCount(of: await widget.store)
        (sizeCountdown, unmeasuredByteCount) = (Viewing.sizeInterval + size / Viewing.bytesPerView, 0)
        guard size > limits.viewingByteCount else { return }
        await end(.tooLarge(limit: limits.viewingByteCount))
    }

    // MARK: - Acts

    /// Takes a batch of events, `[serial, [event…]]`. One that was taken before is not taken again.
    package func act(_ body: [UInt8]) async -> LiveOutcome {
        guard ending == nil else { return .refused(.over) }
        do throws(LiveRefusal) {
            let (serial, events) = try LiveEvent.batch(body, limits)
            return await act(serial, events, body.count)
        } catch {
            return .refused(error)
        }
    }

    private func act(_ serial: Int, _ events: [LiveEvent], _ byteCount: Int) async -> LiveOutcome {
        guard !turns.isFull else { return .refused(.tooFast(retryAfter: 1)) }
        return await turns.turn {
            guard ending == nil else { return .refused(.over) }
            guard serial > lastSerial else { return .taken }
            if let wait = allowance.take(max(events.count, 1), at: clock.now) {
                return .refused(.tooFast(retryAfter: wait))
            }
            lastSerial = serial
            awaiting.end()
            if events.contains(where: { if case .input = $0 { false } else { true } }) {
                (beginning, isOpening) = (nil, false)
            }
            await forgetSentences()
            await carryOut(events, hasScript: true)
            owesFocus = await widget.formRefusal != nil
            await flush()
            await grow(by: byteCount)
            return .taken
        }
    }

    /// Takes the form of a page without script: its fields, then its files, then its button.
    package func post(_ form: LiveForm) async -> LiveOutcome {
        guard ending == nil else { return .refused(.over) }
        guard form.fields.count + form.files.count <= limits.fieldCount else {
            return .refused(.malformed("A form has at most \(limits.fieldCount) fields."))
        }
        let reading = FormReading(form)
        let button: LiveEvent?
        do throws(LiveRefusal) { button = try reading.button() } catch { return .refused(error) }
        guard !turns.isFull else { return .refused(.tooFast(retryAfter: 1)) }
        return await turns.turn { await carryOut(reading, button, form.byteCount) }
    }

    private func carryOut(_ reading: FormReading, _ button: LiveEvent?, _ byteCount: Int) async -> LiveOutcome {
        guard ending == nil else { return .refused(.over) }
        let now = await widget.snapshot().view
        let shown = reading.number.flatMap { history[$0] }
        let options = printer(for: history.lastNumber).options
        let inputs = reading.inputs(
            since: shown?.page.view ?? now, shown?.page.windows ?? windows, options.rowLimit, options.shownRowCount)
        let count = inputs.count + reading.files.count + (button == nil ? 0 : 1)
        let cost = min(max(count, 1), Int(limits.eventBurst))
        if let wait = allowance.take(cost, at: clock.now) { return .refused(.tooFast(retryAfter: wait)) }
        (beginning, isOpening) = (nil, false)
        awaiting.endRefreshes()
        await forgetSentences()
        await carryOut(inputs, hasScript: false)
        for (key, file) in reading.files where now.node(key) != nil {
            let isFilm = file.contentType.hasPrefix("video/")
            let media = Media(
                fileName: file.name, bytes: file.bytes, contentType: file.contentType, isFilm: isFilm)
            await widget.send(.pick(key, media))
        }
        if button == .enter {
            let view = await widget.snapshot().view
            let changed = Set(inputs.compactMap { $0.key })
            if let event = FormReading.enter(in: view, changed: changed) { await carryOut([event], hasScript: false) }
        } else if let button {
            await carryOut([button], hasScript: false)
        }
        await flush()
        await grow(by: byteCount)
        return .taken
    }

    /// Ends the sentences about the act before.
    private func forgetSentences() async {
        address = nil
        await widget.forgetNotice()
    }

    /// Sends events to the widget. Those about elements that are gone are ignored: the page will show that.
    private func carryOut(_ events: [LiveEvent], hasScript: Bool) async {
        for case .back(let depth) in events {
            let isThere = await widget.goBack(to: depth)
            owesPlace = owesPlace || !isThere
        }
        for case .look(let kind, let word) in events where place.bench?.choose(word, of: kind) ?? false {
            isTurned = hasScript
        }
        let keys = Set(events.compactMap { $0.key })
        guard !keys.isEmpty else { return }
        let view = await widget.snapshot().view
        let buttons = Set(view.alerts.flatMap { $0.buttons }.map { $0.key })
        var nodes: [ViewKey: ViewNode] = [:]
        for node in elements.nodes(keys.subtracting(buttons), of: view) { nodes[node.key] = node }
        for event in events {
            guard ending == nil, let key = event.key else { continue }
            let node = nodes[key]
            guard node != nil || buttons.contains(key) else { continue }
            if case .more(_, let count) = event {
                if let node, let first = widen(node, to: count), !hasScript { rowBefore = first }
                continue
            }
            guard let act = event.event(at: node) else { continue }
            if hasScript, case .input(_, let value) = act { history.type(value, into: key) }
            guard source.opensAddresses else {
                await widget.send(act)
                continue
            }
            let (earlier, answers) = await widget.perform(act)
            await open(earlier, isTouched: false)
            await open(answers, isTouched: true)
        }
    }

    /// Opens the addresses that the widget wants, or remembers the last one that a person may follow.
    private func open(_ requests: [HostRequest], isTouched: Bool) async {
        for request in requests {
            guard case .open(let wanted) = request, !(await source.open(wanted, isTouched: isTouched)) else { continue }
            address = request.address ?? address
        }
    }

    /// The elements that the page has.
    var elements: ControlWalk {
        let options = printer(for: history.lastNumber).options
        return ControlWalk(windows: windows, rowLimit: options.rowLimit, rowCount: options.shownRowCount)
    }

    /// Shows more rows of a list.
    ///
    /// - Returns: the first row that it has shown, if its end stays in sight and rows come before it now.
    private func widen(_ list: ViewNode, to count: Int) -> ViewKey? {
        guard list.kind == .list || list.kind == .grid else { return nil }
        // A list that has become a long one shows more rows than usual.
        let now = max(windows[list.key] ?? limits.windowStep, history.last?.page.windows[list.key] ?? 0)
        // Asked again for rows that are there, as after Back, it shows no more of them.
        guard count > now, now < list.children.count else { return nil }
        if windows[list.key] == nil, windows.count >= limits.windowCount { windows = [:] }
        windows[list.key] = min(count, now + limits.windowStep)
        guard list.keepsEnd else { return nil }
        return list.children.filter { ControlWalk.isRow($0, of: list) }.suffix(now).first?.key
    }

    /// Shows enough rows of a long list for the one that was revealed, once.
    private func widen(for revealed: RevealedPlace?, in view: View) {
        guard let revealed, revealed.number > widenedNumber else { return }
        view.visit { node in
            guard node.kind == .list || node.kind == .grid, node.children.count > limits.windowStep else { return true }
            let rows = node.children.filter { ControlWalk.isRow($0, of: node) }
            guard let place = rows.firstIndex(where: { $0.key.item == revealed.item }) else { return true }
            let count = node.keepsEnd ? rows.count - place : place + 1
            widenedNumber = revealed.number
            if windows.count >= limits.windowCount { windows = [:] }
            windows[node.key] = max(windows[node.key] ?? 0, count)
            return false
        }
    }

    // MARK: - The program

    /// Continues with the present program of its source.
    package func renew() async {
        await turns.turn {
            guard ending == nil else { return }
            let next = source.program
            program = next
            await source.renew(widget)
            await flush()
        }
    }

    /// Continues with the present program, if another one came while the viewing was made.
    func catchUp() async {
        if source.program.planned !== program.planned { await renew() }
    }

    package func warn(_ reason: String, times: Int) async {
        guard ending == nil else { return }
        await widget.refuse(reason, times: times)
    }

    // MARK: - The end

    package func end(_ reason: LiveEnding) async {
        guard ending == nil else { return }
        ending = reason
        listening?.cancel()
        later?.cancel()
        stream = nil
        pictures.end()
        pictureWaits.end(with: false)
        notify(reason)
        await source.end(widget)
    }
}
