internal import Bytes
internal import JSONText
internal import Surroundings
package import WidgetLive
package import WidgetRender

/// A widget on a page that runs in a cell.
package final class CellViewing: LivePart {
    private struct State {
        var sink: (any PartSink)?
        var isOver = false
        /// Bytes that were written to the stream, and that the cell still counts.
        var unread = 0
        var isWaiting = false
        /// Orders that the cell has not answered.
        var orders = 0
    }

    /// The name of its page.
    let name: String
    /// The digest of the archive of its release.
    package let archive: String
    private let cell: Cell
    private let limits: CellLimits
    private let live: LiveLimits
    private let clock: any Clock
    private let files: LiveFiles
    /// The sheet of its program, and the pictures of its release.
    private let release: LoadedRelease
    private let place: LivePlace
    private let notify: @Sendable (LiveEnding) -> Void
    private let state = Guarded(State())

    init(
        _ name: String, in cell: Cell, of release: LoadedRelease, archive: String, at place: LivePlace,
        _ limits: CellLimits, _ desk: LiveDesk,
        _ notify: @escaping @Sendable (LiveEnding) -> Void
    ) {
        self.name = name
        self.cell = cell
        self.release = release
        self.archive = archive
        self.place = place
        self.limits = limits
        self.notify = notify
        (live, clock, files) = (desk.limits, desk.clock, desk.files)
    }

    /// Begins its widget in the cell, which has a place for it.
    ///
    /// - Returns: false if the bundle lacks the screen that it is to begin with.
    func begin(_ screen: String?, opening link: String?, _ reason: String?) async throws(CellEnd) -> Bool {
        cell.add(self)
        let answer = try await cell.ask("open", within: limits.eventSeconds) { json in
            json.member("viewing", name)
            if let screen { json.member("screen", screen) }
            if let link { json.member("link", link) }
            if let reason { json.member("reason", reason) }
            CellPlace.write(place, to: &json)
        }
        return answer.head["found"]?.boolean ?? true
    }

    private func ask(
        _ what: String, _ body: [UInt8] = [], _ members: (inout JSONWriter) -> Void = { _ in }
    ) async -> CellMessage? {
        let isTaken = state.withLock { state in
            guard !state.isOver, state.orders < limits.waitingOrders else { return false }
            state.orders += 1
            return true
        }
        guard isTaken else { return nil }
        defer { state.withLock { $0.orders -= 1 } }
        do throws(CellEnd) {
            return try await cell.ask(what, body, within: limits.eventSeconds) { json in
                json.member("viewing", name)
                members(&json)
            }
        } catch {
            // The end of the cell ends its viewings, with its reason.
            return nil
        }
    }

    // MARK: - Pages

    package func printed() async throws(LiveRefusal) -> PrintedPart {
        guard let answer = await ask("page"), let part = CellAnswers.part(answer, at: place, release.sheet.name)
        else { throw refusal }
        files.add([release.sheet.name: release.sheet.bytes])
        return part
    }

    /// Says what its widget is made of, as a document of JSON; `nil` if it is over, or if too much waits for it.
    package func inspection(_ options: PageOptions) async -> [UInt8]? {
        let answer = await ask("inspect") { CellPlace.write(options, to: &$0) }
        guard let answer, answer.text("outcome") == "inspected" else { return nil }
        return answer.body
    }

    /// The reason why an order was not carried out.
    private var refusal: LiveRefusal { state.withLock { $0.isOver } ? .over : .tooFast(retryAfter: 1) }

    package func sheet(_ number: Int) async -> String? {
        guard let answer = await ask("sheet", [], { $0.member("number", number) }),
            answer.head["found"]?.boolean == true
        else { return nil }
        return String(decoding: answer.body, as: UTF8.self)
    }

    package func file(_ name: String) async -> [UInt8]? { release.files[name] }

    // MARK: - Acts

    package func act(_ body: [UInt8]) async -> LiveOutcome {
        guard body.count <= live.batchByteCount else { return .refused(.malformed("A batch has at most 1 MB.")) }
        return await ask("act", body).map(CellAnswers.outcome) ?? .refused(refusal)
    }

    package func post(_ form: LiveForm) async -> LiveOutcome {
        return await ask("post", CellForm.bytes(of: form)) { CellForm.write(form, to: &$0) }
            .map(CellAnswers.outcome) ?? .refused(refusal)
    }

    // MARK: - The stream

    package func follow(after number: Int?, _ sink: any PartSink) async {
        let isOver = state.withLock { state in
            if !state.isOver { (state.sink, state.unread) = (sink, 0) }
            return state.isOver
        }
        guard !isOver else { return }
        cell.tell("follow") { json in
            json.member("viewing", name)
            if let number { json.member("after", number) }
        }
    }

    package func unfollow(_ sink: any PartSink) async {
        let isCurrent = state.withLock { state in
            guard state.sink === sink else { return false }
            state.sink = nil
            return true
        }
        if isCurrent { cell.tell("unfollow") { $0.member("viewing", name) } }
    }

    /// Passes on a change. The cell is notified when the browser has room for another one.
    func take(_ number: Int, _ operations: [UInt8]) {
        // What follows a line end would be read as another event.
        guard !operations.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            return cell.kill(.fault("a change has several lines"))
        }
        let (sink, isFlood) = state.withLock { state in
            defer { state.unread += operations.count }
            return (state.sink, state.unread > CellLimits.messageByteCount)
        }
        // A cell of ours waits for the reader after fewer bytes.
        if isFlood { return cell.kill(.fault("it sends more than is read")) }
        guard let sink else { return }
        sink.write(number, operations)
        readOn()
    }

    private func readOn() {
        let (count, waits) = state.withLock { state -> (Int, Bool) in
            guard let sink = state.sink, state.unread > 0, !state.isWaiting else { return (0, false) }
            guard sink.pendingByteCount < live.pendingByteCount else {
                state.isWaiting = true
                return (0, true)
            }
            defer { state.unread = 0 }
            return (state.unread, false)
        }
        if count > 0 {
            cell.tell("read") { json in
                json.member("viewing", name)
                json.member("bytes", count)
            }
        }
        guard waits else { return }
        LiveThreads.begin { [weak self, clock, live] in
            await clock.sleep(for: live.retryPause)
            guard let self else { return }
            state.withLock { $0.isWaiting = false }
            readOn()
        }
    }

    // MARK: - The end

    package func end(_ reason: LiveEnding) async {
        guard finish(reason) else { return }
        cell.tell("end") { $0.member("viewing", name) }
    }

    /// Ends the page, whose widget has ended.
    ///
    /// - Returns: false if it had ended before.
    @discardableResult
    func finish(_ reason: LiveEnding) -> Bool {
        let isFirst = state.withLock { state in
            defer { (state.isOver, state.sink) = (true, nil) }
            return !state.isOver
        }
        guard isFirst else { return false }
        cell.remove(name)
        notify(reason)
        return true
    }
}
