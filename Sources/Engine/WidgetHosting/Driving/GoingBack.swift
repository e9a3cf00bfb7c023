internal import WidgetContract
internal import WidgetCore
package import WidgetRunning

extension RunningWidget {
    /// Goes back as a reader does, until that can be done a number of times only.
    ///
    /// - Returns: false if the widget stays where it is, because an alert is in front or a screen is not left.
    package func goBack(to depth: Int) -> Bool {
        guard driver.instance.store.alerts.isEmpty else { return false }
        var now = driver.instance.store.backCount
        while now > max(depth, 0) {
            send(.back)
            let next = driver.instance.store.backCount
            guard next < now else { return false }
            now = next
        }
        return true
    }

    package var place: ShownPlace { driver.instance.place }

    /// Opens a link.
    ///
    /// - Returns: false for one that the widget does not declare, or whose row is not there.
    package func leads(to link: String) -> Bool {
        if case .notFound = open(link) { false } else { true }
    }
}

extension RunningWidget.Snapshot {
    /// True if the row of the last link has not come.
    package var isLinkLost: Bool { if case .notFound = link { true } else { false } }
}
