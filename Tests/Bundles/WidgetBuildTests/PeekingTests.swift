import Testing
import WidgetBuild
import WidgetNib
import WidgetTestSupport

/// Segues within segues, which iOS calls peek and pop.
@Suite struct `Peek and pop` {
    private static let segue = """
        <connections><segue destination="det" kind="show" identifier="open" id="seg">
        <segue key="commit" inheritsFrom="parent" id="com"/>
        <segue key="preview" inheritsFrom="commit" id="pre"/>
        </segue></connections>
        """

    private func compiled(_ views: String) throws -> SmallInterface {
        try SmallInterface(scenes: [SmallInterface.screen("vc", views: views), SmallInterface.screen("det")])
    }

    private func cell(_ name: String, _ connections: String) -> String {
        """
        <tableViewCell reuseIdentifier="\(name)" id="\(name)-cell"><tableViewCellContentView key="contentView" id="\(name)-content"/>
        \(connections)</tableViewCell>
        """
    }

    @Test func `a controller has the lists that iOS reads for it`() throws {
        let interface = try compiled(
            "<tableView dataMode=\"prototypes\" id=\"tab\"><prototypes>\(cell("A", Self.segue))</prototypes></tableView>"
        )
        let scene = try interface.scene()
        let controller = scene.controller.element
        #expect(scene.controller.segues.map(\.identifier) == ["open"], "commit is not among the others")
        let commit = try #require(controller.elements("UIStoryboardCommitSegueTemplates").first)
        #expect(commit.className == "UIStoryboardShowSegueTemplate")
        #expect(commit.string("UIActionName") == "showViewController:sender:" && !commit.has("UIIdentifier"))
        #expect(commit.string("UIDestinationViewControllerIdentifier") == "UIViewController-det")
        let preview = try #require(controller.elements("UIStoryboardPreviewSegueTemplates").first)
        #expect(preview.className == "UIStoryboardPreviewingSegueTemplate")
        #expect(preview.string("UIDestinationViewControllerIdentifier") == "UIViewController-det")
        let registrants = controller.elements("UIStoryboardPreviewingRegistrants")
        #expect(registrants.map(\.className) == ["UIStoryboardPreviewingRegistrant"])
        let owned = scene.interface.outlets.filter { $0.name == "viewController" }.map(\.source.className)
        #expect(
            Set(owned) == [
                "UIStoryboardShowSegueTemplate", "UIStoryboardPreviewingSegueTemplate",
                "UIStoryboardPreviewingRegistrant",
            ] && owned.count == 4)
    }

    @Test func `the list around a cell takes the presses, and the cell has the templates`() throws {
        let interface = try compiled(
            "<tableView dataMode=\"prototypes\" id=\"tab\"><prototypes>\(cell("A", Self.segue))</prototypes></tableView>"
        )
        let views = try interface.views()
        let presses = try #require(views.outlets.first { $0.name == "sourceView" })
        #expect(presses.destination.className == "UITableView")
        let controller = try interface.scene().controller
        #expect(
            presses.source.proxyName.flatMap { controller.external($0) }?.className
                == "UIStoryboardPreviewingRegistrant")
        let row = try #require(try NibPrototype.prototypes(of: presses.destination).first)
        let inner = NibInterface(row.document.graph)
        let cell = try #require(inner.objects.first { $0.className == "UITableViewCell" })
        let storage = try #require(cell.element("UIViewPreviewingSegueTemplateStorage"))
        #expect(storage.className == "UIStoryboardPreviewingSegueTemplateStorage")
        let outlets = inner.outlets.filter { $0.source == storage }
        #expect(outlets.map(\.name) == ["previewTemplate", "commitTemplate", "sender"])
        #expect(outlets.last?.destination == cell)
        let outer = Dictionary(uniqueKeysWithValues: row.externalObjects.map { ($0.placeholder, $0.object) })
        #expect(outlets.first?.destination.proxyName.flatMap { outer[$0]?.proxyName } != nil)
    }

    @Test func `cells of one list share a registrant, and a button has its own`() throws {
        let other = Self.segue.replacing("seg\"", with: "seg2\"").replacing("com\"", with: "com2\"")
            .replacing("pre\"", with: "pre2\"")
        let third = Self.segue.replacing("seg\"", with: "seg3\"").replacing("com\"", with: "com3\"")
            .replacing("pre\"", with: "pre3\"")
        let interface = try compiled(
            """
            <tableView dataMode="prototypes" id="tab"><prototypes>\(cell("A", Self.segue))\(cell("B", other))</prototypes></tableView>
            <button id="but">\(third)</button>
            """)
        let controller = try interface.scene().controller.element
        #expect(controller.elements("UIStoryboardPreviewingRegistrants").count == 2)
        #expect(controller.elements("UIStoryboardPreviewSegueTemplates").count == 3)
        let views = try interface.views()
        #expect(
            views.outlets.filter { $0.name == "sourceView" }.map(\.destination.className).sorted()
                == ["UIButton", "UITableView"])
    }

    @Test func `a segue in a segue with another key is refused at its place`() {
        let wrong = Self.segue.replacing("key=\"commit\"", with: "key=\"later\"")
        #expect { try compiled("<button id=\"but\">\(wrong)</button>") } throws: {
            "\($0)".contains("segue for later in segue cannot be compiled")
        }
    }

    @Test func `Very many segues of one screen are compiled in time in proportion to them`() throws {
        let count = 20_000
        let buttons = (0..<count).map { number in
            """
            <button id="b\(number)"><connections><segue destination="det" kind="show" id="s\(number)">
            <segue key="commit" inheritsFrom="parent" id="c\(number)"/>
            <segue key="preview" inheritsFrom="commit" id="p\(number)"/></segue></connections></button>
            """
        }
        var interface: SmallInterface?
        let elapsed = try ProcessorTime.spent { interface = try compiled(buttons.joined()) }
        #expect(try #require(interface).compiled.files.count == 5, "two screens, their views, and their list")
        #expect(elapsed < .seconds(180), "\(elapsed)")
    }
}
