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

extension ButtonLook {
    /// The look of a button in its state, except while it is pressed; `nil` for the normal one.
    package func state(isDisabled: Bool, isSelected: Bool) -> StateLook? {
        let bits = (isDisabled ? StateLook.disabled : 0) | (isSelected ? StateLook.selected : 0)
        return bits == 0 ? nil : states.first { $0.bits == bits }
    }

    /// The look of a button while it is pressed.
    package var pressed: StateLook? { states.first { $0.bits == StateLook.highlighted } }
}

extension StateLook {
    package static let highlighted = 1
    package static let disabled = 2
    package static let selected = 4
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
