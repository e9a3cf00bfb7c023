internal import WidgetBytes
internal import XMLText

/// The limits of one interface's report.
struct InterfaceLimits {
    /// Different sentences about parts that were left out; further ones are only counted.
    var noteCount = 500
    /// Bytes of a word that is compared with known ones to find a misspelling.
    var spellingByteCount = 64
}

/// The parts of a source that were left out, for the report of a build: each sentence once, with its first place and the
/// number of its other places.
struct InterfaceNotes {
    private let limits = InterfaceLimits()
    private let errors: BuildErrors
    private var places: [String: Set<TextPosition>] = [:]
    private var further = 0

    /// - Parameter errors: a record of the parts that cannot be left out.
    init(_ errors: BuildErrors) { self.errors = errors }

    /// - Parameter sentence: the part, its element and the reason; without its place.
    mutating func add(_ sentence: String, at position: TextPosition) {
        if places[sentence] == nil, places.count >= limits.noteCount {
            further += 1
        } else {
            places[sentence, default: []].insert(position)
        }
    }

    mutating func add(_ sentence: String, _ element: XMLElement) { add(sentence, at: element.position) }

    mutating func add(_ other: InterfaceNotes) {
        for (sentence, positions) in other.places {
            for position in positions { add(sentence, at: position) }
        }
        further += other.further
    }

    /// Returns a line for each sentence, in the order of their first places.
    func lines(path: String, places shown: (TextPosition) -> TextPosition = { $0 }) -> [String] {
        var lines: [(position: TextPosition, text: String)] = []
        for (sentence, positions) in places {
            guard let first = positions.min(by: InterfaceNotes.isEarlier) else { continue }
            let others = positions.count - 1
            let also = others == 0 ? "" : others == 1 ? " (and 1 more)" : " (and \(others) more)"
            let place = shown(first)
            lines.append((first, "\(path):\(place.line):\(place.column): \(sentence)\(also)"))
        }
        lines.sort {
            $0.position == $1.position ? $0.text < $1.text : InterfaceNotes.isEarlier($0.position, $1.position)
        }
        return lines.map(\.text) + (further == 0 ? [] : ["\(path): \(further) further parts were left out"])
    }

    private static func isEarlier(_ first: TextPosition, _ second: TextPosition) -> Bool {
        (first.line, first.column) < (second.line, second.column)
    }
}

/// Parts without a rule. Xcode writes much that changes only the looks of an element, and more with each version: such
/// parts are left out with a note. A likely misspelling of a known part is an error, and so is a part with objects or
/// connections.
extension InterfaceNotes {
    mutating func leaveOut(
        _ attribute: XMLAttribute, of element: XMLElement, knowing known: some Sequence<String>, path: String
    ) throws(BuildError) {
        if EditorParts.has(attribute: attribute.name) { return }
        let position = element.position(of: attribute)
        if let meant = nearest(attribute.name, in: known) {
            return try errors.record(
                BuildError(
                    "the attribute \(attribute.name) of \(element.name) cannot be compiled", path: path, at: position,
                    hints: ["\(element.name) has an attribute \(meant)"]))
        }
        add("the attribute \(attribute.name) of \(element.name) was left out: nothing is known about it", at: position)
    }

    /// - Parameter keys: the keys that a part of this name can have.
    mutating func leaveOut(
        _ part: XMLElement, of element: XMLElement, knowing keys: some Sequence<String>, path: String
    ) throws(BuildError) {
        if EditorParts.has(part) { return }
        let key = part["key"] ?? ""
        let shown = "\(part.name)\(key.isEmpty ? "" : " for \(key)") in \(element.name)"
        if InterfaceNotes.hasObjects(part) {
            return try errors.record(
                BuildError(
                    "\(shown) cannot be compiled", path: path, at: part.position,
                    hints: ["docs/building.md lists what can"]))
        }
        if let meant = nearest(key, in: keys) {
            return try errors.record(
                BuildError(
                    "\(shown) cannot be compiled", path: path, at: part.position,
                    hints: ["\(element.name) has a \(part.name) for \(meant)"]))
        }
        add("\(shown) was left out: nothing is known about it", part)
    }

    /// Leaves out a value that is not among the known ones.
    mutating func leaveOut(
        value attribute: XMLAttribute, of element: XMLElement, knowing known: some Sequence<String>, path: String
    ) throws(BuildError) {
        if nearest(attribute.value, in: known) != nil {
            let listed = known.sorted().joined(separator: ", ")
            return try errors.record(
                BuildError(
                    "\(attribute.name) is \"\(attribute.value)\", but has to be one of \(listed)", path: path,
                    at: element.position(of: attribute)))
        }
        add(
            "\(attribute.name)=\"\(attribute.value)\" of \(element.name) was left out: the value is not known",
            at: element.position(of: attribute))
    }

    /// True if objects or connections are in the element: without them, others would lead nowhere.
    private static func hasObjects(_ element: XMLElement) -> Bool {
        var pending = [element]
        while let next = pending.popLast() {
            if next["id"] != nil || next.name == "connections" { return true }
            pending += next.children
        }
        return false
    }

    /// Leaves out a known attribute or part that a compiled interface cannot hold.
    mutating func leaveOut(look part: String, of element: XMLElement, at position: TextPosition) {
        add("\(part) of \(element.name) was left out: it only changes how it looks", at: position)
    }

    // MARK: Misspellings

    /// Returns the known word that differs by one letter, or by two if it is long.
    private func nearest(_ word: String, in known: some Sequence<String>) -> String? {
        let letters = Array(word.utf8)
        guard (3...limits.spellingByteCount).contains(letters.count) else { return nil }
        let allowed = letters.count < 12 ? 1 : 2
        var best: (distance: Int, word: String)?
        for other in known where abs(other.utf8.count - letters.count) <= allowed {
            let distance = InterfaceNotes.distance(letters, Array(other.utf8))
            guard distance <= allowed, best.map({ (distance, other) < $0 }) ?? true else { continue }
            best = (distance, other)
        }
        return best?.word
    }

    /// The number of letters to insert, delete, change or exchange with a neighbour.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    cost = min(cost, before[column - 1] + 1)
                }
                next.append(cost)
            }
            (before, last) = (last, next)
        }
        return last[second.count]
    }
}
