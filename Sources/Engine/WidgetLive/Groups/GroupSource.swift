package import WidgetRunning

/// The slots of all pages of a host, and the widgets in them.
package protocol GroupSource: AnyObject, Sendable {
    /// The slots as they are now.
    func moment() async -> GroupMoment

    /// A new stream for one page: an element for each time that the slots may have changed.
    var changes: AsyncStream<Void> { get }

    /// Makes the viewing of the widget that a slot has now, in this process or elsewhere.
    ///
    /// - Returns: `nil` if the slot has no running widget.
    func viewing(of letter: String, on page: PageGroup, at place: LivePlace) async -> (any LiveViewing)?

    func act(_ act: GroupAct) async
}

/// The markup of pages with several widgets.
package protocol GroupPrinter: Sendable {
    /// A whole page.
    func page(_ moment: GroupMoment, _ widgets: [String: LivePage], at address: String, _ position: GroupPosition)
        -> [UInt8]

    /// One slot, for a page that is shown.
    func slot(_ slot: GroupSlot, _ widget: LivePage?, at address: String) -> [UInt8]
}

extension PageGroup {
    /// A viewing of a widget that runs in this process.
    package nonisolated func viewing(
        of source: any LiveSource, _ widget: RunningWidget, at place: LivePlace
    ) async -> Viewing {
        let viewing = Viewing(name, of: source, widget, at: place, limits, clock, files) { _ in }
        await viewing.begin()
        return viewing
    }
}
