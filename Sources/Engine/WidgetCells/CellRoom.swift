internal import Bytes
internal import Files
internal import JSONText
internal import Predicates
internal import Processes
internal import Surroundings
internal import WidgetBundles
internal import WidgetCore
internal import WidgetHosting
internal import WidgetLive
internal import WidgetRender
internal import WidgetRunning

/// The inside of a cell: the widgets of one bundle, and their viewings.
final class CellRoom: Sendable {
    private struct State {
        var viewings: [String: (viewing: Viewing, sink: CellSink)] = [:]
        /// The last piece of work of each viewing. Its orders are carried out one after the other.
        var work: [String: Task<Void, Never>] = [:]
        var source: CellWidgets?
    }

    private let channel: CellChannel
    private let network: CellNetwork
    private let limits: LiveLimits
    private let world: World
    private let files = LiveFiles(byteLimit: 8 << 20)
    private let state = Guarded(State())
    private let reviewer: (any CellReviewer)?
    /// False in a cell that may look at bundles alone.
    private let runsWidgets: Bool

    init(_ channel: CellChannel, reviewer: (any CellReviewer)?, runsWidgets: Bool, in world: World) {
        self.channel = channel
        self.world = world
        self.reviewer = reviewer
        self.runsWidgets = runsWidgets
        network = CellNetwork(channel)
        var limits = LiveLimits()
        // The host knows who is idle, and beats the streams.
        (limits.idleWithoutStream, limits.idleWithStream) = (.infinity, .infinity)
        self.limits = limits
    }

    /// Carries out an order. What takes time is done by tasks.
    ///
    /// - Parameter archive: the descriptor that came before the order, if one did.
    func take(_ order: CellMessage, _ archive: consuming FileDescriptor?) {
        switch order.text("do") {
        case "here": answer(order)
        case "review": review(order, archive)
        case _ where !runsWidgets: fault("it reviews bundles, and runs none")
        case "load": load(order, archive)
        case "rewrite": rewrite(order, archive)
        case "pictures": state.withLock { $0.source }?.pictures.set(order.head["pictures"]?.array ?? [])
        case "still": work(order) { room in await room.still(order) }
        case "open": work(order) { room in await room.open(order) }
        case "page": work(order) { room in await room.page(order) }
        case "sheet": work(order) { room in await room.sheet(order) }
        case "act": work(order) { room in await room.act(order) }
        case "post": work(order) { room in await room.post(order) }
        case "follow": work(order) { room in await room.follow(order) }
        case "unfollow": work(order) { room in await room.unfollow(order) }
        case "end": work(order) { room in await room.end(order) }
        case "inspect": work(order) { room in await room.inspect(order) }
        // Not after other work: more is written only when this has come.
        case "read": state.withLock { $0.viewings[order.text("viewing") ?? ""]?.sink }?.noteRead(order.integer("bytes"))
        case "answer": network.take(order)
        default: fault("an order is unknown")
        }
    }

    private func work(_ order: CellMessage, _ body: @escaping @Sendable (CellRoom) async -> Void) {
        let name = order.text("viewing") ?? ""
        state.withLock { state in
            let before = state.work[name]
            state.work[name] = LiveThreads.begin { [self] in
                await before?.value
                begin(order)
                await body(self)
            }
        }
    }

    /// Says that an order has waited behind others until now, so that the host's time for it begins.
    private func begin(_ order: CellMessage) {
        guard let number = order.number else { return }
        channel.send(CellMessage.bytes { $0.member("begun", number) })
    }

    /// Ends the channel: an order that this program does not understand is a mistake of the host.
    private func fault(_ reason: String) {
        channel.send(CellMessage.bytes { $0.member("fault", reason) })
        channel.close()
    }

    private func answer(
        _ order: CellMessage, _ body: [UInt8] = [], _ members: (inout JSONWriter) -> Void = { _ in }
    ) {
        guard let number = order.number else { return }
        channel.send(
            CellMessage.bytes(body) { json in
                json.member("n", number)
                members(&json)
            })
    }

    // MARK: - The bundle

    private func load(_ order: CellMessage, _ archive: consuming FileDescriptor?) {
        guard let archive else { return fault("an archive to load is missing") }
        begin(order)
        do throws(WidgetError) {
            let opened = try CellRoom.opened(archive)
            let program = try BundleReading.program(
                of: opened, identifier: order.text("identifier"), entryPoint: order.text("entry") ?? "Main",
                locale: order.text("locale") ?? "")
            let isGranted = order.head["network"]?.boolean ?? false
            var environment = Environment(seed: world.chance.next())
            environment.locale = order.text("locale").flatMap { $0.isEmpty ? nil : $0 } ?? environment.locale
            let source = CellWidgets(
                program, environment: environment,
                network: isGranted ? network : DeniedNetwork(), world.clock)
            state.withLock { $0.source = source }
            let sheet = source.program.planned.sheet
            answer(order, sheet.bytes) { json in
                json.member("sheet", sheet.file)
                json.key("screens")
                json.array { json in for name in program.entries.keys.sorted() { json.string(name) } }
                json.key("findings")
                json.array { json in
                    for finding in program.diagnostics.prefix(CellRoom.findingCount) {
                        CellRoom.write(finding, to: &json)
                    }
                }
            }
        } catch {
            answer(order) { json in
                json.key("refused")
                if let first = error.faults.first {
                    CellRoom.write(first, to: &json)
                } else {
                    json.object { $0.member("message", "\(error)") }
                }
            }
        }
    }

    private static let findingCount = 50

    private static func write(_ diagnostic: Diagnostic, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", diagnostic.message)
            if let place = diagnostic.place {
                json.member("file", place.file)
                json.member("line", place.line)
                json.member("column", place.column)
            }
        }
    }

    private static func opened(_ archive: consuming FileDescriptor) throws(WidgetError) -> CanonicalBundle {
        do {
            return try CanonicalBundle(canonical: archive)
        } catch {
            throw .bundle(error)
        }
    }

    private func rewrite(_ order: CellMessage, _ archive: consuming FileDescriptor?) {
        guard let archive else { return fault("an archive to read is missing") }
        begin(order)
        do throws(WidgetError) {
            var rewriting = CellPictureRewriting(
                try BundlePictures(of: try CellRoom.opened(archive)), byteLimit: order.integer("bytes") ?? 0,
                countLimit: order.integer("count") ?? 0)
            rewriting.run { channel.send($0) }
            answer(order)
        } catch {
            answer(order) { $0.member("refused", "\(error)") }
        }
    }

    /// Has the program's own reviewer look at the bundle, and sends what it finds.
    private func review(_ order: CellMessage, _ archive: consuming FileDescriptor?) {
        guard let archive, let reviewer else { return fault("there is nothing to review") }
        begin(order)
        reviewer.review(archive, order.text("question") ?? "") { [channel] piece in
            channel.send(
                CellMessage.bytes(piece.bytes) { json in
                    json.member("piece", piece.name)
                    json.member("kind", piece.kind)
                })
        }
        answer(order)
    }

    // MARK: - Viewings

    private func viewing(_ order: CellMessage) -> Viewing? {
        state.withLock { $0.viewings[order.text("viewing") ?? ""]?.viewing }
    }

    private func open(_ order: CellMessage) async {
        guard let source = state.withLock({ $0.source }), let name = order.text("viewing"),
            let place = try? CellPlace.place(order)
        else { return fault("there is nothing to open") }
        let sink = CellSink(name, channel)
        guard let widget = source.widget(order.text("screen")) else {
            return answer(order) { $0.member("found", false) }
        }
        let viewing = Viewing(of: source, widget, at: place, limits, world.clock, files) {
            [weak self, channel] ending in
            self?.forget(name)
            channel.send(
                CellMessage.bytes { json in
                    json.member("over", name)
                    CellAnswers.write(ending, to: &json)
                })
        }
        await viewing.begin(order.text("reason"), opening: order.text("link"))
        state.withLock { $0.viewings[name] = (viewing, sink) }
        answer(order)
    }

    private func page(_ order: CellMessage) async {
        guard let viewing = viewing(order) else { return answer(order) { CellAnswers.write(.over, to: &$0) } }
        await viewing.ready()
        let page: PrintedPart
        do throws(LiveRefusal) { page = try await viewing.printed() } catch {
            return answer(order) { CellAnswers.write(error, to: &$0) }
        }
        guard page.html.count <= CellLimits.messageByteCount else {
            await viewing.end(.tooLarge(limit: CellLimits.messageByteCount))
            return answer(order) { CellAnswers.write(.over, to: &$0) }
        }
        answer(order, page.html) { CellAnswers.write(page, to: &$0) }
    }

    private func sheet(_ order: CellMessage) async {
        let sheet = await viewing(order)?.sheet(order.integer("number") ?? 0)
        answer(order, Array((sheet ?? "").utf8)) { $0.member("found", sheet != nil) }
    }

    private func act(_ order: CellMessage) async {
        let outcome = await viewing(order)?.act(order.body) ?? .refused(.over)
        answer(order) { CellAnswers.write(outcome, to: &$0) }
    }

    private func post(_ order: CellMessage) async {
        guard let form = CellForm.form(order) else { return fault("a form has another shape") }
        let outcome = await viewing(order)?.post(form) ?? .refused(.over)
        answer(order) { CellAnswers.write(outcome, to: &$0) }
    }

    private func follow(_ order: CellMessage) async {
        guard let (viewing, sink) = state.withLock({ $0.viewings[order.text("viewing") ?? ""] }) else { return }
        sink.begin()
        await viewing.follow(after: order.integer("after"), sink)
    }

    private func unfollow(_ order: CellMessage) async {
        guard let (viewing, sink) = state.withLock({ $0.viewings[order.text("viewing") ?? ""] }) else { return }
        await viewing.unfollow(sink)
    }

    private func end(_ order: CellMessage) async {
        let viewing = forget(order.text("viewing") ?? "")
        await viewing?.end(.left)
        answer(order)
    }

    /// Keeps nothing of a viewing that has ended.
    @discardableResult
    private func forget(_ name: String) -> Viewing? {
        state.withLock { state in
            state.work[name] = nil
            return state.viewings.removeValue(forKey: name)?.viewing
        }
    }

    // MARK: - Inspection

    /// Says what a widget is made of: one of a viewing, or one that was started and not touched.
    private func inspect(_ order: CellMessage) async {
        guard let source = state.withLock({ $0.source }), let options = try? CellPlace.options(order) else {
            return fault("there is nothing to inspect")
        }
        let found: (instance: WidgetInstance, view: View)?
        if order.text("viewing") == nil {
            found = source.started(order.text("screen"))
        } else {
            found = await viewing(order)?.inspected()
        }
        guard let found else { return answer(order) { $0.member("outcome", "over") } }
        let inspection = CellInspection(found.instance, found.view, options.viewport, world.clock)
        answer(order, inspection.document()) { $0.member("outcome", "inspected") }
    }

    // MARK: - Stills

    /// Prints a screen that cannot be touched, of a widget that asks no server.
    private func still(_ order: CellMessage) async {
        guard let source = state.withLock({ $0.source }), let options = try? CellPlace.options(order) else {
            return fault("there is nothing to print")
        }
        guard let page = source.page(order.text("screen"), options, order) else {
            return answer(order) { $0.member("outcome", "over") }
        }
        guard page.html.count <= CellLimits.messageByteCount else {
            return answer(order) { json in
                json.key("refused")
                json.object { json in
                    let (size, most) = (page.html.count, CellLimits.messageByteCount)
                    json.member(
                        "message",
                        "its first page has \(ByteCountText.of(size)), and may have \(ByteCountText.of(most))")
                }
            }
        }
        answer(order, page.html) { json in
            json.member("title", page.title)
            json.member("sheet", page.sheet)
        }
    }
}
