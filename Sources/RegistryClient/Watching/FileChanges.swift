/// What is different between two looks at the same files.
package struct FileChanges: Equatable, Sendable {
    package var added: [String]
    package var changed: [String]
    package var removed: [String]

    /// - Parameters:
    ///   - before: what was seen of each file; `nil`: nothing has been seen yet.
    init<Seen: Equatable>(from before: [String: Seen]?, to now: [String: Seen]) {
        let before = before ?? [:]
        added = now.keys.filter { before[$0] == nil }.sorted()
        changed = now.keys.filter { key in before[key].map { $0 != now[key] } ?? false }.sorted()
        removed = before.keys.filter { now[$0] == nil }.sorted()
    }

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}
