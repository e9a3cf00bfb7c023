/// What somebody presses.
package enum Key: Equatable, Sendable {
    /// A letter, digit or sign; also what was composed of several.
    case character(Character)
    /// Text that was pasted: line ends in it are no keys.
    case pasted(String)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right
    case pageUp, pageDown, home, end
    /// With the control key, by its letter.
    case control(Character)
}
