internal import WidgetCore
package import WidgetHTTPServer
internal import WidgetLayout
package import WidgetLive
internal import WidgetMarkup
package import WidgetRender

/// Pages with several widgets: a heading, a card for each slot with its widget or the reason why it is missing, and the forms
/// that act on slots.
package struct SlotPages: LivePagePrinter {
    private let source: any PageSource
    private let title: String
    private let options: PageOptions
    private let words: SystemWords
    let sheet: SlotSheet

    /// - Parameters:
    ///   - source: the slots and their widgets.
    ///   - title: of the whole page.
    ///   - options: the reader of all pages.
    package init(
        _ source: any PageSource, _ title: String, _ sizes: Set<PageSlot.Size>, columns: Int?, options: PageOptions
    ) {
        self.source = source
        self.title = title
        self.options = options
        words = SystemWords(options.locale)
        sheet = SlotSheet(sizes, columns: columns)
    }

    package var hasSlots: Bool { true }

    /// The place of a widget on a page. A scaled one is laid out as on a phone of the slot's proportions.
    package func place(_ slot: PageSlot, on page: String) -> LivePlace {
        var options = options
        options.letter = slot.letter
        options.sheets = LiveRoutes.sheets
        let (width, height) = (slot.size.width, slot.size.height)
        let shown = slot.isScaled ? SlotSheet.phoneWidth : width
        // The status bar is the page's, if it has one.
        options.viewport.safeArea = .zero
        options.viewport.size = .init(width: Double(shown), height: Double(shown * height / max(width, 1)))
        options.part = PagePart(heading: slot.heading, levels: 3...3)
        return LivePlace(options, page: page, begin: PageAddress.live, assets: PageAddress.assets)
    }

    package func page(
        _ moment: PageArrangement, _ widgets: [String: PrintedPart], at address: String, _ position: PagePosition
    ) -> [UInt8]? {
        var options = options
        options.sheets = LiveRoutes.sheets
        for slot in moment.slots {
            let own = widgets[slot.letter]?.sheets ?? []
            options.sheets += own.filter { !options.sheets.contains($0) }
        }
        options.sheets.append(PageAddress.assets + sheet.fileName)
        var html = HTMLWriter(reservingBytes: 64 << 10)
        PageHead.begin(
            LiveHead(
                title: title, address: address, begin: PageAddress.live, position: position.text,
                script: LiveRoutes.script, kind: "host",
                refresh: widgets.values.contains(where: \.isAwaiting) ? LiveLimits().refreshPause : nil),
            options, to: &html)
        html.element(.header) {
            $0.set(.class, "top")
        } content: { html in
            html.element(.h1, text: title)
            form(&html, at: address, of: nil) { html in
                button(&html, "update", words[.updateAll], kind: "wide")
            }
        }
        html.element(.p, text: moment.announcement) { attributes in
            attributes.set(.id, PageSlot.announcementID)
            attributes.set(.class, "vh")
            attributes.set(.role, "status")
        }
        html.element(.main) { attributes in
            attributes.set(.id, PageSlot.listID)
            attributes.set(.class, "slots")
        } content: { html in
            for slot in moment.slots { write(slot, widgets[slot.letter], at: address, to: &html) }
        }
        return html.finish()
    }

    package func slot(_ slot: PageSlot, _ widget: PrintedPart?, at address: String) -> [UInt8] {
        var html = HTMLWriter()
        write(slot, widget, at: address, addingSheets: true, to: &html)
        return html.finish()
    }

    // MARK: - Slots

    /// - Parameter addingSheets: true for a page that may not have the sheets of the widget.
    private func write(
        _ slot: PageSlot, _ widget: PrintedPart?, at address: String, addingSheets: Bool = false,
        to html: inout HTMLWriter
    ) {
        let heading = "\(slot.letter)-h"
        html.element(.section) { attributes in
            attributes.set(.id, slot.id)
            let kind = [
                "slot", SlotSheet.name(of: slot.size), slot.isScaled ? "scaled" : nil, SlotPages.kind(slot.phase),
            ]
            attributes.set(.class, kind.compactMap(\.self).joined(separator: " "))
            attributes.set(.labelledBy, heading)
            attributes.set(.tabindex, "-1")
            attributes.set(.dataSlot, slot.letter)
        } content: { html in
            html.element(.div) {
                $0.set(.class, "head")
            } content: { html in
                html.element(.h2, text: slot.heading) { $0.set(.id, heading) }
                form(&html, at: address, of: slot, kind: "acts") { html in
                    button(&html, "earlier", words[.earlier, ["name": slot.heading]], kind: "earlier", isGlyph: true)
                    button(&html, "later", words[.later, ["name": slot.heading]], kind: "later", isGlyph: true)
                    if case .running = slot.phase {
                        button(&html, "update", words[.update, ["name": slot.heading]], kind: "renew", isGlyph: true)
                    }
                }
            }
            html.element(.div) {
                $0.set(.class, "frame")
            } content: { html in
                let sheets = widget?.sheets ?? []
                for sheet in sheets where addingSheets && !LiveRoutes.sheets.contains(sheet) {
                    html.begin(.link) { attributes in
                        attributes.set(.rel, "stylesheet")
                        attributes.set(.href, sheet)
                    }
                }
                if let widget {
                    html.printed(widget.html)
                } else {
                    LiveFrame.statusLine(&html, letter: slot.letter)
                    absence(slot, at: address, to: &html)
                }
            }
            html.element(.p, text: slot.note) { attributes in
                attributes.set(.id, slot.noteID)
                attributes.set(.class, "note")
            }
        }
    }

    private static func kind(_ phase: PageSlot.Phase) -> String? {
        if case .failed = phase { "failed" } else { nil }
    }

    /// The place of a widget that does not run, with the way to have it run.
    private func absence(_ slot: PageSlot, at address: String, to html: inout HTMLWriter) {
        html.element(.div) {
            $0.set(.class, "empty")
        } content: { html in
            switch slot.phase {
            case .waiting:
                html.element(.p, text: words[.notLoaded])
                load(&html, words[.load], slot, at: address)
            case .loading, .running: html.element(.p, text: words[.loadingNow])
            case .failed(let reason):
                html.element(.p, text: reason)
                load(&html, words[.loadAgain], slot, at: address)
            }
        }
    }

    private func load(_ html: inout HTMLWriter, _ title: String, _ slot: PageSlot, at address: String) {
        form(&html, at: address, of: slot) { html in
            html.element(.button, text: title) { attributes in
                attributes.set(.class, "wide")
                attributes.set(.name, "do")
                attributes.set(.value, "load")
                attributes.set(.describedBy, "\(slot.letter)-h")
            }
        }
    }

    // MARK: - Forms

    private func form(
        _ html: inout HTMLWriter, at address: String, of slot: PageSlot?, kind: String? = nil,
        content: (inout HTMLWriter) -> Void
    ) {
        html.element(.form) { attributes in
            attributes.set(.class, kind)
            attributes.set(.method, "post")
            attributes.set(.action, address)
            attributes.set(.dataHost, if: true)
        } content: { html in
            if let slot {
                html.begin(.input) { attributes in
                    attributes.set(.type, "hidden")
                    attributes.set(.name, "slot")
                    attributes.set(.value, slot.letter)
                }
            }
            content(&html)
        }
    }

    /// - Parameter isGlyph: true for a button whose name is not shown.
    private func button(
        _ html: inout HTMLWriter, _ act: String, _ name: String, kind: String, isGlyph: Bool = false
    ) {
        html.element(.button, text: isGlyph ? "" : name) { attributes in
            attributes.set(.class, kind)
            attributes.set(.name, "do")
            attributes.set(.value, act)
            attributes.set(.label, isGlyph ? name : nil)
            attributes.set(.title, isGlyph ? name : nil)
        }
    }
}

extension SlotPages: ServedPages {
    package var files: [(String, Resource)] {
        [(sheet.fileName, PageAnswer.document(PageAnswer.css, sheet.bytes, .forever))]
    }

    package var labels: [String: String] { [:] }

    package var locale: String { options.locale }

    package func opening(_ request: borrowing Request) -> PageOpening {
        let link = OpenedLink(request)
        return { [self] desk, client, former throws(LiveRefusal) in
            try await open(desk, from: client, after: former, opening: link)
        }
    }

    private func open(
        _ desk: LiveDesk, from client: String, after former: String?, opening link: OpenedLink
    ) async throws(LiveRefusal) -> LivePage {
        try await desk.open(from: client, after: former, begin: PageAddress.live, for: options.locale) {
            name, _, notify in
            let page = LivePage(name, of: source, self, at: PageAddress.page(name), desk, notify)
            await page.begin()
            // Its widgets are there: what the link reveals is shown by this page.
            if let link = link.text { await source.open(link) }
            return page
        }
    }

    /// Leads to a page. The widgets run already, so a page costs no more than what it shows.
    package func first(_ request: borrowing Request, _ desk: LiveDesk, _ routes: LiveRoutes) -> Answer {
        if let refusal = routes.hosts.refusalOfFirst(request) { return refusal }
        let link = OpenedLink(request)
        return routes.open(LiveRoutes.Viewer(request, former: nil)) { [self] client, _ throws(LiveRefusal) in
            try await open(desk, from: client, after: nil, opening: link)
        }
    }
}
