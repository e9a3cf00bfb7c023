internal import HTTPWire
internal import WidgetBytes
internal import WidgetCore
internal import WidgetLive
internal import WidgetRender
public import WidgetRuntime
internal import WidgetSurroundings

/// Widgets in pages of your own: each is an element that you write where it is to be, and all of them are served by one path of
/// your server.
///
/// Their sheets stay inside, and yours outside. With the script they are kept up to date, and without it they are forms.
///
/// ```swift
/// let site = WidgetSite(below: "/widgets")
/// let clock = try await site.element(of: session, options: options, for: visitorAddress)
/// // your page: site.script in <head>, clock where the widget is to be
/// let answer = await site.answer(request)     // for each request below /widgets
/// ```
public final class WidgetSite: Sendable {
    private struct Kept {
        weak var source: SessionSource?
    }

    /// The path below which your server passes on requests.
    public let path: String
    /// The path as browsers see it.
    let address: String
    private let desk: LiveDesk
    private let openings: SiteOpenings
    private let sources = Guarded<[ObjectIdentifier: Kept]>([:])
    private let clock: Task<Void, Never>
    /// The files by which browsers run widgets themselves.
    let elements = Guarded<[String: PageFile]>([:])

    /// Serves widgets below a path, such as `/widgets`.
    ///
    /// - Parameter publicPath: the same path as browsers see it, behind a proxy that takes away its beginning; the path itself if
    ///   `nil`.
    public convenience init(below path: String, publicPath: String? = nil) {
        self.init(below: path, publicPath: publicPath, WidgetSite.limits, in: .machine)
    }

    /// A look at a page opens its widgets, so those that are not in use make room, also for other visitors. One that is looked
    /// at stays for as long as that.
    static var limits: LiveLimits {
        var limits = LiveLimits.ofSessions
        (limits.viewingsPerAddress, limits.unusedSeconds, limits.makesRoomForAll) = (200, 5, true)
        limits.idleWithStream = .infinity
        return limits
    }

    init(below path: String, publicPath: String? = nil, _ limits: LiveLimits, in world: World) {
        self.path = WidgetSite.plain(path)
        address = WidgetSite.plain(publicPath ?? path)
        let desk = LiveDesk(limits, in: world)
        self.desk = desk
        openings = SiteOpenings(world.clock)
        clock = LiveThreads.begin { await desk.run() }
    }

    /// A path of letters that need no escape.
    private static func plain(_ path: String) -> String {
        let plain = path.utf8.filter { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: true
            default: false
            }
        }
        let parts = String(decoding: plain, as: UTF8.self).split(separator: "/")
        return parts.map { "/\($0)" }.joined()
    }

    deinit { clock.cancel() }

    /// The element for the `<head>` of a page: the script that keeps its widgets up to date. Its file never changes.
    public var script: String { "<script src=\"\(address)/\(LiveScript.fileName)\" defer></script>" }

    /// A widget as an element, for one viewer of a page. What follows from it is served by ``answer(_:)``.
    ///
    /// Its size is that of the element `widget-view`, which your sheet may set.
    ///
    /// - Parameters:
    ///   - options: the reader, and a letter that no other widget of the page has.
    ///   - client: a name for the visitor, such as that of their session, or their address where no proxy has the same for all.
    ///     Each may use 200 at once, and all together 2,000; those whose pages are gone make room.
    /// - Throws: `RuntimeError` if more are in use.
    public func element(
        of session: WidgetSession, options: WidgetPageOptions = WidgetPageOptions(), for client: String
    ) async throws(RuntimeError) -> String {
        do throws(LiveRefusal) {
            let page = try await open(session, options, for: client)
            return String(decoding: try await page.printed(), as: UTF8.self)
        } catch {
            throw RuntimeError(.refused, error.sentence(.english))
        }
    }

    /// Ends the widgets of a visitor, such as one who has signed out. No page begins them anew.
    public func end(for client: String) async {
        openings.forget(client)
        await desk.end(of: client)
    }

    /// Ends all widgets on pages; their sessions continue.
    public func close() async {
        clock.cancel()
        openings.forget(nil)
        await desk.stop()
    }

    private func open(
        _ session: WidgetSession, _ options: WidgetPageOptions, for client: String
    ) async throws(LiveRefusal) -> LivePage {
        let source = await source(of: session, options)
        var reader = options.contained
        reader.sheets = [ElementSheet.fileName, ElementSheet.base].map { "\(address)/\($0)" }
        let page = try await desk.openOne(
            from: client, begin: "",
            at: { [address, reader] name in
                let page = "\(address)/\(name)"
                return LivePlace(reader, page: page, begin: "\(page)/again", assets: "\(address)/")
            }, printing: { ElementPage($0) }
        ) { [desk, openings] name, place, reason, end in
            let viewing = Viewing(
                of: source, session.running, at: place, desk.limits, desk.clock, desk.files, end.come)
            await viewing.begin(reason)
            // Before the desk shows the page, so that the end of its visitor forgets it.
            openings.add(session, options, for: client, as: name)
            return viewing
        }
        // A program that came in between found no page here.
        await page.catchUp()
        return page
    }

    /// Opens a page in the place of one that has ended, with the same widget for the same visitor.
    private func again(_ name: String) async -> SiteAnswer {
        guard let (session, options, client) = openings.opening(of: name) else {
            return SiteAnswer(.over, desk.ending(name), words(for: name))
        }
        do throws(LiveRefusal) {
            let page = try await open(session, options, for: client)
            // The visitor may have signed out before the desk knew of this page.
            guard openings.opening(of: name) != nil else {
                await page.end()
                openings.forget(page: page.name)
                return SiteAnswer(.over, desk.ending(name), SystemWords(options.locale))
            }
            return SiteAnswer(303, fields: [("Location", "\(address)/\(page.name)")])
        } catch {
            return SiteAnswer(error, nil, SystemWords(options.locale))
        }
    }

    /// The source of a session, which all of its elements share.
    private func source(of session: WidgetSession, _ options: WidgetPageOptions) async -> SessionSource {
        let key = ObjectIdentifier(session)
        if let known = sources.withLock({ $0[key]?.source }), known.opensAddresses == options.showsLinks {
            return known
        }
        let made = await SessionSource(session, opensAddresses: options.showsLinks)
        // Another visitor may have made one meanwhile.
        let (source, isNew) = sources.withLock { sources in
            if let known = sources[key]?.source, known.opensAddresses == options.showsLinks { return (known, false) }
            sources = sources.filter { $0.value.source != nil }
            sources[key] = Kept(source: made)
            return (made, true)
        }
        if isNew { source.watch(for: desk) }
        return source
    }

    /// The words for the reader of a page.
    private func words(for name: String) -> SystemWords { desk.words(for: name) ?? .english }

    // MARK: - Requests

    /// Answers a request of a widget or of its page; `nil` for one that is not below the path.
    public func answer(_ request: SiteRequest) async -> SiteAnswer? {
        let (address, query) = request.parts
        guard address.hasPrefix("\(path)/") else { return nil }
        let parts = address.dropFirst(path.utf8.count + 1).split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        switch (request.method, parts.count) {
        // The script looks whether a page that was begun anew is there.
        case ("GET", 1) where desk.page(parts[0]) != nil: return SiteAnswer(204)
        case ("GET", 1), ("HEAD", 1): return shared(parts[0])
        case ("GET", 2) where parts[1] == "events":
            let position = request.value("Last-Event-ID") ?? query["after"]
            return SiteAnswer(events: SiteStream.events(of: desk.page(parts[0]), after: position))
        case ("GET", 3), ("HEAD", 3): return await file(parts[2], of: parts[1], on: parts[0])
        case ("POST", 2...3):
            // A browser says so of a page of another site.
            guard ["same-origin", "none", nil].contains(request.value("Sec-Fetch-Site")) else {
                return SiteAnswer(403, "That did not come from a page of this server.")
            }
            return parts[1...] == ["again"] ? await again(parts[0]) : await act(request, parts)
        default: return SiteAnswer(404, "Nothing is at this address.")
        }
    }

    private func shared(_ name: String) -> SiteAnswer {
        switch name {
        case LiveScript.fileName: SiteAnswer(file: PageFile(name, LiveScript.bytes))
        case ElementSheet.base: SiteAnswer(sheet: name, BaseSheet.bytes)
        case ElementSheet.fileName: SiteAnswer(sheet: name, ElementSheet.bytes)
        default:
            if let file = elementFile(name) {
                file
            } else if let bytes = desk.files[name] {
                name.hasSuffix(".css") ? SiteAnswer(sheet: name, bytes) : SiteAnswer(file: PageFile(name, bytes))
            } else {
                SiteAnswer(404, "No page has named this file.")
            }
        }
    }

    private func file(_ name: String, of letter: String, on page: String) async -> SiteAnswer {
        guard let part = await desk.page(page)?.part(letter) else {
            return SiteAnswer(404, "The page lacks this widget.")
        }
        guard name.hasSuffix(".css") else {
            var bytes = desk.files[name]
            if bytes == nil { bytes = await part.file(name) }
            guard let bytes else { return SiteAnswer(404, "No page has named this file.") }
            return SiteAnswer(file: PageFile(name, bytes))
        }
        guard let number = Int(name.dropLast(4)), let sheet = await part.sheet(number) else {
            return SiteAnswer(404, "No page has this sheet.")
        }
        // The sheet of one viewing is written for its element.
        return SiteAnswer(file: PageFile(name, Array(sheet.utf8)), isFixed: false)
    }

    private func act(_ request: SiteRequest, _ parts: [String]) async -> SiteAnswer {
        guard let page = desk.page(parts[0]) else {
            return SiteAnswer(.over, desk.ending(parts[0]), words(for: parts[0]))
        }
        if parts.count == 2, parts[1] == "end" {
            await page.end()
            return SiteAnswer(204)
        }
        guard parts.count == 2 || parts[2] == "actions", let part = await page.part(parts[1]) else {
            return SiteAnswer(404, "The page lacks this widget.")
        }
        let outcome: LiveOutcome
        if parts.count == 3 {
            outcome = await part.act(request.body)
        } else {
            do throws(PostedForm.Mistake) {
                let form = try PostedForm(request.body, contentType: request.value("Content-Type") ?? "")
                let files = form.files.map {
                    ($0.field, LiveFile(name: $0.name, contentType: $0.contentType, bytes: $0.bytes))
                }
                outcome = await part.post(LiveForm(fields: form.fields, files: files))
            } catch {
                return SiteAnswer(400, "\(error)")
            }
        }
        switch outcome {
        case .refused(let refusal): return SiteAnswer(refusal, desk.ending(parts[0]), words(for: parts[0]))
        case .taken:
            // Without the script the browser goes back to the page around the widget.
            guard parts.count == 2, let page = request.ownReferer else { return SiteAnswer(204) }
            return SiteAnswer(303, fields: [("Location", page)])
        }
    }
}
