internal import WidgetBytes

/// The first labels of identifiers: of the bundle of that identifier, and of those that continue it after a dot.
package struct BundlePrefix: Hashable, Sendable, CustomStringConvertible {
    /// Empty for all bundles.
    package let text: String

    /// All bundles.
    package static let all = BundlePrefix(unchecked: "")

    private init(unchecked text: String) { self.text = text }

    /// Reads a prefix as operators write it: whole labels joined by dots, or `*` for all bundles.
    package init?(_ text: String) {
        if text == "*" {
            self = .all
            return
        }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...BundlePrefix.longest).contains(text.utf8.count),
            labels.allSatisfy({ label in
                !label.isEmpty && label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
            })
        else { return nil }
        self.text = text
    }

    /// The identifier's longest length.
    private static let longest = 155

    package var description: String { text.isEmpty ? "*" : text }

    package func covers(_ identifier: String) -> Bool {
        guard !text.isEmpty else { return true }
        let bytes = identifier.utf8
        guard bytes.starts(with: text.utf8) else { return false }
        return bytes.count == text.utf8.count || bytes.dropFirst(text.utf8.count).first == UInt8(ascii: ".")
    }

    /// True if every bundle of the other is one of this, too.
    package func covers(_ other: BundlePrefix) -> Bool { text.isEmpty || covers(other.text) }

    /// The identifiers that the prefix covers, in the order of their bytes: this one, and those from one on that are below
    /// another.
    package var range: (only: String, from: String, below: String) {
        // No identifier has a tilde, which comes after all letters; the slash comes after the dot.
        text.isEmpty ? ("", "", "~") : (text, "\(text).", "\(text)/")
    }
}
