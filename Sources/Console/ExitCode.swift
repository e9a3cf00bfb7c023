/// What the program says to whoever started it.
package enum ExitCode: Int32 {
    case clean = 0
    case failed = 1
    /// Misuse or a bad configuration.
    case misuse = 2
    case damagedStore = 3
}
