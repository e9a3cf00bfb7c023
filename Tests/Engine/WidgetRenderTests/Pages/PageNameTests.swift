import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetMarkup
import WidgetPredicates
import WidgetRender

/// Goal: every control of a page has a name that is heard. Method: texts of which a page leaves nothing, in all places that
/// names come from.
@Suite struct `A name of which nothing is left` {
    private static let kinds: [NodeKind] = [
        .button, .label, .image, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .picker,
        .datePicker, .pageControl, .progress, .activity, .list, .row, .box, .unknown("\u{202E}"),
    ]

    @Test(arguments: ["\u{202E}\u{2066}", " \u{A0}\u{3000}", "\u{200B}\u{2060}\u{AD}", "\u{0}\u{1B}", "\n"])
    func `An element has the name of its kind in place of a text that is not seen`(text: String) throws {
        for kind in Self.kinds {
            let properties: [(PropertyName, Value)] = [
                (.text, .string(text)), (.accessibleName, .string(text)), (.placeholder, .string(text)),
                (.titles, .array([.string(text)])),
            ]
            for events: [NodeEvent] in [[], [.tap]] {
                let node = ViewNode(
                    ViewKey(screen: 1, node: 7), kind, identifier: text,
                    properties: properties.map { ViewProperty($0.0, $0.1) }, events: events)
                let page = try `An element of a page`.page(Text.view([node]))
                for control in page.all where ["button", "input", "select", "textarea"].contains(control.name) {
                    guard control["aria-hidden"] == nil, control["aria-labelledby"] == nil else { continue }
                    let parts = control.all.map { $0["aria-label"] ?? $0["alt"] ?? $0.text }
                    let named = control["aria-label"] ?? parts.joined()
                    let outer = control.ancestors.first { $0.name == "label" }?.allText
                    #expect(FitText.seen(named) != nil || FitText.seen(outer) != nil, "\(kind) \(events)")
                }
            }
        }
    }

    @Test func `An alert's button is called OK where its title is not seen`() throws {
        var view = Text.view([])
        view.alerts = [View.Notice(key: ViewKey(screen: 5, node: -3), title: "t", message: "m", button: "\u{202E} ")]
        let dialog = try #require(try `An element of a page`.page(view).first("dialog"))
        #expect(dialog.first("button")?.allText == "OK")
    }

    @Test(arguments: [(0.1 + 0.2, "0.3px"), (1e-300, "0px"), (1e300, "1000000px"), (.nan, "0px"), (-4, "0px")])
    func `The sheet of a viewing has no longer numbers than a display needs`(top: Double, shown: String) throws {
        var options = PageOptions()
        options.viewport.safeArea.top = top
        let text = ViewingSheet.text(options, for: [])
        #expect(text.contains("--status:\(shown);"))
        try SheetReader.check(Array(text.utf8))
    }
}
