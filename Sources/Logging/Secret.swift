/// Text that no description, dump, interpolation or log line shows.
///
/// The only way to the text is the long word `exposedText`, so every place that lets it out can be found by name.
package struct Secret: Sendable {
    package let exposedText: String

    package init(_ text: String) {
        exposedText = text
    }

    /// What is shown in the place of the text.
    package static let mask = "(secret)"
}

extension Secret: Equatable {
    /// Takes the same time wherever two secrets of equal length differ.
    package static func == (first: Secret, second: Secret) -> Bool {
        let one = first.exposedText.utf8
        let other = second.exposedText.utf8
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Secret.mask }
    package var debugDescription: String { Secret.mask }

    /// A dump finds no children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
