internal import WidgetBytes
internal import WidgetRender
package import WidgetSurroundings

/// A whole page, and its place in the address.
package struct ShownPage: Sendable {
    package var html: [UInt8]
    /// The link of the widget that leads to its screen; `nil` for one that no link can name.
    package var link: String?
    /// The name of an element that was revealed and that no page has shown yet.
    package var anchor: String?
}

/// A page of one person: a part for each of its widgets, and one stream for all.
package actor LivePage {
    private struct Part {
        let part: any LivePart
        let generation: Int
    }

    /// 32 hexadecimal digits, known to its viewer alone.
    package nonisolated let name: String
    package nonisolated let use: PageUse
    package nonisolated let clock: any Clock
    package nonisolated let limits: LiveLimits
    package nonisolated let files: LiveFiles
    /// True if its widgets have frames that can be arranged.
    package nonisolated let hasSlots: Bool
    private let source: any PageSource
    private let printer: any LivePagePrinter
    private let address: String
    private let notify: @Sendable (LiveEnding) -> Void
    private var parts: [String: Part] = [:]
    private var moments: [(number: Int, moment: PageArrangement)] = []
    private var stream: (joined: JoinedStream, base: PageArrangement?)?
    private var listening: Task<Void, Never>?
    private var ending: LiveEnding?
    private var allowance: EventAllowance
    private var later: Task<Void, Never>?
    private let turns = TurnQueue()

    /// - Parameters:
    ///   - address: of the page.
    ///   - notify: called when it has ended.
    package init(
        _ name: String, of source: any PageSource, _ printer: any LivePagePrinter, at address: String,
        _ desk: LiveDesk, _ notify: @escaping @Sendable (LiveEnding) -> Void
    ) {
        self.name = name
        self.source = source
        self.printer = printer
        self.address = address
        self.notify = notify
        (limits, clock, files) = (desk.limits, desk.clock, desk.files)
        hasSlots = printer.hasSlots
        allowance = EventAllowance(desk.limits, at: desk.clock.now)
        use = PageUse(desk.limits, desk.clock)
    }

    package func begin() async {
        let changes = source.changes
        await turns.turn { await follow(await source.moment()) }
        listening = LiveThreads.begin { [weak self] in
            for await _ in changes { await self?.slotsHaveChanged() }
        }
    }

    // MARK: - Its widgets

    /// The part with one widget; `nil` if the page has none of that letter.
    package func part(_ letter: String) -> (any LivePart)? {
        use.touch()
        return parts[letter]?.part
    }

    /// Has its widgets continue with the present program of their source.
    package func renew(_ source: any LiveSource) async {
        for viewing in viewings(of: source) { await viewing.renew() }
    }

    /// Shows why the program of a source was not replaced.
    package func warn(_ source: any LiveSource, _ reason: String, times: Int) async {
        for viewing in viewings(of: source) { await viewing.warn(reason, times: times) }
    }

    /// Has its widgets continue with the present programs, if others came while the page was made.
    package func catchUp() async {
        for case let viewing as Viewing in parts.values.map({ $0.part }) { await viewing.catchUp() }
    }

    private func viewings(of source: any LiveSource) -> [Viewing] {
        parts.values.compactMap { $0.part as? Viewing }.filter { $0.source === source }
    }

    /// Ends the parts of widgets that are gone, and makes those of new ones.
    private func follow(_ moment: PageArrangement) async {
        var wanted: [String: (generation: Int, slot: PageSlot)] = [:]
        for slot in moment.slots {
            if case .running(let generation) = slot.phase { wanted[slot.letter] = (generation, slot) }
        }
        for (letter, part) in parts where wanted[letter]?.generation != part.generation {
            parts[letter] = nil
            stream?.joined.detach(letter)
            await part.part.end(.left)
        }
        for (letter, wish) in wanted where parts[letter] == nil {
            let part = await source.part(letter, of: self, at: printer.place(wish.slot, on: address))
            // The page may have ended meanwhile, and nothing would end this part.
            guard ending == nil else {
                await part?.end(.left)
                return
            }
            parts[letter] = part.map { Part(part: $0, generation: wish.generation) }
        }
    }

    // MARK: - Pages

    /// The whole page of now.
    package func printed() async throws(LiveRefusal) -> [UInt8] { try await whole().html }

    /// The whole page of now, and its place in the address.
    package func whole() async throws(LiveRefusal) -> ShownPage {
        await ready()
        // Asked after the wait, which many may have shared.
        guard !turns.isFull else { throw .tooFast(retryAfter: 1) }
        return try await turns.turn { () throws(LiveRefusal) in
            guard ending == nil else { throw .over }
            use.touch()
            let moment = await source.moment()
            await follow(moment)
            var widgets: [String: PrintedPart] = [:]
            var refusal = LiveRefusal.over
            for (letter, part) in parts {
                do throws(LiveRefusal) {
                    widgets[letter] = try await part.part.printed()
                } catch {
                    refusal = error
                }
            }
            let position = PagePosition(number(of: moment), widgets.mapValues { $0.number })
            guard let page = printer.page(moment, widgets, at: address, position) else { throw refusal }
            let anchor = widgets.values.compactMap { $0.anchor }.min()
            return ShownPage(html: page, link: hasSlots ? nil : widgets.values.first?.link, anchor: anchor)
        }
    }

    /// Waits for what its widgets have asked, for all at once. Acts are taken meanwhile.
    private func ready() async {
        await withTaskGroup { group in
            for part in parts.values.map({ $0.part }) { group.addTask { await part.ready() } }
        }
    }

    private func number(of moment: PageArrangement) -> Int {
        if let last = moments.last, last.moment == moment { return last.number }
        let number = (moments.last?.number ?? 0) + 1
        moments.append((number, moment))
        if moments.count > max(limits.moments, 1) { moments.removeFirst() }
        return number
    }

    // MARK: - Acts

    /// Does what a person wants of a slot.
    ///
    /// - Returns: false if the page has no slots that can be arranged.
    package func act(_ act: SlotAct) async throws(LiveRefusal) -> Bool {
        if let wait = allowance.take(1, at: clock.now) { throw .tooFast(retryAfter: wait) }
        use.touch()
        return await source.act(act)
    }

    /// Gives a slot the focus of the page.
    package func focus(_ letter: String) {
        guard let joined = stream?.joined else { return }
        joined.write([(letter, [.focus(PageSlot.id(letter))])], at: joined.position.number, [:])
    }

    // MARK: - The stream

    /// Writes changes to a stream from now on. A stream from before ends.
    ///
    /// - Parameter position: the position of the page, as its stream has named it.
    package func follow(at position: String?, _ sink: any LiveSink) async {
        await turns.turn {
            guard ending == nil else { return sink.end(isOver: true) }
            stream?.joined.sink.end(isOver: false)
            let known = position.flatMap { PagePosition($0) }
            let base = moments.last { $0.number == known?.number }?.moment
            var start = base == nil ? PagePosition(0) : known ?? PagePosition(0)
            // Letters that no widget has would be repeated in every event.
            start.views = start.views.filter { parts[$0.key] != nil }
            stream = (JoinedStream(sink, at: start, use), base)
            use.touch(hasStream: true)
            use.setBeat()
            await flush()
        }
    }

    /// Forgets a stream that its browser has closed.
    package func unfollow(_ sink: any LiveSink) async {
        // Not between the steps of a write, which would give the parts a stream that is gone.
        await turns.turn {
            guard let joined = stream?.joined, joined.sink === sink else { return }
            stream = nil
            use.touch(hasStream: false)
            for part in joined.parts { await part.part.unfollow(part) }
        }
    }

    private func slotsHaveChanged() async { await turns.turn { await flush() } }

    /// Writes what has changed about the slots, and has the parts of their widgets write the rest.
    private func flush() async {
        guard ending == nil, let joined = stream?.joined else { return }
        // A slow reader gets one difference when there is room.
        guard joined.sink.pendingByteCount < limits.pendingByteCount else { return flushLater() }
        let moment = await source.moment()
        await follow(moment)
        guard let base = stream, base.joined === joined else { return }
        let number = number(of: moment)
        if hasSlots {
            let (changes, views) = await changes(from: base.base, to: moment)
            joined.write(LivePage.merged(changes), at: number, views)
            // Of its slot, so that a page knows whether the focus is in it.
            let moves = LivePage.moves(from: base.base?.slots.map { $0.letter }, to: moment.slots.map { $0.letter })
            joined.write(moves.map { ($0.letter, [$0.operation]) }, at: number, [:])
        } else {
            joined.write([], at: number, [:])
        }
        stream?.base = moment
        for (letter, part) in parts {
            guard let sink = joined.attach(letter, part.part) else { continue }
            await part.part.follow(after: joined.position.views[letter], sink)
        }
    }

    private func flushLater() {
        guard later == nil else { return }
        later = LiveThreads.begin { [weak self, clock, limits] in
            await clock.sleep(for: limits.retryPause)
            await self?.retry()
        }
    }

    private func retry() async {
        later = nil
        await slotsHaveChanged()
    }

    /// The changes of the slots but for their order, with the numbers of the views that are in them.
    private func changes(
        from old: PageArrangement?, to moment: PageArrangement
    ) async -> ([(letter: String, operations: [PageOperation])], views: [String: Int]) {
        var changes: [(letter: String, operations: [PageOperation])] = []
        var views: [String: Int] = [:]
        for slot in moment.slots {
            let known = old?.slots.first { $0.letter == slot.letter }
            if let known, slot.isShown(as: known) {
                guard known.note != slot.note else { continue }
                changes.append((slot.letter, [.set(slot.noteID, [PageProperty("text", .text(slot.note))])]))
            } else {
                let page = try? await parts[slot.letter]?.part.printed()
                views[slot.letter] = page?.number
                changes.append(
                    (slot.letter, [.replace(slot.id, html: printer.slot(slot, page, at: address))]))
            }
        }
        if let first = moment.slots.first?.letter, old?.announcement != moment.announcement,
            !moment.announcement.isEmpty
        {
            let said = PageProperty("text", .text(moment.announcement))
            changes.append((first, [.set(PageSlot.announcementID, [said])]))
        }
        return (changes, views)
    }

    /// The operations that bring slots into another order. A slot that comes later stays where it is, and those behind it
    /// are moved before it, so that the button *Later* in it keeps its focus.
    ///
    /// - Parameter old: `nil` if it is unknown.
    static func moves(from old: [String]?, to new: [String]) -> [(letter: String, operation: PageOperation)] {
        func move(_ letter: String, before next: String?) -> (String, PageOperation) {
            (letter, .move(PageSlot.id(letter), into: PageSlot.listID, before: next.map { PageSlot.id($0) }))
        }
        guard var order = old, Set(order) == Set(new) else { return new.map { move($0, before: nil) } }
        var moves: [(letter: String, operation: PageOperation)] = []
        for (place, letter) in new.enumerated() where order[place] != letter {
            guard let from = order.firstIndex(of: letter) else { continue }
            order.remove(at: from)
            moves.append(move(letter, before: order[place]))
            order.insert(letter, at: place)
        }
        return moves
    }

    /// The operations of each letter, in one list: a name is once in an event.
    private static func merged(
        _ changes: [(letter: String, operations: [PageOperation])]
    ) -> [(letter: String, operations: [PageOperation])] {
        var merged: [(letter: String, operations: [PageOperation])] = []
        for change in changes {
            if let place = merged.firstIndex(where: { $0.letter == change.letter }) {
                merged[place].operations += change.operations
            } else {
                merged.append(change)
            }
        }
        return merged
    }

    package func beat() {
        stream?.joined.sink.beat()
        use.setBeat()
    }

    // MARK: - The end

    /// Ends the page, its widgets and its stream.
    package func end(_ reason: LiveEnding = .left) async {
        guard ending == nil else { return }
        ending = reason
        listening?.cancel()
        later?.cancel()
        stream?.joined.sink.end(isOver: true)
        stream = nil
        notify(reason)
        for part in parts.values { await part.part.end(reason) }
        parts = [:]
    }
}
