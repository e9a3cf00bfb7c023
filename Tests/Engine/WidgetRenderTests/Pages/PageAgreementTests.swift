import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates

@testable import WidgetRender

/// Goal: pages and frames say one thing of colours, sizes of text and classes. Method: small programs, printed as both.
@Suite struct `Pages and frames` {
    private static let black = Paint.value(RGBA(red: UInt8(0), green: 0, blue: 0))

    private static func frames(_ program: Program, _ children: [ViewNode], _ viewport: Viewport = Viewport()) -> String
    {
        let view = View(
            screen: "S", title: "",
            root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: children))
        return String(
            decoding: ViewFrames(program, PrintOptions(viewport: viewport)).print(view, NoAssets()), as: UTF8.self)
    }

    private static func node(_ id: NodeID, _ kind: NodeKind, _ text: String = "", _ children: [ViewNode] = [])
        -> ViewNode
    {
        ViewNode(
            ViewKey(screen: 1, node: id), kind, properties: [ViewProperty(.text, .string(text))], children: children)
    }

    @Test func `The system's colours are light on an author's dark ground, and dark on a light one`() {
        var styled = StyledProgram()
        let card = styled.add(.box) { $1.background = Self.black }
        let inner = styled.add(.label, in: card)
        let outer = styled.add(.label)
        let alone = styled.add(.label) { $1.background = Self.black }
        let view = Self.node(
            0, .box, "",
            [
                Self.node(card, .box, "", [Self.node(inner, .label, "inner")]), Self.node(outer, .label, "outer"),
                Self.node(alone, .label, "alone"),
            ])
        func color(_ name: String, _ scheme: Viewport.Scheme) -> Substring? {
            let text = Self.frames(styled.program, [view], Viewport(scheme: scheme))
            return text.quoted(after: #""foreground":""#, before: "\"text\":\"\(name)\"")
        }
        #expect(color("inner", .light) == "#fff" && color("outer", .light) == "#000")
        #expect(color("inner", .dark) == "#fff" && color("outer", .dark) == "#fff")
        // Pages leave the colour of such a label to the scheme around it, as the system does.
        #expect(color("alone", .light) == "#000" && !styled.style(alone).contains("color-scheme"))
        #expect(styled.style(card).contains("color-scheme:dark"))
    }

    @Test func `A dark bar has one ground and one tint`() {
        var styled = StyledProgram()
        styled.add(.box)
        var scene = styled.scene
        scene.navigationBar = BarGeometry()
        scene.navigationBar?.isDark = true
        let program = Program(identifier: "p", scenes: [scene], entries: [:], initial: "S")
        let button = ViewNode(
            ViewKey(screen: 1, node: ViewKey.back), .button, properties: [ViewProperty(.text, .string("Back"))])
        let title = ViewNode(
            ViewKey(screen: 1, node: ViewKey.barTitle), .barTitle, properties: [ViewProperty(.text, .string("Title"))])
        let bar = ViewNode(ViewKey(screen: 1, node: ViewKey.bar), .bar, children: [button, title])
        let text = Self.frames(program, [bar])
        #expect(text.contains(##""background":"#29292bf2""##) && text.contains(##""foreground":"#409cff""##))
        #expect(text.quoted(after: #""foreground":""#, before: #""text":"Title""#) == "#fff")
        let sheet = String(decoding: PlannedProgram(program).sheet.bytes, as: UTF8.self)
        #expect(sheet.contains("color-scheme:dark;color:var(--label);background:#29292bf2;--tint:#409cff"))
    }

    // MARK: - Sizes of text

    @Test(arguments: Viewport.TextSize.allCases)
    func `Text of every style has the size that frames give it`(size: Viewport.TextSize) throws {
        var options = PageOptions()
        options.viewport.textSize = size
        let root = SheetText(ViewingSheet.text(options, for: [])).declarations(":root")
        let values = Dictionary(
            uniqueKeysWithValues: root.split(separator: ";").map { line in
                let parts = line.split(separator: ":")
                return (String(parts[0]), parts[1])
            })
        let share =
            try values["font-size"].map { text in
                let parts = text.dropFirst(5).dropLast().split(separator: "/")
                return try #require(Double(parts[0].dropLast())) / #require(Double(parts[1]))
            } ?? 100
        for style in TextStyle.allCases {
            let own = values[LayoutClasses.size(of: style)].map { $0.dropLast(3) }
            let rem = try own.map { try #require(Double($0)) } ?? style.size(at: .large) / 16
            #expect(abs(rem * 16 * share / 100 - style.size(at: size)) < 0.01, "\(style)")
        }
        #expect(abs(17 * share / 100 - ResolvedFont(nil, at: size).size) < 0.01)
    }

    @Test func `A font of a text style takes the style's size from the viewing`() {
        var styled = StyledProgram()
        let label = styled.add(.label) { $1.font = FontRequest(size: 34, style: .largeTitle) }
        #expect(styled.style(label).contains("font-size:var(--size-largeTitle,2.125rem)"))
        let plain = styled.add(.label) { $1.font = FontRequest(size: 34) }
        #expect(styled.style(plain).contains("font-size:2.125rem"))
    }

    // MARK: - Classes

    @Test func `Two releases on one page share no class that has different rules`() {
        func sheet(_ alpha: Double) -> (prefix: Substring, text: String) {
            var styled = StyledProgram()
            styled.add(.box) { $1.alpha = alpha }
            let text = String(decoding: PlannedProgram(styled.program).sheet.bytes, as: UTF8.self)
            return (text.dropFirst().prefix(21), text)
        }
        let (one, other) = (sheet(0.5), sheet(0.25))
        #expect(one.prefix != other.prefix && one.prefix.hasPrefix("w") && one.prefix.utf8.count == 21)
        #expect(sheet(0.5) == one)
        #expect(one.text.split(separator: "\n").allSatisfy { $0.hasPrefix(".\(one.prefix)-") })
    }

    @Test func `A page has the classes of its sheet`() throws {
        var styled = StyledProgram()
        let label = styled.add(.label) { $1.alpha = 0.5 }
        let planned = PlannedProgram(styled.program)
        let view = View(
            screen: "S", title: "",
            root: ViewNode(
                ViewKey(screen: 1, node: -10), .screen,
                children: [Self.node(0, .box, "", [Self.node(label, .label, "a")])])
        )
        let read = try PageReader.page(PagePrinter(planned).page(view, NoAssets()).html)
        let classes = read.all.flatMap(\.classes).filter { $0.hasSuffix("-0-\(label)") }
        let sheet = String(decoding: planned.sheet.bytes, as: UTF8.self)
        #expect(classes.count == 1 && classes.allSatisfy { sheet.contains(".\($0){") || sheet.contains(".\($0),") })
    }

    // MARK: - Constants

    @Test func `Only what a changed constant moves glides`() {
        var styled = StyledProgram()
        let (moved, fixed) = (styled.add(.box), styled.add(.box))
        let constant = styled.add(.constraint)
        func rule(_ node: NodeID, by owner: NodeID?) -> LayoutRule {
            var rule = LayoutRule(
                LayoutRule.Item(node), .top, to: LayoutRule.Item(0), .top, constant: 5, owner: 0)
            rule.node = owner
            return rule
        }
        styled.rules = [rule(moved, by: constant), rule(fixed, by: nil)]
        #expect(styled.style(moved).contains("var(--c\(constant),5px)"))
        #expect(styled.style(moved).contains("transition:inset .25s,margin .25s"))
        #expect(!styled.style(fixed).contains("transition"))
        #expect(
            BaseSheet.text.contains("@media (prefers-reduced-motion:reduce){.w *,.w *::before{animation:none!important")
        )
    }
}

extension String {
    /// The quoted text behind the last mark before another mark.
    fileprivate func quoted(after mark: String, before end: String) -> Substring? {
        guard let stop = firstRange(of: end), let start = self[..<stop.lowerBound].ranges(of: mark).last else {
            return nil
        }
        return self[start.upperBound...].prefix { $0 != "\"" }
    }
}
