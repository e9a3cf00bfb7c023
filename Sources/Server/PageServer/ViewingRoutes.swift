internal import Addresses
internal import Bytes
package import HTTPServer
internal import HTTPWire
internal import Markup
package import WidgetLive
package import WidgetRender

/// The routes of viewings, wherever their widgets run, and of the files that their pages share.
package final class ViewingRoutes: Sendable {
    let desk: LiveDesk
    let hosts: PageHosts
    private let begin: String?
    private let labels: @Sendable () -> [String: String]
    private let uploads = UploadSlots()
    /// Files of this server's pages alone.
    private let own = Guarded<[String: Resource]>([:])

    /// - Parameters:
    ///   - begin: the address that begins a viewing in the place of one of which nothing is known.
    ///   - labels: names of fields for people, by their keys; they label texts that cannot be taken.
    package init(
        _ desk: LiveDesk, hosts: PageHosts, begin: String? = nil,
        labels: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        self.desk = desk
        self.hosts = hosts
        self.begin = begin
        self.labels = labels
    }

    package func add(to routes: inout Routes) {
        routes.get("/live/{viewing}", page)
        routes.on(.post, "/live/{viewing}", post)
        routes.get("/live/{viewing}/events", events)
        routes.on(.post, "/live/{viewing}/actions", actions)
        routes.on(.post, "/live/{viewing}/end", end)
        routes.get("/live/{viewing}/sheet/{name}", sheet)
        routes.get("/live/{viewing}/pictures/{name}", picture)
        routes.on(.post, "/live/{viewing}/part/{letter}", postPart)
        routes.on(.post, "/live/{viewing}/part/{letter}/actions", actOnPart)
        routes.get("/live/{viewing}/part/{letter}/sheet/{name}", sheetOfPart)
        routes.get("/live/{viewing}/part/{letter}/pictures/{name}", pictureOfPart)
        routes.get("/assets/{name}", asset)
    }

    /// The place of a viewing's pages.
    ///
    /// - Parameters:
    ///   - begin: the address that begins another viewing in its place, as this server knows it.
    ///   - options: the reader.
    ///   - root: the path below which clients see this server.
    package static func place(
        _ name: String, begin: String, _ options: PageOptions, below root: String = ""
    ) -> LivePlace {
        var options = options
        options.sheets = sheets(below: root)
        return LivePlace(
            options, address: root + PageAddress.viewing(name), begin: root + begin, assets: assets(below: root),
            script: script(below: root))
    }

    /// The beginning of the addresses of files that pages share.
    package static func assets(below root: String) -> String { root + PageAddress.assets }

    package static func script(below root: String) -> ScriptAddress? {
        ScriptAddress(assets(below: root) + LiveScript.fileName)
    }

    /// The addresses of the sheets that all pages have.
    package static func sheets(below root: String) -> [String] {
        [BaseSheet.fileName, LiveSheet.fileName].map { assets(below: root) + $0 }
    }

    static let script = script(below: "")
    static let sheets = sheets(below: "")

    /// A refusal of a request that has an effect, unless a page of this server has sent it.
    package func refusalOfPost(_ request: borrowing Request) -> Answer? { hosts.refusalOfPost(request) }

    /// A screen that cannot be touched, as a page that may be kept until it changes.
    ///
    /// - Parameters:
    ///   - files: the sheets and pictures that it refers to.
    package func still(_ html: [UInt8], _ files: [String: [UInt8]]) -> Answer {
        desk.files.add(files)
        return .resource(PageAnswer.document(PageAnswer.html, html, .asked))
    }

    /// A page that says why a widget is not shown.
    package func unavailable(_ reason: String) -> Answer {
        PageAnswer.sentence(.serviceUnavailable, PageText.unavailable, reason, retryAfter: 10)
    }

    /// A page about a bundle that cannot run.
    package func unreadable(_ reason: String) -> Answer {
        PageAnswer.sentence(.unprocessableContent, PageText.broken, reason)
    }
    /// Adds a file that all pages of this server share.
    func share(_ name: String, _ file: Resource) { own.withLock { $0[name] = file } }

    /// Keeps files of a page that has no viewing.
    func keep(_ files: [String: [UInt8]]) { desk.files.add(files) }

    /// Makes a viewing for a request, and leads to its page.
    ///
    /// - Parameter make: makes it for an address, in the place of another one.
    package func open(
        _ request: borrowing Request,
        _ make: @escaping @Sendable (_ client: String, _ former: String?) async throws(LiveRefusal) -> any LiveViewing
    ) -> Answer {
        if let refusal = hosts.refusalOfPost(request) { return refusal }
        let viewer = Viewer(request)
        return .later { [self] responder in open(viewer, responder, make) }
    }

    /// The same for a request that was looked into before.
    package func open(
        _ viewer: Viewer, _ responder: Responder,
        _ make: @escaping @Sendable (_ client: String, _ former: String?) async throws(LiveRefusal) -> any LiveViewing
    ) {
        LiveThreads.begin { [self] in
            do throws(LiveRefusal) {
                let viewing = try await make(viewer.client, viewer.former)
                responder.answer(PageAnswer.go(to: PageAddress.viewing(viewing.name)))
            } catch {
                responder.answer(refusal(error, of: nil))
            }
        }
    }

    /// The client that asks for a viewing, and the viewing whose place that takes.
    package struct Viewer: Sendable {
        let client: String
        let former: String?

        package init(_ request: borrowing Request) {
            client = "\(request.client.client)"
            former = PageAddress.viewing(at: request.value(.referer) ?? "")
        }
    }

    func refusal(_ refusal: LiveRefusal, of name: String?, keeping form: LiveForm? = nil) -> Answer {
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
        case .unreadable(let reason): return unreadable(reason)
        case .unavailable(let reason):
            return PageAnswer.sentence(
                .serviceUnavailable, PageText.unavailable, reason, retryAfter: 10, way: back(to: name),
                keeping: texts(of: form))
        case .malformed(let reason):
            return PageAnswer.sentence(
                .badRequest, PageText.unreadable, reason, way: back(to: name), keeping: texts(of: form))
        case .over:
            return PageAnswer.sentence(
                .gone, name.flatMap { desk.ending($0)?.sentence } ?? LiveEnding.unknownSentence, PageText.overHint,
                way: name.flatMap { desk.begin(insteadOf: $0) ?? begin }.map { .begin($0) },
                keeping: texts(of: form))
        }
    }

    private func back(to name: String?) -> PageAnswer.Way? { name.map { .back(PageAddress.viewing($0)) } }

    /// The texts of a form that was not taken, with the names of their fields.
    private func texts(of form: LiveForm?) -> [(name: String, value: String)] {
        let fields = (form?.fields ?? []).filter { !["n", "do"].contains($0.name) && !$0.value.isEmpty }
        let names = fields.isEmpty ? [:] : labels()
        return fields.map { (names[$0.name] ?? PageText.field, $0.value) }
    }

    /// Answers with what a viewing says, from a task.
    private func answer(
        _ request: borrowing Request, _ name: String, _ work: @escaping @Sendable (any LiveViewing) async -> Answer?
    ) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        guard let viewing = desk.viewing(name) else { return refusal(.over, of: name) }
        return .later { [self] responder in
            LiveThreads.begin { [self] in responder.answer(await answer(work, viewing)) }
        }
    }

    private func answer(_ work: (any LiveViewing) async -> Answer?, _ viewing: any LiveViewing) async -> Answer {
        if let answer = await work(viewing) { return answer }
        return refusal(await viewing.reasonForNoPage(), of: viewing.name)
    }

    /// `GET /live/{viewing}`
    private func page(_ request: borrowing Request, _ name: String) -> Answer {
        let isPacked = request.admitsGzip
        return answer(request, name) { viewing in
            guard let page = await viewing.page() else { return nil }
            return PageAnswer.page(page.html, isPacked: isPacked)
        }
    }

    /// `GET /live/{viewing}/sheet/{name}`
    private func sheet(_ request: borrowing Request, _ name: String, _ file: String) -> Answer {
        sheet(request, name, nil, file)
    }

    /// `GET /live/{viewing}/part/{letter}/sheet/{name}`
    private func sheetOfPart(
        _ request: borrowing Request, _ name: String, _ letter: String, _ file: String
    ) -> Answer {
        sheet(request, name, letter, file)
    }

    private func sheet(_ request: borrowing Request, _ name: String, _ letter: String?, _ file: String) -> Answer {
        answer(request, name) { page in
            guard let viewing = await ViewingRoutes.part(letter, of: page) else { return .refused(.noRoute) }
            guard file.hasSuffix(".css"), let number = Int(file.dropLast(4)), let sheet = await viewing.sheet(number)
            else { return .refused(.noRoute) }
            return PageAnswer.response(.ok, PageAnswer.css, Array(sheet.utf8))
        }
    }

    /// `GET /live/{viewing}/pictures/{name}`
    private func picture(_ request: borrowing Request, _ name: String, _ file: String) -> Answer {
        answer(request, name) { [self] viewing in
            guard let bytes = await self.file(file, of: viewing) else { return .refused(.noRoute) }
            return .resource(PageAnswer.document(ViewingRoutes.mediaType(of: file), bytes, .forever))
        }
    }

    /// `GET /live/{viewing}/part/{letter}/pictures/{name}`
    private func pictureOfPart(
        _ request: borrowing Request, _ name: String, _ letter: String, _ file: String
    ) -> Answer {
        picture(request, name, file)
    }

    private func file(_ name: String, of viewing: any LiveViewing) async -> [UInt8]? {
        if let known = desk.files[name] { return known }
        return await viewing.file(name)
    }

    /// `GET /assets/{name}`
    private func asset(_ request: borrowing Request, _ name: String) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        if let file = ViewingRoutes.shared[name] ?? own.withLock({ $0[name] }) { return .resource(file) }
        guard let bytes = desk.files[name] else { return .refused(.noRoute) }
        return .resource(PageAnswer.document(ViewingRoutes.mediaType(of: name), bytes, .forever))
    }

    /// The files that all programs share.
    private static let shared = [
        BaseSheet.fileName: PageAnswer.document(PageAnswer.css, BaseSheet.bytes, .never),
        LiveSheet.fileName: PageAnswer.document(PageAnswer.css, LiveSheet.bytes, .forever),
        LiveScript.fileName: PageAnswer.document("text/javascript; charset=utf-8", LiveScript.bytes, .forever),
    ]

    private static func mediaType(of name: String) -> String {
        let ending = String(name.split(separator: ".").last ?? "")
        if ending == "css" { return PageAnswer.css }
        return switch PictureKind(rawValue: ending) {
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
        let position = request.value(.lastEventID) ?? request.query("after")
        var fields = PageAnswer.fields(.never)
        fields.add("Content-Type", "text/event-stream")
        fields.add("X-Accel-Buffering", "no")
        return .response(Response(.ok, fields: fields, stream: PageStream(desk.viewing(name), after: position)))
    }

    /// `POST /live/{viewing}/actions`
    private func actions(_ request: borrowing Request, _ name: String) -> Answer { act(request, name, nil) }

    /// `POST /live/{viewing}/part/{letter}/actions`
    private func actOnPart(_ request: borrowing Request, _ name: String, _ letter: String) -> Answer {
        act(request, name, letter)
    }

    private func act(_ request: borrowing Request, _ name: String, _ letter: String?) -> Answer {
        // Before a body is read that nothing would take.
        guard hosts.refusalOfPost(request) != nil || desk.viewing(name) != nil else { return refusal(.over, of: name) }
        return body(request, limit: desk.limits.batchByteCount, types: nil) { [self] bytes in
            guard let page = desk.viewing(name) else { return refusal(.over, of: name) }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    // A widget that has ended meanwhile takes nothing; the page shows that.
                    guard let viewing = await ViewingRoutes.part(letter, of: page) else {
                        return responder.answer(PageAnswer.nothing())
                    }
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
    private func post(_ request: borrowing Request, _ name: String) -> Answer { post(request, name, nil) }

    /// `POST /live/{viewing}/part/{letter}`
    private func postPart(_ request: borrowing Request, _ name: String, _ letter: String) -> Answer {
        post(request, name, letter)
    }

    private func post(_ request: borrowing Request, _ name: String, _ letter: String?) -> Answer {
        // The texts of a small form are shown again, so it is read in any case.
        let isLarge = (request.contentLength ?? .max) > UploadSlots.smallByteCount
        guard !isLarge || hosts.refusalOfPost(request) != nil || desk.viewing(name) != nil else {
            return refusal(.over, of: name)
        }
        return form(request) { [self] form in
            guard let page = desk.viewing(name) else { return refusal(.over, of: name, keeping: form) }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    let viewing = await ViewingRoutes.part(letter, of: page)
                    switch await viewing?.post(form) ?? .taken {
                    case .taken: responder.answer(PageAnswer.go(to: PageAddress.viewing(name, letter)))
                    case .refused(let reason): responder.answer(refusal(reason, of: name, keeping: form))
                    }
                }
            }
        }
    }

    /// The viewing of a widget on a page with several, or the page itself.
    private static func part(_ letter: String?, of page: any LiveViewing) async -> (any LiveViewing)? {
        guard let letter else { return page }
        return await page.part(letter)
    }

    /// Reads a form that a page of this server has sent.
    func form(_ request: borrowing Request, _ action: @escaping @Sendable (LiveForm) -> Answer) -> Answer {
        let type = request.value(.contentType) ?? PostedForm.mediaTypes[0]
        let limits = PostedForm.Limits()
        return body(request, limit: limits.bodyByteCount, types: PostedForm.mediaTypes) { bytes in
            let form: LiveForm
            do throws(PostedForm.Mistake) {
                form = LiveForm(try PostedForm(bytes, contentType: type, limits: limits))
            } catch {
                return PageAnswer.sentence(.badRequest, PageText.unreadable, "\(error)")
            }
            return action(form)
        }
    }

    /// Reads a body whole. Few large ones are held in memory at once.
    private func body(
        _ request: borrowing Request, limit: Int, types: [String]?, _ action: @escaping @Sendable ([UInt8]) -> Answer
    ) -> Answer {
        if let refusal = hosts.refusalOfPost(request) { return refusal }
        let isLarge = (request.contentLength ?? limit) > UploadSlots.smallByteCount
        guard let sink = uploads.sink(isLarge: isLarge, from: request.client, action) else {
            return PageAnswer.sentence(.serviceUnavailable, PageText.full, PageText.fullHint, retryAfter: 5)
        }
        return .readBody(BodyReceipt(limit: limit, mediaTypes: types, sink: sink))
    }
}
