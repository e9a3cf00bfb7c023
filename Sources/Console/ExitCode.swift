/// What the program says to whoever started it.
package enum ExitCode: Int32 {
    case clean = 0
    case failed = 1
    /// Misuse or a bad configuration.
    case misuse = 2
    case damagedStore = 3
    /// A release was stored, and its channel shows another one still.
    case notShown = 4
}
