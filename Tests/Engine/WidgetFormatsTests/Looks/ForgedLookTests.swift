import Testing
import WidgetCore
import WidgetNib
import WidgetTestSupport

@testable import WidgetFormats

/// Goal: interfaces that no editor writes harm nothing, and those of Xcode that our compiler does not write are read.
/// Method: interfaces made object by object.
@Suite struct `A forged interface` {
    /// A screen with one view of a class, and what a test adds.
    private struct Forge {
        var interface = TestInterface()
        let root: Int
        let screen: Int
        let view: Int

        init(_ kind: String = "UIView") {
            root = interface.add("NSObject")
            screen = interface.add("UIView")
            view = interface.add(kind)
            let controller = interface.add("UIViewController", [("UIView", .object(screen))])
            interface.set(root, "UINibTopLevelObjectsKey", interface.list([controller]))
            interface.set(screen, "UISubviews", interface.list([view]))
        }

        mutating func constraint(
            _ kind: String = "NSLayoutConstraint", _ attribute: Int = 7, _ values: [(String, TestInterface.Value)] = []
        ) -> Int {
            interface.add(
                kind,
                [("NSFirstItem", .object(view)), ("NSFirstAttributeV2", .whole(attribute))] + values)
        }

        func scene(_ limits: FormatLimits = FormatLimits()) throws -> (scene: Scene, program: Program) {
            let program = try TestInterface.program(
                [("A", "a")], ["Main.storyboardc/a.nib": interface.bytes], limits)
            return (try #require(program.scenes["A"]), program)
        }

        func look() throws -> Look {
            let scene = try scene().scene
            let child = try #require(scene.nodes[scene.root].children.first)
            return try #require(scene.nodes[child].look)
        }
    }

    // MARK: - Numbers

    @Test func `Numbers without bounds become harmless`() throws {
        var forge = Forge("UILabel")
        forge.interface.set(forge.screen, "UIBounds", numbers: [0, 0, .infinity, -.infinity])
        forge.interface.set(forge.view, "UIBounds", numbers: [0, 0, .nan, 1e300])
        forge.interface.set(forge.view, "UICenter", numbers: [-.infinity, 5])
        forge.interface.set(forge.view, "UIAlpha", .number(.nan))
        forge.interface.set(forge.view, "UINumberOfLines", .whole(-7))
        forge.interface.set(forge.view, "UIViewContentHuggingPriority", forge.interface.text("{nan, 1e30}"))
        let font = forge.interface.add("UIFont", [("UIFontPointSize", .number(.infinity))])
        forge.interface.set(forge.view, "UIFont", font)
        let rules = [
            ("NSConstant", Double.nan), ("NSConstant", 1e300), ("NSMultiplier", -.infinity), ("NSPriority", .nan),
        ]
        .map { forge.constraint("NSLayoutConstraint", 7, [($0.0, .number($0.1))]) }
        forge.interface.set(forge.screen, "UIViewAutolayoutConstraints", forge.interface.list(rules))
        let scene = try forge.scene().scene
        let label = scene.nodes[scene.nodes[scene.root].children[0]]
        let frame = try #require(label.frame)
        #expect([frame.x, frame.y, frame.width, frame.height].allSatisfy { abs($0) <= 1e6 })
        let look = try #require(label.look)
        #expect(look.geometry.design == Size(width: 1e6, height: -1e6))
        #expect(look.geometry.hugging == Priorities(horizontal: 0, vertical: 1000))
        #expect(look.appearance.alpha == 0 && look.appearance.lines == 0 && look.appearance.font?.size == 1000)
        #expect(scene.rules.map(\.constant) == [0, 1e6, 0, 0])
        #expect(
            scene.rules.map(\.multiplier) == [1, 1, -1e6, 1] && scene.rules.map(\.priority) == [1000, 1000, 1000, 1000])
    }

    // MARK: - Rules

    @Test func `Constraints of the editor, of unknown things and of unknown attributes are no rules`() throws {
        var forge = Forge()
        let stranger = forge.interface.add("UIView")
        let list = [
            forge.constraint("_UILayoutSupportConstraint"), forge.constraint("NSIBPrototypingLayoutConstraint"),
            forge.constraint("NSLayoutConstraint", 7, [("NSPlaceholder", .flag(true))]),
            forge.constraint("NSLayoutConstraint", 0),
            forge.constraint("NSLayoutConstraint", 21), forge.constraint("NSLayoutConstraint", -1),
            forge.constraint(
                "NSLayoutConstraint", 7, [("NSSecondItem", .object(stranger)), ("NSSecondAttributeV2", .whole(7))]),
            forge.constraint(
                "NSLayoutConstraint", 7, [("NSSecondItem", .object(forge.screen)), ("NSSecondAttributeV2", .whole(0))]),
            forge.constraint("NSLayoutConstraint", 8),
        ]
        // A constraint that is named twice is one rule.
        forge.interface.set(
            forge.screen, "UIViewAutolayoutConstraints", forge.interface.list(list + [list[list.count - 1]]))
        #expect(try forge.scene().scene.rules.map(\.attribute) == [.height])
    }

    private static let compact = "UITraitCollectionBuiltinTrait-_UITraitNameHorizontalSizeClass"
    private static let height = "UITraitCollectionBuiltinTrait-_UITraitNameVerticalSizeClass"

    /// Xcode keeps what depends on size classes beside the objects.
    private static func varied() -> Forge {
        var forge = Forge()
        let (own, added, removed) = (
            forge.constraint(), forge.constraint("NSLayoutConstraint", 8), forge.constraint("NSLayoutConstraint", 9)
        )
        forge.interface.set(own, "NSConstant", .number(10))
        forge.interface.set(added, "NSConstant", .number(20))
        forge.interface.set(forge.screen, "UIViewAutolayoutConstraints", forge.interface.list([own, removed]))
        let regular = forge.interface.add("UITraitCollection", [(compact, .whole(2)), (height, .whole(1))])
        let dark = forge.interface.add(
            "UITraitCollection", [("UITraitCollectionBuiltinTrait-_UITraitNameUserInterfaceStyle", .whole(2))])
        let constant = forge.interface.add("_NSLayoutConstraintConstant", [("UINumericConstant", .number(99))])
        let records = [regular, dark].map {
            forge.interface.add(
                "_UIAttributeTraitStorageRecord", [("UITraitCollection", .object($0)), ("UIValue", .object(constant))])
        }
        let attribute = forge.interface.add(
            "_UIAttributeTraitStorage",
            [("UIObject", .object(own)), ("UIRecords", .object(forge.interface.list(records)))])
        let members = forge.interface.add(
            "_UIRelationshipTraitStorageRecord",
            [
                ("UITraitCollection", .object(regular)), ("UIAddedObjects", .object(forge.interface.list([added]))),
                ("UIRemovedObjects", .object(forge.interface.list([removed]))),
            ])
        let relation = forge.interface.add(
            "_UIRelationshipTraitStorage",
            [("UIObject", .object(forge.screen)), ("UIRecords", .object(forge.interface.list([members])))])
        let list = forge.interface.add(
            "_UITraitStorageList", [("UITraitStorages", .object(forge.interface.list([attribute, relation])))])
        forge.interface.set(forge.root, "UINibTraitStorageListsKey", forge.interface.list([list]))
        return forge
    }

    @Test func `Rules for size classes have their values, and are not installed elsewhere`() throws {
        let classes = SizeClasses(width: .regular, height: .compact)
        let rules = try Self.varied().scene().scene.rules
        #expect(rules.map(\.attribute) == [.width, .centerX, .height] || rules.map(\.attribute) == [.width, .height])
        let own = try #require(rules.first { $0.attribute == .width })
        #expect(own.constant == 10 && own.variations == [RuleVariation(classes, constant: 99)])
        let added = try #require(rules.first { $0.attribute == .height })
        #expect(
            added.variations == [RuleVariation(SizeClasses(), constant: nil), RuleVariation(classes, constant: 20)])
        let removed = try #require(rules.first { $0.attribute == .centerX })
        #expect(removed.variations == [RuleVariation(classes, constant: nil)])
    }

    @Test func `A screen has a limit of variations, and says when it is reached`() throws {
        var limits = FormatLimits()
        limits.variationCount = 2
        let (scene, program) = try Self.varied().scene(limits)
        #expect(program.diagnostics.map(\.message) == ["A screen has more than 2 variations for size classes"])
        #expect(scene.rules.count == 2)
        #expect(try Self.varied().scene().program.diagnostics.isEmpty)
    }

    // MARK: - Paint

    @Test func `A colour without components is a role or nothing`() throws {
        for (name, paint) in [("labelColor", Paint.role(.label)), ("someNewColor", nil)] as [(String, Paint?)] {
            var forge = Forge()
            let color = forge.interface.add("UIColor", [("UISystemColorName", .object(forge.interface.text(name)))])
            forge.interface.set(forge.view, "UIBackgroundColor", color)
            #expect(try forge.look().appearance.background == paint, "\(name)")
        }
        var forge = Forge()
        let color = forge.interface.add("UIColor", [("UIWhite", .number(.nan)), ("UIAlpha", .number(7))])
        forge.interface.set(forge.view, "UIBackgroundColor", color)
        #expect(try forge.look().appearance.background == .rgb(0, 0, 0))
    }

    @Test func `Fonts of Xcode are read by their names, purposes and styles`() throws {
        let fonts: [(name: String, usage: String, over: String?, FontRequest)] = [
            (".SFUIText-Bold", "CTFontEmphasizedUsage", "CTFontBoldUsage", FontRequest(size: 12, weight: 700)),
            (".SFUIDisplay-Medium", "CTFontMediumUsage", nil, FontRequest(size: 12, weight: 500)),
            (".SFUI-Semibold", "", nil, FontRequest(size: 12, weight: 600)),
            (".SFUI-Regular", "UICTFontTextStyleSubhead", nil, FontRequest(size: 15, style: .subheadline)),
            (
                ".SFUI-Regular", "UICTFontTextStyleEmphasizedBody", nil,
                FontRequest(size: 17, weight: 700, style: .body)
            ),
            (".AppleSystemUIFontMonospaced-Regular", "", nil, FontRequest(size: 12, isMonospaced: true)),
            (
                "Menlo-Regular", "", nil,
                FontRequest(size: 12, isMonospaced: true, family: "Menlo")
            ),
        ]
        for (name, usage, over, expected) in fonts {
            var forge = Forge("UILabel")
            var pairs = [forge.interface.text("NSCTFontUIUsageAttribute"), forge.interface.text(usage)]
            if let over {
                pairs += [forge.interface.text("NSCTFontUIUsageOverrideAttribute"), forge.interface.text(over)]
            }
            let attributes = forge.interface.add(
                "NSDictionary", [(NibKey.isInlined, .flag(true))] + pairs.map { (NibKey.element, .object($0)) })
            let descriptor = forge.interface.add(
                "UIFontDescriptor", [("UIFontDescriptorAttributes", .object(attributes))])
            let font = forge.interface.add(
                "UIFont",
                [
                    ("UIFontName", .object(forge.interface.text(name))), ("UIFontPointSize", .number(12)),
                    ("UIFontDescriptor", .object(descriptor)),
                ])
            forge.interface.set(forge.view, "UIFont", font)
            #expect(try forge.look().appearance.font == expected, "\(name) \(usage)")
        }
    }

    /// An attributed text with this information about its runs, of which there are two looks.
    private static func runs(_ text: String, _ information: [UInt8], _ limits: FormatLimits = FormatLimits()) throws
        -> [TextRun]
    {
        var forge = Forge("UILabel")
        let strike = forge.interface.add("NSNumber", [("NS.intval", .whole(1))])
        let looks = ["NSUnderline", "NSStrikethrough"].map { key in
            forge.interface.add(
                "NSDictionary",
                [
                    (NibKey.isInlined, .flag(true)), (NibKey.element, .object(forge.interface.text(key))),
                    (NibKey.element, .object(strike)),
                ])
        }
        let object = forge.interface.add(
            "NSAttributedString",
            [
                ("NSString", .object(forge.interface.text(text))),
                ("NSAttributes", .object(forge.interface.list(looks))), ("NSAttributeInfo", .bytes(information)),
            ])
        forge.interface.set(forge.view, "UIAttributedText", object)
        let scene = try forge.scene(limits).scene
        return try #require(scene.nodes[scene.nodes[scene.root].children[0]].look).appearance.runs
    }

    @Test func `Runs of a text never reach beyond it, and always come to the whole`() throws {
        #expect(
            try Self.runs("abc", [1, 0, 2, 1]) == [
                TextRun("a", isUnderlined: true), TextRun("bc", isStruckThrough: true),
            ])
        #expect(try Self.runs("abc", [0xFF, 0x7F, 1]) == [TextRun("abc", isStruckThrough: true)])
        #expect(try Self.runs("abc", [1, 9]) == [TextRun("abc")])
        #expect(try Self.runs("abc", []) == [TextRun("abc")])
        let endless = [UInt8](repeating: 0xFF, count: 40)
        #expect(try Self.runs("abc", endless) == [TextRun("abc")])
        var limits = FormatLimits()
        limits.runCount = 1
        #expect(try Self.runs("abc", [1, 0, 2, 1], limits) == [TextRun("abc", isUnderlined: true)])
    }

    @Test func `Rows behind rows end, however long their chain is`() throws {
        var forge = Forge("UITableViewCell")
        var inner = forge.view
        for _ in 0..<2_000 {
            let next = forge.interface.add("UITableViewCell")
            forge.interface.set(inner, "UISelectedBackgroundView", next)
            inner = next
        }
        forge.interface.set(inner, "UISelectedBackgroundView", forge.view)
        let scene = try forge.scene().scene
        #expect(scene.nodes.count { $0.kind == .row } == 2)
        #expect(scene.nodes.compactMap { $0.look?.geometry.role } == [.content, .content, .selectedBackground])
    }

    // MARK: - Sharing

    @Test func `Elements that share one long text and one list of records are read in linear time`() throws {
        var forge = Forge("UILabel")
        let text = forge.interface.text(String(repeating: "x", count: 400_000))
        let attributed = forge.interface.add(
            "NSAttributedString",
            [("NSString", .object(text)), ("NSAttributes", .object(forge.interface.add("NSDictionary")))])
        let views = (0..<5_000).map { _ in
            forge.interface.add(
                "UILabel", [("UIAttributedText", .object(attributed)), ("UIAccessibilityHint", .object(text))])
        }
        forge.interface.set(forge.view, "UISubviews", forge.interface.list(views))
        var reader = LookReader([:], FormatLimits())
        let graph = try NibDocument(parsing: forge.interface.bytes).graph
        let surroundings = LookReader.Surroundings()
        let time = ProcessorTime.spent {
            for view in views {
                _ = reader.look(graph.element(view), kind: .label, in: surroundings, .none)
            }
        }
        // Copying the texts for each would take seconds.
        #expect(time < .seconds(2))
    }
}
