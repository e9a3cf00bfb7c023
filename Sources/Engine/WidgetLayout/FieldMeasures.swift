package import WidgetCore

/// The height of a field that no rule sizes, in frames and in pages.
package enum FieldMeasures {
    /// The least height of something that can be touched.
    package static let least = 24.0
    /// Above and below a line of text, beside a border.
    private static let borderRoom = 4.0

    /// The height up to which a date is typed in a field as high as its place.
    package static let highest = 60.0

    static let messageFont = 13.0
    static let belowMessage = 4.0

    /// The height at the usual size of text: that of the drawing, or the system's.
    package static func height(_ look: Look?, _ drawn: Frame?) -> Double {
        if let archived = archived(look, drawn) { return archived }
        return border(of: look) == .rounded ? SystemMeasures.roundedField : least
    }

    /// The room that the text leaves above and below it at least.
    package static func room(_ look: Look?) -> Double { border(of: look) == .none ? 0 : borderRoom }

    /// The height that an element has in the file of an interface. The places of elements that no author drew tell only
    /// their order.
    package static func archived(_ look: Look?, _ drawn: Frame?) -> Double? {
        guard look?.geometry.design != nil, let height = drawn?.height, height > 0 else { return nil }
        return Affine.bounded(height)
    }

    /// The height of a picker or of a field with a date.
    package static func picker(_ look: Look?, _ drawn: Frame?) -> Double {
        archived(look, drawn) ?? SystemMeasures.picker.height
    }

    static func border(of look: Look?) -> FieldBorder { look?.appearance.fieldBorder ?? .none }
}
