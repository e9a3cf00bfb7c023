internal import HTTPWire
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The routes of the pages that show what was published. Each is a GET that starts nothing, and is cached as documents are.
struct GalleryReading: Sendable {
    let answers: ResponseCache
    /// The running of widgets on pages; asked for each page, and quick.
    let running: @Sendable () -> PageRunning
    let embedding: Embedding
    /// The address at which clients reach the server, for lines that people paste.
    let address: @Sendable () -> String

    func add(to routes: inout Routes) {
        routes.get("/feed.atom", feed)
        routes.get("/w/{id}", bundle)
        routes.get("/w/{id}/feed.atom", bundleFeed)
        routes.get("/w/{id}/{key}", release)
        routes.get("/w/{id}/{key}/try", alone)
        routes.get("/w/{id}/{key}/bundle.zip", archive)
        routes.get("/w/{id}/{key}/still/{part}", part)
        routes.get("/w/{id}/{key}/files/{path...}", file)
        routes.get("/w/{id}/compare/{key}/{otherKey}", compare)
        routes.get("/assets/gallery/{name}", GalleryAssets.shared.answer)
        routes.get("/api", InterfacePage().answer)
        ManualPages().add(to: &routes)
        FormerPages().add(to: &routes)
    }

    // MARK: Pages

    /// `GET /` for people
    func catalogue(_ request: borrowing Request) -> Answer {
        answer(request) { request throws(Problem) in
            try QueryLaw.catalogues.check(request)
            let query = try rethrowing(try CatalogueParameters(request), as: ProblemCatalogue.unreadable)
            let (address, root) = (address(), request.root)
            let limit = min(query.limit ?? CataloguePage.length, CataloguePage.length)
            let key = CacheKey(
                .catalogue, address, query.text, query.prefix, query.finding, query.after, String(limit))
            return try answers.document(request, key, refusing: GalleryReading.refusal(request)) {
                registry, reader throws(Problem) in
                // Read first: a change that comes while the page is made reaches the page.
                let latest = reader.isAnyone ? registry.latestTag : nil
                let entries = try ResponseCache.ask(reader) { () throws(RegistryError) in
                    var search = SearchQuery(
                        limit: limit, after: query.after, territory: reader.territory,
                        isVisible: { reader.sees($0) })
                    search.text = query.text ?? ""
                    search.prefix = query.prefix ?? ""
                    search.finding = query.finding
                    return try registry.search(search)
                }
                let page = CataloguePage(query: query, address: address, entries: entries, latestTag: latest)
                return page.resource(below: root, reader.caching(.briefly))
            }
        }
    }

    /// `GET /w/{id}`
    private func bundle(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        answer(request) { request throws(Problem) in
            try QueryLaw.bundlePages.check(request)
            let part = try rethrowing(try PageParameters(request), as: ProblemCatalogue.unreadable)
            let choice = try rethrowing(try DeviceChoice(request), as: ProblemCatalogue.unreadable)
            let (address, root) = (address(), request.root)
            let running = running()
            let key = CacheKey(.bundlePage, bundle.text, address, part.after, choice.query, running.key)
            return try answers.document(request, key, about: bundle.text, refusing: GalleryReading.refusal(request)) {
                registry, reader throws(Problem) in
                let (entry, history) = try ResponseCache.ask(reader) { () throws(RegistryError) in
                    (
                        try registry.entry(bundle.text),
                        try registry.releases(bundle.text, limit: BundlePage.length, after: part.after)
                    )
                }
                var shown: ReleaseView?
                if let key = entry.release?.key {
                    shown = try ReleaseView(registry, bundle.text, key, for: reader, running)
                }
                let page = BundlePage(
                    entry: entry, shown: shown, history: history, after: part.after, choice: choice,
                    address: address)
                return GalleryAnswer.page(
                    page.bytes(), below: root, reader.caching(.briefly), RunOnPage.powers(shown))
            }
        }
    }

    /// `GET /w/{id}/{key}`
    private func release(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ release: ReleaseKey
    ) throws -> Answer {
        answer(request) { request throws(Problem) in
            let (address, root) = (address(), request.root)
            let running = running()
            let key = CacheKey(.releasePage, bundle.text, release.text, address, running.key)
            return try answers.document(request, key, about: bundle.text, refusing: GalleryReading.refusal(request)) {
                registry, reader throws(Problem) in
                let view = try ReleaseView(registry, bundle.text, release.text, for: reader, running)
                let others = try ResponseCache.ask(reader) { () throws(RegistryError) in
                    try registry.releases(bundle.text, limit: BundlePage.length, after: nil).items
                }
                let page = ReleasePage(
                    view: view, others: others.filter { $0.key != release.text && !$0.isGone },
                    address: address)
                return GalleryAnswer.page(
                    page.bytes(), below: root, reader.caching(.briefly), RunOnPage.powers(view))
            }
        }
    }

    /// `GET /w/{id}/{key}/try`
    private func alone(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ release: ReleaseKey
    ) throws -> Answer {
        answer(request) { request throws(Problem) in
            try QueryLaw.widgetsAlone.check(request)
            let choice = try rethrowing(try AloneChoice(request), as: ProblemCatalogue.unreadable)
            let (root, running) = (request.root, running())
            let key = CacheKey(.alonePage, bundle.text, release.text, choice.query, running.key)
            return try answers.document(request, key, about: bundle.text, refusing: GalleryReading.refusal(request)) {
                registry, reader throws(Problem) in
                let view = try ReleaseView(registry, bundle.text, release.text, for: reader, running)
                if let screen = choice.screen, let facts = view.facts,
                    !facts.screens.contains(where: { $0.name == screen })
                {
                    throw ProblemCatalogue.problem(
                        .notFound, "\(bundle.text) \(release.text) has no screen \(ProblemCatalogue.quoted(screen)).")
                }
                let page = AlonePage(view: view, choice: choice)
                return GalleryAnswer.page(
                    page.bytes(), below: root, reader.caching(.briefly), RunOnPage.powers(view))
            }
        }
    }

    /// `GET /w/{id}/{key}/bundle.zip`: the archive for the release's own pages, whose readers may have signed in.
    private func archive(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ release: ReleaseKey
    ) throws -> Answer {
        let reader = try answers.reader(request)
        guard reader.sees(bundle.text) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(bundle.text, spelling: nil))
        }
        return answers.work.answer { [answers] () throws(Problem) in
            let (known, _) = try ReleaseReading.files(answers.registry, bundle, release, for: reader)
            return .resource(
                try answers.archives.opened(known.digest, for: reader).resource(isNamed: true, for: reader))
        }
    }

    /// `GET /w/{id}/compare/{key}/{otherKey}`
    private func compare(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ old: ReleaseKey, _ new: ReleaseKey
    ) throws -> Answer {
        answer(request) { request throws(Problem) in
            let root = request.root
            let key = CacheKey(.comparePage, bundle.text, old.text, new.text)
            return try answers.document(request, key, about: bundle.text, refusing: GalleryReading.refusal(request)) {
                registry, reader throws(Problem) in
                let before = try ReleaseView(registry, bundle.text, old.text, for: reader, .usual)
                let after = try ReleaseView(registry, bundle.text, new.text, for: reader, .usual)
                let (oldRelease, oldFiles) = try ReleaseReading.files(registry, bundle, old, for: reader)
                let (newRelease, newFiles) = try ReleaseReading.files(registry, bundle, new, for: reader)
                let page = ComparePage(
                    old: before, new: after,
                    difference: DifferenceDocument(from: oldRelease, oldFiles, to: newRelease, newFiles),
                    texts: try GalleryReading.texts(before, after, in: registry, for: reader))
                return GalleryAnswer.page(page.bytes(), below: root, reader.caching(.briefly))
            }
        }
    }

    /// Compares the stills of the screens that two releases have by their names.
    private static func texts(
        _ old: ReleaseView, _ new: ReleaseView, in registry: Registry, for reader: Reader
    ) throws(Problem) -> [ScreenTexts] {
        guard !old.stills.isEmpty, !new.stills.isEmpty else { return [] }
        let before = Dictionary(old.stills.map { ($0.screen.name, $0.part) }) { first, _ in first }
        let after = Dictionary(new.stills.map { ($0.screen.name, $0.part) }) { first, _ in first }
        let screens = new.stills.map(\.screen) + old.stills.map(\.screen).filter { after[$0.name] == nil }
        var texts: [ScreenTexts] = []
        for screen in screens {
            let pages = try ResponseCache.ask(reader) { () throws(RegistryError) in
                var pages: [[UInt8]] = []
                for (view, part) in [(old, before[screen.name]), (new, after[screen.name])] {
                    var page: [UInt8] = []
                    if let part {
                        page = try registry.part(part, of: view.bundle.identifier, view.release.key)?.content ?? []
                    }
                    pages.append(page)
                }
                return pages
            }
            texts.append(ScreenTexts(screen.title, old: pages[0], new: pages[1]))
        }
        return texts
    }

    /// `GET /w/{id}/{key}/files/{path...}`
    private func file(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ release: ReleaseKey, _ path: String
    ) throws -> Answer {
        answer(request) { request throws(Problem) in
            let root = request.root
            let key = CacheKey(.filePage, bundle.text, release.text, path)
            return try answers.document(request, key, about: bundle.text, refusing: GalleryReading.refusal(request)) {
                [answers] registry, reader throws(Problem) in
                let view = try ReleaseView(registry, bundle.text, release.text, for: reader, .usual)
                let files = try ReleaseReading.files(registry, bundle, release, for: reader).files
                guard let kept = view.report?.kept.first(where: { $0.path.utf8.elementsEqual(path.utf8) }),
                    let file = files.first(where: { $0.path.utf8.elementsEqual(path.utf8) })
                else {
                    throw ProblemCatalogue.problem(
                        .noSuchFile, "\(bundle.text) \(release.text) has no file \(ProblemCatalogue.quoted(path)).")
                }
                let content = try GalleryReading.content(of: file, kept, view, answers, for: reader)
                return GalleryAnswer.page(
                    FilePage(view: view, file: kept, content: content).bytes(), below: root, reader.caching(.briefly))
            }
        }
    }

    private static func content(
        of file: ReleaseFile, _ kept: BundleReport.Kept, _ view: ReleaseView, _ answers: ResponseCache,
        for reader: Reader
    ) throws(Problem) -> FilePage.Content {
        if let name = FilePage.outline(of: file.path, in: view.parts) {
            let part = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try answers.registry.part(name, of: view.bundle.identifier, view.release.key)
            }
            if let part { return .outline(part.content) }
        }
        if view.facts == nil, [.nib, .model].contains(kept.kind) { return .unread }
        if MediaType(path: file.path).isImage { return .picture }
        guard [.json, .strings, .plist].contains(kept.kind), file.byteCount <= FilePage.readLimit else { return .other }
        let open = try answers.archives.opened(view.release.digest, for: reader)
        let bytes = try FileReading.expand(file, of: view.release, from: open.blob)
        // A compiled property list is not text.
        guard !bytes.contains(0), (try? UTF8Span(validating: bytes.span)) != nil else { return .other }
        return .text(bytes)
    }

    // MARK: Parts and feeds

    /// `GET /w/{id}/{key}/still/{part}`
    private func part(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ release: ReleaseKey, _ name: String
    ) throws -> Answer {
        let ancestors = embedding.ancestors()
        let key = CacheKey(.part, bundle.text, release.text, name, ancestors.text)
        return try answers.document(request, key, about: bundle.text) { registry, reader throws(Problem) in
            let (known, part) = try ResponseCache.ask(reader) { () throws(RegistryError) in
                (
                    try registry.release(bundle.text, release.text),
                    try GalleryReading.stored(name, of: bundle.text, release.text, in: registry)
                )
            }
            if let problem = ProblemCatalogue.gone(known) { throw problem }
            guard let part else {
                throw ProblemCatalogue.problem(
                    .noSuchFile, "\(bundle.text) \(release.text) has no still \(ProblemCatalogue.quoted(name)).")
            }
            return GalleryAnswer.resource(
                part.mediaType, part.content, reader.caching(.briefly), GalleryAnswer.fields(.still(ancestors)))
        }
    }

    /// A part that is stored, or made of one for a scheme that its reader forces.
    private static func stored(
        _ name: String, of bundle: String, _ release: String, in registry: Registry
    ) throws(RegistryError) -> ReleasePart? {
        if let part = try registry.part(name, of: bundle, release) { return part }
        guard let schemed = SchemedPart(name: name) else { return nil }
        return try registry.part(schemed.base, of: bundle, release).flatMap { schemed.made(of: $0) }
    }

    /// `GET /feed.atom`
    private func feed(_ request: borrowing Request) throws -> Answer {
        let address = address()
        return try answers.document(request, CacheKey(.feed, address)) { registry, reader throws(Problem) in
            let entries = try ResponseCache.ask(reader) { () throws(RegistryError) in
                // Hidden releases must not push out of the feed those that the reader sees.
                reader.territory.isEmpty
                    ? try registry.latestPublications(limit: ReleaseFeed.length).filter {
                        reader.sees($0.bundleIdentifier)
                    }
                    .map {
                        ReleaseFeed.Entry(
                            bundle: $0.bundleIdentifier, release: $0.release, published: $0.at, author: $0.by,
                            note: nil)
                    }
                    : try GalleryReading.latest(of: reader, registry)
            }
            return ReleaseFeed(title: "New releases", path: "/feed.atom", page: "/", address: address, entries: entries)
                .resource(reader.caching(.briefly))
        }
    }

    /// The latest releases of the bundles that a reader of a part sees: of each bundle one, of a hundred bundles at most.
    private static func latest(of reader: Reader, _ registry: Registry) throws(RegistryError) -> [ReleaseFeed.Entry] {
        let bundles = try registry.bundles(
            BundleQuery(limit: 100, territory: reader.territory) { reader.sees($0) })
        var entries: [ReleaseFeed.Entry] = []
        for bundle in bundles.items {
            guard let key = bundle.latest else { continue }
            let release = try registry.release(bundle.identifier, key)
            entries.append(
                ReleaseFeed.Entry(
                    bundle: bundle.identifier, release: key, published: release.published, author: release.publishedBy,
                    note: nil))
        }
        return Array(entries.sorted { $0.published > $1.published }.prefix(ReleaseFeed.length))
    }

    /// `GET /w/{id}/feed.atom`
    private func bundleFeed(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        let address = address()
        let key = CacheKey(.feed, address, bundle.text)
        return try answers.document(request, key, about: bundle.text) { registry, reader throws(Problem) in
            let (entry, releases) = try ResponseCache.ask(reader) { () throws(RegistryError) in
                (
                    try registry.bundle(bundle.text),
                    try registry.releases(bundle.text, limit: ReleaseFeed.length, after: nil).items
                )
            }
            let entries = releases.filter { !$0.isGone }.map { release in
                ReleaseFeed.Entry(
                    bundle: bundle.text, release: release.key, published: release.published,
                    author: release.publishedBy, note: release.remarks.note)
            }
            let page = PagePath.bundle(bundle.text)
            return ReleaseFeed(
                title: "Releases of \(entry.name)", path: "\(page)/feed.atom", page: page, address: address,
                entries: entries
            ).resource(reader.caching(.briefly))
        }
    }

    // MARK: Refusals

    /// Answers browsers with pages, also when there is something to refuse.
    private func answer(
        _ request: borrowing Request, _ make: (borrowing Request) throws(Problem) -> Answer
    ) -> Answer {
        do throws(Problem) {
            return try make(request)
        } catch {
            return GalleryReading.refusal(request)(error)
        }
    }

    /// The form in which a client is refused: a page for browsers, which can sign in.
    static func refusal(_ request: borrowing Request) -> @Sendable (Problem) -> Answer {
        guard request.accepts(naming: "text/html") else { return { .problem($0) } }
        let address = SignIn.address(request)
        return { problem in
            let codes: [ProblemCode] = [.unauthorized, .tokenExpired]
            if codes.contains(where: { $0.rawValue == problem.code }) { return SignIn.invitation(backTo: address) }
            return GalleryAnswer.refusal(problem)
        }
    }
}
