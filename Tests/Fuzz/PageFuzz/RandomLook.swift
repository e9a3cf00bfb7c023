import WidgetCore
import WidgetLayout
import WidgetRender

/// Looks and rules with numbers, names and combinations that no editor writes.
enum RandomLook {
    static func frame(_ choices: inout Choices) -> Frame {
        Frame(x: choices.length(), y: choices.length(), width: choices.length(), height: choices.length())
    }

    private static func size(_ choices: inout Choices) -> Size {
        Size(width: choices.length(), height: choices.length())
    }

    private static func insets(_ choices: inout Choices) -> Insets {
        Insets(
            top: choices.length(), leading: choices.length(), bottom: choices.length(), trailing: choices.length(),
            isPhysical: choices.chance(2))
    }

    private static func paint(_ choices: inout Choices) -> Paint {
        func color(_ choices: inout Choices) -> RGBA {
            RGBA(
                red: choices.fraction(), green: choices.fraction(), blue: choices.fraction(),
                alpha: choices.fraction())
        }
        switch choices.roll(3) {
        case 0: return .role(choices.pick(ColorRole.allCases))
        case 1: return .value(color(&choices))
        default:
            let light = color(&choices)
            return .pair(light: light, dark: color(&choices))
        }
    }

    private static func font(_ choices: inout Choices) -> FontRequest {
        FontRequest(
            size: choices.length(), weight: choices.roll(2_000) - 500, isItalic: choices.chance(3),
            isMonospaced: choices.chance(5), family: choices.maybe(3) { $0.text() },
            style: choices.maybe(4) { $0.pick(TextStyle.allCases) })
    }

    static func look(_ choices: inout Choices, _ id: NodeID) -> Look {
        let geometry = geometry(&choices)
        let appearance = appearance(&choices)
        return Look(
            geometry: geometry, appearance: appearance, list: choices.maybe(3, list),
            stack: choices.maybe(5) { stack(&$0, id) },
            scrolling: choices.maybe(5, scrolling), typing: choices.maybe(6, typing),
            accessibility: choices.maybe(4, traits), button: choices.maybe(5, button), bar: choices.maybe(8, bar))
    }

    private static func geometry(_ choices: inout Choices) -> Geometry {
        var geometry = Geometry()
        geometry.design = choices.maybe(2, size)
        geometry.springs = choices.maybe(2) { Springs(rawValue: UInt8($0.roll(64))) }
        geometry.hugging = Priorities(horizontal: Float(choices.length()), vertical: 250)
        geometry.resistance.vertical = Float(choices.length())
        geometry.margins = choices.maybe(6, insets)
        geometry.addsSafeArea = choices.chance(2)
        geometry.preservesParentMargins = choices.chance(5)
        geometry.role = choices.pick([
            .content, .content, .content, .contentView, .header, .footer, .background, .selectedBackground, .accessory,
        ])
        geometry.intrinsicSize = choices.maybe(8) {
            PartialSize(width: $0.maybe(2) { $0.length() }, height: $0.length())
        }
        geometry.isForcedLeftToRight = choices.chance(6)
        return geometry
    }

    private static func appearance(_ choices: inout Choices) -> Appearance {
        var look = Appearance()
        look.background = choices.maybe(3, paint)
        look.foreground = choices.maybe(3, paint)
        look.highlighted = choices.maybe(8, paint)
        look.tint = choices.maybe(6, paint)
        look.font = choices.maybe(2, font)
        look.alignment = choices.maybe(3) { $0.pick([.left, .center, .right, .justified, .natural]) }
        look.lines = choices.maybe(3) { $0.pick([0, 1, 2, 40, -1, .max, .min]) }
        look.lineBreak = choices.maybe(4) { LineBreak(rawValue: $0.roll(6)) ?? .clip }
        look.minimumScale = choices.fraction()
        look.contentMode = choices.maybe(4) { $0.pick(ContentMode.allCases) }
        look.alpha = choices.chance(3) ? choices.fraction() : 1
        look.clips = choices.maybe(4) { $0.chance(2) }
        look.cornerRadius = choices.chance(5) ? choices.length() : 0
        look.borderWidth = choices.chance(6) ? choices.length() : 0
        look.border = choices.maybe(6, paint)
        look.shadow = choices.maybe(8) {
            Shadow(paint: $0.maybe(2, paint), opacity: $0.fraction(), offset: size(&$0), radius: $0.length())
        }
        look.contentInsets = choices.maybe(8, insets)
        look.titleInsets = choices.maybe(10, insets)
        look.imageInsets = choices.maybe(10, insets)
        look.verticalPlace = choices.maybe(8) { $0.pick([.center, .top, .bottom, .fill]) }
        look.fieldBorder = choices.maybe(6) { FieldBorder(rawValue: $0.roll(4)) ?? .none }
        look.buttonType = choices.maybe(6) { $0.pick([0, 1, 2, 5, -1, .max]) }
        look.titleColor = choices.maybe(6, paint)
        look.backgroundImage = choices.maybe(8) { $0.text() }
        look.blur = choices.maybe(10) { $0.roll(20) }
        look.isLarge = choices.chance(4)
        look.trackTint = choices.maybe(8, paint)
        look.thumbTint = choices.maybe(8, paint)
        look.accessory = choices.maybe(8) { Accessory(rawValue: $0.roll(5)) ?? .none }
        look.selection = choices.maybe(8) { SelectionStyle(rawValue: $0.roll(4)) ?? .none }
        look.separatorInset = choices.maybe(8, insets)
        for _ in 0..<choices.roll(6) / 4 {
            look.runs.append(
                TextRun(
                    choices.text(), font: choices.maybe(2, font), foreground: choices.maybe(2, paint),
                    isUnderlined: choices.chance(3), isStruckThrough: choices.chance(3)))
        }
        return look
    }

    private static func list(_ choices: inout Choices) -> ListGeometry {
        var list = ListGeometry()
        list.style = ListGeometry.Style(rawValue: choices.roll(4)) ?? .plain
        list.rowHeight = choices.maybe(2) { $0.length() }
        list.sectionHeaderHeight = choices.maybe(4) { $0.length() }
        list.sectionFooterHeight = choices.maybe(4) { $0.length() }
        list.separators = ListGeometry.Separators(rawValue: choices.roll(3)) ?? .none
        list.separatorInset = choices.maybe(4, insets)
        list.separatorColor = choices.maybe(4, paint)
        guard choices.chance(2) else { return list }
        var grid = GridFlow()
        grid.itemSize = size(&choices)
        grid.lineSpacing = choices.length()
        grid.itemSpacing = choices.length()
        grid.sectionInset = insets(&choices)
        grid.headerSize = choices.maybe(4, size)
        grid.footerSize = choices.maybe(4, size)
        grid.axis = choices.chance(2) ? .vertical : .horizontal
        grid.estimates = choices.chance(4)
        list.grid = grid
        return list
    }

    private static func stack(_ choices: inout Choices, _ id: NodeID) -> StackGeometry {
        var stack = StackGeometry()
        stack.axis = choices.chance(2) ? .horizontal : .vertical
        stack.spacing = choices.length()
        for _ in 0..<choices.roll(4) { stack.customSpacing[id + choices.roll(6)] = choices.length() }
        stack.distribution = StackGeometry.Distribution(rawValue: choices.roll(5)) ?? .fill
        stack.alignment = StackGeometry.Alignment(rawValue: choices.roll(6)) ?? .fill
        stack.isBaselineRelative = choices.chance(4)
        stack.isMarginsRelative = choices.chance(4)
        return stack
    }

    private static func scrolling(_ choices: inout Choices) -> Scrolling {
        var scrolling = Scrolling()
        scrolling.inset = insets(&choices)
        scrolling.adjustment = Scrolling.InsetAdjustment(rawValue: choices.roll(4)) ?? .never
        scrolling.pages = choices.chance(4)
        scrolling.isEnabled = !choices.chance(4)
        scrolling.contentSize = choices.maybe(3, size)
        return scrolling
    }

    private static func typing(_ choices: inout Choices) -> TypingTraits {
        var typing = TypingTraits()
        typing.keyboard = TypingTraits.Keyboard(rawValue: choices.roll(12)) ?? .standard
        typing.returnKey = TypingTraits.ReturnKey(rawValue: choices.roll(12)) ?? .standard
        typing.capitals = TypingTraits.Capitals(rawValue: choices.roll(4)) ?? .none
        typing.corrects = choices.maybe(3) { $0.chance(2) }
        typing.contentType = choices.maybe(2) { $0.text() }
        return typing
    }

    private static func traits(_ choices: inout Choices) -> AuthoredTraits {
        var traits = AuthoredTraits()
        traits.bits = choices.maybe(2) { choices in UInt64(choices.roll(1 << 16)) << UInt64(choices.roll(12)) }
        traits.hint = choices.maybe(3) { $0.text() }
        traits.value = choices.maybe(3) { $0.text() }
        traits.isElement = choices.maybe(3) { $0.chance(2) }
        traits.hidesElements = choices.chance(8)
        return traits
    }

    private static func button(_ choices: inout Choices) -> ButtonLook {
        var button = ButtonLook()
        for _ in 0..<choices.roll(4) {
            var state = StateLook(bits: choices.roll(16))
            state.title = choices.maybe(2) { $0.text() }
            state.titleColor = choices.maybe(2, paint)
            state.image = choices.maybe(3) { $0.text() }
            state.backgroundImage = choices.maybe(3) { $0.text() }
            button.states.append(state)
        }
        guard choices.chance(2) else { return button }
        var purpose = ButtonConfiguration()
        purpose.style = ButtonConfiguration.Style(rawValue: choices.roll(8)) ?? .plain
        purpose.corners = ButtonConfiguration.Corners(rawValue: choices.roll(6) - 1) ?? .dynamic
        purpose.scale = ButtonConfiguration.Scale(rawValue: choices.roll(4)) ?? .medium
        purpose.imagePlacement = choices.pick([.none, .top, .leading, .bottom, .trailing])
        purpose.imagePadding = choices.length()
        purpose.titlePadding = choices.length()
        purpose.subtitle = choices.maybe(2) { $0.text() }
        purpose.foreground = choices.maybe(3, paint)
        purpose.background = choices.maybe(3, paint)
        button.configuration = purpose
        return button
    }

    static func bar(_ choices: inout Choices) -> BarGeometry {
        var bar = BarGeometry()
        bar.isDark = choices.chance(3)
        bar.isTranslucent = choices.chance(2)
        bar.background = choices.maybe(3, paint)
        bar.tint = choices.maybe(3, paint)
        bar.titleColor = choices.maybe(3, paint)
        bar.prefersLargeTitle = choices.chance(3)
        bar.isHidden = choices.chance(6)
        bar.isMinimal = choices.chance(3)
        return bar
    }

    static func image(_ choices: inout Choices) -> ImageInfo {
        var image = ImageInfo(isSymbol: choices.chance(4))
        for _ in 0..<choices.roll(4) {
            image.add(
                ImageInfo.Variant(
                    scale: choices.length(), pixelWidth: choices.pick([0, 1, 300, -4, .max]),
                    pixelHeight: choices.roll(999)))
        }
        image.rendering = choices.pick([.automatic, .original, .template])
        return image
    }

    // MARK: - Rules

    static func rule(_ choices: inout Choices, _ count: Int) -> LayoutRule {
        func item(_ choices: inout Choices) -> LayoutRule.Item {
            let area: LayoutRule.Area = choices.pick([
                .bounds, .bounds, .bounds, .margins, .safeArea, .readable, .topGuide, .bottomGuide, .scrollContent,
                .scrollFrame,
            ])
            return LayoutRule.Item(choices.chance(40) ? choices.pick([-1, count, .max]) : choices.roll(count), area)
        }
        let attributes = LayoutRule.Attribute.allCases
        let first = item(&choices)
        let attribute = choices.pick(attributes)
        let isAlone = choices.chance(4)
        return LayoutRule(
            first, attribute, choices.pick([.equal, .equal, .lessOrEqual, .greaterOrEqual]),
            to: isAlone ? nil : item(&choices),
            isAlone ? nil : choices.chance(3) ? choices.pick(attributes) : attribute,
            multiplier: choices.pick([1, 1, 1, 1, 0.5, -1, 0, .nan, 1e200, 1e-200]), constant: choices.length(),
            priority: choices.pick([1_000, 1_000, 1_000, 999, 750, 250, 1, 0, -1, .nan, .infinity]),
            owner: choices.roll(count), node: choices.maybe(6) { $0.roll(count) },
            identifier: choices.maybe(6) { $0.text() },
            variations: (0..<choices.roll(8) / 6).map { _ in
                RuleVariation(
                    SizeClasses(
                        width: choices.maybe(2) { $0.pick([.compact, .regular]) },
                        height: choices.maybe(3) { $0.pick([.compact, .regular]) }),
                    constant: choices.maybe(2) { $0.length() })
            })
    }
}
