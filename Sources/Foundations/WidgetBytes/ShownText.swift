/// Text of unknown origin, made fit to be shown: it stays on one line, and nothing in it moves a cursor, changes
/// colours, turns other text around or hides.
package enum ShownText {
    /// The most characters of a quotation inside a sentence.
    package static let usualLimit = 120

    /// The text in quotes, cut short, with characters that are not shown written as escapes.
    package static func quoted(
        _ text: some StringProtocol, limit: Int = usualLimit, by quote: Unicode.Scalar = "\""
    ) -> String {
        var shown = String(quote)
        append(text, limit: limit, quote: quote, to: &shown)
        shown.unicodeScalars.append(quote)
        return shown
    }

    /// The text without quotes, with characters that are not shown written as escapes.
    package static func plain(_ text: some StringProtocol, limit: Int = .max) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(text) }
        var shown = ""
        append(text, limit: limit, quote: nil, to: &shown)
        return shown
    }

    /// A name from a file: as it is if it is a plain word, else quoted in brackets.
    package static func name(_ name: String) -> String { ValuePath([.key(name)]).description }

    private static func append(
        _ text: some StringProtocol, limit: Int, quote: Unicode.Scalar?, to shown: inout String
    ) {
        for (count, scalar) in text.unicodeScalars.enumerated() {
            if count == limit { return shown += "…" }
            switch scalar {
            case quote: shown += "\\\(scalar)"
            // Where quotes are escaped, backslashes are escaped too.
            case "\\" where quote == "\"": shown += "\\\\"
            default:
                if scalar.isShown {
                    shown.unicodeScalars.append(scalar)
                } else {
                    shown += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
    }
}

extension Unicode.Scalar {
    /// True if the character is drawn as itself. Controls, line ends, characters for layout or direction, and
    /// invisible, private or unassigned ones are not.
    package var isShown: Bool {
        switch value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300: return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        // Fillers, joiners and variation selectors are invisible, so two different texts can look alike.
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }
}

/// The way from the root of a document to one of its values, as messages show it: `objects.list[2].attrs`.
package struct ValuePath: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) {
        self.steps = steps
    }

    package var isRoot: Bool { steps.isEmpty }

    package func appending(key: String) -> ValuePath { ValuePath(steps + [.key(key)]) }

    package func appending(index: Int) -> ValuePath { ValuePath(steps + [.index(index)]) }
}

extension ValuePath: CustomStringConvertible {
    /// The path on one line. Names that are not plain words are bracketed, escaped and cut short, because they come
    /// from outside and are shown on terminals and in logs.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where ValuePath.isPlain(key): text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += "[\(ShownText.quoted(key, limit: ValuePath.longestShownKey))]"
            }
        }
        return text
    }

    private static let longestShownKey = 64

    private static func isPlain(_ key: String) -> Bool {
        let bytes = key.utf8
        return !bytes.isEmpty && bytes.count <= longestShownKey
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2D, 0x40, 0x5F: true
                default: false
                }
            }
    }
}

/// A number of bytes as people read it.
package enum ByteCountText {
    /// Bytes up to 9999, then the next unit that keeps the number short.
    package static func of(_ byteCount: Int) -> String {
        var value = byteCount
        var unit = 0
        while value >= 10_000, unit < 3 {
            value = value / 1_024 + (value % 1_024 >= 512 ? 1 : 0)
            unit += 1
        }
        return "\(value) \(["B", "KiB", "MiB", "GiB"][unit])"
    }
}

/// Finds the known name that is most likely meant by a misspelt one.
package enum NearestName {
    /// Longer names are not compared: they are not slips, and the work grows with the square of the length.
    static let lengthLimit = 64
    /// The most names that one is compared with.
    static let comparedCount = 1_000

    /// The closest of `names`, or `nil` if none is close: at most a third of the longer name may differ.
    ///
    /// Upper and lower case count as the same; among equally close names the first wins.
    ///
    /// - Parameter most: the most insertions, deletions, substitutions and swaps.
    package static func of(_ name: String, in names: some Sequence<String>, atMost most: Int = .max) -> String? {
        guard !name.isEmpty, name.utf8.count <= lengthLimit else { return nil }
        let wanted = folded(name)
        var nearest: (name: String, distance: Int)?
        for candidate in names.prefix(comparedCount) where candidate.utf8.count <= lengthLimit {
            let known = folded(candidate)
            let limit = min(max(wanted.count, known.count) / 3, nearest.map { $0.distance - 1 } ?? Int.max, most)
            guard let distance = distance(wanted, known, limit: max(limit, 0)) else { continue }
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (candidate, distance) }
        }
        return nearest?.name
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours that lead from one to the other;
    /// `nil` if it exceeds `limit`.
    static func distance(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int? {
        guard abs(first.count - second.count) <= limit else { return nil }
        // Three rows of the table are alive: a swap looks two rows back.
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let isSame = first[row] == second[column]
                var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            if let least = current.min(), least > limit { return nil }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[second.count] <= limit ? previous[second.count] : nil
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
    }
}
