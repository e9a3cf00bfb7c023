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

    public func tag(_ tag: Int) -> Modified { id("tag\(tag)") }

    public func tag<Name: RawRepresentable>(_ tag: Name) -> Modified { id("\(tag.rawValue)") }

    // MARK: - Looks

    public func backgroundColor(_ color: WidgetColor) -> Modified { style("background", .literal(color.text)) }

    public func tintColor(_ color: WidgetColor) -> Modified { style("tint", .literal(color.text)) }

    public func alpha(_ alpha: Double) -> Modified { style("alpha", .literal(alpha)) }

    public func alpha<Number: Changing>(_ alpha: Number) -> Modified where Number.Value == Double {
        style("alpha", alpha.operand)
    }

    public func hidden<Truth: Readable>(_ hidden: Truth) -> Modified where Truth.Value == Bool {
        style("hidden", hidden.operand)
    }

    /// Shown while a condition holds. In contrast to `hidden` it is not there otherwise.
    public func shown<Truth: Readable>(if condition: Truth) -> Modified where Truth.Value == Bool {
        var copy = modified
        copy.element.condition = condition.operand
        return copy
    }

    public func clipsToBounds(_ clips: Bool) -> Modified { style("clips", .literal(clips)) }

    public func cornerRadius(_ points: Double) -> Modified { style("cornerRadius", .literal(points)) }

    public func border(_ color: WidgetColor = .lightGray, width: Double = 1) -> Modified {
        borderColor(color).style("borderWidth", .literal(width))
    }

    /// The corners that have the radius.
    public func corners(_ corners: WidgetCorner...) -> Modified {
        style("corners", .literal(corners.map(\.rawValue)))
    }

    public func borderColor(_ color: WidgetColor) -> Modified { style("borderColor", .literal(color.text)) }

    public func borderWidth(_ points: Double) -> Modified { style("borderWidth", .literal(points)) }

    public func shadow(radius: Double) -> Modified { style("shadow", .literal(radius)) }

    public func accessibilityLabel(_ text: TextValue) -> Modified { style("accessibilityLabel", text.operand) }

    // MARK: - Size and place

    public func width(_ points: Double) -> Modified { style("width", .literal(points)) }

    public func height(_ points: Double) -> Modified { style("height", .literal(points)) }

    public func width(min least: Double? = nil, max most: Double? = nil) -> Modified {
        limits("Width", least, most)
    }

    public func height(min least: Double? = nil, max most: Double? = nil) -> Modified {
        limits("Height", least, most)
    }

    private func limits(_ side: String, _ least: Double?, _ most: Double?) -> Modified {
        var copy = modified
        if let least { copy = copy.style("min\(side)", .literal(least)) }
        if let most { copy = copy.style("max\(side)", .literal(most)) }
        return copy
    }

    public func frame(height: Double, width: Double) -> Modified {
        self.height(height).style("width", .literal(width))
    }

    /// Takes the room that is left in a stack.
    public func grow(_ grows: Bool = true) -> Modified { style("grow", .literal(grows)) }

    /// Gives way first where a stack has too little room.
    public func shrink(_ shrinks: Bool = true) -> Modified { style("shrink", .literal(shrinks)) }

    public func padding(_ points: Double) -> Modified { style("padding", .literal(points)) }

    public func padding(h horizontal: Double, v vertical: Double) -> Modified {
        style("padding", .sides(["horizontal": horizontal, "vertical": vertical]))
    }

    public func padding(top: Double, left: Double, bottom: Double, right: Double) -> Modified {
        style("padding", .sides(["top": top, "left": left, "bottom": bottom, "right": right]))
    }

    /// A length that the theme names.
    public func padding(_ name: String) -> Modified { style("padding", .literal(name)) }

    public func margin(_ points: Double) -> Modified { style("margin", .literal(points)) }

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

    public func onViewWillAppear(_ actions: WidgetAction...) -> Modified { onScreen("appear", actions) }

    public func onViewWillAppear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onScreen("appear", [.run(file: file, line: line, handler)]) }

    /// The same as `onViewWillAppear`: a screen without animation has appeared when it is about to.
    public func onViewDidAppear(_ actions: WidgetAction...) -> Modified { onScreen("appear", actions) }

    public func onViewDidAppear(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Modified { onScreen("appear", [.run(file: file, line: line, handler)]) }

    /// Once, when the screen has been made.
    public func onLoad(_ actions: WidgetAction...) -> Modified { onScreen("load", actions) }

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
    case fill, left, top, bottom, right, topLeft, topRight, bottomLeft, bottomRight, center
    case centerLeft, centerTop, centerBottom, centerRight, centerHorizontally, centerVertically
}

/// A corner of a widget.
public enum WidgetCorner: String, Sendable {
    case topLeft, topRight, bottomLeft, bottomRight
}
