package import WidgetCore

/// The content of a page at one moment: enough to say later what has changed since.
package struct PageMoment: Sendable {
    package let view: View
    /// The rows that long lists show, for lists that show more of them than usual.
    package let windows: [ViewKey: Int]
    /// The rows of lists that show all of theirs, which are more than a long list shows: if they grow, these stay.
    let fullLists: [ViewKey: Int]
    /// Rules of this page alone, by what they are about. `ViewingSheet` prints them.
    package var rules: [String: String] { stateRules.merging(keptRules) { first, _ in first } }
    let stateRules: [String: String]
    /// Of the pictures and the kinds of elements that the page has had. Their names say what is in them, and they stay.
    let keptRules: [String: String]
    /// In the order of the page.
    let regions: [PageRegion]
    /// The rows of long lists.
    let rowCounts: [ViewKey: Int]
    /// True if a change can be found only by looking at all elements: nodes that occur twice, and names that count.
    let needsSurvey: Bool
    let hasDoubledIDs: Bool
    let focused: Set<String>

    /// True if a control of the page has the focus of its widget.
    package var hasFocus: Bool { !focused.isEmpty }
}

/// The operations that turn one moment of a page into the next.
package struct PageChange: Sendable {
    package let operations: [PageOperation]
    package let moment: PageMoment
    /// The bytes of pictures that the operations name, by the names of their files.
    package let pictures: [String: [UInt8]]
    /// Sentences about pictures that the page cannot show.
    package let remarks: [String]
}
