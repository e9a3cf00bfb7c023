import Testing
import WidgetCore
import WidgetRender

@testable import WidgetLive

@Suite("The sheets of live pages") struct LiveSheetTests {
    /// The line about a page, links and *Run*, and sentences.
    private static let text = LiveStyle.text + BaseParts.text + LiveSheet.text

    @Test func `Its name is that of its content`() {
        #expect(LiveSheet.fileName == "live-\(PageFiles.digest(of: LiveSheet.bytes)).css")
    }

    @Test func `It heeds readers who want more contrast, their own colours, or less motion`() {
        for wish in ["(prefers-contrast:more)", "(forced-colors:active)", "(prefers-reduced-motion:reduce)"] {
            #expect(LiveSheetTests.text.contains("@media \(wish)"))
        }
    }

    @Test func `Texts have a contrast of 4.5 with their grounds, in light and in dark`() {
        // As in the sheet: the line, links of sentences on the page's ground, the button, and the button under a pointer.
        let pairs = [
            ("#1c1c1e", "#f2f2f7"), ("#f2f2f7", "#1c1c1e"), ("#0057b8", "#fff"), ("#8ab8ff", "#1c1c1e"),
            ("#fff", "#0057b8"), ("#fff", "#004a9c"),
        ]
        for (text, ground) in pairs {
            #expect(LiveSheetTests.text.contains(text) && LiveSheetTests.text.contains(ground))
            let values = [text, ground].map { LiveSheetTests.color($0).luminance }.sorted()
            #expect((values[1] + 0.05) / (values[0] + 0.05) >= 4.5, "\(text) on \(ground)")
        }
    }

    private static func color(_ text: String) -> RGBA {
        let digits = Array(text.dropFirst())
        let pairs = digits.count == 3 ? digits.map { "\($0)\($0)" } : [0, 2, 4].map { String(digits[$0...$0 + 1]) }
        let parts = pairs.map { UInt8($0, radix: 16) ?? 0 }
        return RGBA(red: parts[0], green: parts[1], blue: parts[2])
    }
}
