internal import Addresses
internal import Bytes
package import HTTPServer
package import HTTPWire
internal import Markup
package import WidgetLive
package import WidgetRender

/// Live pages as HTTP sees them: the routes of one source of widgets.
package final class PageService: Sendable {
    private let desk: LiveDesk
    private let source: any LiveSource
    private let hosts: PageHosts
    private let options: PageOptions
    private let uploads = UploadSlots()
    /// The sheets of the latest programs, by their names.
    private let sheets = Guarded<[(name: String, file: Resource)]>([])
    private let stills = Guarded(Stills())

    private static let sheetCount = 16

    /// - Parameter options: the reader of all pages.
    package init(_ desk: LiveDesk, _ source: any LiveSource, hosts: PageHosts, options: PageOptions) {
        self.desk = desk
        self.source = source
        self.hosts = hosts
        self.options = options
    }

    /// All routes.
    package func routes() -> Routes {
        var routes = Routes()
        routes.get("/", still)
        routes.on(.post, "/live", open)
        routes.get("/live/{viewing}", page)
        routes.on(.post, "/live/{viewing}", post)
        routes.get("/live/{viewing}/events", events)
        routes.on(.post, "/live/{viewing}/actions", actions)
        routes.on(.post, "/live/{viewing}/end", end)
        routes.get("/live/{viewing}/sheet/{name}", sheet)
        routes.get("/live/{viewing}/pictures/{name}", picture)
        routes.get("/assets/{name}", asset)
        // Browsers ask for it unasked, and report an answer that has none as a fault of the page.
        routes.get("/favicon.ico") { [hosts] request in hosts.refusal(request) ?? PageAnswer.nothing() }
        return routes
    }

    /// The problem by which the server explains one of its refusals.
    package static func problem(_ refusal: Refusal) -> Problem {
        var problem = Problem(
            code: "request", title: "The request was refused", status: refusal.status,
            detail: refusal.status.reason)
        problem.fields = FieldBlock([
            "Content-Security-Policy": LiveFrame.policy, "Referrer-Policy": PageAnswer.referrers,
            "Cross-Origin-Resource-Policy": "same-origin",
        ])
        return problem
    }

    // MARK: - Pages

    private static let script = ScriptAddress(PageAddress.assets + LiveScript.fileName)

    private func remember(_ program: LiveProgram) {
        let sheet = program.planned.sheet
        sheets.withLock { sheets in
            guard !sheets.contains(where: { $0.name == sheet.file }) else { return }
            sheets.append((sheet.file, PageAnswer.document(PageService.css, sheet.bytes, .forever)))
            if sheets.count > PageService.sheetCount { sheets.removeFirst() }
        }
    }

    private func options(of program: LiveProgram, sheet: String) -> PageOptions {
        remember(program)
        var options = options
        options.sheets = [BaseSheet.fileName, LiveSheet.fileName, program.planned.sheet.file].map {
            PageAddress.assets + $0
        }
        options.sheets.append(sheet)
        return options
    }

    /// `GET /`
    private func still(_ request: borrowing Request) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        return .resource(firstPage().page)
    }

    private func firstPage() -> Stills.Still {
        let program = source.program
        if let known = stills.withLock({ $0.still(of: program) }) { return known }
        let name = stills.withLock { $0.nextSheet() }
        var options = options(of: program, sheet: PageAddress.assets + name)
        options.pictureFolder = PageAddress.assets
        options.live = LiveFrame(
            .still(post: PageAddress.live, title: PageText.run), script: PageService.script)
        let view = source.still()
        let page = PagePrinter(program.planned, options).page(view, program.assets)
        program.pictures.add(page.pictures)
        let sheet = Array(ViewingSheet.text(options, for: [page]).utf8)
        let still = Stills.Still(
            program: program, page: PageAnswer.document(PageAnswer.html, page.html, .never), sheetName: name,
            sheet: PageAnswer.document(PageService.css, sheet, .never), names: Stills.names(in: view))
        // The view may be that of a program that has come since.
        let isCurrent = source.program.planned === program.planned
        stills.withLock { $0.add(still, isCurrent: isCurrent) }
        return still
    }

    /// `POST /live`
    private func open(_ request: borrowing Request) -> Answer {
        if let refusal = hosts.refusalOfPost(request) { return refusal }
        let client = "\(request.client.client)"
        let former = PageAddress.viewing(at: request.value(.referer) ?? "")
        return .later { [self] responder in
            LiveThreads.begin { [self] in
                do throws(LiveRefusal) {
                    let viewing = try await desk.open(source, from: client, after: former) { [self] place in
                        let name = place.viewing
                        var options = options(of: place.program, sheet: PageAddress.sheet(name, place.number))
                        options.pictureFolder = PageAddress.pictures(name)
                        options.live = LiveFrame(.viewing(PageAddress.viewing(name)), script: PageService.script)
                        return options
                    }
                    responder.answer(PageAnswer.go(to: PageAddress.viewing(viewing.name)))
                } catch {
                    responder.answer(refusal(error, of: nil))
                }
            }
        }
    }

    private func refusal(_ refusal: LiveRefusal, of name: String?, keeping form: LiveForm? = nil) -> Answer {
        switch refusal {
        case .tooManyViewings:
            return PageAnswer.sentence(.serviceUnavailable, PageText.full, PageText.fullHint, retryAfter: 30)
        case .tooManyOfAddress:
            return PageAnswer.sentence(.tooManyRequests, PageText.many, PageText.fullHint, retryAfter: 30)
        case .tooFast(let seconds):
            let wait = max(1, Int(seconds.rounded(.up)))
            return PageAnswer.sentence(
                .tooManyRequests, PageText.fast, PageText.fastHint, retryAfter: wait, way: back(to: name),
                keeping: texts(of: form))
        case .malformed(let reason):
            return PageAnswer.sentence(
                .badRequest, PageText.unreadable, reason, way: back(to: name), keeping: texts(of: form))
        case .over:
            return PageAnswer.sentence(
                .gone, name.flatMap { desk.ending($0)?.sentence } ?? LiveEnding.unknownSentence, PageText.overHint,
                way: .begin,
                keeping: texts(of: form))
        }
    }

    private func back(to name: String?) -> PageAnswer.Way? { name.map { .back(PageAddress.viewing($0)) } }

    /// The texts of a form that was not taken, with the names of their fields.
    private func texts(of form: LiveForm?) -> [(name: String, value: String)] {
        let fields = (form?.fields ?? []).filter { !["n", "do"].contains($0.name) && !$0.value.isEmpty }
        let names = fields.isEmpty ? [:] : firstPage().names
        return fields.map { (names[$0.name] ?? PageText.field, $0.value) }
    }

    /// Answers with what a viewing says, from a task.
    private func answer(
        _ request: borrowing Request, _ name: String, _ work: @escaping @Sendable (Viewing) async -> Answer?
    ) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        guard let viewing = desk.viewing(name) else { return refusal(.over, of: name) }
        return .later { [self] responder in
            LiveThreads.begin { [self] in responder.answer(await answer(work, viewing)) }
        }
    }

    private func answer(_ work: (Viewing) async -> Answer?, _ viewing: Viewing) async -> Answer {
        if let answer = await work(viewing) { return answer }
        return refusal(await viewing.reasonForNoPage, of: viewing.name)
    }

    /// `GET /live/{viewing}`
    private func page(_ request: borrowing Request, _ name: String) -> Answer {
        let isPacked = request.admitsGzip
        return answer(request, name) { viewing in
            guard let page = await viewing.page() else { return nil }
            return PageAnswer.page(StatusLineText.added(page.status, to: page.page.html), isPacked: isPacked)
        }
    }

    /// `GET /live/{viewing}/sheet/{name}`
    private func sheet(_ request: borrowing Request, _ name: String, _ file: String) -> Answer {
        answer(request, name) { viewing in
            guard file.hasSuffix(".css"), let number = Int(file.dropLast(4)), let sheet = await viewing.sheet(number)
            else { return .refused(.noRoute) }
            return PageAnswer.response(.ok, PageService.css, Array(sheet.utf8))
        }
    }

    /// `GET /live/{viewing}/pictures/{name}`
    private func picture(_ request: borrowing Request, _ name: String, _ file: String) -> Answer {
        answer(request, name) { viewing in
            guard let bytes = await viewing.picture(file) else { return .refused(.noRoute) }
            return .resource(PageAnswer.document(PageService.mediaType(of: file), bytes, .forever))
        }
    }

    /// `GET /assets/{name}`
    private func asset(_ request: borrowing Request, _ name: String) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        if let file = PageService.files[name] ?? sheets.withLock({ $0.first { $0.name == name }?.file })
            ?? stills.withLock({ $0.sheet(name) })
        {
            return .resource(file)
        }
        guard let bytes = source.program.pictures[name] ?? stills.withLock({ $0.picture(name) }) else {
            return .refused(.noRoute)
        }
        return .resource(PageAnswer.document(PageService.mediaType(of: name), bytes, .forever))
    }

    private static let css = "text/css; charset=utf-8"

    /// The files that all programs share.
    private static let files = [
        BaseSheet.fileName: PageAnswer.document(css, BaseSheet.bytes, .never),
        LiveSheet.fileName: PageAnswer.document(css, LiveSheet.bytes, .forever),
        LiveScript.fileName: PageAnswer.document("text/javascript; charset=utf-8", LiveScript.bytes, .forever),
    ]

    private static func mediaType(of name: String) -> String {
        switch PictureKind(rawValue: String(name.split(separator: ".").last ?? "")) {
        case .png: "image/png"
        case .jpg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case nil: "application/octet-stream"
        }
    }

    // MARK: - Events

    /// `GET /live/{viewing}/events`
    private func events(_ request: borrowing Request, _ name: String) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        let number = (request.value(.lastEventID) ?? request.query("after")).flatMap { Int($0) }
        var fields = PageAnswer.fields(.never)
        fields.add("Content-Type", "text/event-stream")
        fields.add("X-Accel-Buffering", "no")
        return .response(Response(.ok, fields: fields, stream: PageStream(desk.viewing(name), after: number)))
    }

    /// `POST /live/{viewing}/actions`
    private func actions(_ request: borrowing Request, _ name: String) -> Answer {
        body(request, limit: desk.limits.batchByteCount, types: nil) { [self] bytes in
            guard let viewing = desk.viewing(name) else { return refusal(.over, of: name) }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    switch await viewing.act(bytes) {
                    case .taken: responder.answer(PageAnswer.nothing())
                    case .refused(let reason): responder.answer(refusal(reason, of: name))
                    }
                }
            }
        }
    }

    /// `POST /live/{viewing}/end`
    private func end(_ request: borrowing Request, _ name: String) -> Answer {
        body(request, limit: 0, types: nil) { [self] _ in
            guard let viewing = desk.viewing(name) else { return PageAnswer.nothing() }
            return .later { responder in
                LiveThreads.begin {
                    await viewing.end()
                    responder.answer(PageAnswer.nothing())
                }
            }
        }
    }

    /// `POST /live/{viewing}`
    private func post(_ request: borrowing Request, _ name: String) -> Answer {
        let type = request.value(.contentType) ?? PostedForm.mediaTypes[0]
        let limits = PostedForm.Limits()
        return body(request, limit: limits.bodyByteCount, types: PostedForm.mediaTypes) { [self] bytes in
            let form: LiveForm
            do throws(PostedForm.Mistake) {
                form = LiveForm(try PostedForm(bytes, contentType: type, limits: limits))
            } catch {
                return PageAnswer.sentence(.badRequest, PageText.unreadable, "\(error)")
            }
            guard let viewing = desk.viewing(name) else { return refusal(.over, of: name, keeping: form) }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    switch await viewing.post(form) {
                    case .taken: responder.answer(PageAnswer.go(to: PageAddress.viewing(name)))
                    case .refused(let reason): responder.answer(refusal(reason, of: name, keeping: form))
                    }
                }
            }
        }
    }

    /// Reads a body whole. Few large ones are held in memory at once.
    private func body(
        _ request: borrowing Request, limit: Int, types: [String]?, _ action: @escaping @Sendable ([UInt8]) -> Answer
    ) -> Answer {
        if let refusal = hosts.refusalOfPost(request) { return refusal }
        let isLarge = (request.contentLength ?? limit) > UploadSlots.smallByteCount
        guard let sink = uploads.sink(isLarge: isLarge, action) else {
            return PageAnswer.sentence(.serviceUnavailable, PageText.full, PageText.fullHint, retryAfter: 5)
        }
        return .readBody(BodyReceipt(limit: limit, mediaTypes: types, sink: sink))
    }
}
