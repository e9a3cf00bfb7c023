internal import Bytes
package import Surroundings
internal import WidgetRender

/// A page of one person with several widgets: a viewing for each of them, and one stream for all.
package actor PageGroup: LiveViewing {
    private struct Part {
        let viewing: any LiveViewing
        let generation: Int
    }

    package nonisolated let name: String
    package nonisolated let use: ViewingUse
    package nonisolated let clock: any Clock
    package nonisolated let limits: LiveLimits
    package nonisolated let files: LiveFiles
    private let source: any GroupSource
    private let printer: any GroupPrinter
    private let address: String
    private let place: @Sendable (GroupSlot) -> LivePlace
    private let notify: @Sendable (LiveEnding) -> Void
    private var parts: [String: Part] = [:]
    private var moments: [(number: Int, moment: GroupMoment)] = []
    private var stream: (joined: GroupStream, base: GroupMoment?)?
    private var listening: Task<Void, Never>?
    private var ending: LiveEnding?
    private var isBusy = false
    private var turns: [CheckedContinuation<Void, Never>] = []

    /// Requests that wait for one another; more of them are too many.
    private static let turnLimit = 32

    /// - Parameters:
    ///   - address: of its page.
    ///   - place: the place of a widget's pages, by its slot.
    ///   - notify: called when it has ended.
    package init(
        _ name: String, of source: any GroupSource, _ printer: any GroupPrinter, at address: String, _ desk: LiveDesk,
        place: @escaping @Sendable (GroupSlot) -> LivePlace,
        _ notify: @escaping @Sendable (LiveEnding) -> Void
    ) {
        self.name = name
        self.source = source
        self.printer = printer
        self.address = address
        self.place = place
        self.notify = notify
        (limits, clock, files) = (desk.limits, desk.clock, desk.files)
        use = ViewingUse(desk.limits, desk.clock)
    }

    package func begin() {
        let changes = source.changes
        listening = LiveThreads.begin { [weak self] in
            for await _ in changes { await self?.slotsHaveChanged() }
        }
    }

    // MARK: - Turns

    private func enter() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { turns.append($0) }
    }

    private func leave() {
        if turns.isEmpty { isBusy = false } else { turns.removeFirst().resume() }
    }

    // MARK: - Its widgets

    /// The viewing of one widget.
    package func part(_ letter: String) async -> (any LiveViewing)? {
        use.touch()
        return parts[letter]?.viewing
    }

    /// Ends the viewings of widgets that are gone, and makes those of new ones.
    private func follow(_ moment: GroupMoment) async {
        var wanted: [String: (generation: Int, slot: GroupSlot)] = [:]
        for slot in moment.slots {
            if case .running(let generation) = slot.phase { wanted[slot.letter] = (generation, slot) }
        }
        for (letter, part) in parts where wanted[letter]?.generation != part.generation {
            parts[letter] = nil
            stream?.joined.detach(letter)
            await part.viewing.end(.left)
        }
        for (letter, wish) in wanted where parts[letter] == nil {
            let viewing = await source.viewing(of: letter, on: self, at: place(wish.slot))
            parts[letter] = viewing.map { Part(viewing: $0, generation: wish.generation) }
        }
    }

    // MARK: - Pages

    package func reasonForNoPage() -> LiveRefusal { ending == nil ? .tooFast(retryAfter: 1) : .over }

    package func page() async -> LivePage? {
        guard turns.count < PageGroup.turnLimit else { return nil }
        await enter()
        defer { leave() }
        guard ending == nil else { return nil }
        use.touch()
        let moment = await source.moment()
        await follow(moment)
        var widgets: [String: LivePage] = [:]
        for (letter, part) in parts { widgets[letter] = await part.viewing.page() }
        let number = number(of: moment)
        let position = GroupPosition(number, widgets.mapValues(\.number))
        return LivePage(number: number, html: printer.page(moment, widgets, at: address, position), sheet: "")
    }

    /// The sheets are those of its widgets.
    package func sheet(_ number: Int) -> String? { nil }

    package func file(_ name: String) async -> [UInt8]? {
        for part in parts.values {
            if let bytes = await part.viewing.file(name) { return bytes }
        }
        return nil
    }

    private func number(of moment: GroupMoment) -> Int {
        if let last = moments.last, last.moment == moment { return last.number }
        let number = (moments.last?.number ?? 0) + 1
        moments.append((number, moment))
        if moments.count > max(limits.moments, 1) { moments.removeFirst() }
        return number
    }

    // MARK: - Acts

    /// Acts are those of its widgets.
    package func act(_ body: [UInt8]) -> LiveOutcome {
        .refused(.malformed("An act on a page with several widgets names the widget."))
    }

    package func post(_ form: LiveForm) -> LiveOutcome { act([]) }

    /// Gives a slot the focus of the page.
    package func focus(_ letter: String) {
        guard let joined = stream?.joined else { return }
        joined.write([(letter, [.focus(GroupSlot.id(letter))])], at: joined.position.number, [:])
    }

    // MARK: - The stream

    /// A page with several widgets has no number, so all of it is sent.
    package func follow(after number: Int?, _ sink: any LiveSink) async { await follow(at: nil, sink) }

    package func follow(at position: String?, _ sink: any LiveSink) async {
        await enter()
        defer { leave() }
        guard ending == nil else { return sink.end(isOver: true) }
        stream?.joined.sink.end(isOver: false)
        let known = position.flatMap { GroupPosition($0) }
        let base = moments.last { $0.number == known?.number }?.moment
        let joined = GroupStream(sink, at: base == nil ? GroupPosition(0) : known ?? GroupPosition(0))
        stream = (joined, base)
        use.touch(hasStream: true)
        use.setBeat()
        await flush()
    }

    package func unfollow(_ sink: any LiveSink) async {
        guard let joined = stream?.joined, joined.sink === sink else { return }
        stream = nil
        use.touch(hasStream: false)
        for part in joined.parts { await part.viewing.unfollow(part) }
    }

    private func slotsHaveChanged() async {
        await enter()
        defer { leave() }
        await flush()
    }

    /// Writes what has changed about the slots, and has the viewings of their widgets write the rest.
    private func flush() async {
        guard ending == nil, let joined = stream?.joined else { return }
        let moment = await source.moment()
        await follow(moment)
        guard let base = stream, base.joined === joined else { return }
        var changes: [(letter: String, operations: [PageOperation])] = []
        var views: [String: Int] = [:]
        for slot in moment.slots {
            let known = base.base?.slots.first { $0.letter == slot.letter }
            if let known, slot.isShown(as: known) {
                guard known.note != slot.note else { continue }
                changes.append((slot.letter, [.set(slot.noteID, [PageProperty("text", .text(slot.note))])]))
            } else {
                let page = await parts[slot.letter]?.viewing.page()
                views[slot.letter] = page?.number
                changes.append(
                    (slot.letter, [.replace(slot.id, html: printer.slot(slot, page, at: address))]))
            }
        }
        if let first = moment.slots.first?.letter {
            if base.base?.announcement != moment.announcement, !moment.announcement.isEmpty {
                let said = PageProperty("text", .text(moment.announcement))
                changes.append((first, [.set(GroupSlot.announcementID, [said])]))
            }
        }
        joined.write(PageGroup.merged(changes), at: number(of: moment), views)
        // Of its slot, so that a page knows whether the focus is in it.
        let moves = PageGroup.moves(from: base.base?.slots.map(\.letter), to: moment.slots.map(\.letter))
        joined.write(moves.map { ($0.letter, [$0.operation]) }, at: number(of: moment), [:])
        stream?.base = moment
        for (letter, part) in parts {
            guard let sink = joined.attach(letter, part.viewing) else { continue }
            await part.viewing.follow(after: joined.position.views[letter], sink)
        }
    }

    /// The operations that bring slots into another order. A slot that comes later stays where it is, and those behind it
    /// are moved before it, so that the button *Later* in it keeps its focus.
    ///
    /// - Parameter old: `nil` if it is unknown.
    static func moves(from old: [String]?, to new: [String]) -> [(letter: String, operation: PageOperation)] {
        func move(_ letter: String, before next: String?) -> (String, PageOperation) {
            (letter, .move(GroupSlot.id(letter), into: GroupSlot.listID, before: next.map { GroupSlot.id($0) }))
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

    package func end(_ reason: LiveEnding) async {
        guard ending == nil else { return }
        ending = reason
        listening?.cancel()
        stream?.joined.sink.end(isOver: true)
        stream = nil
        notify(reason)
        for part in parts.values { await part.viewing.end(reason) }
        parts = [:]
    }
}
