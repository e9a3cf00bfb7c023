public import FoundationEssentials

/// A picture of the bundle, or one that is fetched.
public struct ImageWidget: StyledWidget, Tappable {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("image")

    /// A picture of the bundle.
    public init(named name: TextValue) { self = payload("name", name.operand) }

    /// A picture of the bundle, whose name follows a value.
    @_disfavoredOverload
    public init<Name: Readable>(named name: Name) where Name.Value == String { self = payload("name", name.operand) }

    /// A picture that is fetched from an address.
    public init(url: TextValue) { self = payload("url", url.operand) }

    /// A picture that is fetched, whose address follows a value.
    @_disfavoredOverload
    public init<Address: Readable>(url: Address) where Address.Value == String { self = payload("url", url.operand) }

    /// The picture that is shown until there is another.
    public func placeholder(_ name: TextValue) -> Self { payload("placeholder", name.operand) }

    /// The picture in words, for those who cannot see it.
    public func alternative(_ text: TextValue) -> Self { payload("alt", text.operand) }

    /// Chooses the way in which the picture fills its frame.
    public func contentMode(_ mode: PictureMode) -> Self { payload("fit", .literal(mode.rawValue)) }
}

/// The way in which a picture fills its frame.
public struct PictureMode: Sendable {
    let rawValue: String

    /// All of it is seen.
    public static let scaleAspectFit = PictureMode(rawValue: "fit")
    /// All of the frame is covered.
    public static let scaleAspectFill = PictureMode(rawValue: "fill")
    /// Both, with another shape.
    public static let scaleToFill = PictureMode(rawValue: "stretch")
    /// In its size.
    public static let center = PictureMode(rawValue: "center")
}

/// A sign that work is in progress.
public struct SpinnerWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("spinner")

    /// A spinner that turns while it is shown.
    public init() {}

    /// Shows the spinner while a condition holds.
    public func active<Truth: Readable>(_ active: Truth) -> Self where Truth.Value == Bool {
        payload("active", active.operand)
    }

    /// Names the work that is in progress.
    public func label(_ text: TextValue) -> Self { payload("label", text.operand) }

    /// Sets the colour of the spinner.
    public func color(_ color: WidgetColor) -> Self { style("tint", .literal(color.text)) }
}

/// A thin line between widgets.
public struct DividerWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("divider")

    /// A line of one point.
    public init() {}

    /// Sets the points across the line.
    public func thickness(_ points: Double) -> Self { payload("thickness", .literal(points)) }
}

/// Room between the widgets of a stack.
public struct SpacerWidget: Widget {
    /// The description of the widget.
    public var element = WidgetElement.kind("spacer")

    /// Takes the room that is left.
    public init() {}

    /// Takes a height in points.
    public init(h height: Double) { element.payload = [("h", .literal(height)), ("grow", .literal(false))] }

    /// Takes a width in points.
    public init(w width: Double) { element.payload = [("w", .literal(width)), ("grow", .literal(false))] }
}

/// Another name of the room that is left.
public typealias FlexibleSpaceWidget = SpacerWidget

/// A moment as text, which follows the clock.
public struct TimerWidget: StyledWidget, TextStyled {
    /// The form in which a moment is shown.
    public enum Style: String, Sendable {
        /// A form: `relative` is the distance from now, `countdown` the time that is left, `clock` the time of day.
        case relative, countdown, clock
    }

    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("timer")

    /// The text of a moment that stays the same.
    public init(_ date: Date) {
        self = payload("date", .literal(date.timeIntervalSince1970))
    }

    /// The text of a moment that is a value.
    public init<Moment: Changing>(_ date: Moment) where Moment.Value == Date { self = payload("date", date.operand) }

    /// Chooses the form; `relative` if left out.
    public func style(_ style: Style) -> Self { payload("style", .literal(style.rawValue)) }

    /// The seconds between two updates of the text.
    public func tick(_ seconds: Double) -> Self { payload("tick", .literal(seconds)) }
}
