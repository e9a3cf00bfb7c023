import Testing
import WidgetCore
import WidgetLayout
import WidgetMarkup
import WidgetRender

/// Goal: a sheet has the geometry and the paint of a program, and nothing of its data or of its author's syntax. Method:
/// small programs, and the text of their sheets.
@Suite struct `A program's stylesheet` {
    static func node(
        _ kind: NodeKind, _ children: [NodeID] = [], parent: NodeID? = 0, role: Geometry.Role = .content,
        list: ListGeometry? = nil, _ change: (inout Appearance) -> Void = { _ in }
    ) -> Node {
        var node = Node(kind)
        node.children = children
        node.parent = parent
        node.frame = Frame(x: 10, y: 20, width: 100, height: 30)
        var geometry = Geometry()
        geometry.role = role
        var appearance = Appearance()
        change(&appearance)
        node.look = Look(geometry: geometry, appearance: appearance, list: list)
        return node
    }

    static func sheet(_ nodes: [Node], _ rules: [LayoutRule] = []) -> String {
        var scene = Scene("S", nodes: nodes)
        scene.rules = rules
        let program = Program(identifier: "p", scenes: [scene], entries: [:], initial: "S")
        return String(decoding: PlanSheet(program, identity: "p").bytes, as: UTF8.self)
    }

    private static let prefix = LayoutClasses(identity: "p").prefix

    /// The declarations of a node's class.
    static func style(_ node: NodeID, _ sheet: String) -> String {
        let name = ".\(prefix)-0-\(node)"
        for line in sheet.split(separator: "\n") {
            guard let brace = line.firstIndex(of: "{") else { continue }
            if line[..<brace].split(separator: ",").contains(where: { $0 == name }) {
                return String(line[line.index(after: brace)...].dropLast())
            }
        }
        return ""
    }

    private static func pins(_ node: NodeID, _ distance: Double) -> [LayoutRule] {
        let edges: [(LayoutRule.Attribute, Double)] = [
            (.leading, distance), (.top, distance), (.trailing, -distance), (.bottom, -distance),
        ]
        return edges.map { edge, constant in
            LayoutRule(
                LayoutRule.Item(node), edge, to: LayoutRule.Item(0), edge, constant: constant, owner: 0)
        }
    }

    @Test func `A page control is as high as a rule says, and else as the system has it`() {
        let nodes = [Self.node(.box, [1], parent: nil), Self.node(.pageControl)]
        let corner = Array(Self.pins(1, 8).prefix(2))
        let height = LayoutRule(LayoutRule.Item(1), .height, .equal, to: nil, nil, constant: 20, owner: 0)
        #expect(Self.style(1, Self.sheet(nodes, corner + [height])).contains("height:20px;min-height:0"))
        let plain = Self.style(1, Self.sheet(nodes, corner))
        #expect(plain.contains("top:8px") && !plain.contains("height"))
    }

    @Test func `Texts that share a stack equally are as long as each other`() {
        var row = Self.node(.box, [1, 2], parent: nil)
        var stack = StackGeometry()
        stack.distribution = .fillEqually
        row.look = Look(geometry: Geometry(), stack: stack)
        let nodes = [row, Self.node(.label), Self.node(.label)]
        let tracks = Self.style(0, Self.sheet(nodes))
        #expect(
            tracks.hasSuffix(
                "display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);grid-template-rows:minmax(0,1fr)"))
        stack.axis = .vertical
        row.look = Look(geometry: Geometry(), stack: stack)
        #expect(Self.style(0, Self.sheet([row] + nodes.dropFirst())).contains("grid-auto-rows:minmax(0,1fr)"))
        // Beside one with a width of its author's, they share the rest.
        var three = nodes
        three[0].children.append(3)
        let width = LayoutRule(LayoutRule.Item(3), .width, .equal, to: nil, nil, constant: 20, owner: 0)
        let sheet = Self.sheet(three + [Self.node(.image)], [width])
        #expect(Self.style(1, sheet).contains("flex:1 1e6 0") && Self.style(2, sheet).contains("flex:1 1 0"))
    }

    @Test
    func `A slider or row of segments is as high as it was drawn, unless the stack around it says another height`() {
        for kind in [NodeKind.slider, .segments] {
            var control = Self.node(kind)
            var geometry = Geometry()
            geometry.design = Size(width: 300, height: 200)
            control.look = Look(geometry: geometry)
            func style(_ change: (inout StackGeometry) -> Void, _ rules: [LayoutRule] = []) -> String {
                var outer = Self.node(.box, [1, 2], parent: nil)
                var stack = StackGeometry()
                change(&stack)
                outer.look = Look(geometry: Geometry(), stack: stack)
                return Self.style(1, Self.sheet([outer, control, Self.node(.image)], rules))
            }
            let plain = style { $0.alignment = .center }
            #expect(
                plain.contains("min-height:30px") && plain.contains(";height:30px") == (kind == .segments), "\(plain)")
            // Stretched with the other child, and in the row of a lower one.
            let stretched = style { ($0.axis, $0.distribution) = (.vertical, .fillEqually) }
            #expect(stretched.contains("height:auto;min-height:30px"), "\(stretched)")
            let height = LayoutRule(LayoutRule.Item(2), .height, .equal, to: nil, nil, constant: 24, owner: 0)
            let lower = style({ _ in }, [height])
            #expect(lower.contains("height:24px") && lower.hasSuffix("min-height:24px"), "\(lower)")
        }
    }

    @Test func `What has several parts is as wide as they are in the middle of a box`() {
        let center = [LayoutRule.Attribute.centerX, .top].map {
            LayoutRule(LayoutRule.Item(1), $0, to: LayoutRule.Item(0), $0, owner: 0)
        }
        for (kind, isFitted) in [(NodeKind.pageControl, true), (.segments, true), (.textField, true), (.image, false)] {
            let style = Self.style(1, Self.sheet([Self.node(.box, [1], parent: nil), Self.node(kind)], center))
            #expect(style.contains("margin-inline:auto") && style.contains("width:fit-content") == isFitted, "\(style)")
        }
    }

    @Test func `A stack beside a text gets narrower first, and no narrower than its longest word`() {
        func stack(_ children: [NodeID], parent: NodeID?) -> Node {
            var node = Self.node(.box, children, parent: parent)
            node.look = Look(geometry: Geometry(), stack: StackGeometry())
            return node
        }
        let row = stack([1, 2, 4], parent: nil)
        let nodes = [row, Self.node(.box), stack([3], parent: 0), Self.node(.label, parent: 2), Self.node(.label)]
        let sheet = Self.sheet(nodes)
        #expect(Self.style(2, sheet).contains("flex:0 1e6 auto") && !Self.style(2, sheet).contains("min-width:0"))
        #expect(Self.style(2, sheet).contains("min-width:calc-size(min-content,min(size,calc(100% - 1.0625rem*2)))"))
        #expect(Self.style(4, sheet).contains("flex:0 1 auto") && Self.style(4, sheet).contains("min-width:0"))
    }

    @Test func `A field has the height of its frames, a line of large text has room, and nothing presses it flat`() {
        var column = Self.node(.box, [1, 2], parent: nil)
        var stack = StackGeometry()
        stack.axis = .vertical
        column.look = Look(geometry: Geometry(), stack: stack)
        let sheet = Self.sheet([column, Self.node(.textField) { $0.fieldBorder = .rounded }, Self.node(.label)])
        let style = Self.style(1, sheet)
        #expect(style.contains("--h:34px;height:var(--h,34px)"), "\(style)")
        // Behind the height of 0 that what may shrink has: the later one holds.
        #expect(style.hasSuffix("min-height:max(24px,calc(round(up,1lh,.5px) + 4px))"), "\(style)")
    }

    @Test
    func `A least width of an author is kept in a row whose parts give way, and so is a least height in a column`() {
        for (axis, attribute) in [(Axis.horizontal, LayoutRule.Attribute.width), (.vertical, .height)] {
            var outer = Self.node(.box, [1, 2], parent: nil)
            var stack = StackGeometry()
            stack.axis = axis
            outer.look = Look(geometry: Geometry(), stack: stack)
            let least = LayoutRule(LayoutRule.Item(1), attribute, .greaterOrEqual, constant: 60, owner: 0)
            let style = Self.style(1, Self.sheet([outer, Self.node(.button), Self.node(.label)], [least]))
            let name = axis == .horizontal ? "min-width" : "min-height"
            #expect(style.contains("\(name):60px") && !style.contains("\(name):0"), "\(style)")
            #expect(!style.contains("calc-size"), "\(style)")
        }
    }

    @Test func `A text of several lines in a row keeps the room of its longest word`() {
        var row = Self.node(.box, [1, 2], parent: nil)
        row.look = Look(geometry: Geometry(), stack: StackGeometry())
        let sheet = Self.sheet([row, Self.node(.label) { $0.lines = 0 }, Self.node(.label) { $0.lines = 1 }])
        #expect(Self.style(1, sheet).contains("min-width:calc-size(min-content,min(size,calc(100% - 1.0625rem*2)))"))
        // Of one line that is cut off, the beginning.
        #expect(Self.style(2, sheet).contains("min-width:0;min-width:calc-size(max-content,min(size,2em,30%))"))
    }

    @Test func `Texts of several lines in a row begin with their words, and the strongest has its line first`() {
        var row = Self.node(.box, [1, 2, 3], parent: nil)
        row.look = Look(geometry: Geometry(), stack: StackGeometry())
        let lines = [0, 0, 1].map { lines in Self.node(.label) { $0.lines = lines } }
        let sheet = Self.sheet([row] + lines)
        let styles = (1...3).map { Self.style($0, sheet) }
        #expect(styles[0].hasPrefix("flex:1 1e12 min-content;"), "\(styles[0])")
        #expect(styles[1].contains("flex:1e24 1e6 min-content;max-width:max-content"), "\(styles[1])")
        #expect(styles[2].contains("flex:1e30 1 2em;max-width:max-content"), "\(styles[2])")
        // As wide as its words where something around it asks for the least width.
        #expect(styles.allSatisfy { !$0.contains(";width:") })
    }

    @Test(arguments: [StackGeometry.Alignment.leading, .center, .trailing])
    func `A text at one side of a column, or in its middle, gets no wider than the column`(
        alignment: StackGeometry.Alignment
    ) {
        var column = Self.node(.box, [1], parent: nil)
        var stack = StackGeometry()
        (stack.axis, stack.alignment) = (.vertical, alignment)
        column.look = Look(geometry: Geometry(), stack: stack)
        let style = Self.style(1, Self.sheet([column, Self.node(.label) { $0.lines = 0 }]))
        let side = alignment == .leading ? "start" : alignment == .center ? "center" : "end"
        #expect(style.contains("align-self:\(side);") && !style.contains("width:"), "\(style)")
    }

    @Test func `A button in a row is at least as wide as can be touched`() {
        var row = Self.node(.box, [1, 2], parent: nil)
        row.look = Look(geometry: Geometry(), stack: StackGeometry())
        let sheet = Self.sheet([row, Self.node(.button), Self.node(.label) { $0.lines = 0 }])
        let style = Self.style(1, sheet)
        #expect(style.contains("min-width:calc-size(min-content,max(var(--least,0px),min(size,50%)))"), "\(style)")
        // Its title ends where it does.
        #expect(sheet.contains("-0-1>span:not(.tp,.ni){min-width:0;overflow:hidden;text-overflow:ellipsis"), "\(sheet)")
    }

    @Test func `A word leaves the lines of its row the room that their fonts need`() {
        var row = Self.node(.box, [1, 2, 3], parent: nil)
        row.look = Look(geometry: Geometry(), stack: StackGeometry())
        func line(_ font: FontRequest) -> Node {
            Self.node(.label) { ($0.lines, $0.font) = (1, font) }
        }
        let footnote = line(FontRequest(size: 13, style: .footnote))
        let sheet = Self.sheet([row, Self.node(.label) { $0.lines = 0 }, footnote, line(FontRequest(size: 24))])
        let room = "calc(100% - 1.5rem*2 - var(--size-footnote,.8125rem)*2)"
        #expect(Self.style(1, sheet).contains("min-width:calc-size(min-content,min(size,\(room)))"))
    }

    @Test func `What scrolls sideways is as wide as its content, and not as its window`() {
        var scroll = Self.node(.box, [1], parent: nil)
        scroll.look = Look(geometry: Geometry(), scrolling: Scrolling())
        let both = Self.style(0, Self.sheet([scroll, Self.node(.box)], Self.pins(1, 0)))
        #expect(both.contains("overflow:auto;align-content:start;justify-content:start"))
        let width = LayoutRule(
            LayoutRule.Item(1), .width, .equal, to: LayoutRule.Item(0), .width, constant: 0, owner: 0)
        let down = Self.style(0, Self.sheet([scroll, Self.node(.box)], Self.pins(1, 0) + [width]))
        #expect(down.contains("grid-template-columns:minmax(0,1fr)") && !down.contains("justify-content"))
    }

    @Test(arguments: [Axis.horizontal, .vertical])
    func `Equal children of a stack that fits its content lie in equal tracks`(axis: Axis) {
        var stack = Self.node(.box, [2, 3])
        var geometry = StackGeometry()
        (geometry.axis, geometry.distribution) = (axis, .fillEqually)
        stack.look = Look(geometry: Geometry(), stack: geometry)
        let nodes = [
            Self.node(.box, [1], parent: nil), stack, Self.node(.label, parent: 1), Self.node(.image, parent: 1),
        ]
        let sheet = Self.sheet(nodes, Array(Self.pins(1, 0).prefix(2)))
        let track = axis == .vertical ? "grid-auto-rows:1fr" : "grid-auto-flow:column;grid-auto-columns:minmax(0,1fr)"
        #expect(Self.style(1, sheet).contains("display:grid;") && Self.style(1, sheet).contains(track))
        #expect(Self.style(3, sheet).contains("align-self:stretch;height:auto"))
        #expect(!Self.style(2, sheet).contains("flex:") && !Self.style(2, sheet).contains("grid-area"))
    }

    @Test func `A text over a control that was painted before it lets touches through`() {
        func sheet(over: Bool, kind: NodeKind = .textField) -> String {
            var label = Self.node(.label)
            if !over { label.frame = Frame(x: 200, y: 200, width: 50, height: 20) }
            return Self.sheet([Self.node(.box, [1, 2], parent: nil), Self.node(kind), label])
        }
        let rule = ".\(Self.prefix)-0-2:not(button){pointer-events:none}"
        #expect(sheet(over: true).contains(rule))
        #expect(!sheet(over: false).contains(rule) && !sheet(over: true, kind: .box).contains(rule))
    }

    @Test func `A label with a mask keeps the height that its author drew`() {
        var label = Self.node(.label)
        var geometry = Geometry()
        geometry.springs = []
        geometry.design = Size(width: 300, height: 200)
        label.look = Look(geometry: geometry)
        let style = Self.style(1, Self.sheet([Self.node(.box, [1], parent: nil), label]))
        #expect(style.contains("height:30px") && !style.contains("min-height"))
    }

    @Test func `A box that is tied to all edges has insets of points`() {
        let style = Self.style(1, Self.sheet([Self.node(.box, [1], parent: nil), Self.node(.box)], Self.pins(1, 8)))
        #expect(style.contains("position:absolute;inset-inline-start:8px;inset-inline-end:8px;top:8px;bottom:8px"))
    }

    @Test func `A control is given the size that its edges leave`() {
        let style = Self.style(1, Self.sheet([Self.node(.box, [1], parent: nil), Self.node(.image)], Self.pins(1, 8)))
        #expect(style.contains("width:calc(100% - 16px)") && style.contains("height:calc(100% - 16px)"))
    }

    @Test func `Two scenes have classes of their names' order, and programs have prefixes`() {
        let scenes = ["B", "A"].map { Scene($0, nodes: [Self.node(.box, parent: nil) { $0.alpha = $0.alpha / 2 }]) }
        let program = Program(identifier: "p", scenes: scenes, entries: [:], initial: "A")
        let sheet = PlanSheet(program, identity: "p")
        #expect(sheet.scene("A") == 0 && sheet.scene("B") == 1 && sheet.scene("C") == nil)
        let text = String(decoding: sheet.bytes, as: UTF8.self)
        #expect(text == ".\(Self.prefix)-0-0,.\(Self.prefix)-1-0{opacity:.5}\n")
        #expect(LayoutClasses(identity: "q").prefix != Self.prefix && Self.prefix.utf8.count == 21)
    }

    // MARK: - Paint

    @Test func `Paint is a role's property, a colour, or one of two`() {
        let label = Self.node(.label) { look in
            look.foreground = .role(.secondaryLabel)
            look.background = .pair(
                light: RGBA(red: UInt8(255), green: 255, blue: 255),
                dark: RGBA(red: UInt8(1), green: 2, blue: 3, alpha: 4))
        }
        let style = Self.style(1, Self.sheet([Self.node(.box, [1], parent: nil), label]))
        #expect(style.contains("color:var(--secondaryLabel)"))
        #expect(style.contains("background-color:light-dark(#fff,#01020304)"))
    }

    @Test(arguments: [(UInt8(33), "dark"), (UInt8(250), "light")])
    func `An opaque ground decides which of the system's colours hold in it`(grey: UInt8, scheme: String) {
        let ground = RGBA(red: grey, green: grey, blue: grey)
        var outer = Self.node(.box, [1], parent: nil) { $0.background = .value(ground) }
        outer.identifier = "outer"
        let inner = Self.node(.box, [2]) { $0.background = .value(ground) }
        let sheet = Self.sheet([outer, inner, Self.node(.label, parent: 1)])
        #expect(Self.style(0, sheet).contains("color-scheme:\(scheme);color:var(--label)"))
        #expect(!Self.style(1, sheet).contains("color-scheme"))
    }

    @Test func `Corners, borders, shadows and modes of pictures are declared`() {
        let picture = Self.node(.image) { look in
            look.cornerRadius = 6
            look.borderWidth = 1
            look.contentMode = .topLeft
            look.clips = true
        }
        let box = Self.node(.box) { look in
            look.borderWidth = 2
            look.border = .role(.red)
            look.shadow = Shadow(opacity: 0.5, offset: Size(width: 1, height: 2), radius: 3)
        }
        let sheet = Self.sheet([Self.node(.box, [1, 2], parent: nil), picture, box])
        let style = Self.style(1, sheet)
        #expect(style.contains("border-radius:6px;outline:1px solid #000;outline-offset:-1px"))
        #expect(style.contains("object-fit:none;object-position:left top") && style.contains("overflow:hidden"))
        #expect(Self.style(2, sheet).contains("box-shadow:inset 0 0 0 2px var(--red),1px 2px 6px #00000080"))
    }

    // MARK: - Text

    @Test(arguments: [(17.0, "1.0625rem"), (16, "1rem"), (13, ".8125rem"), (.nan, "1.0625rem"), (1e300, "62.5rem")])
    func `The size of a font follows the reader's`(size: Double, text: String) {
        let label = Self.node(.label) { $0.font = FontRequest(size: size) }
        #expect(Self.style(1, Self.sheet([Self.node(.box, [1], parent: nil), label])).contains("font-size:\(text)"))
    }

    @Test(arguments: [
        "\"}body{display:none", "a\\", "a\nb", "url(x)", "a;b", "</style>", "é\u{202E}", "\u{0}", "@import",
    ])
    func `The name of a font is a text and never syntax`(family: String) {
        let label = Self.node(.label) { $0.font = FontRequest(size: 17, family: family) }
        let sheet = Self.sheet([Self.node(.box, [1], parent: nil), label])
        let rest = sheet.split(separator: "font-family:").last?.dropFirst() ?? ""
        let name = rest.prefix { $0 != "\"" }
        #expect(rest.dropFirst(name.count).hasPrefix("\",-apple-system"))
        #expect(
            name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789 \\-_".unicodeScalars.contains($0))
                    || $0 == "\u{FFFD}"
            })
        #expect(sheet.count { $0 == "{" } == sheet.count { $0 == "}" })
        #expect(!sheet.contains("body{"))
    }

    @Test func `A label has one line, as many as it needs, or those of its author`() {
        func label(_ lines: Int?) -> Node { Self.node(.label) { $0.lines = lines } }
        let sheet = Self.sheet([Self.node(.box, [1, 2, 3], parent: nil), label(nil), label(0), label(3)])
        #expect(Self.style(1, sheet).contains("white-space:nowrap"))
        #expect(Self.style(2, sheet).contains("white-space:pre-wrap"))
        #expect(
            sheet.contains(
                ".\(Self.prefix)-0-3>span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3}"))
    }

    // MARK: - Lists

    private static func list(_ style: ListGeometry.Style = .plain, height: Double? = nil) -> [Node] {
        var geometry = ListGeometry()
        geometry.style = style
        geometry.rowHeight = height
        var list = node(.list, [], list: geometry)
        list.list = ListTemplate(source: "s")
        list.list?.prototypes = ["Cell": 2]
        return [node(.box, [1], parent: nil), list, node(.row, [3], parent: nil), node(.label, parent: 2)]
    }

    @Test func `A row has the height of its list, and a line below it`() {
        let sheet = Self.sheet(Self.list(height: 75))
        #expect(Self.style(2, sheet).contains("height:75px;min-height:0"))
        #expect(
            sheet.contains(
                "-0-2::after{content:\"\";position:absolute;bottom:0;inset-inline:16px 0;border-bottom:.5px solid "))
        #expect(!sheet.contains(":last-child"))
        #expect(Self.sheet(Self.list(.grouped)).contains("-0-2:last-child::after{display:none}"))
    }

    @Test func `A row that its content ties is at least as high as its list says`() {
        let rules = [LayoutRule.Attribute.top, .bottom].map { edge in
            LayoutRule(
                LayoutRule.Item(3), edge, to: LayoutRule.Item(2), edge, constant: edge == .top ? 12 : -12, owner: 2)
        }
        let sheet = Self.sheet(Self.list(height: 75), rules)
        #expect(Self.style(2, sheet).contains("display:grid;grid-template-columns:minmax(0,1fr)"))
        #expect(Self.style(2, sheet).contains("min-height:75px"))
        #expect(Self.style(3, sheet).contains("margin-top:12px;margin-bottom:12px"))
    }

    @Test func `A grid's items have its size and gaps`() {
        var geometry = ListGeometry()
        var flow = GridFlow()
        flow.itemSize = Size(width: 160, height: 120)
        geometry.grid = flow
        let grid = Self.node(.grid, list: geometry)
        let sheet = Self.sheet([Self.node(.box, [1], parent: nil), grid])
        #expect(sheet.contains("-0-1>ul{display:grid;grid-template-columns:repeat(auto-fill,160px)"))
        #expect(sheet.contains("grid-auto-rows:120px;gap:10px 10px"))
    }

    // MARK: - Limits

    @Test func `A thousand equal elements share their rules`() {
        func sheet(_ count: Int) -> String {
            let labels = (0..<count).map { _ in Self.node(.label) { $0.foreground = .role(.blue) } }
            return Self.sheet([Self.node(.box, Array(1...count), parent: nil)] + labels)
        }
        let lines = { (text: String) in text.split(separator: "\n").count }
        #expect(lines(sheet(1_000)) == lines(sheet(10)))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0.1 + 0.2])
    func `Numbers are finite and have three decimals at most`(number: Double) {
        let box = Self.node(.box) { look in
            look.cornerRadius = number
            look.borderWidth = number
            look.alpha = number
            look.contentInsets = Insets(top: number, leading: number, bottom: number, trailing: number)
            look.shadow = Shadow(opacity: number, offset: Size(width: number, height: number), radius: number)
        }
        let rules = [LayoutRule(LayoutRule.Item(1), .width, constant: number, owner: 0)]
        let sheet = Self.sheet([Self.node(.box, [1], parent: nil), box], rules).lowercased()
        #expect(!sheet.contains("nan") && !sheet.contains("inf") && !sheet.contains("e+"))
        #expect(sheet.firstMatch(of: /\.\d{4}/) == nil)
    }

    @Test func `A container that needs a solver has the frames that were drawn`() {
        let nodes = [Self.node(.box, [1, 2], parent: nil), Self.node(.label), Self.node(.label)]
        let rule = LayoutRule(LayoutRule.Item(1), .width, to: LayoutRule.Item(2), .width, owner: 0)
        #expect(Self.style(1, Self.sheet(nodes, [rule])).contains("inset-inline-start:10px;width:100px;top:20px"))
    }

    @Test func `The header of a section has the height that its list has for it`() {
        for (height, expected) in [(28.0 as Double?, "height:28px;min-height:0"), (nil, "height:30px;min-height:0")] {
            var list = ListGeometry()
            list.sectionHeaderHeight = height
            var table = Self.node(.list, list: list)
            var template = ListTemplate()
            (template.prototypes, template.header) = (["Header": 2, "Row": 3], 2)
            table.list = template
            let rows = [Self.node(.row, parent: 1), Self.node(.row, parent: 1)]
            let sheet = Self.sheet([Self.node(.box, [1], parent: nil), table] + rows)
            #expect(Self.style(2, sheet).contains(expected))
            #expect(Self.style(3, sheet).contains("height:30px;min-height:0"))
        }
    }

    @Test func `10,000 nodes have a class each, and equal ones share a rule`() {
        let nodes = [Self.node(.box, Array(1...10_000), parent: nil)] + (1...10_000).map { _ in Self.node(.box) }
        let sheet = Self.sheet(nodes)
        #expect(sheet.split(separator: "\n").count < 5)
        #expect(sheet.split(separator: "{")[0].split(separator: ",").count >= 10_000 || sheet.contains("-0-10000{"))
        #expect(sheet.utf8.count < 10_001 * 40)
    }

    @Test func `A rule for a size class holds under a condition of the container`() {
        let rule = LayoutRule(
            LayoutRule.Item(1), .width, constant: 100, owner: 0,
            variations: [RuleVariation(SizeClasses(width: .regular), constant: 300)])
        let sheet = Self.sheet([Self.node(.box, [1], parent: nil), Self.node(.box)], [rule])
        let blocks = sheet.split(separator: "@container ").map(String.init).filter { $0.hasPrefix("(") }
        #expect(blocks.count == 2)
        #expect(blocks.first { $0.hasPrefix("(width < 744px)") }?.contains("width:100px") == true)
        #expect(blocks.first { $0.hasPrefix("(width >= 744px)") }?.contains("width:300px") == true)
    }
}
