import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetRender

/// Goal: an author learns what readers of a page would miss, before they do. Method: screens of one label or control, whose
/// looks are good or bad by a little.
@Suite struct `A review of pages` {
    private static func appearance(
        _ foreground: Paint, size: Double = 17, weight: Int = 400, background: Paint? = nil
    ) -> Appearance {
        var appearance = Appearance()
        appearance.foreground = foreground
        appearance.background = background
        appearance.font = FontRequest(size: size, weight: weight)
        return appearance
    }

    private static func gray(_ level: UInt8, alpha: UInt8 = 255) -> Paint {
        .value(RGBA(red: level, green: level, blue: level, alpha: alpha))
    }

    /// A white screen with one element.
    private static func found(
        _ kind: NodeKind, _ appearance: Appearance = Appearance(), ground: Paint? = gray(255),
        before: Node? = nil, rules: [LayoutRule] = [], isDrawn: Bool = false, _ change: (inout Node) -> Void = { _ in }
    ) -> [Finding.Code] {
        var screen = Node(.box)
        var around = Appearance()
        around.background = ground
        screen.look = Look(geometry: Geometry(), appearance: around)
        var element = Node(kind, identifier: "element")
        element.parent = 0
        element.frame = Frame(x: 0, y: 0, width: 100, height: 30)
        var geometry = Geometry()
        if isDrawn { (geometry.springs, geometry.design) = ([], Size(width: 320, height: 568)) }
        element.look = Look(geometry: geometry, appearance: appearance)
        change(&element)
        var nodes = [screen, element]
        nodes[0].children = [1]
        if var before {
            before.parent = 0
            before.frame = Frame(x: 0, y: 0, width: 100, height: 100)
            nodes.append(before)
            nodes[0].children = [2, 1]
        }
        var scene = Scene("Main", nodes: nodes)
        scene.rules = rules
        let program = Program(
            identifier: "com.example.review", scenes: [scene],
            entries: ["Main": Program.Entry(scene: "Main", isNavigation: false)], initial: "Main")
        return PageReview(program).diagnostics.map(\.code)
    }

    @Test(
        arguments: [
            (0x76, 17.0, 400, false), (0x77, 17, 400, true), (0x94, 24, 400, false), (0x95, 24, 400, true),
            (0x94, 19, 700, false), (0x94, 19, 400, true), (0x94, 18, 700, true),
        ] as [(UInt8, Double, Int, Bool)])
    func `Grey text on white is reported from the contrast on that its size needs`(
        level: UInt8, size: Double, weight: Int, isReported: Bool
    ) {
        let appearance = Self.appearance(Self.gray(level), size: size, weight: weight)
        #expect(Self.found(.label, appearance) == (isReported ? [.lowContrast] : []))
    }

    /// Nested boxes, each with pictures in it, and labels in the innermost.
    private static func nested(_ depth: Int, pictures: Int, labels: Int) -> Program {
        var nodes = [Node(.box)]
        func add(_ node: Node, to parent: Int) {
            var node = node
            node.parent = parent
            node.frame = Frame(x: 500, y: 500, width: 10, height: 10)
            nodes[parent].children.append(nodes.count)
            nodes.append(node)
        }
        var innermost = 0
        for _ in 0..<depth {
            for _ in 0..<pictures { add(Node(.image), to: innermost) }
            add(Node(.box), to: innermost)
            innermost = nodes.count - 1
            nodes[innermost].frame = Frame(x: 0, y: 0, width: 100, height: 100)
        }
        for _ in 0..<labels {
            var label = Node(.label)
            label.look = Look(geometry: Geometry(), appearance: appearance(gray(0xEE)))
            add(label, to: innermost)
            nodes[nodes.count - 1].frame = Frame(x: 0, y: 0, width: 10, height: 10)
        }
        let scene = Scene("Main", nodes: nodes)
        return Program(identifier: "com.example.nested", scenes: [scene], entries: [:], initial: "Main")
    }

    @Test func `A review reports so many findings, and looks for each ground once`() {
        let program = Self.nested(60, pictures: 15, labels: 4_000)
        let all = PageReview(program).diagnostics
        #expect(all.count == Program.diagnosticCount && all.allSatisfy { $0.code == .lowContrast })
        #expect(PageReview(program, upTo: 50).diagnostics.count == 50)
        // More pictures than are looked at may lie behind anything.
        #expect(PageReview(Self.nested(2, pictures: 16, labels: 1)).diagnostics.count == 1)
        #expect(PageReview(Self.nested(2, pictures: 17, labels: 1)).diagnostics.isEmpty)
    }

    @Test func `Screens with more elements than any author draws are not looked at, and the report says so`() {
        let program = Self.nested(0, pictures: 0, labels: PageReview.nodeLimit)
        let found = PageReview(program).diagnostics
        #expect(found.map(\.code) == [.notReviewed])
        #expect(found.first?.message.contains("50001 elements") == true)
    }

    @Test func `Text that lets its background through has the contrast of the mixed colour`() {
        #expect(Self.found(.label, Self.appearance(Self.gray(0, alpha: 200))).isEmpty)
        #expect(Self.found(.label, Self.appearance(Self.gray(0, alpha: 100))) == [.lowContrast])
    }

    @Test func `The background is the nearest one that lets nothing through`() {
        let white = Self.gray(255)
        #expect(Self.found(.label, Self.appearance(white), ground: Self.gray(0)).isEmpty)
        #expect(
            Self.found(.label, Self.appearance(white, background: Self.gray(250)), ground: Self.gray(0)) == [
                .lowContrast
            ])
        #expect(
            Self.found(.label, Self.appearance(white, background: Self.gray(250, alpha: 9)), ground: Self.gray(0))
                .isEmpty)
    }

    @Test func `A colour that is the same in both schemes is compared with both of its background`() {
        #expect(Self.found(.label, Self.appearance(Self.gray(255)), ground: .role(.background)) == [.lowContrast])
        #expect(Self.found(.label, Self.appearance(.role(.label)), ground: .role(.background)).isEmpty)
    }

    @Test func `Colours of the system are not judged on its grounds, and are on an author's`() {
        for role in [ColorRole.red, .secondaryLabel, .tertiaryLabel, .yellow] {
            #expect(Self.found(.label, Self.appearance(.role(role)), ground: .role(.background)).isEmpty)
        }
        #expect(Self.found(.label, Self.appearance(.role(.yellow))) == [.lowContrast])
        #expect(Self.found(.label, Self.appearance(.role(.lightText)), ground: .role(.background)) == [.lowContrast])
    }

    @Test func `Further texts of the system can be read on each of its grounds`() {
        for ground in [
            ColorRole.background, .secondaryBackground, .tertiaryBackground, .groupedBackground,
            .secondaryGroupedBackground, .tertiaryGroupedBackground,
        ] {
            for role in [ColorRole.label, .secondaryLabel, .placeholderText, .link, .tint] {
                for isDark in [false, true] where role != .link && role != .tint || !isDark {
                    let contrast = Contrast.ratio(of: .role(role), on: .role(ground), isDark: isDark)
                    #expect(contrast >= 4.5, "\(role) on \(ground): \(contrast)")
                }
            }
        }
    }

    @Test func `Elements of a compiled file without names are reported each, with their numbers in it`() {
        func scene(_ name: String, _ count: Int) -> Scene {
            let places = Array(repeating: (nil as String?, Place(file: "Main.nib", path: "UILabel")), count: count)
            return Scene(name, nodes: Self.pale(places))
        }
        let program = Program(
            identifier: "com.example.unnamed", scenes: [scene("One", 2), scene("Two", 2)], entries: [:], initial: "One")
        let found = PageReview(program).diagnostics.filter { $0.code == .lowContrast }
        // The second screen has the same file.
        #expect(found.map { $0.place?.description } == ["Main.nib (UILabel 1)", "Main.nib (UILabel 2)"])
        let alone = Program(
            identifier: "com.example.unnamed", scenes: [scene("One", 1)], entries: [:], initial: "One")
        #expect(PageReview(alone).diagnostics.first?.place?.description == "Main.nib (UILabel)")
    }

    /// Labels that cannot be read on their ground, with their names and places.
    private static func pale(_ labels: [(String?, Place?)]) -> [Node] {
        var nodes = [Node(.box)]
        var around = Appearance()
        around.background = Self.gray(255)
        nodes[0].look = Look(geometry: Geometry(), appearance: around)
        for (identifier, place) in labels {
            var label = Node(.label, identifier: identifier, place: place)
            label.parent = 0
            label.look = Look(geometry: Geometry(), appearance: appearance(gray(0xEE)))
            nodes[0].children.append(nodes.count)
            nodes.append(label)
        }
        return nodes
    }

    @Test func `A place in a file is reported once, however many elements are made of it`() {
        var labels: [(String?, Place?)] = ["first.price", "second.price"].map {
            ($0, Place(file: "components/Price.widgets.json", line: 3, column: 1))
        }
        // A compiled file has no lines: its elements differ by their names.
        labels += ["one", "two", "two"].map { ($0, Place(file: "Main.storyboard", path: "UILabel")) }
        let program = Program(
            identifier: "com.example.sites", scenes: [Scene("Main", nodes: Self.pale(labels))], entries: [:],
            initial: "Main")
        let found = PageReview(program).diagnostics.filter { $0.code == .lowContrast }.compactMap(\.place?.file)
        #expect(found == ["components/Price.widgets.json", "Main.storyboard", "Main.storyboard"])
    }

    @Test func `Text over a picture is not judged`() {
        #expect(Self.found(.label, Self.appearance(Self.gray(255)), before: Node(.image)).isEmpty)
    }

    @Test(arguments: [NodeKind.toggle, .slider, .textField, .button, .picker])
    func `A control without a name is reported, and one with a name or a binding is not`(_ kind: NodeKind) {
        #expect(Self.found(kind, isDrawn: true) == [.missingName])
        #expect(Self.found(kind, isDrawn: true) { $0[.accessibleName] = .literal(.string("Volume")) }.isEmpty)
        #expect(Self.found(kind, isDrawn: true) { $0[.accessibleName] = .literal(.string("")) } == [.missingName])
    }

    @Test func `Text in a height that a rule fixes is reported if twice the text would not fit`() {
        func height(_ points: Double, priority: Float = LayoutRule.required) -> LayoutRule {
            LayoutRule(LayoutRule.Item(1), .height, constant: points, priority: priority, owner: 0)
        }
        let look = Self.appearance(Self.gray(0), size: 10)
        let top = LayoutRule(LayoutRule.Item(1), .top, to: LayoutRule.Item(0), .top, constant: 8, owner: 0)
        #expect(Self.found(.label, look, rules: [top, height(23)]) == [.clippedText])
        #expect(Self.found(.label, look, rules: [top, height(24)]).isEmpty)
        #expect(Self.found(.label, look, rules: [top, height(10, priority: 999)]).isEmpty)
        #expect(Self.found(.label, look, rules: [height(24)]) == [.layoutAmbiguous])
        #expect(Self.found(.label, look, rules: [top, height(24), height(30)]) == [.layoutConflict])
    }

    @Test func `A view that code draws is reported`() {
        #expect(Self.found(.unknown("MKMapView")) == [.notDrawn])
    }

    @Test func `A picture that no browser shows is reported once, with the reason`() {
        var screen = Node(.box)
        screen.children = [1, 2, 3]
        var picture = Node(.image)
        picture[.image] = .literal(.string("moon"))
        var button = ButtonLook()
        button.states = [StateLook(bits: 1)]
        button.states[0].image = "pressed"
        var node = Node(.button)
        node[.text] = .literal(.string("Go"))
        node.look = Look(geometry: Geometry(), button: button)
        let program = Program(
            identifier: "com.example.review", scenes: [Scene("Main", nodes: [screen, picture, picture, node])],
            entries: ["Main": Program.Entry(scene: "Main", isNavigation: false)], initial: "Main")
        let found = PageReview(program) { "\($0) is HEIC" }.diagnostics
        #expect(found.map(\.code) == [.unusablePicture, .unusablePicture])
        #expect(found.map(\.message).first == "The picture moon is not shown on pages: moon is HEIC")
        #expect(PageReview(program).diagnostics.isEmpty)
    }

    @Test func `No more pictures are opened than the limit of pixels allows`() {
        var screen = Node(.box)
        var nodes: [Node] = []
        var images: [String: ImageInfo] = [:]
        for number in 1...5 {
            screen.children.append(number)
            var picture = Node(.image)
            picture[.image] = .literal(.string("p\(number)"))
            nodes.append(picture)
            var info = ImageInfo()
            info.add(ImageInfo.Variant(scale: 1, pixelWidth: 4_096, pixelHeight: 4_096))
            images["p\(number)"] = info
        }
        let program = Program(
            identifier: "com.example.review", scenes: [Scene("Main", nodes: [screen] + nodes)],
            entries: ["Main": Program.Entry(scene: "Main", isNavigation: false)], initial: "Main", images: images)
        #expect(PageReview(program) { _ in "damaged" }.diagnostics.count == PictureReview.pixelLimit / (4_096 * 4_096))
    }

    @Test func `A review ends at the number of diagnostics that a program may have`() {
        var nodes = [Node(.box)]
        for id in 1...2_000 {
            var node = Node(.toggle)
            node.parent = 0
            node.look = Look(geometry: Geometry())
            nodes.append(node)
            nodes[0].children.append(id)
        }
        let program = Program(
            identifier: "com.example.review", scenes: [Scene("Main", nodes: nodes)],
            entries: ["Main": Program.Entry(scene: "Main", isNavigation: false)], initial: "Main")
        #expect(PageReview(program).diagnostics.count == Program.diagnosticCount)
    }
}
