import Testing
import WidgetLayout

@testable import WidgetRender

/// Goal: lengths of a widget in a page of others are those of its reader. Method: sheets with one rule.
@Suite struct `Sheets of widgets in pages of others` {
    @Test(arguments: [
        (
            ".a{margin:1rem .5rem 0rem}",
            ".a{margin:calc(1*var(--widget-rem)) calc(.5*var(--widget-rem)) calc(0*var(--widget-rem))}"
        ),
        (".a{width:calc(50% - 21rem)}", ".a{width:calc(50% - calc(21*var(--widget-rem)))}"),
        (".a1rem{top:1px}", ".a1rem{top:1px}"), (".a{top:1remy}", ".a{top:1remy}"), ("", ""), ("1", "1"),
        ("1re", "1re"), ("1rem", "calc(1*var(--widget-rem))"),
    ])
    func `Each rem is the reader's`(_ sheet: String, _ contained: String) {
        #expect(ContainedSheet.text(sheet) == contained)
    }

    @Test func `No sheet has a length that would not be a value then`() {
        // `-calc(…)` is not a value, and conditions of @media know no variables.
        let sheet = BaseSheet.text + BaseParts.text
        #expect(sheet.firstMatch(of: /-[0-9.]+rem/) == nil && sheet.firstMatch(of: /@(media|container)[^{]*rem/) == nil)
    }

    @Test func `Rules of the reader are about the element, and never about the root`() {
        var options = PageOptions(viewport: Viewport())
        (options.isContained, options.scheme, options.viewport.textSize) = (true, .dark, .extraExtraLarge)
        let sheet = ViewingSheet.text(options, for: [])
        #expect(sheet.hasPrefix(".page{color-scheme:dark;--widget-scale:") && !sheet.contains(":root"))
        #expect(sheet.firstMatch(of: /[0-9.]rem\b/) == nil)
        let rules = PageOperation.rules([".x": ".x{top:2rem}", ".y": nil]).contained()
        #expect(rules == .rules([".x": ".x{top:calc(2*var(--widget-rem))}", ".y": nil]))
    }
}
