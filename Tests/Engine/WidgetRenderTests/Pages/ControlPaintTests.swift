import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates

@testable import WidgetRender

/// Goal: colours and places that an author chose for parts of controls reach pages and frames. Method: one control each,
/// and the rules about it.
@Suite struct `Parts of controls` {
    @Test(arguments: ["a{color:var(--label)}", "a{color:--label", "--label"])
    func `A role that a rule names is found, at the end of the rules too`(rules: String) {
        #expect(RoleSheet.used(in: Array(rules.utf8)) == [.label])
    }

    @Test(arguments: [NodeKind.toggle, .slider, .progress, .pageControl, .segments])
    func `A control passes its colours to the parts that the base sheet draws`(kind: NodeKind) {
        var styled = StyledProgram()
        let control = styled.add(kind) { _, look in
            (look.foreground, look.trackTint, look.thumbTint) = (.role(.red), .role(.blue), .role(.green))
        }
        #expect(styled.style(control).contains("--on:var(--red);--off:var(--blue);--thumb:var(--green)"))
        let base = SheetText(BaseParts.text)
        let uses = [
            (".sw:checked", "--on"), (".sw::before", "--thumb"), (".sl", "--on"), (".pg", "--off"),
            (".pg::-webkit-progress-value", "--on"), (".pg::-moz-progress-bar", "--on"), (".dot", "--off"),
            (".dot.on", "--on"), (".sg :checked+span", "--on"),
        ]
        for (selector, property) in uses { #expect(base.declarations(selector).contains("var(\(property),")) }
    }

    @Test func `A spinner is drawn in its colour`() {
        var styled = StyledProgram()
        let spinner = styled.add(.activity) { $1.foreground = .role(.red) }
        #expect(styled.style(spinner).contains("color:var(--red)"))
        #expect(SheetText(BaseParts.text).declarations(".ac::before").contains("conic-gradient(#0000,currentColor)"))
    }

    @Test func `A title and a picture are moved by their insets`() {
        var styled = StyledProgram()
        let button = styled.add(.button) { _, look in
            look.titleInsets = Insets(top: 0, leading: 10, bottom: 4, trailing: 0)
            look.imageInsets = Insets(top: 6, leading: 0, bottom: 0, trailing: 2)
            look.verticalPlace = .top
        }
        #expect(styled.style(button, ">span:not(.tp):not(.ni)") == "translate:5px 0")
        // Selectors are split at commas, so the first part is enough.
        #expect(styled.sheet.contains("-0-\(button)>:is(img,picture,.tp,.ni){translate:-1px 6px}"))
        #expect(styled.style(button).contains("align-items:flex-start"))
        let left = styled.add(.button) { _, look in
            look.titleInsets = Insets(top: 0, leading: 10, bottom: 4, trailing: 0)
            look.alignment = .left
        }
        #expect(styled.style(left, ">span:not(.tp):not(.ni)") == "translate:10px -2px")
    }

    @Test func `A label of a selected row has its colour for that, on pages and in frames`() {
        var styled = StyledProgram()
        let list = styled.add(.list, list: ListGeometry())
        let row = styled.row("Cell", of: list, height: 44)
        let label = styled.add(.label, in: row) { _, look in
            (look.foreground, look.highlighted) = (.role(.darkText), .value(RGBA(red: UInt8(255), green: 0, blue: 0)))
        }
        #expect(styled.sheet.contains("-0-\(label):is(.selected *,.hit:active~*,.hit:active~* *){color:#f00}"))
        func frames(_ isSelected: Bool) -> String {
            let text = ViewNode(
                ViewKey(screen: 1, node: label), .label, properties: [ViewProperty(.text, .string("a"))])
            let own = ViewNode(
                ViewKey(screen: 1, node: row), .row, properties: [ViewProperty(.selected, .boolean(isSelected))],
                children: [text])
            return Self.frames(
                styled.program, ViewNode(ViewKey(screen: 1, node: list), .list, children: [own]))
        }
        #expect(frames(true).contains(##""foreground":"#f00""##) && !frames(false).contains(##""foreground":"#f00""##))
    }

    @Test func `A row has its line where its author put it`() {
        var styled = StyledProgram()
        let list = styled.add(.list, list: ListGeometry())
        let row = styled.row("Cell", of: list, height: 44)
        #expect(styled.style(row, "::after").contains("inset-inline:16px 0"))
        var look = Appearance()
        look.separatorInset = Insets(top: 0, leading: 70, bottom: 0, trailing: 5)
        styled.nodes[row].look = Look(geometry: Geometry(), appearance: look)
        #expect(styled.style(row, "::after").contains("inset-inline:70px 5px"))
    }

    // MARK: - Buttons that leave their drawing to the system

    private static func button(_ change: (inout ButtonConfiguration) -> Void) -> (StyledProgram, NodeID) {
        var styled = StyledProgram()
        let button = styled.add(.button)
        var (configuration, look) = (ButtonConfiguration(), ButtonLook())
        change(&configuration)
        look.configuration = configuration
        styled.nodes[button].look = Look(geometry: Geometry(), button: look)
        return (styled, button)
    }

    private static func frames(_ program: Program, _ node: ViewNode) -> String {
        let box = ViewNode(ViewKey(screen: 1, node: 0), .box, children: [node])
        let view = View(
            screen: "S", title: "", root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: [box]))
        return String(
            decoding: ViewFrames(program, PrintOptions(viewport: Viewport())).print(view, NoAssets()), as: UTF8.self)
    }

    @Test(arguments: [
        (ButtonConfiguration.Corners.small, "border-radius:4px", 4.0), (.medium, "border-radius:6px", 6),
        (.large, "border-radius:10px", 10), (.capsule, "border-radius:999px", 15), (.dynamic, "", 8),
    ])
    func `A configured button has its corners`(corners: ButtonConfiguration.Corners, style: String, radius: Double) {
        let (styled, button) = Self.button { ($0.style, $0.corners) = (.filled, corners) }
        #expect(style.isEmpty ? !styled.style(button).contains("radius") : styled.style(button).contains(style))
        var sized = styled
        sized.nodes[button].look = Look(
            geometry: {
                var own = Geometry(); own.springs = []; return own
            }(), button: styled.nodes[button].look?.button)
        let node = ViewNode(
            ViewKey(screen: 1, node: button), .button, properties: [ViewProperty(.text, .string("Go"))])
        let text = Self.frames(sized.program, node)
        #expect(text.contains("\"cornerRadius\":\(Int(radius)),") && text.contains(##""background":"#0066d6""##))
        #expect(text.contains(##""foreground":"#fff""##))
    }

    @Test func `A configured button has its colours, and its picture at the side that its author chose`() {
        let red = Paint.value(RGBA(red: UInt8(255), green: 0, blue: 0))
        let (filled, button) = Self.button { configuration in
            (configuration.style, configuration.background, configuration.foreground) = (.filled, red, .role(.darkText))
            (configuration.imagePlacement, configuration.imagePadding) = (.trailing, 5)
        }
        let style = filled.style(button)
        #expect(style.contains("flex-direction:row-reverse;gap:5px") && style.contains("background-color:#f00"))
        #expect(style.contains("color:var(--darkText)"))
        let (tinted, other) = Self.button { ($0.style, $0.background) = (.tinted, red) }
        #expect(tinted.style(other).contains("background-color:color-mix(in srgb,#f00 18%,#0000)"))
        let node = ViewNode(ViewKey(screen: 1, node: other), .button, properties: [ViewProperty(.text, .string("Go"))])
        #expect(Self.frames(tinted.program, node).contains(##""background":"#ff00002e""##))
        let (plain, last) = Self.button { ($0.style, $0.background) = (.plain, red) }
        #expect(!plain.style(last).contains("background"))
    }
}
