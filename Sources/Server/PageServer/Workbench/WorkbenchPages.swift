internal import WidgetBytes
internal import WidgetCore
package import WidgetHTTPServer
package import WidgetLive
package import WidgetRender

/// A widget in the languages that its author may look at it in.
package protocol WorkbenchSource: Sendable {
    /// Those that are offered. An address names no other, so that few programs are read.
    var languages: [String] { get }

    /// The usual widget, which is there already.
    var usual: any LiveSource { get }

    /// The widget in a language.
    ///
    /// - Throws: `unreadable` with the reason.
    func source(in locale: String) async throws(LiveRefusal) -> any LiveSource

    /// The reader of a language, or the usual one if it is empty.
    func options(in locale: String) -> PageOptions
}

/// The pages of one widget with a workbench. Language and look are parts of the addresses that begin pages.
package final class WorkbenchPages: ServedPages {
    private struct Choice: Hashable {
        var look: PageLook
        var locale: String

        /// - Parameter languages: those that are offered. Other words are ignored.
        init(_ request: borrowing Request, _ languages: [String]) {
            let words: [PageLook.Kind: String?] = [
                .size: request.query("size"), .scheme: request.query("scheme"), .direction: request.query("dir"),
                .textSize: request.query("text"),
            ]
            look = PageLook { words[$0] ?? nil }
            locale = request.query("locale").flatMap { languages.contains($0) ? $0 : nil } ?? ""
        }

        init() { (look, locale) = (PageLook(), "") }
    }

    /// The first screens that are kept, each for its look and language.
    private static let keptCount = 32

    private let source: any WorkbenchSource
    private let devices: [Workbench.Device]
    private let kept = Guarded<[Choice: OnePages]>([:])

    package init(_ source: any WorkbenchSource, devices: [Workbench.Device]) {
        self.source = source
        self.devices = devices
    }

    package var files: [(String, Resource)] {
        [(WorkbenchSheet.fileName, PageAnswer.document(PageAnswer.css, WorkbenchSheet.bytes, .forever))]
    }

    package var labels: [String: String] { pages(Choice(), of: source.usual).labels }

    package var locale: String { source.options(in: "").locale }

    package func first(_ request: borrowing Request, _ desk: LiveDesk, _ routes: LiveRoutes) -> Answer {
        if let refusal = routes.hosts.refusal(request) { return refusal }
        let (choice, link) = (Choice(request, source.languages), OpenedLink(request))
        if choice.locale.isEmpty { return pages(choice, of: source.usual).first(desk, opening: link) }
        return .later { [self] responder in
            LiveThreads.begin { [self] in
                do throws(LiveRefusal) {
                    responder.answer(try await pages(choice).first(desk, opening: link))
                } catch {
                    responder.answer(routes.refusal(error, of: nil))
                }
            }
        }
    }

    package func opening(_ request: borrowing Request) -> PageOpening {
        let (choice, link) = (Choice(request, source.languages), OpenedLink(request))
        return { [self] desk, client, former throws(LiveRefusal) in
            try await pages(choice).open(desk, from: client, after: former, opening: link)
        }
    }

    private func pages(_ choice: Choice) async throws(LiveRefusal) -> OnePages {
        pages(choice, of: choice.locale.isEmpty ? source.usual : try await source.source(in: choice.locale))
    }

    private func pages(_ choice: Choice, of widget: any LiveSource) -> OnePages {
        kept.withLock { kept in
            if let known = kept[choice], known.source === widget { return known }
            let bench = Workbench(
                choice.look, devices: devices, languages: source.languages, locale: choice.locale,
                first: PageAddress.first, start: PageAddress.live)
            let pages = OnePages(widget, options: source.options(in: choice.locale), bench: bench)
            if kept.count >= WorkbenchPages.keptCount { kept = [:] }
            kept[choice] = pages
            return pages
        }
    }
}
