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
    /// The path on one line; names that are not plain words stand in brackets, escaped and cut short,
    /// because they were written by someone else and go to terminals and logs.
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
