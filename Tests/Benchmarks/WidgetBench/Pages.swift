import CWidgetLinux
import Glibc
import WidgetCore
import WidgetHosting
import WidgetIntake
import WidgetLayout
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Measures pages and frames: plans of many nodes, long lists, and the first HTML of an archive. Lines are
/// `name|number|what it is`, for the script that judges them; times are the processor's milliseconds.
enum PageBench {
    private static let nodeCount = 10_000

    /// The least processor time of several runs, in milliseconds: what other programs take from this one does not count.
    private static func least<Result>(of count: Int = 7, _ body: () throws -> Result) rethrows -> (Double, Result) {
        var best = Double.infinity
        var last: Result?
        for _ in 0..<count {
            let begin = linux_cpu_nanoseconds()
            last = try body()
            best = min(best, Double(linux_cpu_nanoseconds() - begin) / 1e6)
        }
        guard let last else { preconditionFailure("nothing was measured") }
        return (best, last)
    }

    private static func say(_ name: String, _ number: Double, _ what: String) {
        print("\(name)|\((number * 1_000).rounded() / 1_000)|\(what)")
    }

    // MARK: - Scenes

    private struct Drawing {
        var nodes: [Node] = []
        var rules: [LayoutRule] = []

        init() {
            add(.box, in: nil, Frame(x: 0, y: 0, width: 375, height: 667))
        }

        @discardableResult
        mutating func add(_ kind: NodeKind, in parent: NodeID?, _ frame: Frame, springs: Springs? = nil) -> NodeID {
            var geometry = Geometry()
            geometry.springs = springs
            geometry.design = parent.flatMap { nodes[$0].frame }.map { Size(width: $0.width, height: $0.height) }
            var appearance = Appearance()
            appearance.font = FontRequest(size: 17)
            if kind == .label {
                let gray: UInt8 = 60
                appearance.foreground = .value(RGBA(red: gray, green: gray, blue: gray))
                appearance.lines = nodes.count % 3
            }
            var node = Node(kind)
            node.frame = frame
            node.parent = parent
            node.look = Look(geometry: geometry, appearance: appearance)
            if kind == .label { node[.text] = .literal(.string("Text number \(nodes.count)")) }
            nodes.append(node)
            if let parent { nodes[parent].children.append(nodes.count - 1) }
            return nodes.count - 1
        }

        mutating func rule(
            _ first: NodeID, _ attribute: LayoutRule.Attribute, _ second: NodeID?,
            _ other: LayoutRule.Attribute? = nil, plus constant: Double = 0
        ) {
            rules.append(
                LayoutRule(
                    LayoutRule.Item(first), attribute, to: second.map { LayoutRule.Item($0) },
                    second == nil ? nil : other ?? attribute, constant: constant, owner: 0))
        }

        var scene: Scene {
            var scene = Scene("bench", nodes: nodes)
            scene.rules = rules
            return scene
        }
    }

    /// A column of cards, each with a picture, a title beside it, a text below and a button: three rules a node.
    private static func cards() -> Scene {
        var drawing = Drawing()
        var above: NodeID?
        while drawing.nodes.count + 5 <= nodeCount {
            let card = drawing.add(.box, in: 0, Frame(x: 16, y: 0, width: 343, height: 120))
            drawing.rule(card, .leading, 0, plus: 16)
            drawing.rule(card, .trailing, 0, plus: -16)
            drawing.rule(card, .top, above ?? 0, above == nil ? .top : .bottom, plus: 8)
            let picture = drawing.add(.image, in: card, Frame(x: 12, y: 12, width: 50, height: 50))
            drawing.rule(picture, .leading, card, plus: 12)
            drawing.rule(picture, .top, card, plus: 12)
            drawing.rule(picture, .width, nil, plus: 50)
            drawing.rule(picture, .height, nil, plus: 50)
            let title = drawing.add(.label, in: card, Frame(x: 72, y: 12, width: 259, height: 20))
            drawing.rule(title, .leading, picture, .trailing, plus: 10)
            drawing.rule(title, .top, picture)
            drawing.rule(title, .trailing, card, plus: -12)
            let text = drawing.add(.label, in: card, Frame(x: 72, y: 40, width: 259, height: 40))
            drawing.rule(text, .leading, title)
            drawing.rule(text, .trailing, title)
            drawing.rule(text, .top, title, .bottom, plus: 4)
            let button = drawing.add(.button, in: card, Frame(x: 250, y: 84, width: 80, height: 30))
            drawing.rule(button, .trailing, card, plus: -12)
            drawing.rule(button, .top, text, .bottom, plus: 4)
            drawing.rule(card, .bottom, button, plus: 12)
            above = card
        }
        return drawing.scene
    }

    /// One container with all nodes in one column.
    private static func column() -> Scene {
        var drawing = Drawing()
        var above: NodeID = 0
        for _ in 1..<nodeCount {
            let node = drawing.add(.label, in: 0, Frame(x: 16, y: 0, width: 343, height: 20))
            drawing.rule(node, .leading, 0, plus: 16)
            drawing.rule(node, .trailing, 0, plus: -16)
            drawing.rule(node, .top, above, above == 0 ? .top : .bottom, plus: 8)
            above = node
        }
        return drawing.scene
    }

    /// Boxes of ten nodes, all placed by autoresizing masks.
    private static func masks() -> Scene {
        var drawing = Drawing()
        var box: NodeID = 0
        while drawing.nodes.count < nodeCount {
            let place = drawing.nodes.count
            if place % 10 == 1 {
                box = drawing.add(
                    .box, in: 0, Frame(x: Double(place % 300), y: Double(place), width: 200, height: 100),
                    springs: Springs(rawValue: UInt8(place % 64)))
            } else {
                drawing.add(
                    .label, in: box, Frame(x: Double(place % 7) * 10, y: 4, width: 50, height: 20),
                    springs: Springs(rawValue: UInt8(place * 7 % 64)))
            }
        }
        return drawing.scene
    }

    private static func program(_ scene: Scene) -> Program {
        Program(
            identifier: "bench", scenes: [scene], entries: ["main": .init(scene: scene.name, isNavigation: false)],
            initial: "main")
    }

    private static func element(_ scene: Scene, _ id: NodeID) -> ViewNode {
        let node = scene.nodes[id]
        return ViewNode(
            ViewKey(screen: 1, node: id), node.kind,
            properties: node[.text]?.literal.map { [ViewProperty(.text, $0)] } ?? [],
            children: node.children.map { element(scene, $0) }, frame: node.frame)
    }

    private static func view(_ scene: Scene) -> View {
        View(
            screen: scene.name, title: "Bench",
            root: ViewNode(ViewKey(screen: 1, node: -10), .screen, children: [element(scene, scene.root)]))
    }

    // MARK: - Measurements

    /// - Parameter folder: gets the page of the cards with its sheets, for a browser to lay out.
    static func scenes(_ folder: String?) throws {
        for (name, scene) in [("cards", cards()), ("column", column()), ("masks", masks())] {
            let count = "\(scene.nodes.count) nodes, \(scene.rules.count) rules"
            say("plan \(name)", least { LayoutPlan(of: scene) }.0, "plan of a scene: \(count)")
            let program = program(scene)
            say("sheet \(name)", least { PlannedProgram(program) }.0, "plan and stylesheet: \(count)")
            let view = view(scene)
            let layout = ScreenLayout(program, Viewport())
            say("frames \(name)", least(of: 3) { layout.placed(view) }.0, "frames of its screen: \(count)")
            let printer = PagePrinter(program, PrintOptions())
            let (time, html) = least(of: 3) { printer.print(view, NoAssets()) }
            say("page \(name)", time, "page of its screen: \(html.count) bytes")
            if name == "cards", let folder { try write(program, view, to: folder) }
        }
    }

    private static func write(_ program: Program, _ view: View, to folder: String) throws {
        let planned = PlannedProgram(program)
        var options = PageOptions()
        options.sheets = planned.sheets
        let page = PagePrinter(planned, options).page(view, NoAssets())
        try write(page.html, "\(folder)/\(PageFiles.first)")
        try write(BaseSheet.bytes, "\(folder)/\(BaseSheet.fileName)")
        try write(planned.sheet.bytes, "\(folder)/\(planned.sheet.file)")
        try write(Array(ViewingSheet.text(options, for: [page]).utf8), "\(folder)/\(ViewingSheet.fileName)")
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        guard let file = unsafe fopen(path, "w") else { throw BenchFailure(path: path) }
        let count = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, count == bytes.count else { throw BenchFailure(path: path) }
    }

    /// The bytes of pages and sheets of a list, with few rows and with many.
    static func rows() throws {
        func sizes(_ count: Int) throws -> (page: Int, sheets: Int, time: Double) {
            let (program, store) = try list(count)
            let view = Evaluator(program).view(of: store, Environment())
            let planned = PlannedProgram(program)
            let printer = PagePrinter(planned)
            let (time, page) = least(of: 5) { printer.page(view, NoAssets()) }
            let viewing = ViewingSheet.text(printer.options, for: [page]).utf8.count
            return (page.html.count, planned.sheet.bytes.count + viewing, time)
        }
        let (few, many) = (try sizes(200), try sizes(10_000))
        say("rows sheet", Double(many.sheets - few.sheets), "bytes by which 10,000 rows grow the sheets of 200")
        say("rows page", Double(many.page), "bytes of the page of 10,000 rows")
        say("rows time", many.time, "page of 10,000 rows")
    }

    /// The first HTML of an archive, in a program that runs.
    static func archive(_ path: String) throws {
        let taken = try BundleSource(opening: path).take()
        func started() throws -> WidgetInstance {
            var instance = WidgetInstance(
                try BundleReading.program(of: taken.opened), environment: Environment(now: 551_217_600))
            instance.send(.start)
            _ = instance.settle()
            return instance
        }
        let (first, _) = try least(of: 21) {
            var instance = try started()
            return PagePrinter(instance.program, PrintOptions()).print(instance.view(), NoAssets())
        }
        say("first", first, "unpacked bundle to first HTML, sheets and all")
        var instance = try started()
        let printer = PagePrinter(instance.program, PrintOptions())
        let times = (0..<201).map { _ in least(of: 1) { printer.print(instance.view(), NoAssets()) }.0 }.sorted()
        say("warm", times[100], "view and page of a widget that runs, median of 201")
        say("warm p99", times[198], "the same, the slowest but two")
    }
}

private struct BenchFailure: Error, CustomStringConvertible {
    let path: String

    var description: String { "cannot write \(path)" }
}
