/// Where something was written, for the author who has to change it.
package struct Place: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1; 0 for a place in a compiled file, which has no lines.
    package var line: Int
    package var column: Int
    /// What it is in the file: the way of keys to it.
    package var path: String

    package init(file: String, line: Int = 0, column: Int = 0, path: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
    }

    package var description: String {
        (line > 0 ? "\(file):\(line):\(column)" : file) + (path.isEmpty ? "" : " (\(path))")
    }
}
