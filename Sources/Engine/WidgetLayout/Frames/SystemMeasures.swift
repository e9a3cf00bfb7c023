/// The lengths that the system gives to its own elements, in points. A device that differs is corrected here.
package enum SystemMeasures {
    static let navigationBar = 44.0
    /// Below the usual one, for a large title.
    static let largeTitle = 52.0
    /// The arrow before the title of the item that leads back, with the gap behind it.
    static let backMark = 19.0
    /// Between the items at one end of a bar.
    static let barGap = 16.0
    static let toolbar = 44.0
    static let tabBar = 49.0
    static let searchBar = 56.0
    static let searchFieldInset = (x: 8.0, y: 10.0)
    static let segments = 32.0
    static let segmentPadding = 10.0
    static let toggle = (width: 51.0, height: 31.0)
    static let stepper = (width: 94.0, height: 29.0)
    static let slider = 31.0
    static let progress = 4.0
    static let dateFont = 17.0
    static let picker = (width: 320.0, height: 216.0)
    static let pageControl = 26.0
    /// Of one dot with the gap behind it.
    static let pageDot = 16.0
    static let activity = 20.0
    static let largeActivity = 37.0
    static let roundedField = 34.0
    static let fieldPadding = 7.0
    /// In sizes of its font, the room that a line keeps which is cut off.
    package static let cutLine = 2.0
    /// Above and below a button's title, where its author set no insets.
    static let buttonPadding = 6.0
    static let leastButton = 30.0
    /// Around the title of a button with a ground.
    static let groundPadding = (x: 12.0, y: 7.0)
    /// The radius of the corners of buttons with a configuration.
    static let buttonCorner = 8.0
    static let smallButtonCorner = 4.0
    static let mediumButtonCorner = 6.0
    static let largeButtonCorner = 10.0
    static let labelFont = 17.0
    static let buttonFont = 15.0
    static let barFont = 17.0
    static let tabFont = 10.0
    static let largeTitleFont = 34.0
    /// A large title grows with the reader's text up to the room of its line.
    static let largestTitleFont = 43.0
    static let segmentFont = 13.0
    /// The weight of the title that is chosen.
    static let chosenWeight = 600
    /// Titles of segments grow with the reader's text up to the room that segments share.
    static let largestSegmentFont = 17.0
    static let textAreaInsets = (x: 5.0, y: 8.0)

    static let row = 44.0
    static let sectionHeader = 28.0
    static let groupedSectionGap = 38.0
    static let groupedSectionTitle = 16.5
    static let groupedSectionFont = 13.0
    package static let separatorInset = 16.0
    static let disclosure = 33.0
    static let checkmark = 39.0
    static let detail = 43.0
    /// Both signs beside each other.
    static let detailDisclosure = 67.0
    static let insetGroupedMargin = 16.0

    package static let margin = 8.0
    static let rowMargin = 11.0
    static let narrowScreenMargin = 16.0
    static let wideScreenMargin = 20.0
    static let wideScreen = 414.0
    static let readableWidth = 672.0

    static func screenMargin(_ width: Double) -> Double { width < wideScreen ? narrowScreenMargin : wideScreenMargin }
}
