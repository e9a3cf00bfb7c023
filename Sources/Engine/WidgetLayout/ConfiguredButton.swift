package import WidgetCore

/// The drawing of buttons that say what they are for, in frames and in pages.
extension ButtonConfiguration {
    /// The share of its colour that the ground of the button has; `nil` for a button without a ground.
    package var groundShare: Double? {
        switch style {
        case .plain, .borderless: nil
        case .tinted, .borderedTinted: 0.18
        case .gray, .bordered, .filled, .borderedProminent: 1
        }
    }

    /// The ground where its author chose none.
    package var usualGround: ColorRole? {
        switch style {
        case .plain, .borderless: nil
        case .gray, .bordered: .fill
        case .tinted, .borderedTinted, .filled, .borderedProminent: .tint
        }
    }

    /// True for a button whose title is white, since its ground is the tint.
    package var isProminent: Bool { style == .filled || style == .borderedProminent }

    /// - Parameter height: of the button, of which a capsule's radius is half.
    package func cornerRadius(of height: Double) -> Double {
        switch corners {
        case .dynamic: SystemMeasures.buttonCorner
        case .fixed, .medium: SystemMeasures.mediumButtonCorner
        case .small: SystemMeasures.smallButtonCorner
        case .large: SystemMeasures.largeButtonCorner
        case .capsule: max(height / 2, 0)
        }
    }
}
