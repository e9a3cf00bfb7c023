/// What stands on a terminal, so that only lines are written that are other than before.
package struct DrawnScreen: Sendable {
    private var lines: [String] = []
    private var size: RawTerminal.Size?

    package init() {}

    /// Forgets what stands there: it is drawn anew.
    package mutating func forget() {
        lines = []
        size = nil
    }

    /// What has to be written so that these lines are seen. Lines are as wide as the screen at most, and know nothing
    /// of where they stand.
    package mutating func update(to new: [String], _ size: RawTerminal.Size) -> String {
        var text = ""
        if self.size != size {
            text += "\u{1B}[0m\u{1B}[2J"
            lines = []
        }
        let shown = Array(new.prefix(size.rows))
        for row in 0..<max(shown.count, lines.count) {
            let line = row < shown.count ? shown[row] : ""
            guard row >= lines.count || lines[row] != line else { continue }
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)"
        }
        (lines, self.size) = (shown, size)
        return text
    }
}
