import Widgets

/// The colours of the orchestra.
extension WidgetColor {
    static let alarm = WidgetColor("#a4161a")
    static let moss = WidgetColor("#81b29a")
    static let rust = WidgetColor("#e07a5f")
    static let sand = WidgetColor("#f2cc8f")
    static let sea = WidgetColor("#3d5a80")
}
