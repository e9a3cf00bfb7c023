extension StyledWidget {
    func payload(_ name: String, _ value: Operand) -> Self {
        var copy = self
        copy.element.payload.append((name, value))
        return copy
    }

    func style(_ name: String, _ value: Operand) -> Self {
        var copy = self
        copy.element.style.append((name, value))
        return copy
    }

    func on(_ event: String, _ actions: [WidgetAction]) -> Self {
        var copy = self
        copy.element.events.append((event, actions))
        return copy
    }

    func slot(_ name: String, _ widgets: [any Widget]) -> Self {
        var copy = self
        copy.element.slots.append((name, widgets))
        return copy
    }
}

/// Modifiers that every widget has.
extension ModifiableWidget {
    func style(_ name: String, _ value: Operand) -> Modified { modified.style(name, value) }

    /// The name by which scripts, fields and other parts know it.
    public func id(_ id: String) -> Modified {
        var copy = modified
        copy.element.id = id
        return copy
    }

    /// Numbers the widget: `tag(5)` is `id("tag5")`.
    public func tag(_ tag: Int) -> Modified { id("tag\(tag)") }

    /// Takes the raw value of a case as the `id`.
    public func tag<Name: RawRepresentable>(_ tag: Name) -> Modified { id("\(tag.rawValue)") }

    // MARK: - Looks

    /// Paints the ground behind the widget.
    public func backgroundColor(_ color: WidgetColor) -> Modified { style("background", .literal(color.text)) }

    /// Sets the colour of the active parts.
    public func tintColor(_ color: WidgetColor) -> Modified { style("tint", .literal(color.text)) }

    /// Sets the opacity, from 0, which is invisible, to 1.
    public func alpha(_ alpha: Double) -> Modified { style("alpha", .literal(alpha)) }

    /// Sets an opacity that follows a value.
    public func alpha<Number: Changing>(_ alpha: Number) -> Modified where Number.Value == Double {
        style("alpha", alpha.operand)
    }

    /// Hides the widget while a condition holds.
    public func hidden<Truth: Readable>(_ hidden: Truth) -> Modified where Truth.Value == Bool {
        style("hidden", hidden.operand)
    }

    /// Shown while a condition holds. In contrast to `hidden` it is not there otherwise.
    public func shown<Truth: Readable>(if condition: Truth) -> Modified where Truth.Value == Bool {
        var copy = modified
        copy.element.condition = condition.operand
        return copy
    }

    /// Hides content outside the border, or shows it.
    public func clipsToBounds(_ clips: Bool) -> Modified { style("clips", .literal(clips)) }

    /// Rounds the corners, with a radius in points.
    public func cornerRadius(_ points: Double) -> Modified { style("cornerRadius", .literal(points)) }

    /// Draws a border of a colour and a width in points.
    public func border(_ color: WidgetColor = .lightGray, width: Double = 1) -> Modified {
        borderColor(color).style("borderWidth", .literal(width))
    }

    /// The corners that have the radius.
    public func corners(_ corners: WidgetCorner...) -> Modified {
        style("corners", .literal(corners.map(\.rawValue)))
    }

    /// Sets the colour of the border.
    public func borderColor(_ color: WidgetColor) -> Modified { style("borderColor", .literal(color.text)) }

    /// Sets the width of the border in points.
    public func borderWidth(_ points: Double) -> Modified { style("borderWidth", .literal(points)) }

    /// Draws a shadow with a radius in points.
    public func shadow(radius: Double) -> Modified { style("shadow", .literal(radius)) }

    /// Names the widget for readers who cannot see it.
    public func accessibilityLabel(_ text: TextValue) -> Modified { style("accessibilityLabel", text.operand) }

    // MARK: - Size and place

    /// Sets the width in points.
    public func width(_ points: Double) -> Modified { style("width", .literal(points)) }

    /// Sets the height in points.
    public func height(_ points: Double) -> Modified { style("height", .literal(points)) }

    /// Limits the width, in points.
    public func width(min least: Double? = nil, max most: Double? = nil) -> Modified {
        limits("Width", least, most)
    }

    /// Limits the height, in points.
    public func height(min least: Double? = nil, max most: Double? = nil) -> Modified {
        limits("Height", least, most)
    }

    private func limits(_ side: String, _ least: Double?, _ most: Double?) -> Modified {
        var copy = modified
        if let least { copy = copy.style("min\(side)", .literal(least)) }
        if let most { copy = copy.style("max\(side)", .literal(most)) }
        return copy
    }

    /// Sets the height and the width in points.
    public func frame(height: Double, width: Double) -> Modified {
        self.height(height).style("width", .literal(width))
    }

    /// Takes the room that is left in a stack.
    public func grow(_ grows: Bool = true) -> Modified { style("grow", .literal(grows)) }

    /// Gives way first where a stack has too little room.
    public func shrink(_ shrinks: Bool = true) -> Modified { style("shrink", .literal(shrinks)) }

    /// Keeps points between the border and the content, on all sides.
    public func padding(_ points: Double) -> Modified { style("padding", .literal(points)) }

    /// Keeps points between the border and the content: `h` left and right, `v` above and below.
    public func padding(h horizontal: Double, v vertical: Double) -> Modified {
        style("padding", .sides(["horizontal": horizontal, "vertical": vertical]))
    }

    /// Keeps points between the border and the content, for each side.
    public func padding(top: Double, left: Double, bottom: Double, right: Double) -> Modified {
        style("padding", .sides(["top": top, "left": left, "bottom": bottom, "right": right]))
    }

    /// A length that the theme names.
    public func padding(_ name: String) -> Modified { style("padding", .literal(name)) }

    /// Keeps points around the border, on all sides.
    public func margin(_ points: Double) -> Modified { style("margin", .literal(points)) }

    /// Keeps points around the border: `h` left and right, `v` above and below.
    public func margin(h horizontal: Double, v vertical: Double) -> Modified {
        style("margin", .sides(["horizontal": horizontal, "vertical": vertical]))
    }

    /// The place in a `ZStackWidget`.
    public func position(_ position: WidgetPosition) -> Modified { style("position", .literal(position.rawValue)) }

    // MARK: - Context

    /// Changes the context of the widgets in it. Several changes add up.
    public func context(_ change: @escaping (inout WidgetContext) -> Void) -> Modified {
        var copy = modified
        copy.element.contextChanges.append(change)
        return copy
    }

    // MARK: - The screen

    /// The navigation bar of the screen that the widget is.
    public func navigationBar(title: TextValue, hidden: Bool = false) -> Modified {
        var copy = modified
        copy.element.screen.title = title.operand
        copy.element.screen.hasBar = hidden ? false : nil
        return copy
    }

    /// Takes actions each time that the screen is about to be seen.
    public func onViewWillAppear(_ actions: WidgetAction...) -> Modified { onScreen("appear", actions) }

    /// Calls a closure each time that the screen is about to be seen.
    public func onViewWillAppear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onScreen("appear", [.run(file: file, line: line, handler)]) }

    /// The same as `onViewWillAppear`: a screen without animation has appeared when it is about to.
    public func onViewDidAppear(_ actions: WidgetAction...) -> Modified { onScreen("appear", actions) }

    /// Calls a closure each time that the screen is about to be seen, as `onViewWillAppear` does.
    public func onViewDidAppear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onScreen("appear", [.run(file: file, line: line, handler)]) }

    /// Once, when the screen has been made.
    public func onLoad(_ actions: WidgetAction...) -> Modified { onScreen("load", actions) }

    /// Calls a closure once, when the screen has been made.
    public func onLoad(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onScreen("load", [.run(file: file, line: line, handler)]) }

    private func onScreen(_ event: String, _ actions: [WidgetAction]) -> Modified {
        var copy = modified
        copy.element.screen.events.append((event, actions))
        return copy
    }
}

/// The place of a widget in a `ZStackWidget`.
public enum WidgetPosition: String, CaseIterable, Sendable {
    /// A place: everything, a corner, an edge along its whole length, or the centre.
    case fill, left, top, bottom, right, topLeft, topRight, bottomLeft, bottomRight, center
    /// A place in the size of the content: the middle of an edge, or the centre.
    case centerLeft, centerTop, centerBottom, centerRight, centerHorizontally, centerVertically
}

/// A corner of a widget.
public enum WidgetCorner: String, Sendable {
    /// A corner, by its edges.
    case topLeft, topRight, bottomLeft, bottomRight
}
