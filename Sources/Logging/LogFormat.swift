/// How a line is written: for machines or for people.
package enum LogFormat: String, CaseIterable, Sendable {
    /// One JSON object per line.
    case json
    /// Time, level, event, message and `name=value` pairs.
    case text
}
