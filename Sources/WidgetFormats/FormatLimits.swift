internal import Nib

/// The limits of reading a bundle: many times what a large widget has. All of it is read before anything is seen.
/// Reaching one is a diagnostic, and what was read until then works.
package struct FormatLimits: Sendable {
    // MARK: - Interfaces

    package var screenCount = 256
    package var interfaceByteCount = 1 << 20
    /// Stacks of screens within stacks.
    package var stackDepth = FirstScreen.stackDepth
    /// Placeholders that stand for one another.
    package var placeholderDepth = 8
    /// Elements of one screen.
    package var nodeCount = 20_000
    /// Interfaces of rows within those of screens: their bytes, and rows within rows.
    package var prototypeByteCount = 4 << 20
    package var prototypeDepth = 8
    /// Segments of a control, and states of a button: many of either may share one list of them.
    package var partCount = 100

    // MARK: - Schemes

    /// Bytes of all schemes and data together.
    package var dataByteCount = 4 << 20
    /// Attributes of all elements and mediators of one scheme.
    package var attributeCount = 10_000
    package var mediatorCount = 1_000
    /// Files of rows of one list, and of all lists of a screen, which may share them.
    package var rowFileCount = 100
    package var rowFileUseCount = 400
    /// Entries of the lists of elements of all mediators of a screen.
    package var triggerCount = 50_000
    package var propertyCount = 64
    /// Attributes, outlets and bindings of all elements of a screen. Rows of many kinds may have elements of one name:
    /// what is said of it is said of all of them.
    package var settingCount = 50_000
    /// Elements that one list of names leads to.
    package var namedCount = 20_000
    /// Bindings of the screen itself: each is evaluated whenever anything on the screen changes.
    package var screenBindingCount = 1_000
    /// Steps of a result chain.
    package var linkCount = 50
    /// How often the items of a list without end come again.
    package var repetitionCount = 1_000

    // MARK: - Services

    package var serviceByteCount = 4 << 20
    package var actionCount = 10_000
    /// Bytes of all headers of one action, with their names: as many as servers take.
    package var headerByteCount = 8 << 10
    /// Members of defaults that are repeated for actions that add some of their own.
    package var repeatedMemberCount = 30_000
    /// The longest wait for an answer that the description brings along, in seconds.
    package var longestScriptedDelay = 3_600.0
    /// The longest time for which an answer stays good, in seconds.
    package var longestCacheTime = 86_400.0

    package init() {}
}
