/// The look of a node as its author drew it: how it lies in its parent, and how it is painted.
///
/// Printers of text and JSON need none of it. It belongs to the authored node, so all rows made of one prototype share
/// it, and a view carries none of it: a printer finds it by the node of a `ViewKey`.
package final class Look: Sendable {
    package let geometry: Geometry
    package let appearance: Appearance
    /// Of a list or a grid.
    package let list: ListGeometry?
    /// Of a stack view.
    package let stack: StackGeometry?
    /// Of a scroll view, a list or a text area.
    package let scrolling: Scrolling?
    /// Of a node in which a person types.
    package let typing: TypingTraits?
    package let accessibility: AuthoredTraits?
    package let button: ButtonLook?
    /// Of a search field, or of a bar among the views.
    package let bar: BarGeometry?

    package init(
        geometry: Geometry, appearance: Appearance = Appearance(), list: ListGeometry? = nil,
        stack: StackGeometry? = nil, scrolling: Scrolling? = nil, typing: TypingTraits? = nil,
        accessibility: AuthoredTraits? = nil, button: ButtonLook? = nil, bar: BarGeometry? = nil
    ) {
        self.geometry = geometry
        self.appearance = appearance
        self.list = list
        self.stack = stack
        self.scrolling = scrolling
        self.typing = typing
        self.accessibility = accessibility
        self.button = button
        self.bar = bar
    }
}

package struct Size: Equatable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// Distances from the edges. `leading` and `trailing` change sides where text runs from right to left, unless
/// `isPhysical`: then they are left and right.
package struct Insets: Equatable, Sendable {
    package var top: Double
    package var leading: Double
    package var bottom: Double
    package var trailing: Double
    package var isPhysical: Bool

    package init(top: Double, leading: Double, bottom: Double, trailing: Double, isPhysical: Bool = true) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
        self.isPhysical = isPhysical
    }

    package static let zero = Insets(top: 0, leading: 0, bottom: 0, trailing: 0)
}

package enum Axis: Sendable { case horizontal, vertical }

/// The place of a node in its parent, as its author drew it. The frame itself is the node's.
package struct Geometry: Equatable, Sendable {
    /// The part that a child plays in its parent.
    package enum Role: Sendable {
        /// One of the children that the author arranged.
        case content
        /// Above or below the rows of a list.
        case header, footer
        /// Behind everything in it; the selected one only while its row is selected or pressed.
        case background, selectedBackground
        /// At the trailing edge of a row.
        case accessory
        /// The part of a row or of an effect that holds its content.
        case contentView
    }

    /// The bounds of the parent that the frame was drawn in.
    package var design: Size?
    /// The flexible parts; `nil` where only rules place it.
    package var springs: Springs?
    package var hugging = Priorities.hugging
    package var resistance = Priorities.resistance
    /// The author's layout margins; `nil` for the usual ones.
    package var margins: Insets?
    /// True if margins begin at the safe area.
    package var addsSafeArea = true
    /// True if margins include those of the parent where they overlap.
    package var preservesParentMargins = false
    package var role = Role.content
    /// The intrinsic size that the author set in place of the element's own.
    package var intrinsicSize: PartialSize?
    /// True if leading is left in every language.
    package var isForcedLeftToRight = false

    package init() {}
}

package struct PartialSize: Equatable, Sendable {
    package var width: Double?
    package var height: Double?

    package init(width: Double?, height: Double?) {
        self.width = width
        self.height = height
    }
}

/// The flexible margins and lengths of an autoresizing mask.
package struct Springs: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let left = Springs(rawValue: 1)
    package static let width = Springs(rawValue: 2)
    package static let right = Springs(rawValue: 4)
    package static let top = Springs(rawValue: 8)
    package static let height = Springs(rawValue: 16)
    package static let bottom = Springs(rawValue: 32)
}

/// Priorities along both axes: of staying as small as the content, or of not getting smaller. A priority is a level: a
/// higher one is never traded for any number of lower ones.
package struct Priorities: Equatable, Sendable {
    package var horizontal: Float
    package var vertical: Float

    package init(horizontal: Float, vertical: Float) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    package static let hugging = Priorities(horizontal: 250, vertical: 250)
    package static let resistance = Priorities(horizontal: 750, vertical: 750)
}

/// An author's words about an element for assistive technology.
package struct AuthoredTraits: Equatable, Sendable {
    /// `UIAccessibilityTraits`.
    package var bits: UInt64?
    package var hint: String?
    package var value: String?
    /// False if the element itself is not read; its children are.
    package var isElement: Bool?
    /// True if nothing in it is read.
    package var hidesElements = false

    package init() {}

    /// The trait of a title.
    package static let heading: UInt64 = 1 << 16

    package var isHeading: Bool { has(AuthoredTraits.heading) }
    package var isLink: Bool { has(1 << 1) }
    package var isImage: Bool { has(1 << 2) }
    package var isSelected: Bool { has(1 << 3) }
    package var isDisabled: Bool { has(1 << 8) }
    package var updatesFrequently: Bool { has(1 << 9) }

    private func has(_ bit: UInt64) -> Bool { (bits ?? 0) & bit != 0 }
}

/// The keyboard that an author chose for a field.
package struct TypingTraits: Equatable, Sendable {
    package enum Keyboard: Int, Sendable {
        case standard, ascii, numbersAndPunctuation, url, numberPad, phonePad, namePhonePad, email, decimalPad, twitter
        case webSearch, asciiNumberPad
    }

    package enum ReturnKey: Int, Sendable {
        case standard, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
    }

    /// The moments at which a field shows a button that empties it.
    package enum ClearButton: Int, Sendable { case never, whileEditing, unlessEditing, always }

    package enum Capitals: Int, Sendable { case none, words, sentences, all }

    package var keyboard = Keyboard.standard
    package var returnKey = ReturnKey.standard
    package var capitals = Capitals.sentences
    package var corrects: Bool?
    package var checksSpelling: Bool?
    /// `UITextContentType`, such as `username`.
    package var contentType: String?
    package var clearButton = ClearButton.never

    package init() {}
}
