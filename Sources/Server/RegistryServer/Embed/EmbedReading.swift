internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The route of the page of a widget alone, for frames of other pages and for WebViews of apps.
struct EmbedReading: Sendable {
    let answers: ResponseCache
    let embedding: Embedding

    func add(to routes: inout Routes) { routes.get("/embed/{widgetIdentifier}", page) }

    /// `GET /embed/{widgetIdentifier}`
    private func page(_ request: borrowing Request, _ name: String) -> Answer {
        let (ancestors, root) = (embedding.ancestors(), request.root)
        let refuse = EmbedReading.refusal(request, ancestors)
        do throws(Problem) {
            try QueryLaw.embedding.check(request)
            let parameters = try rethrowing(try EmbedParameters(request), as: ProblemCatalogue.unreadable)
            guard let widget = WidgetIdentifier(checking: name) else {
                throw ProblemCatalogue.problem(.noSuchWidget, "Not a widget identifier: \(WidgetIdentifier.law)")
            }
            let reader = try answers.reader(request)
            guard reader.maySee(widget: widget.text) else {
                throw ProblemCatalogue.problem(RegistryError.noSuchWidget(widget.text, spelling: nil))
            }
            let running = embedding.running()
            // The widget comes first, so that a new bundle with a longer identifier evicts the page.
            let key = CacheKey(
                .embedPage, widget.text, parameters.channel, parameters.place.query, parameters.link, ancestors.text,
                running.key)
            if let answer = answers.cached(key, ResponseCache.Variant(), for: reader) { return answer }
            return answers.load(key, ResponseCache.Variant(), for: reader, refusing: refuse) {
                registry, _ throws(Problem) in
                let page = try EmbedReading.page(registry, widget, parameters, ancestors, running, reader)
                let resource = GalleryAnswer.page(
                    page.bytes(), below: root, reader.caching(.briefly), .embed(ancestors))
                return (
                    .document(resource, archive: nil), page.release.bundleIdentifier,
                    ResponseCache.overhead + resource.byteCount * 2 + key.text.utf8.count * 2
                )
            }
        } catch {
            return refuse(error)
        }
    }

    private static func page(
        _ registry: Registry, _ widget: WidgetIdentifier, _ parameters: EmbedParameters, _ ancestors: FrameAncestors,
        _ running: PageRunning, _ reader: Reader
    ) throws(Problem) -> EmbedPage {
        let resolution = try WidgetReading.resolution(
            registry, widget, ResolveParameters(channel: parameters.channel), reader)
        // Hosts without an installation's name are in the last bucket.
        guard let release = resolution.candidates.last?.release else {
            throw ProblemCatalogue.problem(
                RegistryError.noCompatibleRelease(bundle: resolution.bundleIdentifier, channel: resolution.channel))
        }
        let view = try ReleaseView(registry, release.bundleIdentifier, release.key, for: reader, .usual)
        return EmbedPage(
            widget: widget.text, parameters: parameters, ancestors: ancestors, title: view.bundle.name,
            release: release, still: view.still(for: parameters.place)?.part, running: running)
    }

    // MARK: Refusals

    /// The form in which a client is refused. A page that is in a frame stays there, and cannot sign in.
    private static func refusal(
        _ request: borrowing Request, _ ancestors: FrameAncestors
    ) -> @Sendable (Problem) -> Answer {
        guard request.accepts(naming: "text/html") else { return { .problem($0) } }
        let isFramed = request.value(.secFetchDest).map(frames.contains) ?? false
        let address = SignIn.address(request)
        return { problem in
            let needsToken = [ProblemCode.unauthorized, .tokenExpired].contains { $0.rawValue == problem.code }
            if needsToken, !isFramed { return SignIn.invitation(backTo: address) }
            return GalleryAnswer.response(
                EmbedPage.refusal(problem, needsToken ? address : nil, ancestors), problem.status, .embed(ancestors),
                problem.fields)
        }
    }

    /// The places in another page, as browsers name them.
    private static let frames: Set = ["iframe", "frame", "embed", "object"]
}
