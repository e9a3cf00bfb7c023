/// The name a host asks for. It begins with the identifier of the bundle that answers to it.
///
/// It is also the name of a folder in the cache, which is why it can neither be empty nor hold a slash, nor begin
/// with a dot.
package struct WidgetIdentifier: Hashable, Sendable, CustomStringConvertible {
    package static let longest = 255

    package let text: String

    package init(_ text: String) throws(FetchError) {
        let bytes = text.utf8
        let isSound =
            (1...WidgetIdentifier.longest).contains(bytes.count) && bytes.first.map(isLetterOrDigit) == true
            && bytes.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
        guard isSound else { throw FetchError(.invalidWidgetIdentifier(text)) }
        self.text = text
    }

    /// Whether a bundle of that name may stand for this widget: case counts.
    package func belongs(to bundleIdentifier: String) -> Bool {
        text.utf8.starts(with: bundleIdentifier.utf8)
    }

    package var description: String { text }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
}
