internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// The rules of a button's title and picture where its author moved them, and of a button that leaves its drawing to the
/// system.
struct ButtonParts {
    private let look: Appearance
    private let configuration: ButtonConfiguration?

    init(_ look: Look) {
        self.look = look.appearance
        configuration = look.button?.configuration
    }

    /// - Parameter selector: of the button, with the rest of a selector behind it.
    func write(_ selector: (StaticString) -> StyleSelector, to sheet: inout RuleList) {
        sheet.add(selector(""), whole)
        sheet.add(selector(">span:not(.tp):not(.ni)"), moved(by: look.titleInsets))
        sheet.add(selector(">:is(img,picture,.tp,.ni)"), moved(by: look.imageInsets))
    }

    private var whole: StyleDeclarations {
        var style = StyleDeclarations()
        switch look.verticalPlace {
        case .top: style.set("align-items", "flex-start")
        case .bottom: style.set("align-items", "flex-end")
        case .center, .fill, nil: break
        }
        guard let configuration else { return style }
        switch configuration.imagePlacement {
        case .top: style.set("flex-direction", "column")
        case .bottom: style.set("flex-direction", "column-reverse")
        case .trailing: style.set("flex-direction", "row-reverse")
        case .leading, .none: break
        }
        let gap = Affine.bounded(configuration.imagePadding)
        if gap > 0 { style.set("gap", .points(gap)) }
        ground(configuration, &style)
        return style
    }

    private func ground(_ configuration: ButtonConfiguration, _ style: inout StyleDeclarations) {
        if let foreground = configuration.foreground { style.set("color", AppearanceStyle.value(foreground)) }
        guard let share = configuration.groundShare else { return }
        if let background = configuration.background {
            let color = AppearanceStyle.value(background)
            let part = StyleValue.words([color, .number(share * 100, "%")])
            style.set("background-color", share == 1 ? color : .function("color-mix", ["in srgb", part, "#0000"]))
        }
        switch configuration.corners {
        case .dynamic: break
        case .capsule: style.set("border-radius", "999px")
        case .fixed, .small, .medium, .large: style.set("border-radius", .points(configuration.cornerRadius(of: 0)))
        }
    }

    /// A title or picture is moved by half of what its insets differ by, for it lies in the middle of the room that they
    /// leave; beside an edge it is moved by the inset there.
    private func moved(by insets: Insets?) -> StyleDeclarations {
        var style = StyleDeclarations()
        guard let insets else { return style }
        let x: Double
        switch look.alignment {
        case .left, .natural: x = insets.leading
        case .right, .trailing: x = -insets.trailing
        case .center, .justified, nil: x = (insets.leading - insets.trailing) / 2
        }
        let y: Double
        switch look.verticalPlace {
        case .top: y = insets.top
        case .bottom: y = -insets.bottom
        case .center, .fill, nil: y = (insets.top - insets.bottom) / 2
        }
        if x != 0 || y != 0 {
            style.set("translate", .words([.points(Affine.bounded(x)), .points(Affine.bounded(y))]))
        }
        return style
    }
}
