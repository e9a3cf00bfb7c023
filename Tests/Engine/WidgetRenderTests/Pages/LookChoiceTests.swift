import Testing
import WidgetCore
import WidgetLayout
import WidgetRender

/// The choices of an author who looks at a widget on other devices.
@Suite struct `A look of a page` {
    @Test func `Each kind has its words, and an empty one is the usual`() {
        var look = PageLook { [.size: "320x568", .scheme: "dark", .direction: "rtl", .textSize: "AX5"][$0] }
        #expect(look.parameters == ["size=320x568", "scheme=dark", "dir=rtl", "text=AX5"])
        let options = look.applied(to: PageOptions())
        #expect(options.scheme == .dark && options.viewport.direction == .rightToLeft)
        #expect(options.viewport.textSize == .accessibility5)
        #expect(options.frame?.width == 320 && options.viewport.size.height == 568)
        for kind in PageLook.Kind.allCases {
            let isTaken = look.choose("", of: kind)
            #expect(isTaken)
        }
        #expect(look == PageLook() && look.parameters.isEmpty)
        #expect(look.applied(to: PageOptions()).frame == nil)
    }

    @Test(arguments: [
        "x", "320", "320x", "x568", "320x568x1", "99x500", "320x4001", "-320x568", "+320x568 ", "３２０x568", "1e3x500",
        "320X568", "99999999999999999999x500", "320x568\"", String(repeating: "1", count: 5_000),
    ])
    func `Any other size is refused`(word: String) {
        var look = PageLook()
        let isTaken = look.choose(word, of: .size)
        #expect(!isTaken && look == PageLook())
    }

    @Test(arguments: [(PageLook.Kind.scheme, "Dark"), (.direction, "up"), (.textSize, "l"), (.textSize, "AX6")])
    func `Any other word is refused`(kind: PageLook.Kind, word: String) {
        var look = PageLook()
        let isTaken = look.choose(word, of: kind)
        #expect(!isTaken && look == PageLook())
    }
}
