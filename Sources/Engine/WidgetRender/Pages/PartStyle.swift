internal import WidgetCore
internal import WidgetMarkup

/// The declarations of one part of an attributed text.
enum RunStyle {
    static func declarations(_ run: TextRun) -> StyleDeclarations {
        var style = StyleDeclarations()
        if let font = run.font { style.add(FontStyle.declarations(font, isPart: true)) }
        if let color = run.foreground ?? (run.link == nil ? nil : .role(.link)) {
            style.set("color", AppearanceStyle.value(color))
        }
        if let background = run.background { style.set("background-color", AppearanceStyle.value(background)) }
        switch (run.isUnderlined || run.link != nil, run.isStruckThrough) {
        case (true, true): style.set("text-decoration", "underline line-through")
        case (true, false): style.set("text-decoration", "underline")
        case (false, true): style.set("text-decoration", "line-through")
        case (false, false): break
        }
        return style
    }
}

/// The colours of a button's title in other states than the normal one. A page says the state by itself: `:disabled`,
/// `:active`, and the class of a selected button.
enum ButtonStates {
    static func write(_ button: ButtonLook, _ selector: (StaticString) -> StyleSelector, to sheet: inout RuleList) {
        for (bits, state) in [
            (StateLook.selected, ".on"), (StateLook.highlighted, ":active"), (StateLook.disabled, ":disabled"),
            (StateLook.selected | StateLook.highlighted, ".on:active"),
            (StateLook.selected | StateLook.disabled, ".on:disabled"),
        ] as [(Int, StaticString)] {
            guard let color = button.states.first(where: { $0.bits == bits })?.titleColor else { continue }
            var style = StyleDeclarations()
            style.set("color", AppearanceStyle.value(color))
            sheet.add(selector(state), style)
        }
    }
}

/// Links to addresses that an author wrote.
enum PageLink {
    private static let schemes = ["https:", "http:", "mailto:"]

    /// True for an address that opens a page or a letter, and runs nothing.
    static func isSafe(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return schemes.contains { start.hasPrefix($0) }
    }

    static func set(_ attributes: inout HTMLAttributes, _ address: String) {
        attributes.set(.href, address)
        attributes.set(.rel, "noopener noreferrer nofollow")
        attributes.set(.target, "_blank")
    }
}
