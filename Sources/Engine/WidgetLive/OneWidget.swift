internal import WidgetBytes
internal import WidgetMarkup
package import WidgetRender

/// The source of a page with one widget, whose end is that of the page.
package final class OneWidget: PageSource {
    private let part: any LivePart
    private let letter: String
    private let end: PartEnd

    /// - Parameter end: that of the widget.
    package init(_ part: any LivePart, letter: String, _ end: PartEnd) {
        self.part = part
        self.letter = letter
        self.end = end
    }

    package func moment() async -> PageArrangement {
        let size = PageSlot.Size(width: 0, height: 0)
        return PageArrangement([
            PageSlot(letter, "", size: size, isScaled: false, phase: .running(generation: 0))
        ])
    }

    package var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    package func part(_ letter: String, of page: LivePage, at place: LivePlace) async -> (any LivePart)? {
        guard letter == self.letter else { return nil }
        await end.begin(page)
        return part
    }

    package func act(_ act: SlotAct) async -> Bool { false }
}

/// The end of a widget that is alone on its page. It is known to the desk at once, and the page ends after it.
package final class PartEnd: Sendable {
    private struct State {
        var reason: LiveEnding?
        var page: LivePage?
    }

    private let notify: @Sendable (LiveEnding) -> Void
    private let state = Guarded(State())

    package init(_ notify: @escaping @Sendable (LiveEnding) -> Void) { self.notify = notify }

    /// The widget has ended.
    package func come(_ reason: LiveEnding) {
        notify(reason)
        let page = state.withLock { state in
            defer { state = State(reason: state.reason ?? reason) }
            return state.page
        }
        guard let page else { return }
        LiveThreads.begin { await page.end(reason) }
    }

    /// The page ends with the widget, which may have ended before it was made.
    func begin(_ page: LivePage) async {
        let reason = state.withLock { state in
            if state.reason == nil { state.page = page }
            return state.reason
        }
        if let reason { await page.end(reason) }
    }
}

/// The markup of a page that a widget has for itself.
package struct OneWidgetPage: LivePagePrinter {
    private let place: LivePlace
    private let script: ScriptAddress?
    private let refresh: Int

    package init(_ place: LivePlace, script: ScriptAddress?, _ limits: LiveLimits = LiveLimits()) {
        self.place = place
        self.script = script
        refresh = limits.refreshPause
    }

    package var hasSlots: Bool { false }

    package func place(_ slot: PageSlot, on page: String) -> LivePlace { place }

    package func page(
        _ moment: PageArrangement, _ widgets: [String: PrintedPart], at address: String, _ position: PagePosition
    ) -> [UInt8]? {
        guard let part = widgets[place.options.letter] else { return nil }
        var options = part.bench?.applied(to: place.options) ?? place.options
        options.sheets = part.sheets
        var html = HTMLWriter(reservingBytes: part.html.count + 2_048)
        PageHead.begin(
            LiveHead(
                title: part.title, address: address, begin: part.bench?.begin ?? place.begin, position: position.text,
                script: script, refresh: part.isAwaiting ? refresh : nil, depth: part.depth, link: part.link),
            options, to: &html)
        html.printed(part.html)
        part.bench?.write(part.status.findings ?? [], letter: options.letter, isRunning: true, to: &html)
        html.end()
        html.end()
        html.markup("\n")
        return html.finish()
    }

    package func slot(_ slot: PageSlot, _ widget: PrintedPart?, at address: String) -> [UInt8] { widget?.html ?? [] }
}
