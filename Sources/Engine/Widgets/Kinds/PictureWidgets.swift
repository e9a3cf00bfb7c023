public import FoundationEssentials

/// A picture of the bundle, or one that is fetched.
public struct ImageWidget: StyledWidget, Tappable {
    public var element = WidgetElement.kind("image")

    public init(named name: TextValue) { self = payload("name", name.operand) }

    @_disfavoredOverload
    public init<Name: Readable>(named name: Name) where Name.Value == String { self = payload("name", name.operand) }

    public init(url: TextValue) { self = payload("url", url.operand) }

    @_disfavoredOverload
    public init<Address: Readable>(url: Address) where Address.Value == String { self = payload("url", url.operand) }

    /// The picture that is shown until there is another.
    public func placeholder(_ name: TextValue) -> Self { payload("placeholder", name.operand) }

    /// The picture in words, for those who cannot see it.
    public func alternative(_ text: TextValue) -> Self { payload("alt", text.operand) }

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
    public var element = WidgetElement.kind("spinner")

    public init() {}

    public func active<Truth: Readable>(_ active: Truth) -> Self where Truth.Value == Bool {
        payload("active", active.operand)
    }

    public func label(_ text: TextValue) -> Self { payload("label", text.operand) }

    public func color(_ color: WidgetColor) -> Self { style("tint", .literal(color.text)) }
}

/// A thin line between widgets.
public struct DividerWidget: StyledWidget {
    public var element = WidgetElement.kind("divider")

    public init() {}

    public func thickness(_ points: Double) -> Self { payload("thickness", .literal(points)) }
}

/// Room between the widgets of a stack.
public struct SpacerWidget: Widget {
    public var element = WidgetElement.kind("spacer")

    /// Takes the room that is left.
    public init() {}

    public init(h height: Double) { element.payload = [("h", .literal(height)), ("grow", .literal(false))] }

    public init(w width: Double) { element.payload = [("w", .literal(width)), ("grow", .literal(false))] }
}

/// Another name of the room that is left.
public typealias FlexibleSpaceWidget = SpacerWidget

/// A moment as text, which follows the clock.
public struct TimerWidget: StyledWidget, TextStyled {
    public enum Style: String, Sendable {
        case relative, countdown, clock
    }

    public var element = WidgetElement.kind("timer")

    public init(_ date: Date) {
        self = payload("date", .literal(date.timeIntervalSince1970))
    }

    public init<Moment: Changing>(_ date: Moment) where Moment.Value == Date { self = payload("date", date.operand) }

    public func style(_ style: Style) -> Self { payload("style", .literal(style.rawValue)) }

    /// The seconds between two updates of the text.
    public func tick(_ seconds: Double) -> Self { payload("tick", .literal(seconds)) }
}
