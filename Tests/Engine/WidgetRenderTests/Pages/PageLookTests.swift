import PageReading
import Testing
import WidgetCore
import WidgetLayout
import WidgetMarkup
import WidgetPredicates

@testable import WidgetRender

/// Goal: the looks of a program reach its pages by classes and sheets. Method: a small program with one look of each kind.
@Suite struct `The look of a page` {
    /// Pictures of two bytes each, whose heads say what a test wants.
    private struct Pictures: ViewAssets {
        var width = 20

        func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
            switch name {
            case "heic": .unusable("it is HEIC")
            case "none": .missing
            default: .file(PictureFile(Array(name.utf8), .png, width: width, height: 40, scale: 2))
            }
        }
    }

    private static func program(_ change: (inout Scene) -> Void = { _ in }) -> Program {
        var nodes = [Node(.box), Node(.image), Node(.constraint), Node(.button), Node(.image)]
        nodes[0].children = [1, 3, 4]
        var heading = AuthoredTraits()
        heading.bits = 1 << 16
        nodes.append(Node(.label))
        nodes[5].look = Look(geometry: Geometry(), accessibility: heading)
        var scene = Scene("s", nodes: nodes)
        scene.navigationBar = BarGeometry()
        change(&scene)
        return Program(
            identifier: "com.example.Look", scenes: [scene], entries: ["Main": .init(scene: "s", isNavigation: true)],
            initial: "Main")
    }

    private static func node(
        _ kind: NodeKind, _ id: NodeID, _ properties: [(PropertyName, Value)], events: [NodeEvent] = []
    ) -> ViewNode {
        ViewNode(
            ViewKey(screen: 1, node: id), kind, properties: properties.map { ViewProperty($0.0, $0.1) }, events: events)
    }

    private static func printed(_ program: Program, _ view: View, _ pictures: Pictures = Pictures()) throws -> (
        PrintedPage, PageNode
    ) {
        let page = PagePrinter(PlannedProgram(program)).page(view, pictures)
        let read = try PageReader.page(page.html)
        #expect(PageRules.faults(read) == [])
        return (page, read)
    }

    /// A refused field that its author drew, or one in a column.
    private static func refused(isDrawn: Bool) throws -> PageNode {
        let program = program { scene in
            scene.nodes[1] = Node(.textField)
            (scene.nodes[1].parent, scene.nodes[1].frame) = (0, Frame(x: 0, y: 0, width: 100, height: 30))
            var (geometry, stack) = (Geometry(), StackGeometry())
            stack.axis = .vertical
            scene.nodes[0].look = Look(geometry: Geometry(), stack: isDrawn ? nil : stack)
            geometry.springs = isDrawn ? [] : nil
            geometry.design = Size(width: 375, height: 667)
            scene.nodes[1].look = Look(geometry: geometry)
        }
        let field = node(
            .textField, 1, [(.text, .string("")), (.invalid, .boolean(true)), (.fault, .string("Name is required"))])
        let (_, page) = try printed(program, Text.view([field]))
        return try #require(page.all.first { $0["class"]?.split(separator: " ").contains("tf") ?? false })
    }

    @Test func `The message about a field is in its box: below what is typed if it can grow, else beside it`() throws {
        for isDrawn in [true, false] {
            let field = try Self.refused(isDrawn: isDrawn)
            #expect(field.children.compactMap { $0["class"] }.last == "er")
            #expect(field["class"]?.split(separator: " ").contains("fl") == !isDrawn)
        }
    }

    @Test func `A picture is named by its digest, once, with its size in points`() throws {
        let image = Self.node(.image, 1, [(.image, .string("../../etc/\"moon"))])
        let again = Self.node(.image, 4, [(.image, .string("../../etc/\"moon"))])
        let (page, read) = try Self.printed(Self.program(), Text.view([image, again]))
        let img = try #require(read.first("img"))
        let source = try #require(img["src"])
        #expect(page.pictures.keys.elementsEqual([source]) && source.utf8.count == 36 && source.hasSuffix(".png"))
        #expect(img["width"] == "10" && img["height"] == "20" && img["alt"] == "../../etc/\"moon")
    }

    @Test func `A picture that cannot be shown is a named place and a remark`() throws {
        let view = Text.view(["heic", "none"].enumerated().map { Self.node(.image, $0 + 1, [(.image, .string($1))]) })
        let (page, read) = try Self.printed(Self.program(), view)
        #expect(page.remarks == ["the picture heic is not shown: it is HEIC"] && page.pictures.isEmpty)
        #expect(read.all.filter { $0["role"] == "img" }.map { $0["aria-label"] } == ["heic", "none"])
        let huge = try Self.printed(
            Self.program(), Text.view([Self.node(.image, 1, [(.image, .string("a"))])]), Pictures(width: .max))
        #expect(huge.0.remarks.first?.contains("pixels") == true && huge.1.first("img") == nil)
    }

    @Test func `A picture behind a button is a rule of the page's own sheet`() throws {
        let program = Self.program { scene in
            var look = Appearance()
            look.backgroundImage = "ground"
            scene.nodes[3].look = Look(geometry: Geometry(), appearance: look)
        }
        let view = Text.view([Self.node(.button, 3, [(.text, .string("Go"))], events: [.tap])])
        let (page, read) = try Self.printed(program, view)
        let names = page.rules.keys.filter { !$0.hasPrefix("!") }
        let name = try #require(names.first)
        #expect(names.count == 1 && read.has("b")?.classes.contains(name) == true)
        let sheet = ViewingSheet.text(PageOptions(), for: [page])
        #expect(sheet.contains(".\(name){background:url(") && sheet.contains("--status:20px"))
    }

    @Test func `A constant that has changed is a property of the screen, or of one row`() throws {
        var view = Text.view([])
        view.screen = "s"
        let item = ItemKey(list: 9, number: 3, isRecord: true)
        view.constants = [
            ViewKey(screen: 1, node: 2): 12.5, ViewKey(screen: 1, node: 2, item: item): .infinity,
            ViewKey(screen: 1, node: 4, item: item): 1e12,
        ]
        let (page, _) = try Self.printed(Self.program(), view)
        let sheet = ViewingSheet.text(PageOptions(), for: [page])
        #expect(sheet.contains("{--c2:12.5px}\n") && sheet.contains(#"[id="a1.4@9r3"]{--c4:1000000px}"#))
        #expect(!sheet.contains("inf"))
    }

    @Test func `A label with the trait of a heading is one`() throws {
        let view = Text.view([Self.node(.label, 5, [(.text, .string("Chapter"))])])
        #expect(try Self.printed(Self.program(), view).1.first("h2")?.allText == "Chapter")
    }

    @Test func `A bar has its paint in the program's sheet, and lets the screen through where it is translucent`()
        throws
    {
        func sheet(_ change: (inout BarGeometry) -> Void) -> String {
            var bar = BarGeometry()
            change(&bar)
            return String(decoding: PlannedProgram(Self.program { $0.navigationBar = bar }).sheet.bytes, as: UTF8.self)
        }
        #expect(!sheet { _ in }.contains("-bar"))
        #expect(
            sheet { $0.background = .value(RGBA(red: UInt8(16), green: 16, blue: 16)) }.contains(
                "background:#101010;color-scheme:dark"))
        #expect(sheet { $0.isDark = true }.contains("color-scheme:dark"))
        #expect(sheet { $0.titleColor = .role(.red) }.contains(" .bt{color:var(--red)}"))
        let bar = ViewNode(ViewKey(screen: 1, node: ViewKey.bar), .bar)
        func kinds(_ change: (inout Scene) -> Void) throws -> Set<String> {
            var view = Text.view([bar])
            view.screen = "s"
            return try Self.printed(Self.program(change), view).1.has("scr")?.classes ?? []
        }
        #expect(try kinds { _ in } == ["scr"])
        #expect(try kinds { $0.navigationBar?.isTranslucent = false } == ["scr", "below"])
        #expect(try kinds { $0.edges.extendsUnderTopBar = false } == ["scr", "below"])
    }

    @Test func `One record in two rows' lists has two identities on the page`() throws {
        let item = ItemKey(list: 8, number: 1, isRecord: true)
        let label = ViewNode(
            ViewKey(screen: 1, node: 5, item: item), .label, properties: [ViewProperty(.text, .string("a"))])
        let (_, read) = try Self.printed(Self.program(), Text.view([label, label]))
        #expect(read.all.compactMap { $0["id"] }.filter { $0.hasPrefix("a1.5") } == ["a1.5@8r1", "a1.5@8r1~2"])
    }

    @Test func `Every role that a program uses has its colours in one of the program's sheets, once`() {
        for role in ColorRole.allCases {
            let program = Self.program { scene in
                var appearance = Appearance()
                appearance.background = .role(role)
                scene.nodes[1].look = Look(geometry: Geometry(), appearance: appearance)
            }
            let sheet = String(decoding: PlannedProgram(program).sheet.bytes, as: UTF8.self)
            let color = ".w{--\(role.rawValue):"
            #expect(sheet.contains("var(--\(role.rawValue))"))
            #expect(sheet.hasPrefix(color) != BaseSheet.text.contains("--\(role.rawValue):"), "\(role)")
            #expect(!String(decoding: PlannedProgram(Self.program()).sheet.bytes, as: UTF8.self).contains(color))
        }
    }

    @Test func `Every role of the base sheet has a colour for light and for dark`() {
        for name in BaseSheet.text.matches(of: /var\((--[A-Za-z0-9]+)\)/).map({ $0.1 }) {
            #expect(BaseSheet.text.contains("\(name):") || name == "--track", "\(name)")
        }
        for part in BaseParts.all {
            for name in part.text.matches(of: /var\((--[A-Za-z0-9]+)\)/).map({ $0.1 }) {
                #expect((BaseSheet.text + part.text).contains("\(name):"), "\(name) of \(part.classes)")
            }
        }
        #expect(BaseSheet.text.contains("--tint:light-dark(#0066d6,#0a84ff)"))
        let white = RGBA(red: UInt8(255), green: 255, blue: 255).luminance
        for role in [ColorRole.tint, .link, .placeholderText, .label] {
            let pair = RoleColors.pair(of: role)
            #expect((white + 0.05) / (pair.light.luminance + 0.05) >= 4.5 && (pair.dark.luminance + 0.05) / 0.05 >= 4.5)
        }
        #expect(abs(RGBA(red: UInt8(118), green: 118, blue: 118).luminance - 0.1812) < 0.0005)
        #expect(RGBA(red: UInt8(17), green: 0, blue: 255, alpha: 136).css == "#10f8")
    }
}
