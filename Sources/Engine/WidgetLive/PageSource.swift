package import WidgetHosting
internal import WidgetRunning

/// The places of a page, and the widgets in them.
package protocol PageSource: AnyObject, Sendable {
    /// The slots as they are now.
    func moment() async -> PageArrangement

    /// A new stream for one page: an element for each time that the slots may have changed.
    var changes: AsyncStream<Void> { get }

    /// Makes the part of a page for the widget that a slot has now, in this process or elsewhere.
    ///
    /// - Returns: `nil` if the slot has no running widget.
    func part(_ letter: String, of page: LivePage, at place: LivePlace) async -> (any LivePart)?

    /// Does what a person wants of a slot.
    ///
    /// - Returns: false if the page has no slots that can be arranged.
    func act(_ act: SlotAct) async -> Bool

    /// Opens a link that the address of a new page has.
    func open(_ link: String) async
}

extension PageSource {
    package func open(_ link: String) async {}
}

/// The markup of a page around its widgets.
package protocol LivePagePrinter: Sendable {
    /// The place of a widget.
    func place(_ slot: PageSlot, on page: String) -> LivePlace

    /// A whole page.
    ///
    /// - Returns: `nil` for a page that is nothing without a widget that could not be printed.
    func page(_ moment: PageArrangement, _ widgets: [String: PrintedPart], at address: String, _ position: PagePosition)
        -> [UInt8]?

    /// False for a page whose widget has no frame that could change.
    var hasSlots: Bool { get }

    /// One slot, for a page that is shown.
    func slot(_ slot: PageSlot, _ widget: PrintedPart?, at address: String) -> [UInt8]
}

extension LivePage {
    /// A part whose widget runs in this process.
    package nonisolated func viewing(
        of source: any LiveSource, _ widget: RunningWidget, at place: LivePlace
    ) async -> Viewing {
        let viewing = Viewing(of: source, widget, at: place, limits, clock, files) { _ in }
        await viewing.begin()
        return viewing
    }
}
