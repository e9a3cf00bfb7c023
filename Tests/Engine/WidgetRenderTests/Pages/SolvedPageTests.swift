import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates

@testable import WidgetRender

/// Goal: a page shows a container that no stylesheet can express as its rules want it, at the widths of usual windows and
/// between them, and never cuts its text off. Method: small screens, whose rules are compared with frames.
@Suite struct `A page with a container that needs a solver` {
    private static let root: NodeID = 0

    private struct Screen {
        var nodes: [Node] = []
        var rules: [LayoutRule] = []
        var texts: [NodeID: String] = [:]
        /// The texts of rows, by the list and the label in the prototype.
        var rows: (list: NodeID, row: NodeID, label: NodeID, texts: [String])?

        init() { add(.box, nil, Frame(x: 0, y: 0, width: 375, height: 667)) }

        @discardableResult
        mutating func add(
            _ kind: NodeKind, _ parent: NodeID?, _ frame: Frame = Frame(x: 10, y: 20, width: 100, height: 30),
            lines: Int? = nil, list: ListGeometry? = nil, stack: StackGeometry? = nil
        ) -> NodeID {
            var appearance = Appearance()
            appearance.lines = lines
            var node = Node(kind)
            node.parent = parent
            node.frame = frame
            node.look = Look(geometry: Geometry(), appearance: appearance, list: list, stack: stack)
            nodes.append(node)
            if let parent { nodes[parent].children.append(nodes.count - 1) }
            return nodes.count - 1
        }

        mutating func rule(
            _ first: NodeID, _ attribute: LayoutRule.Attribute, _ second: NodeID? = nil,
            _ other: LayoutRule.Attribute? = nil, _ constant: Double = 0, _ relation: LayoutRule.Relation = .equal
        ) {
            rules.append(
                LayoutRule(
                    LayoutRule.Item(first), attribute, relation, to: second.map { LayoutRule.Item($0) },
                    second == nil ? nil : other ?? attribute, constant: constant, owner: SolvedPage.root))
        }

        var program: Program {
            var scene = Scene("s", nodes: nodes)
            scene.rules = rules
            return Program(identifier: "p", scenes: [scene], entries: [:], initial: "s")
        }

        var view: View {
            View(
                screen: "s", title: "",
                root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: [node(SolvedPage.root, nil, nil)]))
        }

        private func node(_ id: NodeID, _ item: ItemKey?, _ text: String?) -> ViewNode {
            var children = nodes[id].children.map { node($0, item, text) }
            if let rows, rows.list == id {
                children = rows.texts.enumerated().map { place, text in
                    node(rows.row, ItemKey(list: id, number: place, isRecord: false), text)
                }
            }
            let own = id == rows?.label ? text : texts[id]
            return ViewNode(
                ViewKey(screen: 1, node: id, item: item), nodes[id].kind,
                properties: own.map { [ViewProperty(.text, .string($0))] } ?? [], children: children,
                frame: nodes[id].frame)
        }

        func page(_ width: Double = 375) -> PrintedPage {
            let options = PageOptions(viewport: Viewport(size: Size(width: width, height: 667)))
            return PagePrinter(PlannedProgram(program), options).page(view, NoAssets())
        }

        func placed(_ width: Double = 375) -> PlacedScreen {
            ScreenLayout(program, Viewport(size: Size(width: width, height: 667))).placed(view)
        }
    }

    private typealias SolvedPage = `A page with a container that needs a solver`

    /// The rule of a node in the sheet of a page's viewing. The prefix of its class comes from the program's sheet.
    /// The rules of a page that hold in a window of a width, by their selectors.
    private static func rules(_ page: PrintedPage, at width: Double = 375) -> [String: String] {
        var rules: [String: String] = [:]
        for (condition, text) in page.rules where condition.hasPrefix("@container") {
            let least = condition.firstMatch(of: /width >= ([0-9.]+)px/).flatMap { Double($0.1) } ?? 0
            let most = condition.firstMatch(of: /width < ([0-9.]+)px/).flatMap { Double($0.1) } ?? .infinity
            guard least <= width, width < most else { continue }
            for rule in text.dropFirst(condition.count + 1).dropLast().matches(of: /(\.w [^{]+)\{[^}]*\}/) {
                rules[String(rule.1)] = String(rule.0)
            }
        }
        return rules
    }

    private static func rule(
        _ node: NodeID, _ page: PrintedPage, at width: Double = 375
    ) -> (selector: String, text: String)? {
        rules(page, at: width).first { $0.key.hasPrefix(".w .w") && $0.key.hasSuffix("-0-\(node)") }
            .map { ($0.key, $0.value) }
    }

    private static func style(_ node: NodeID, _ page: PrintedPage, at width: Double = 375) -> String {
        rule(node, page, at: width)?.text ?? ""
    }

    /// Two texts of which one is as wide as the other, which no stylesheet can say.
    private static func twins(lines: Int? = nil) -> Screen {
        var screen = Screen()
        let one = screen.add(.label, root, lines: lines)
        let two = screen.add(.label, root, lines: lines)
        screen.texts = [one: "A text that is long", two: "Short"]
        for (label, y) in [(one, 40.0), (two, 80.0)] {
            screen.rule(label, .leading, root, .leading, 16)
            screen.rule(label, .top, root, .top, y)
        }
        screen.rule(one, .width, two)
        return screen
    }

    @Test func `Its parts have the frames of a solver, in the sheet of the page`() throws {
        let screen = Self.twins()
        #expect(PlannedProgram(screen.program).findings.map(\.code) == [.layoutSolved])
        let frame = try #require(screen.placed()[node: 1]?.frame.rounded(toScale: 2))
        #expect(frame.width > 100 && screen.placed()[node: 2]?.frame.width == screen.placed()[node: 1]?.frame.width)
        for node in [1, 2] {
            let style = Self.style(node, screen.page())
            #expect(style.contains("position:absolute;inset:\(node * 40)px auto auto 16px;margin:0;"))
            #expect(style.contains("min-width:\(PageKey.number(frame.width))px;"))
        }
        #expect(ViewingSheet.text(PageOptions(), for: [screen.page()]).contains(Self.style(1, screen.page())))
    }

    @Test func `A text may outgrow its place, and one of several lines keeps its width`() {
        let one = Self.style(1, Self.twins().page())
        #expect(one.contains("width:auto;min-width:") && one.contains("max-width:calc(100% - 16px);height:auto;"))
        var narrow = Self.twins(lines: 0)
        #expect(Self.style(1, narrow.page()).drop { $0 != "{" } == one.drop { $0 != "{" })
        narrow.rule(1, .width, nil, nil, 60, .lessOrEqual)
        let several = Self.style(1, narrow.page())
        #expect(narrow.placed()[node: 1]?.lineCount ?? 0 > 1)
        #expect(several.contains(";width:60px;height:auto;min-height:") && !several.contains("max-width"))
        var cut = Self.twins()
        cut.rule(1, .width, nil, nil, 60, .lessOrEqual)
        #expect(cut.placed()[node: 1]?.isTextCut == true)
        #expect(Self.style(1, cut.page()).contains(";width:") && !Self.style(1, cut.page()).contains("width:auto"))
    }

    @Test func `A page has the places for each usual window, no matter for which it is printed`() {
        var screen = Self.twins(lines: 0)
        screen.texts[1] = String(repeating: "many words ", count: 20)
        screen.rule(1, .trailing, Self.root, .trailing, -16, .lessOrEqual)
        let pages = [320.0, 375, 768].map { screen.page($0) }
        #expect(pages.allSatisfy { $0.rules.keys.count { $0.hasPrefix("@container") } == 7 })
        #expect(screen.page(500).rules.keys.count { $0.hasPrefix("@container") } == 8)
        for width in [200.0, 320, 350, 375, 430, 500, 600, 768, 1_024, 1_366, 2_000] {
            let own = Self.rules(pages[0], at: width)
            #expect(!own.isEmpty && pages.allSatisfy { Self.rules($0, at: width) == own }, "\(width)")
        }
        #expect(Self.style(1, pages[0], at: 320) != Self.style(1, pages[0], at: 768))
    }

    @Test func `It follows the window as its rules do near the size of the page`() throws {
        var screen = Self.twins()
        let (box, half) = (screen.add(.box, Self.root), screen.add(.box, Self.root))
        for (place, part) in [box, half].enumerated() {
            screen.rule(part, .top, Self.root, .top, 200)
            screen.rule(part, .height, nil, nil, 50)
            if place == 0 { screen.rule(part, .leading, Self.root, .leading, 20) }
        }
        screen.rule(box, .trailing, Self.root, .trailing, -20)
        screen.rule(half, .leading, Self.root, .centerX, 0)
        screen.rule(half, .trailing, Self.root, .trailing, 0)
        for width in [320.0, 375, 414] {
            let rule = try #require(Self.rule(box, screen.page(width), at: width))
            #expect(
                rule.text == "\(rule.selector){position:absolute;inset:200px auto auto 20px;margin:0;"
                    + "width:calc(100% + -40px);height:50px}")
        }
        let style = Self.style(half, screen.page(400), at: 400)
        #expect(style.contains("auto calc(50% + 0px);margin:0;width:calc(50% + 0px)"))
    }

    @Test func `Rows share the place that most of them have, and each is as high as its content`() throws {
        var screen = Screen()
        let list = screen.add(.list, Self.root, Frame(x: 0, y: 0, width: 375, height: 667), list: ListGeometry())
        for edge in [LayoutRule.Attribute.leading, .top, .trailing, .bottom] { screen.rule(list, edge, Self.root) }
        let row = screen.add(.row, list, Frame(x: 0, y: 0, width: 375, height: 60))
        let one = screen.add(.label, row, lines: 0)
        let two = screen.add(.label, row)
        screen.texts[two] = "Other"
        for label in [one, two] { screen.rule(label, .leading, row, .leading, 16) }
        screen.rule(one, .top, row, .top, 10)
        screen.rule(two, .top, one, .bottom, 10)
        screen.rule(row, .bottom, two, .bottom, 10)
        screen.rule(one, .width, two)
        screen.rule(one, .trailing, row, .trailing, -16, .lessOrEqual)
        var template = ListTemplate()
        template.prototypes["Row"] = row
        screen.nodes[list].list = template
        let long = String(repeating: "many words ", count: 20)
        screen.rows = (list, row, one, ["Same", "Same", long])
        let page = screen.page()
        let heights = screen.placed().boxes.filter { $0.view.kind == .row }.map(\.frame.height)
        #expect(heights.count == 3 && heights[0] == heights[1] && heights[2] > heights[0])
        #expect(Self.style(row, page).hasSuffix("min-height:\(PageKey.number(heights[0]))px}"))
        let rules = Self.rules(page)
        let own = try #require(rules[".w [id=\"a1.\(row)@\(list)v2\"]"])
        #expect(own.hasSuffix("height:auto;min-height:\(PageKey.number(heights[2]))px}"))
        #expect(!rules.keys.contains { $0.contains("v0") || $0.contains("v1") })
    }

    @Test func `Views that size classes group differently lie side by side in it, each at its frame`() throws {
        var screen = Screen()
        let (one, two) = (screen.add(.label, Self.root), screen.add(.label, Self.root))
        screen.texts = [one: "One", two: "Two"]
        screen.rule(one, .top, Self.root, .top, 8)
        screen.rule(one, .leading, Self.root, .leading, 16)
        screen.rule(two, .leading, Self.root, .leading, 16)
        screen.rule(two, .top, one, .bottom, 8)
        screen.rules[3].variations = [RuleVariation(SizeClasses(width: .regular), constant: nil)]
        let plan = PlannedProgram(screen.program)
        #expect(plan.findings.first?.message.contains("different size classes") == true)
        #expect(Self.style(two, screen.page(375)).contains("inset:36.5px auto auto 16px"))
        #expect(Self.style(two, screen.page(800), at: 800).contains("inset:20px auto auto 16px"))
        let wrappers = try PageReader.page(screen.page().html).all.flatMap(\.classes).filter {
            $0.split(separator: "-").count == 4
        }
        #expect(wrappers.isEmpty)
    }

    @Test func `Views of a stack with centres equally far apart have the frames of a solver`() {
        var stack = StackGeometry()
        stack.distribution = .equalCentering
        var screen = Screen()
        let row = screen.add(.box, Self.root, stack: stack)
        screen.rule(row, .leading, Self.root)
        screen.rule(row, .trailing, Self.root)
        screen.rule(row, .top, Self.root)
        for width in [100.0, 20, 60] {
            let box = screen.add(.box, row)
            screen.rule(box, .width, nil, nil, width)
            screen.rule(box, .height, nil, nil, 10)
        }
        // From 50, up to 30 before the end: the one between is in their middle.
        let page = screen.page()
        #expect(Self.style(2, page).contains("inset:0px auto auto 0px;margin:0;width:100px;height:10px"))
        #expect(Self.style(3, page).contains("inset:0px auto auto calc(50% + 0px);margin:0;width:20px;height:10px"))
        #expect(Self.style(4, page).contains("inset:0px auto auto calc(100% + -60px);"))
    }

    @Test func `A page of very many elements is solved for its own width alone`() {
        var screen = Self.twins()
        #expect(screen.page().rules.keys.contains { $0.hasPrefix("@container") })
        for place in 0..<1_200 { screen.texts[screen.add(.label, Self.root)] = "\(place)" }
        let rules = screen.page().rules
        #expect(!rules.keys.contains { $0.hasPrefix("@container") })
        #expect(rules.values.contains { $0.contains("position:absolute;inset:40px auto auto 16px") })
    }

    @Test func `A page without one has no such rules`() {
        var screen = Self.twins()
        screen.rules.removeLast()
        #expect(screen.page().rules.isEmpty)
    }
}
