internal import HTTPWire
internal import WidgetAddresses
internal import WidgetBytes
package import WidgetCore
package import WidgetHTTPServer
package import WidgetLive
internal import WidgetMarkup
internal import WidgetRender

/// The routes of live pages, wherever their widgets run, and of the files that pages share.
package final class LiveRoutes: Sendable {
    let desk: LiveDesk
    let hosts: PageHosts
    private let begin: String?
    /// The words for readers of whose page nothing is known.
    private let words: SystemWords
    private let labels: @Sendable () -> [String: String]
    private let uploads = UploadSlots()
    /// Files of this server's pages alone.
    private let own = Guarded<[String: Resource]>([:])
    /// Answers with files that others have at the same place.
    private let further = Guarded<(@Sendable (_ name: String) -> Answer?)?>(nil)

    /// - Parameters:
    ///   - begin: the address that begins a viewing in the place of one of which nothing is known.
    ///   - words: for readers of whose page nothing is known.
    ///   - labels: names of fields for people, by their keys; they label texts that cannot be taken.
    package init(
        _ desk: LiveDesk, hosts: PageHosts, begin: String? = nil, words: SystemWords = .english,
        labels: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        self.desk = desk
        self.hosts = hosts
        self.begin = begin
        self.words = words
        self.labels = labels
    }

    package func add(to routes: inout Routes) {
        routes.get("/live/{page}", page)
        routes.on(.post, "/live/{page}", arrange)
        routes.get("/live/{page}/events", events)
        routes.on(.post, "/live/{page}/end", end)
        routes.on(.post, "/live/{page}/{part}", post)
        routes.on(.post, "/live/{page}/{part}/actions", act)
        routes.get("/live/{page}/{part}/{file}", file)
        routes.get("/assets/{name}", asset)
    }

    /// The place of a widget on its page.
    ///
    /// - Parameters:
    ///   - begin: the address that begins another page in its place.
    ///   - options: the reader, and the letter of the widget.
    static func place(_ name: String, begin: String, _ options: PageOptions) -> LivePlace {
        var options = options
        options.sheets = sheets
        return LivePlace(options, page: PageAddress.page(name), begin: begin, assets: PageAddress.assets)
    }

    static let script = ScriptAddress(PageAddress.assets + LiveScript.fileName)
    /// The addresses of the sheets that all pages have.
    static let sheets = [PageAddress.assets + BaseSheet.fileName]

    /// Adds a file that all pages of this server share.
    func share(_ name: String, _ file: Resource) { own.withLock { $0[name] = file } }

    /// Has others answer for files that no page knows.
    func ask(_ others: @escaping @Sendable (_ name: String) -> Answer?) { further.withLock { $0 = others } }

    /// Keeps files of a page that has no viewing.
    func keep(_ files: [String: [UInt8]]) { desk.files.add(files) }

    /// Makes a viewing for a request, and leads to its page.
    ///
    /// - Parameter make: makes it for an address, in the place of another one.
    func open(
        _ request: borrowing Request,
        _ make: @escaping @Sendable (_ client: String, _ former: String?) async throws(LiveRefusal) -> LivePage
    ) -> Answer {
        hosts.refusalOfPost(request)
            ?? open(Viewer(request, former: PageAddress.name(at: request.value(.referer) ?? "")), make)
    }

    /// The same for a request that was not refused.
    func open(
        _ viewer: Viewer,
        _ make: @escaping @Sendable (_ client: String, _ former: String?) async throws(LiveRefusal) -> LivePage
    ) -> Answer {
        .later { [self] responder in
            LiveThreads.begin { [self] in
                do throws(LiveRefusal) {
                    let page = try await make(viewer.client, viewer.former)
                    responder.answer(PageAnswer.go(to: PageAddress.page(page.name)))
                } catch {
                    responder.answer(refusal(error, of: nil))
                }
            }
        }
    }

    /// The client that asks for a viewing, and the viewing whose place that takes.
    struct Viewer: Sendable {
        let client: String
        let former: String?

        init(_ request: borrowing Request, former: String?) {
            client = "\(request.client.client)"
            self.former = former
        }
    }

    func refusal(
        _ refusal: LiveRefusal, of name: String?, keeping form: LiveForm? = nil, opening link: String? = nil
    ) -> Answer {
        let words = words(for: name)
        let sentence = refusal.sentence(words)
        let kept = texts(of: form, words)
        switch refusal {
        case .tooManyViewings:
            return PageAnswer.sentence(
                .serviceUnavailable, sentence, .word(.tooManyHint), in: words, retryAfter: 30)
        case .tooManyOfAddress:
            return PageAnswer.sentence(.tooManyRequests, sentence, .word(.tooManyHint), in: words, retryAfter: 30)
        case .tooFast(let seconds):
            let wait = max(1, Int(seconds.rounded(.up)))
            return PageAnswer.sentence(
                .tooManyRequests, sentence, .word(.tooFastHint), in: words, retryAfter: wait, way: back(to: name),
                keeping: kept)
        case .unreadable(let reason):
            return PageAnswer.sentence(.unprocessableContent, words[.broken], .english(reason), in: words)
        case .malformed(let reason):
            return PageAnswer.sentence(
                .badRequest, words[.unreadable], .english(reason), in: words, way: back(to: name), keeping: kept)
        case .over:
            return PageAnswer.sentence(
                .gone, name.flatMap { desk.ending($0)?.sentence(words) } ?? sentence, .word(.endedHint), in: words,
                way: name.flatMap { desk.begin(insteadOf: $0) ?? begin }
                    .map { .begin(OpenedLink.address($0, opening: link)) }, keeping: kept)
        }
    }

    /// The words for the reader of a page, or of the server.
    private func words(for name: String?) -> SystemWords { name.flatMap { desk.words(for: $0) } ?? words }

    private func back(to name: String?) -> PageAnswer.Way? { name.map { .back(PageAddress.page($0)) } }

    /// The texts of a form that was not taken, with the names of their fields.
    private func texts(of form: LiveForm?, _ words: SystemWords) -> [(name: String, value: String)] {
        let fields = (form?.fields ?? []).filter {
            !["n", "do", "slot", "before"].contains($0.name) && !$0.value.isEmpty
        }
        let names = fields.isEmpty ? [:] : labels()
        return fields.map { (names[$0.name] ?? words[.text], $0.value) }
    }

    /// Answers with what a page says, from a task.
    private func answer(
        _ request: borrowing Request, _ name: String, _ work: @escaping @Sendable (LivePage) async -> Answer
    ) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        guard let page = desk.page(name) else { return refusal(.over, of: name) }
        return .later { responder in LiveThreads.begin { responder.answer(await work(page)) } }
    }

    /// `GET /live/{page}`
    private func page(_ request: borrowing Request, _ name: String) -> Answer {
        let (isPacked, link) = (request.admitsGzip, OpenedLink(request))
        // The button begins another page where this one was.
        if hosts.refusal(request) == nil, desk.page(name) == nil { return refusal(.over, of: name, opening: link.text) }
        return answer(request, name) { [self] page in
            do throws(LiveRefusal) {
                let shown = try await page.whole()
                // The address says where the widget is: another screen, and a row that was revealed, lead to another one.
                guard shown.link == link.text, shown.anchor == nil else {
                    let address = OpenedLink.address(PageAddress.page(name), opening: shown.link)
                    return PageAnswer.go(to: address + (shown.anchor.map { "#\($0)" } ?? ""))
                }
                return PageAnswer.page(shown.html, isPacked: isPacked)
            } catch {
                return refusal(error, of: name, opening: link.text)
            }
        }
    }

    /// `GET /live/{page}/{part}/{file}`: a sheet, by the number of its view, or a picture.
    private func file(_ request: borrowing Request, _ name: String, _ letter: String, _ file: String) -> Answer {
        answer(request, name) { [self] page in
            guard let part = await page.part(letter) else { return .refused(.noRoute) }
            if file.hasSuffix(".css") {
                guard let number = Int(file.dropLast(4)), let sheet = await part.sheet(number) else {
                    return .refused(.noRoute)
                }
                return PageAnswer.response(.ok, PageAnswer.css, Array(sheet.utf8))
            }
            var bytes = desk.files[file]
            if bytes == nil { bytes = await part.file(file) }
            guard let bytes else { return .refused(.noRoute) }
            return .resource(PageAnswer.document(LiveRoutes.mediaType(of: file), bytes, .forever))
        }
    }

    /// `GET /assets/{name}`
    private func asset(_ request: borrowing Request, _ name: String) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        if let file = LiveRoutes.shared[name] ?? own.withLock({ $0[name] }) { return .resource(file) }
        if let bytes = desk.files[name] {
            return .resource(PageAnswer.document(LiveRoutes.mediaType(of: name), bytes, .forever))
        }
        return further.withLock { $0 }?(name) ?? .refused(.noRoute)
    }

    /// The files that all programs share.
    private static let shared = [
        BaseSheet.fileName: PageAnswer.document(PageAnswer.css, BaseSheet.bytes, .never),
        LiveSheet.fileName: PageAnswer.document(PageAnswer.css, LiveSheet.bytes, .forever),
        LiveScript.fileName: PageAnswer.document(PageAnswer.script, LiveScript.bytes, .forever),
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

    /// `GET /live/{page}/events`
    private func events(_ request: borrowing Request, _ name: String) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        let position = request.value(.lastEventID) ?? request.query("after")
        var fields = PageAnswer.fields(.never)
        fields.add("Content-Type", "text/event-stream")
        fields.add("X-Accel-Buffering", "no")
        return .response(Response(.ok, fields: fields, stream: PageStream(desk.page(name), after: position)))
    }

    /// `POST /live/{page}/{part}/actions`
    private func act(_ request: borrowing Request, _ name: String, _ letter: String) -> Answer {
        // Before a body is read that nothing would take.
        guard hosts.refusalOfPost(request) != nil || desk.page(name) != nil else { return refusal(.over, of: name) }
        return body(request, limit: desk.limits.batchByteCount, types: nil) { [self] bytes in
            guard let page = desk.page(name) else { return refusal(.over, of: name) }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    // A widget that has ended meanwhile takes nothing; the page shows that.
                    switch await page.part(letter)?.act(bytes) ?? .taken {
                    case .taken: responder.answer(PageAnswer.nothing())
                    case .refused(let reason): responder.answer(refusal(reason, of: name))
                    }
                }
            }
        }
    }

    /// `POST /live/{page}/end`
    private func end(_ request: borrowing Request, _ name: String) -> Answer {
        body(request, limit: 0, types: nil) { [self] _ in
            guard let page = desk.page(name) else { return PageAnswer.nothing() }
            return .later { responder in
                LiveThreads.begin {
                    await page.end()
                    responder.answer(PageAnswer.nothing())
                }
            }
        }
    }

    /// `POST /live/{page}`: an act on the slots of a page. It counts for every page of the same widgets.
    private func arrange(_ request: borrowing Request, _ name: String) -> Answer {
        form(request, of: name) { [self] page, form in
            guard let act = SlotAct(form) else {
                return refusal(.malformed(PageText.unknownAct), of: name)
            }
            do throws(LiveRefusal) {
                guard try await page.act(act) else {
                    return refusal(.malformed(PageText.noSlots), of: name)
                }
            } catch {
                return refusal(error, of: name)
            }
            return PageAnswer.go(to: PageAddress.page(name, act.letter))
        }
    }

    /// `POST /live/{page}/{part}`
    private func post(_ request: borrowing Request, _ name: String, _ letter: String) -> Answer {
        form(request, of: name) { [self] page, form in
            switch await page.part(letter)?.post(form) ?? .taken {
            case .taken: PageAnswer.go(to: PageAddress.page(name, page.hasSlots ? letter : nil))
            case .refused(let reason): refusal(reason, of: name, keeping: form)
            }
        }
    }

    /// Reads a form that a page has sent, and answers it from a task.
    private func form(
        _ request: borrowing Request, of name: String,
        _ action: @escaping @Sendable (LivePage, LiveForm) async -> Answer
    ) -> Answer {
        // The texts of a small form are shown again, so it is read in any case.
        let isLarge = (request.contentLength ?? .max) > UploadSlots.smallByteCount
        guard !isLarge || hosts.refusalOfPost(request) != nil || desk.page(name) != nil else {
            return refusal(.over, of: name)
        }
        let type = request.value(.contentType) ?? PostedForm.mediaTypes[0]
        let limits = PostedForm.Limits()
        return body(request, limit: limits.bodyByteCount, types: PostedForm.mediaTypes) { [self] bytes in
            let form: LiveForm
            do throws(PostedForm.Mistake) {
                form = LiveForm(try PostedForm(bytes, contentType: type, limits: limits))
            } catch {
                return refusal(.malformed("\(error)"), of: name)
            }
            guard let page = desk.page(name) else { return refusal(.over, of: name, keeping: form) }
            return .later { responder in
                LiveThreads.begin { responder.answer(await action(page, form)) }
            }
        }
    }

    /// Reads a body whole. Few large ones are held in memory at once.
    private func body(
        _ request: borrowing Request, limit: Int, types: [String]?, _ action: @escaping @Sendable ([UInt8]) -> Answer
    ) -> Answer {
        if let refusal = hosts.refusalOfPost(request) { return refusal }
        let isLarge = (request.contentLength ?? limit) > UploadSlots.smallByteCount
        guard let sink = uploads.sink(isLarge: isLarge, from: request.client, action) else {
            return PageAnswer.sentence(
                .serviceUnavailable, words[.tooManyPages], .word(.tooManyHint), in: words, retryAfter: 5)
        }
        return .readBody(BodyReceipt(limit: limit, mediaTypes: types, sink: sink))
    }
}
