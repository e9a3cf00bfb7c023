internal import Markup
package import WidgetCore

/// Pages that change while they are shown.
extension PagePrinter {
    /// A whole page, and what it shows.
    ///
    /// - Parameter windows: the rows that long lists show, if not as many as usual.
    package func moment(
        _ view: View, windows: [ViewKey: Int] = [:], _ assets: some ViewAssets
    ) -> (moment: PageMoment, page: PrintedPage) {
        let page = page(view, assets)
        return (PageMoment(view: view, windows: windows, rules: page.rules), page)
    }

    /// The operations that turn the page of a moment into that of a view.
    ///
    /// - Parameter windows: the rows that long lists show from now on, if not as many as usual.
    package func change(
        from old: PageMoment, to view: View, windows: [ViewKey: Int] = [:], _ assets: some ViewAssets
    ) -> PageChange {
        let part = fragment(view.root, of: view, assets)
        let title = view.title.isEmpty ? view.screen : view.title
        return PageChange(
            operations: [.whole(html: part.html, title: title)],
            moment: PageMoment(view: view, windows: windows, rules: part.rules), pictures: part.pictures,
            remarks: part.remarks)
    }

    /// The operations that give a control the value that it has in a view, for a page whose reader has changed it; none
    /// for an element without a value.
    package func value(of node: ViewNode) -> [PageOperation] { [] }
}
