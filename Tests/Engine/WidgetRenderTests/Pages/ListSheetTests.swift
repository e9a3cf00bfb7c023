import PageReading
import Testing
import WidgetCore
import WidgetLayout

@testable import WidgetRender

/// A program of one scene with looks, and the rules of its sheet.
struct StyledProgram {
    var nodes: [Node] = []
    var rules: [LayoutRule] = []

    init() {
        add(.box, frame: Frame(x: 0, y: 0, width: 375, height: 667))
    }

    @discardableResult
    mutating func add(
        _ kind: NodeKind, in parent: NodeID? = nil, frame: Frame = Frame(x: 10, y: 20, width: 100, height: 30),
        list: ListGeometry? = nil, scrolling: Scrolling? = nil, stack: StackGeometry? = nil,
        _ change: (inout Geometry, inout Appearance) -> Void = { _, _ in }
    ) -> NodeID {
        let id = nodes.count
        let outer = parent ?? (id == 0 ? nil : 0)
        var (geometry, appearance) = (Geometry(), Appearance())
        change(&geometry, &appearance)
        var node = Node(kind)
        node.parent = outer
        node.frame = frame
        node.look = Look(
            geometry: geometry, appearance: appearance, list: list, stack: stack, scrolling: scrolling)
        if kind == .list || kind == .grid { node.list = ListTemplate(source: "s") }
        nodes.append(node)
        if let outer { nodes[outer].children.append(id) }
        return id
    }

    /// Adds a row of a list, by its name.
    mutating func row(_ name: String, of list: NodeID, height: Double, intrinsic: Double? = nil) -> NodeID {
        let id = add(.row, in: list, frame: Frame(x: 0, y: 0, width: 375, height: height)) { geometry, _ in
            geometry.intrinsicSize = intrinsic.map { PartialSize(width: nil, height: $0) }
        }
        nodes[list].children.removeAll { $0 == id }
        nodes[list].list?.prototypes[name] = id
        return id
    }

    var scene: Scene {
        var scene = Scene("S", nodes: nodes)
        scene.rules = rules
        return scene
    }

    var program: Program { Program(identifier: "p", scenes: [scene], entries: [:], initial: "S") }

    var sheet: String { String(decoding: PlanSheet(program, identity: "p").bytes, as: UTF8.self) }

    /// The declarations of all rules for a node's class with the rest of a selector behind it.
    func style(_ node: NodeID, _ rest: String = "") -> String {
        let name = ".\(LayoutClasses(identity: "p").prefix)-0-\(node)\(rest)"
        return SheetText(sheet).declarations(name)
    }
}

/// The rules of a sheet, outside of blocks.
struct SheetText {
    private let rules: [(selectors: [Substring], style: Substring)]

    init(_ text: String) {
        rules = text.split(separator: "\n").compactMap { line in
            guard line.hasSuffix("}"), let brace = line.firstIndex(of: "{") else { return nil }
            return (line[..<brace].split(separator: ","), line[line.index(after: brace)...].dropLast())
        }
    }

    func declarations(_ selector: String) -> String {
        rules.filter { $0.selectors.contains { $0 == selector } }.map { String($0.style) }.joined(separator: ";")
    }

    /// The selectors whose rules set a property.
    func selectors(setting property: String) -> [String] {
        rules.filter { rule in rule.style.split(separator: ";").contains { $0.hasPrefix("\(property):") } }
            .flatMap { $0.selectors.map(String.init) }
    }
}

/// Goal: pages give lists the lengths that frames give them, on the sides that the text asks for. Method: small lists, and
/// the rules of their sheets.
@Suite struct `Lists in a sheet` {
    @Test(arguments: [(nil, 88.0), (88, 60), (nil, 30)] as [(Double?, Double)])
    func `A row is as high in pages as in frames`(intrinsic: Double?, drawn: Double) throws {
        var styled = StyledProgram()
        var geometry = ListGeometry()
        geometry.rowHeight = intrinsic == nil ? nil : 44
        let list = styled.add(.list, list: geometry)
        let row = styled.row("Cell", of: list, height: drawn, intrinsic: intrinsic)
        let view = View(
            screen: "S", title: "",
            root: ViewNode(
                ViewKey(screen: 1, node: -10), .screen,
                children: [
                    ViewNode(
                        ViewKey(screen: 1, node: 0), .box,
                        children: [
                            ViewNode(
                                ViewKey(screen: 1, node: list), .list,
                                children: [ViewNode(ViewKey(screen: 1, node: row), .row)])
                        ])
                ]))
        let placed = ScreenLayout(styled.program, Viewport()).placed(view)
        let height = try #require(placed[node: row]?.frame.height)
        #expect(height == intrinsic ?? drawn && styled.style(row).contains("height:\(Int(height))px;min-height:0"))
    }

    @Test func `A row that rules lay out, and do not tie, is as high as the system's`() {
        var styled = StyledProgram()
        let list = styled.add(.list, list: ListGeometry())
        let row = styled.row("Cell", of: list, height: 90)
        let label = styled.add(.label, in: row)
        #expect(styled.style(row).contains("height:90px"))
        styled.rules = [
            LayoutRule(LayoutRule.Item(label), .top, to: LayoutRule.Item(row), .top, constant: 4, owner: row)
        ]
        #expect(styled.style(row).contains("height:44px"))
    }

    @Test func `The title of a section has no line below it`() {
        var styled = StyledProgram()
        let list = styled.add(.list, list: ListGeometry())
        let row = styled.row("Cell", of: list, height: 60)
        let title = styled.row("Header", of: list, height: 28)
        styled.nodes[list].list?.header = title
        #expect(styled.style(title).contains("height:28px;min-height:0") && styled.style(title, "::after").isEmpty)
        #expect(styled.style(row).contains("height:60px") && !styled.style(row, "::after").isEmpty)
    }

    @Test(arguments: [true, false])
    func `A box that scrolls scrolls, also when it clips`(scrolls: Bool) {
        var styled = StyledProgram()
        let box = styled.add(.box, scrolling: scrolls ? Scrolling() : nil) { $1.clips = true }
        #expect(styled.style(box).contains("overflow:hidden") == !scrolls)
    }

    @Test func `The rows of a list with inset groups keep a distance from its sides`() {
        var (styled, geometry) = (StyledProgram(), ListGeometry())
        geometry.style = .insetGrouped
        var scrolling = Scrolling()
        scrolling.inset = Insets(top: 0, leading: 4, bottom: 0, trailing: 0)
        let list = styled.add(.list, list: geometry, scrolling: scrolling)
        #expect(styled.style(list).contains("padding-left:20px;padding-right:16px"))
        let plain = styled.add(.list, list: ListGeometry(), scrolling: Scrolling())
        #expect(!styled.style(plain).contains("padding"))
    }

    // MARK: - Sides

    @Test func `Insets that follow the text change sides with it, and others do not`() {
        var styled = StyledProgram()
        let insets = Insets(top: 1, leading: 2, bottom: 3, trailing: 4)
        let own = styled.add(.button) { $1.contentInsets = insets }
        let following = styled.add(.button) { _, look in
            look.contentInsets = insets
            look.contentInsets?.isPhysical = false
        }
        #expect(styled.style(own).contains("padding:1px 4px 3px 2px"))
        #expect(styled.style(following).contains("padding-block:1px 3px;padding-inline:2px 4px"))
        var stack = StackGeometry()
        stack.isMarginsRelative = true
        let column = styled.add(.box, stack: stack) { geometry, _ in
            geometry.margins = insets
            geometry.margins?.isPhysical = false
        }
        styled.add(.label, in: column)
        #expect(styled.style(column).contains("padding-block:1px 3px;padding-inline:2px 4px"))
        let usual = styled.add(.box, stack: stack)
        styled.add(.label, in: usual)
        #expect(styled.style(usual).contains("padding:8px 8px 8px 8px"))
    }

    @Test func `A grid is mirrored with its insets`() {
        var (styled, geometry) = (StyledProgram(), ListGeometry())
        geometry.grid = GridFlow()
        geometry.grid?.sectionInset = Insets(top: 1, leading: 2, bottom: 3, trailing: 4)
        let grid = styled.add(.grid, list: geometry)
        #expect(styled.style(grid, ">ul").contains("padding-block:1px 3px;padding-inline:2px 4px"))
    }

    @Test(arguments: [
        (TextAlignment.left, "text-align:left;justify-content:left"),
        (.right, "text-align:right;justify-content:right"),
        (.natural, "justify-content:flex-start"), (.trailing, "text-align:end;justify-content:flex-end"),
    ])
    func `A title lies left, right, or at an end of its text`(alignment: TextAlignment, style: String) {
        var styled = StyledProgram()
        let button = styled.add(.button) { $1.alignment = alignment }
        #expect(styled.style(button).contains(style))
    }

    @Test func `A row with a view of its author's at the end has no sign of the system's`() throws {
        func kinds(_ role: Geometry.Role) throws -> Set<String> {
            var styled = StyledProgram()
            let list = styled.add(.list, list: ListGeometry())
            let row = styled.row("Cell", of: list, height: 44)
            var look = Appearance()
            look.accessory = .disclosure
            styled.nodes[row].look = Look(geometry: Geometry(), appearance: look)
            styled.add(.toggle, in: row) { geometry, _ in geometry.role = role }
            let own = ViewNode(ViewKey(screen: 1, node: row), .row)
            let shown = ViewNode(ViewKey(screen: 1, node: list), .list, children: [own])
            let view = View(
                screen: "S", title: "", root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: [shown]))
            let page = PagePrinter(PlannedProgram(styled.program)).page(view, NoAssets())
            return Set(try PageReader.page(page.html).all.flatMap(\.classes))
        }
        #expect(try kinds(.content).contains("dis") && !kinds(.accessory).contains("dis"))
    }

    // MARK: - The device

    @Test func `No rule of the base sheet undoes what a viewing says`() {
        var options = PageOptions()
        options.viewport.safeArea = Insets(top: 44, leading: 0, bottom: 34, trailing: 0)
        let viewing = SheetText(ViewingSheet.text(options, for: []))
        let said = viewing.declarations(".w").split(separator: ";").map { $0.prefix { $0 != ":" } }
        #expect(said == ["--status", "--home"] && viewing.declarations(".w") == "--status:44px;--home:34px")
        for property in said {
            #expect(
                SheetText(BaseSheet.text + BaseParts.text).selectors(setting: String(property)).allSatisfy {
                    $0 == ".w"
                })
            #expect(BaseSheet.text.contains("var(\(property)"))
        }
        #expect(SheetText(BaseSheet.text).declarations(".scr").contains("--safe-bottom:var(--home"))
    }
}
