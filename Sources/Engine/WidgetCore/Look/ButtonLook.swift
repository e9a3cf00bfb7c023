/// The parts of a button's look that other elements lack.
package struct ButtonLook: Equatable, Sendable {
    /// The looks of states other than the normal one, by their bits.
    package var states: [StateLook] = []
    /// A look by purpose, which comes before those of states.
    package var configuration: ButtonConfiguration?

    package init() {}
}

/// The look of a button while it is highlighted, disabled or selected. Parts that are `nil` are those of the normal
/// state.
package struct StateLook: Equatable, Sendable {
    /// `UIControl.State`: 1 highlighted, 2 disabled, 4 selected, 8 focused.
    package var bits: Int
    package var title: String?
    package var titleColor: Paint?
    package var titleShadow: Paint?
    package var image: String?
    package var backgroundImage: String?

    package init(bits: Int) {
        self.bits = bits
    }
}

/// A button that says what it is for, and leaves the drawing to the system.
package struct ButtonConfiguration: Equatable, Sendable {
    package enum Style: Int, Sendable {
        case plain, gray, tinted, filled, borderless, bordered, borderedTinted, borderedProminent
    }

    package enum Corners: Int, Sendable { case fixed = -1, dynamic, small, medium, large, capsule }

    package enum Scale: Int, Sendable { case medium, small, mini, large }

    package enum Placement: Int, Sendable { case none = 0, top = 1, leading = 2, bottom = 4, trailing = 8 }

    package var style = Style.plain
    package var corners = Corners.dynamic
    package var scale = Scale.medium
    package var imagePlacement = Placement.leading
    package var imagePadding = 0.0
    package var titlePadding = 0.0
    package var subtitle: String?
    package var foreground: Paint?
    package var background: Paint?

    package init() {}
}

/// The place of content along the vertical axis of a control.
package enum VerticalPlace: Int, Sendable { case center, top, bottom, fill }
